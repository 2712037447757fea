import pytest
from hypothesis import given

from assamese.signs import correct_signs, is_abbreviation, remove_homograph_number, replace_colons, split_at_hyphens
from text_strategies import texts


@pytest.mark.parametrize(
    ("text", "read"),
    [
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
    ],
)
def test_signs_are_read_as_what_they_stand_for(text: str, read: str) -> None:
    assert correct_signs(text) == read


@given(texts)
def test_what_has_been_read_has_no_vowels_put_together(text: str) -> None:
    assert not {"অা", "अा"} & {correct_signs(text)[place : place + 2] for place in range(len(text))}


@pytest.mark.parametrize(
    ("text", "read"), [("অন্ত:পুৰ:", "অন্তঃপুৰ:"), ("নাম: ৰাম", "নাম: ৰাম"), ("দাম:৫", "দাম:৫"), ("क:", "क:"), ("क:क", "कःक")]
)
def test_a_colon_parts_no_letters_that_stand_beside_it(text: str, read: str) -> None:
    assert replace_colons(text, between=True) == read


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("water1", "water"),
        ("পানী১", "পানী"),
        ("গা২", "গা"),
        ("covid19", "covid19"),
        ("water0", "water0"),
        ("B1", "B1"),
        ("1", "1"),
        ("H2O", "H2O"),
    ],
)
def test_one_digit_behind_a_word_is_its_number(text: str, bare: str) -> None:
    assert remove_homograph_number(text) == bare


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("U.S.", True), ("e.g", True), ("Dr.", False), ("a.kol", False), ("do.o", False), ("A.", False), ("ক.খ.", False)],
)
def test_an_abbreviation_is_letters_each_before_a_full_stop(text: str, *, is_one: bool) -> None:
    assert is_abbreviation(text) is is_one


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("rice-fish", ("rice", "fish")),
        ("half\u2011water", ("half", "water")),
        ("x-ray", ()),
        ("-ing", ()),
        ("water", ()),
        ("চাহ-বাগান", ()),
        ("covid-19", ()),
    ],
)
def test_latin_words_are_parted_at_hyphens(text: str, parts: tuple[str, ...]) -> None:
    assert split_at_hyphens(text) == parts
