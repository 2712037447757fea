import pytest
from hypothesis import given

from assamese.signs import correct_signs, is_abbreviation, remove_homograph_number, replace_colons, split_at_hyphens
from text_strategies import texts


def test_mistyped_signs_are_corrected(subtests: pytest.Subtests) -> None:
    for text, read in [
        ("দু:খ", "দুঃখ"),
        ("পুন:", "পুনঃ"),
        ("दु:ख", "दुःख"),
        ("১০:৩০", "১০:৩০"),
        ("a:b", "a:b"),
        ("অা", "আ"),
        ("অাকাশ", "আকাশ"),
        ("अाकाश", "आकाश"),
        ("ˈwater", "water"),
        ("ˌʌndəˈstand", "ʌndəstand"),
        ("পানী¹", "পানী"),
        ("water²³", "water"),
        ("H₂O", "H₂O"),
        ("²", "²"),
        ("পানী", "পানী"),
    ]:
        with subtests.test(text):
            assert correct_signs(text) == read


@given(texts)
def test_corrected_text_has_no_vowel_composed_of_two_characters(text: str) -> None:
    assert not {"অা", "अा"} & {correct_signs(text)[place : place + 2] for place in range(len(text))}


def test_a_colon_between_letters_is_read_as_visarga() -> None:
    for text, read in [("অন্ত:পুৰ:", "অন্তঃপুৰ:"), ("নাম: ৰাম", "নাম: ৰাম"), ("দাম:৫", "দাম:৫"), ("क:", "क:"), ("क:क", "कःक")]:
        assert replace_colons(text, between=True) == read


def test_a_single_digit_after_a_word_is_a_homograph_number() -> None:
    for text, bare in [
        ("water1", "water"),
        ("পানী১", "পানী"),
        ("গা২", "গা"),
        ("covid19", "covid19"),
        ("water0", "water0"),
        ("B1", "B1"),
        ("1", "1"),
        ("H2O", "H2O"),
    ]:
        assert remove_homograph_number(text) == bare


def test_an_abbreviation_is_single_letters_each_followed_by_a_full_stop() -> None:
    for text, is_one in [
        ("U.S.", True),
        ("e.g", True),
        ("Dr.", False),
        ("a.kol", False),
        ("do.o", False),
        ("A.", False),
        ("ক.খ.", False),
    ]:
        assert is_abbreviation(text) is is_one


def test_latin_words_are_split_at_hyphens() -> None:
    for text, parts in [
        ("rice-fish", ("rice", "fish")),
        ("half\u2011water", ("half", "water")),
        ("x-ray", ()),
        ("-ing", ()),
        ("water", ()),
        ("চাহ-বাগান", ()),
        ("covid-19", ()),
    ]:
        assert split_at_hyphens(text) == parts
