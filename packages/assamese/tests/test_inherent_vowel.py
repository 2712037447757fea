import pytest
from hypothesis import given

from assamese import inherent_vowel
from assamese.inherent_vowel import MAX_SECOND_LENGTH, SILENT_MARK, mark_silent_vowels
from text_strategies import texts


def parts(word: str, *keeping: str) -> str:
    """Return a word with a bar after each part whose last vowel is silent; the words `keeping` never drop theirs."""
    return mark_silent_vowels(word, lambda part: part not in keeping).replace(SILENT_MARK, "|")


@pytest.mark.parametrize(
    "parted",
    [
        *("মানুহ|বোৰ", "ঘৰ|খন", "ঘৰ|খনৰ", "গছ|জোপা", "কিতাপ|খনত", "শিক্ষক|সকলৰ", "তাত|কৈ", "কৰক|চোন", "সবাতোকৈ"),
        *("ফুল|বাৰী", "পাক|ঘৰ", "শিৱ|সাগৰ", "লোক|সভা", "ৰাজ|নীতি", "মঙ্গল|বাৰ", "এক|চল্লিছ", "চৰ|কাৰ", "গাখীৰ|দাঁত"),
        *("ৰাম|ধেনু", "ৰাজ|ধানী", "খট|খটী", "কঁহ|কঁহীয়া", "খচ|খচনি"),
    ],
)
def test_the_last_vowel_of_a_part_is_silent(parted: str) -> None:
    assert parts(parted.replace("|", "")) == parted


@pytest.mark.parametrize(
    "word",
    [
        *("আগনি", "কামলি", "পুৰণি", "হালধীয়া", "আচহুৱা", "উতলোৱা", "শুধৰোৱা", "বাতৰি", "সফলতাৰ", "আলস্য", "নিজস্ব", "আগমন", "ভাৰতৰ"),
        *("জলবায়ু", "জনগণ", "পাতকে", "উপকাৰ", "অপমান", "অৱকাশ", "আয়োজন", "মহাজন", "গলনাঙ্ক", "ঘৰলৈ", "ঘৰৰ", "সময়ত", "একাধিপতি"),
    ],
)
def test_other_vowels_within_a_word_are_heard(word: str) -> None:
    assert parts(word) == word


def test_a_first_part_that_keeps_its_last_vowel_by_itself_keeps_it_here() -> None:
    assert parts("মৃতদেহ", "মৃত") == "মৃতদেহ"
    assert parts("মৃতদেহ") == "মৃত|দেহ"


def test_of_a_word_without_end_only_the_end_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    assert parts("ক" * 10_000 + "মানুহবোৰ").endswith("কমানুহ|বোৰ")

    looked_at: list[str] = []
    monkeypatch.setattr(inherent_vowel, "_are_parts", lambda _first, rest: looked_at.append(rest))
    parts("ক" * 10_000)
    assert 0 < len(looked_at) <= MAX_SECOND_LENGTH


@given(texts)
def test_nothing_but_silence_is_added(text: str) -> None:
    assert mark_silent_vowels(text, lambda _part: True).replace(SILENT_MARK, "") == text.replace(SILENT_MARK, "")
