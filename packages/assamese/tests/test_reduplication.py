import pytest

from assamese.reduplication import ReduplicatedWord, find_reduplications


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("গছে-গছে", (("গছে",),)),
        ("ঘৰেঘৰে", (("ঘৰে",),)),
        ("ভাত-চাত", (("ভাত",),)),
        ("চাহ-তাহ", (("চাহ",),)),
        ("দেখাদেখি", (("দেখা", "দেখ", "দেখি"),)),
        ("বোলাবুলি", (("বোলা", "বোল", "বুলি"),)),
        ("হতাহতি", (("হতা", "হত", "হাত", "হতি"),)),
        ("জানি-শুনি", (("জানি",), ("শুনি",))),
        ("বাটেঘাটে", (("বাটে",), ("ঘাটে",))),
    ],
)
def test_a_paired_word_is_made_of_one_word_or_two(text: str, parts: tuple[tuple[str, ...], ...]) -> None:
    assert find_reduplications(text) == (ReduplicatedWord(parts),)


@pytest.mark.parametrize("text", ["", "-", "খুতখুত", "ভাত", "ভাত--চাত", "চাহ-মাছ-পানী", "মানুহ", "গে-গে-"])
def test_other_words_are_no_pairs(text: str) -> None:
    assert find_reduplications(text) == ()
