from pathlib import Path

from tools.transliteration.corpus import (
    DataSplit,
    SoundIndex,
    normalize_native,
    read_bengali_pairs,
    read_collected_pairs,
    read_listed_pairs,
    read_word_counts,
    split_of,
)


def test_a_native_word_is_one_assamese_word_in_assamese_letters() -> None:
    words = {"অসম": "অসম", "ভারত": "ভাৰত", "ক’লা": "কলা", "নতুন কথা": "", "২০২৪": "", "ABC": "", "ক": ""}
    assert {text: normalize_native(text) for text in words} == words


def test_about_a_twelfth_of_the_words_is_reserved_for_the_test() -> None:
    parts = [split_of(f"word {number}") for number in range(3200)]
    assert 200 < parts.count(DataSplit.TEST) < 300
    assert 200 < parts.count(DataSplit.TUNE) < 300
    assert parts == [split_of(f"word {number}") for number in range(3200)]


def test_pairs_are_read_in_lower_case_and_assamese_letters(tmp_path: Path) -> None:
    folder = tmp_path / "aksharantar_sampled"
    folder.mkdir()
    (folder / "asm_train.csv").write_text("Bharot,ভারত\n123,৪৫\n", encoding="utf-8")
    assert read_collected_pairs(tmp_path) == [("bharot", "ভাৰত")]


def test_a_list_has_a_word_and_its_spellings_on_a_line(tmp_path: Path) -> None:
    (tmp_path / "list.tsv").write_text("# ours\nমাহ\tmah\tmaah\n", encoding="utf-8")
    assert read_listed_pairs(tmp_path / "list.tsv") == [("mah", "মাহ"), ("maah", "মাহ")]


def test_words_of_english_in_bengali_are_spelled_as_in_assamese(tmp_path: Path) -> None:
    folder = tmp_path / "aksharantar_sampled"
    folder.mkdir()
    (folder / "ben_train.csv").write_text("gallery,গ্যালারি\ncenter,সেন্টার\n1,১\n", encoding="utf-8")

    assert read_bengali_pairs(tmp_path) == [("gallery", "গেলাৰি"), ("center", "ছেণ্টাৰ")]


def test_spellings_of_one_word_are_counted_together(tmp_path: Path) -> None:
    folder = tmp_path / "assamese_counts"
    folder.mkdir()
    (folder / "words.tsv").write_text("ভাৰত\t7\t3\nভারত\t2\t2\n2024\t9\t9\n", encoding="utf-8")

    assert read_word_counts(tmp_path) == {"ভাৰত": 9}


def test_words_are_found_by_their_sound() -> None:
    index = SoundIndex(["শব্দ", "পানী", "মানুহ"])

    assert index.find_by_sound("xobdo") == ["শব্দ"]
    assert index.find_by_sound("") == []
