import pytest
from hypothesis import given

from assamese import inherent_vowel
from assamese.inherent_vowel import MAX_SECOND_LENGTH, SILENT_MARK, mark_silent_vowels
from text_strategies import texts


def mark_parts(word: str, *keeping: str) -> str:
    """Return a word with a bar after each part whose last vowel is silent; the words `keeping` never drop theirs."""
    return mark_silent_vowels(word, lambda part: part not in keeping).replace(SILENT_MARK, "|")


def test_the_inherent_vowel_at_the_end_of_a_part_is_silent(subtests: pytest.Subtests) -> None:
    for parted in [
        *("মানুহ|বোৰ", "ঘৰ|খন", "ঘৰ|খনৰ", "গছ|জোপা", "কিতাপ|খনত", "শিক্ষক|সকলৰ", "তাত|কৈ", "কৰক|চোন", "সবাতোকৈ"),
        *("ফুল|বাৰী", "পাক|ঘৰ", "শিৱ|সাগৰ", "লোক|সভা", "ৰাজ|নীতি", "মঙ্গল|বাৰ", "এক|চল্লিছ", "চৰ|কাৰ", "গাখীৰ|দাঁত"),
        *("ৰাম|ধেনু", "ৰাজ|ধানী", "খট|খটী", "কঁহ|কঁহীয়া", "খচ|খচনি"),
    ]:
        with subtests.test(parted):
            assert mark_parts(parted.replace("|", "")) == parted


def test_other_inherent_vowels_within_a_word_are_pronounced(subtests: pytest.Subtests) -> None:
    for word in [
        *("আগনি", "কামলি", "পুৰণি", "হালধীয়া", "আচহুৱা", "উতলোৱা", "শুধৰোৱা", "বাতৰি", "সফলতাৰ", "আলস্য", "নিজস্ব", "আগমন", "ভাৰতৰ"),
        *("জলবায়ু", "জনগণ", "পাতকে", "উপকাৰ", "অপমান", "অৱকাশ", "আয়োজন", "মহাজন", "গলনাঙ্ক", "ঘৰলৈ", "ঘৰৰ", "সময়ত", "একাধিপতি"),
    ]:
        with subtests.test(word):
            assert mark_parts(word) == word


def test_a_first_part_keeps_a_last_vowel_that_is_pronounced_in_the_word_alone() -> None:
    assert mark_parts("মৃতদেহ", "মৃত") == "মৃতদেহ"
    assert mark_parts("মৃতদেহ") == "মৃত|দেহ"


def test_only_the_end_of_a_very_long_word_is_examined(monkeypatch: pytest.MonkeyPatch) -> None:
    assert mark_parts("ক" * 10_000 + "মানুহবোৰ").endswith("কমানুহ|বোৰ")

    examined: list[str] = []
    monkeypatch.setattr(inherent_vowel, "_are_parts", lambda _first, rest: examined.append(rest))
    mark_parts("ক" * 10_000)
    assert 0 < len(examined) <= MAX_SECOND_LENGTH


@given(texts)
def test_marking_silent_vowels_adds_nothing_but_marks(text: str) -> None:
    assert mark_silent_vowels(text, lambda _part: True).replace(SILENT_MARK, "") == text.replace(SILENT_MARK, "")
