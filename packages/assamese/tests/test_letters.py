import pytest
from hypothesis import given
from hypothesis import strategies as st

from assamese.letters import is_well_formed, split_written_units


@pytest.mark.parametrize(
    ("word", "units"),
    [
        ("অসম", ("অ", "স", "ম")),
        ("ক্ষমা", ("ক", "্ষ", "ম", "া")),
        ("সময়", ("স", "ম", "য়")),
        ("হঠাৎ", ("হ", "ঠ", "া", "ৎ")),
        ("", ()),
    ],
)
def test_a_word_is_split_into_consonants_with_their_link_vowels_and_signs(word: str, units: tuple[str, ...]) -> None:
    assert split_written_units(word) == units


@given(st.text())
def test_the_units_of_any_text_make_it_up(text: str) -> None:
    assert "".join(split_written_units(text)) == text


@pytest.mark.parametrize("word", ["অসমীয়া", "চাঁদ", "দুঃখ", "ক্ষেত্ৰ", "বাংলা", "হঠাৎ", "উঁহু"])
def test_assamese_words_are_well_formed(word: str) -> None:
    assert is_well_formed(word)


@pytest.mark.parametrize("word", ["", "ািক", "কিা", "অা", "ক্", "ক্্ষ", "আ্ক", "ৎ্ক", "কংঃ", "ংক"])
def test_signs_with_nothing_to_stand_on_are_not_well_formed(word: str) -> None:
    assert not is_well_formed(word)
