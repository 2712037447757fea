import os
from pathlib import Path

import pytest

import assamese.tables
from assamese.word_frequency import BAND_FREQUENCIES, checksum, unpack_numbers
from tools.make_frequency import RUNNING_WORDS, Attribution, build_table, read_counts, read_listed_words

TABLE = Path(assamese.tables.__file__).parent / "frequency.bin"
NOTHING: frozenset[str] = frozenset()


def total(word: str, counts: dict[str, int], listed: frozenset[str] = NOTHING) -> float:
    return Attribution(counts, listed).totals().get(word, 0)


def test_inflected_forms_count_for_their_headword_and_for_themselves() -> None:
    counts = {"পানী": 3000, "পানীৰ": 1400, "পানীত": 700, "পানীলৈ": 10, "পানীখিনিত": 3}
    verbs = {"কৰা": 700, "কৰিছে": 400, "কৰিলে": 70, "নকৰে": 16, "হোৱা": 200, "হৈছে": 570}

    assert total("পানী", counts) == 5113
    assert total("পানীত", counts) == 700
    assert total("কৰা", verbs) == 1186
    assert total("হোৱা", verbs) == 770
    assert total("তুমি", {"তুমি": 256, "তোমাৰ": 204, "তোমাক": 101}) == 561  # a pronoun


def test_an_ambiguous_form_is_shared_by_the_frequency_of_its_words() -> None:
    counts = {"পানী": 3557, "পানীয়": 240, "পানীয়ে": 318}

    assert 280 < total("পানী", counts) - 3557 < 318
    assert 0 < total("পানীয়", counts) - 240 < 38


def test_the_nearest_word_counts_and_passes_on_the_count_if_it_is_not_listed() -> None:
    counts = {"তেওঁ": 30_000, "তেওঁলোক": 1465, "তেওঁলোকৰ": 900}
    listed = frozenset({"তেওঁ", "তেওঁলোক"})
    unlisted = {"মানুহ": 1555, "মানুহবোৰ": 99, "মানুহবোৰৰ": 36}

    assert total("তেওঁলোক", counts, listed) == 2365
    assert total("তেওঁ", counts, listed) == 30_000
    assert total("মানুহ", unlisted) == 1690
    assert total("মানুহবোৰ", unlisted) == 135


def test_a_listed_word_and_a_word_with_endings_of_nouns_are_not_forms_of_another() -> None:
    counts = {"মা": 593, "মাত": 440, "মাতৰ": 20, "মাতত": 8}
    listed = frozenset({"মা"})

    assert total("মা", {"মা": 593, "মাত": 440}, frozenset({"মা", "মাত"})) == 593
    assert total("মা", counts, listed) == 593
    assert total("মাত", counts, listed) == 468
    assert total("ভোটা", {"ভোটা": 400, "ভোট": 1703, "ভোটৰ": 434, "ভোটত": 263}) == 400


def test_a_short_or_rare_stem_counts_only_if_a_list_has_it() -> None:
    counts = {"সন্দৰ্ভত": 6855}

    assert total("ভা", {"ভা": 70, "ভাত": 314}) == 70
    assert total("সন্দৰ্ভ", counts) == 0
    assert total("সন্দৰ্ভ", counts, frozenset({"সন্দৰ্ভ"})) == 6855


def test_a_form_counts_for_the_spelling_that_it_begins_with() -> None:
    counts = {"ল’ৰা": 900, "লৰা": 30, "ল’ৰাক": 45, "লৰাক": 5}

    assert (total("ল’ৰা", counts), total("লৰা", counts)) == (945, 35)


def test_the_table_is_built_from_the_data_sets(tmp_path: Path) -> None:
    for name, file, content in (
        ("assamese_counts", "words.tsv", "পানী\t3000\t9\nপানীত\t700\t8\nঘর\t3\t2\nঘৰ\t5\t2\n"),
        ("gatitos", "en_as.tsv", "water\tপানী|জল খা\nhouse\tঘৰ\n"),
        ("iecor", "DERIVED_aligned.tsv", "concept\tas\nash\tছাই\nnone\t\n"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / file).write_text(content, "utf-8")

    table = {number & ~0xFF: number & 0xFF for number in unpack_numbers(build_table(tmp_path))}

    assert read_counts(tmp_path) == {"পানী": 3000, "পানীত": 700, "ঘৰ": 8}
    assert read_listed_words(tmp_path) == {"পানী", "ঘৰ", "ছাই"}
    assert set(table) == {checksum("পানী"), checksum("পানীত"), checksum("ঘৰ")}
    assert BAND_FREQUENCIES[table[checksum("পানী")]] == pytest.approx(3700 / RUNNING_WORDS * 1e6, rel=0.15)


def test_the_table_of_the_package_is_small_and_sorted_without_repeats() -> None:
    content = TABLE.read_bytes()
    numbers = [number >> 8 for number in unpack_numbers(content)]

    assert len(content) <= 1_500_000
    assert numbers == sorted(set(numbers))


@pytest.mark.thorough
def test_the_tool_reproduces_the_table_of_the_package() -> None:
    named = os.environ.get("ABHIDHAN_SHARED_DATA")
    if not named or not (Path(named) / "assamese_counts").is_dir():
        pytest.skip("ABHIDHAN_SHARED_DATA names no folder with assamese_counts")

    assert build_table(Path(named)) == TABLE.read_bytes()
