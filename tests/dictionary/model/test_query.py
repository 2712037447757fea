from abhidhan.dictionary.model.query import list_stem_sounds, make_loose_keys, make_sound_keys
from abhidhan.records.languages import Language
from abhidhan.records.orthography import Orthographies
from assamese import keys

ASSAMESE = Language(2, "as", "asm", "Assamese", "অসমীয়া", "Beng", "ltr")
BENGALI = Language(22, "bn", "ben", "Bengali", "বাংলা", "Beng", "ltr")
ENGLISH = Language(1, "en", "eng", "English", "English", "Latn", "ltr")
ALL = (ENGLISH, ASSAMESE, BENGALI)


def test_each_language_has_its_own_loose_keys() -> None:
    for text in ("পার", "par"):
        loose_keys = make_loose_keys(text, Orthographies(ALL))

        assert [loose_keys.get(language.id, "") for language in ALL] == [
            keys.loose_key(text, language.code) for language in ALL
        ], text


def test_a_text_with_an_assamese_letter_has_loose_keys_of_assamese_only() -> None:
    keys_by_language = make_loose_keys("পাৰ", Orthographies(ALL))

    assert [keys_by_language.get(language.id, "") for language in ALL] == ["", keys.loose_key("পাৰ", "as"), ""]


def test_roman_input_is_read_in_several_ways_for_indic_scripts_only() -> None:
    keys_by_language = make_sound_keys("xobdo", Orthographies(ALL))

    assert keys.sound_key("শব্দ", "as") in keys_by_language.get(ASSAMESE.id, frozenset())
    assert keys_by_language.get(ENGLISH.id, frozenset()) == {keys.sound_key("xobdo", "en")}


def test_a_text_with_an_assamese_letter_has_no_sound_key_of_languages_without_it() -> None:
    keys_by_language = make_sound_keys("ৰাম", Orthographies(ALL))

    assert keys_by_language.get(ASSAMESE.id, frozenset())
    assert not keys_by_language.get(BENGALI.id, frozenset())
    # Where it is the only language that has words, and was not asked for, this makes no difference.
    assert not make_sound_keys("ৰাম", Orthographies((BENGALI,))).get(BENGALI.id, frozenset())
    assert make_sound_keys("ৰাম", Orthographies((BENGALI,), is_single=True)).get(BENGALI.id, frozenset())


def test_a_thousand_languages_share_as_few_keys_as_three() -> None:
    many = Orthographies(
        (*ALL, *(Language(number, f"x{number}", None, "", "", "Latn", "ltr") for number in range(100, 1100)))
    )

    assert len([*make_loose_keys("par", many).values]) == len([*make_loose_keys("par", Orthographies(ALL)).values])


def test_letters_that_match_no_word_have_no_sound_keys_of_indic_languages() -> None:
    keys_by_language = make_sound_keys("xobdo", Orthographies(ALL), reads_roman=False)

    assert keys_by_language.get(ENGLISH.id, frozenset()) == {keys.sound_key("xobdo", "en")}
    assert keys_by_language.get(ASSAMESE.id, frozenset()) == frozenset()
    assert make_sound_keys("শব্দ", Orthographies(ALL), reads_roman=False).get(ASSAMESE.id, frozenset()) == {"xbd"}


def test_a_text_that_is_not_a_whole_word_may_still_be_a_form() -> None:
    whole = [stem.key for stem in list_stem_sounds("ghorot", "as")]
    forms = [stem.key for stem in list_stem_sounds("ghorot", "as", include_whole_words=False)]

    assert keys.sound_key("ঘৰত", "as") in whole
    assert keys.sound_key("ঘৰত", "as") not in forms
    assert keys.sound_key("ঘৰ", "as") in forms
