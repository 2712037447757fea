from hypothesis import given
from hypothesis import strategies as st

from abhidhan.dictionary.model.compounds import (
    MAX_KEY_LENGTH,
    MIN_SHORT_PART_LETTERS,
    CompoundSplit,
    choose_parts,
    is_misspelling,
    list_splits,
)
from abhidhan.dictionary.model.guess_scoring import KeyMatch
from abhidhan.records.languages import ASSAMESE, BENGALI
from assamese.keys import loose_key
from assamese.letters import count_letters
from assamese.sandhi import iter_sandhi_splits

LETTERS = st.text(alphabet="কখগতনপমৰৱশসহািীুেো্ংঁ-", max_size=40)


def key_matches(*words: str, language_id: int = ASSAMESE) -> list[KeyMatch]:
    return [KeyMatch(loose_key(word, "as"), sum(map(ord, word)), language_id, word) for word in words]


def parts(text: str, *words: str, language: str = "as") -> list[str]:
    return [hit.text for hit in choose_parts(text, list_splits(text, language), key_matches(*words))]


def test_a_compound_is_split_into_its_parts() -> None:
    for text, words in [
        ("চাহবাগান", ["চাহ", "বাগান"]),
        ("ভাত-পানী", ["ভাত", "পানী"]),
        ("ভাত–পানী", ["ভাত", "পানী"]),
        ("সূৰ্য্যগ্ৰহণ", ["সূৰ্য", "গ্ৰহণ"]),
        ("চাহ-ভাত-পানী", ["চাহ", "ভাত", "পানী"]),
        ("সৰ্বসন্মতিক্ৰমে", ["সৰ্ব", "সন্মতি", "ক্ৰমে"]),
        ("চাহবাগান-মালিক", ["চাহ", "বাগান", "মালিক"]),
        ("চাহবাগানত", ["চাহ", "বাগান"]),
        ("ভাত-পানীখিনিৰ", ["ভাত", "পানী"]),
    ]:
        assert parts(text, *words) == words, text


def test_parts_have_at_least_three_letters_and_a_compound_at_most_three_parts() -> None:
    for text in ["মলপানী", "চাহখন", "ভাত-ক", "ভাত--পানী", "চাহ-ভাত-পানী-মাছ", "চাহ", "", "-"]:
        assert parts(text, "মল", "খন", "ক", "চাহ", "ভাত", "পানী", "মাছ") == [], text


def test_a_common_or_hyphenated_part_may_have_two_letters() -> None:
    for text, words in [
        ("জলপানী", ["জল", "পানী"]),
        ("চাহঘৰ", ["চাহ", "ঘৰ"]),
        ("ধনবল", ["ধন", "বল"]),
        ("মা-দেউতা", ["মা", "দেউতা"]),
    ]:
        assert parts(text, *words) == words, text


def test_words_joined_by_sandhi_are_split() -> None:
    for text, words, others in [
        ("পৰোপকাৰ", ["পৰ", "উপকাৰ"], ["পৰা"]),
        ("মহোপকাৰৰ", ["মহা", "উপকাৰ"], ["মহ"]),
        ("জগজ্জয়ী", ["জগৎ", "জয়ী"], ["জগত"]),
        ("অমৃতেশ্বৰ", ["অমৃত", "ঈশ্বৰ"], ["অমৃতা"]),
    ]:
        assert parts(text, *words, *others) == words, text


def test_a_conjunct_is_not_cut_and_a_vowel_sign_begins_no_part() -> None:
    assert all(not key.startswith(("া", "্")) for split in list_splits("ৰাজ্যভাষা", "as") for key in split.keys)
    assert parts("মন্ত্ৰী", "মন্", "ত্ৰী") == []


def test_the_fewest_parts_the_bare_word_and_the_commonest_words_are_chosen() -> None:
    assert parts("দেশপ্ৰেমমূলক", "দেশ", "প্ৰেম", "মূলক", "দেশপ্ৰেম") == ["দেশপ্ৰেম", "মূলক"]
    assert parts("ৰাজপথৰ", "ৰাজ", "পথৰ", "পথ") == ["ৰাজ", "পথৰ"]
    assert parts("কলাকাৰক", "কলা", "কাৰক", "কলাকা", "কাৰ") == ["কলা", "কাৰক"]


def test_a_word_that_occurs_twice_in_a_compound_is_answered_once() -> None:
    assert parts("লাহেলাহে", "লাহে") == ["লাহে"]


def test_a_language_without_rules_has_compounds_but_no_forms_of_them() -> None:
    assert list_splits("राज्यभाषा", "hi")[0] in list_splits("राज्यभाषा", "hi")
    assert CompoundSplit(("राज्य", "भाषा"), is_inflected=False) in list_splits("राज्यभाषा", "hi")
    assert not any(split.is_inflected for split in list_splits("চাহবাগানত", "bn"))


@given(LETTERS)
def test_every_split_is_of_long_enough_parts_and_begins_as_the_text(text: str) -> None:
    for split in list_splits(text, "as"):
        assert 2 <= len(split.keys) <= 3
        is_whole = "".join(split.keys) == "".join(loose_key(each, "as") for each in text.split("-"))
        assert all(count_letters(key) >= MIN_SHORT_PART_LETTERS for key in split.keys)
        assert (
            is_whole
            or split.is_inflected
            or split.keys in [joined.words for joined in iter_sandhi_splits(loose_key(text, "as"))]
        )


@given(st.text(alphabet="কখগ", min_size=MAX_KEY_LENGTH + 1, max_size=500))
def test_text_longer_than_a_key_is_not_split(text: str) -> None:
    assert list_splits(text, "as") == ()


def test_a_text_one_letter_from_a_headword_is_a_misspelling() -> None:
    for text, headword in [("ৰাজহপাল", "ৰাজ্যপাল"), ("ৰাজপালী", "ৰাজপাল"), ("শত্ৰূদল", "সত্ৰুদল")]:
        assert is_misspelling(text, key_matches(headword), ASSAMESE), text


def test_a_text_farther_from_a_headword_or_near_one_of_another_language_is_no_misspelling() -> None:
    assert not is_misspelling("ৰাজহপাল", key_matches("ৰাজহাঁহ", "ৰাজ", "পাল"), ASSAMESE)
    assert not is_misspelling("চাহবাগান", key_matches("চা বাগান", language_id=BENGALI), ASSAMESE)
    assert is_misspelling("চাহবাগান", key_matches("চা বাগান", language_id=BENGALI), BENGALI)
