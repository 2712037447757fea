from hypothesis import given
from hypothesis import strategies as st

from assamese.letters import is_well_formed, split_written_units


def test_a_word_is_split_into_letters_and_signs() -> None:
    for word, units in [
        ("অসম", ("অ", "স", "ম")),
        ("ক্ষমা", ("ক", "্ষ", "ম", "া")),
        ("সময়", ("স", "ম", "য়")),
        ("হঠাৎ", ("হ", "ঠ", "া", "ৎ")),
        ("", ()),
    ]:
        assert split_written_units(word) == units


@given(st.text())
def test_the_units_of_any_text_join_to_the_text(text: str) -> None:
    assert "".join(split_written_units(text)) == text


def test_assamese_words_are_well_formed() -> None:
    for word in ["অসমীয়া", "চাঁদ", "দুঃখ", "ক্ষেত্ৰ", "বাংলা", "হঠাৎ", "উঁহু"]:
        assert is_well_formed(word)


def test_misplaced_signs_are_not_well_formed() -> None:
    for word in ["", "ািক", "কিা", "অা", "ক্", "ক্্ষ", "আ্ক", "ৎ্ক", "কংঃ", "ংক"]:
        assert not is_well_formed(word)
