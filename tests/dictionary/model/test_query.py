import pytest

from abhidhan.dictionary.model.query import loose_keys, sound_keys, stem_sounds
from abhidhan.records.languages import Language
from abhidhan.records.orthography import Orthographies
from assamese import keys

ASSAMESE = Language(2, "as", "asm", "Assamese", "অসমীয়া", "Beng", "ltr")
BENGALI = Language(22, "bn", "ben", "Bengali", "বাংলা", "Beng", "ltr")
ENGLISH = Language(1, "en", "eng", "English", "English", "Latn", "ltr")
ALL = (ENGLISH, ASSAMESE, BENGALI)


@pytest.mark.parametrize("text", ["পার", "par"])
def test_each_language_folds_by_its_own_rules(text: str) -> None:
    of_language = loose_keys(text, Orthographies(ALL))

    assert [of_language.of(language.id, "") for language in ALL] == [
        keys.loose_key(text, language.code) for language in ALL
    ]


def test_a_text_with_an_assamese_letter_has_no_key_where_nobody_writes_that_letter() -> None:
    of_language = loose_keys("পাৰ", Orthographies(ALL))

    assert [of_language.of(language.id, "") for language in ALL] == ["", keys.loose_key("পাৰ", "as"), ""]


def test_roman_input_is_read_in_several_ways_for_indic_scripts_only() -> None:
    of_language = sound_keys("xobdo", Orthographies(ALL))

    assert keys.sound_key("শব্দ", "as") in of_language.of(ASSAMESE.id, frozenset())
    assert of_language.of(ENGLISH.id, frozenset()) == {keys.sound_key("xobdo", "en")}


def test_a_text_with_an_assamese_letter_is_not_looked_for_where_nobody_writes_that_letter() -> None:
    of_language = sound_keys("ৰাম", Orthographies(ALL))

    assert of_language.of(ASSAMESE.id, frozenset())
    assert not of_language.of(BENGALI.id, frozenset())
    # Where it is the only language that has words, and was not asked for, this makes no difference.
    assert not sound_keys("ৰাম", Orthographies((BENGALI,))).of(BENGALI.id, frozenset())
    assert sound_keys("ৰাম", Orthographies((BENGALI,), is_single=True)).of(BENGALI.id, frozenset())


def test_a_thousand_languages_need_as_few_keys_as_three() -> None:
    many = Orthographies(
        (*ALL, *(Language(number, f"x{number}", None, "", "", "Latn", "ltr") for number in range(100, 1100)))
    )

    assert len([*loose_keys("par", many).values]) == len([*loose_keys("par", Orthographies(ALL)).values])


def test_letters_that_lead_to_no_word_are_read_for_no_indic_language() -> None:
    of_language = sound_keys("xobdo", Orthographies(ALL), are_read=False)

    assert of_language.of(ENGLISH.id, frozenset()) == {keys.sound_key("xobdo", "en")}
    assert of_language.of(ASSAMESE.id, frozenset()) == frozenset()
    assert sound_keys("শব্দ", Orthographies(ALL), are_read=False).of(ASSAMESE.id, frozenset()) == {"xbd"}


def test_a_text_that_is_no_whole_word_may_still_be_a_form() -> None:
    whole = [stem.key for stem in stem_sounds("ghorot", "as")]
    forms = [stem.key for stem in stem_sounds("ghorot", "as", may_be_whole=False)]

    assert keys.sound_key("ঘৰত", "as") in whole
    assert keys.sound_key("ঘৰত", "as") not in forms
    assert keys.sound_key("ঘৰ", "as") in forms
