import pytest

from abhidhan.dictionary.model.query import list_stem_sounds, make_loose_keys, make_sound_keys
from abhidhan.records.languages import Language
from abhidhan.records.orthography import Orthographies
from assamese import keys

ASSAMESE = Language(2, "as", "asm", "Assamese", "অসমীয়া", "Beng", "ltr")
BENGALI = Language(22, "bn", "ben", "Bengali", "বাংলা", "Beng", "ltr")
ENGLISH = Language(1, "en", "eng", "English", "English", "Latn", "ltr")
ALL = (ENGLISH, ASSAMESE, BENGALI)


@pytest.mark.parametrize("text", ["পার", "par"])
def test_each_language_folds_by_its_own_rules(text: str) -> None:
    of_language = make_loose_keys(text, Orthographies(ALL))

    assert [of_language.get(language.id, "") for language in ALL] == [
        keys.loose_key(text, language.code) for language in ALL
    ]


def test_a_text_with_an_assamese_letter_has_no_key_where_nobody_writes_that_letter() -> None:
    of_language = make_loose_keys("পাৰ", Orthographies(ALL))

    assert [of_language.get(language.id, "") for language in ALL] == ["", keys.loose_key("পাৰ", "as"), ""]


def test_roman_input_is_read_in_several_ways_for_indic_scripts_only() -> None:
    of_language = make_sound_keys("xobdo", Orthographies(ALL))

    assert keys.sound_key("শব্দ", "as") in of_language.get(ASSAMESE.id, frozenset())
    assert of_language.get(ENGLISH.id, frozenset()) == {keys.sound_key("xobdo", "en")}


def test_a_text_with_an_assamese_letter_is_not_looked_for_where_nobody_writes_that_letter() -> None:
    of_language = make_sound_keys("ৰাম", Orthographies(ALL))

    assert of_language.get(ASSAMESE.id, frozenset())
    assert not of_language.get(BENGALI.id, frozenset())
    # Where it is the only language that has words, and was not asked for, this makes no difference.
    assert not make_sound_keys("ৰাম", Orthographies((BENGALI,))).get(BENGALI.id, frozenset())
    assert make_sound_keys("ৰাম", Orthographies((BENGALI,), is_single=True)).get(BENGALI.id, frozenset())


def test_a_thousand_languages_need_as_few_keys_as_three() -> None:
    many = Orthographies(
        (*ALL, *(Language(number, f"x{number}", None, "", "", "Latn", "ltr") for number in range(100, 1100)))
    )

    assert len([*make_loose_keys("par", many).values]) == len([*make_loose_keys("par", Orthographies(ALL)).values])


def test_letters_that_lead_to_no_word_are_read_for_no_indic_language() -> None:
    of_language = make_sound_keys("xobdo", Orthographies(ALL), reads_roman=False)

    assert of_language.get(ENGLISH.id, frozenset()) == {keys.sound_key("xobdo", "en")}
    assert of_language.get(ASSAMESE.id, frozenset()) == frozenset()
    assert make_sound_keys("শব্দ", Orthographies(ALL), reads_roman=False).get(ASSAMESE.id, frozenset()) == {"xbd"}


def test_a_text_that_is_no_whole_word_may_still_be_a_form() -> None:
    whole = [stem.key for stem in list_stem_sounds("ghorot", "as")]
    forms = [stem.key for stem in list_stem_sounds("ghorot", "as", include_whole_words=False)]

    assert keys.sound_key("ঘৰত", "as") in whole
    assert keys.sound_key("ঘৰত", "as") not in forms
    assert keys.sound_key("ঘৰ", "as") in forms
