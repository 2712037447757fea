from pathlib import Path

import pytest

from abhidhan.domain.records import IdeaRecord, WordRecord
from tools.check_starter import (
    Attested,
    Verdict,
    check_readings,
    examine,
    fold,
    fold_english,
    main,
    read_translations,
    read_word_lists,
    summary,
)

WATER = IdeaRecord(
    "abhidhan",
    "water",
    "Material Noun",
    (WordRecord("en", "water"), WordRecord("as", "পানী"), WordRecord("as", "জল"), WordRecord("as", "নীৰ")),
)

WATER_LINE = (
    '{"record":"idea","source":"abhidhan","key":"water","pos":"Material Noun","words":'
    '[{"language":"en","text":"water"},{"language":"as","text":"পানী"},{"language":"as","text":"নীৰ"}]}\n'
)


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("ক'লা", "ক’লা"),
        ("পারি", "পাৰি"),
        ("ৰ্\N{ZERO WIDTH JOINER}য", "ৰ্য"),
        ("অসমী\u09df\u09be", "অসমীয়া"),
        (" পানী\u00a0 ম’হ ", "পানী ম’হ"),
    ],
)
def test_spellings_that_only_look_different_are_compared_as_one(written: str, folded: str) -> None:
    assert fold(written) == fold(folded)


@pytest.mark.parametrize(("written", "folded"), [("To go", "go"), ("the Sun", "sun"), ("tomato", "tomato")])
def test_english_is_compared_without_to_and_articles(written: str, folded: str) -> None:
    assert fold_english(written) == folded


def make_data(folder: Path) -> Path:
    (folder / "gatitos").mkdir()
    (folder / "gatitos" / "en_as.tsv").write_text("water\tপানী\nfish\tমাছ\n", "utf-8")
    (folder / "hunspell_as").mkdir()
    (folder / "hunspell_as" / "as_IN.dic").write_text("1\nজল\n", "utf-8")
    return folder


def test_a_word_is_confirmed_attested_or_unknown(tmp_path: Path) -> None:
    data = make_data(tmp_path)
    findings = list(examine(WATER, read_translations(data), read_word_lists(data)))
    assert [found.verdict for found in findings] == [Verdict.CONFIRMED, Verdict.ATTESTED, Verdict.UNKNOWN]
    assert findings[0].sources == ("gatitos",)
    assert findings[2].elsewhere == ("পানী",)


def test_words_are_attested_by_their_forms_too(tmp_path: Path) -> None:
    (tmp_path / "assamese_counts").mkdir()
    (tmp_path / "assamese_counts" / "words.tsv").write_text("গছবোৰৰ\t12\nমনত\t9\nপৰিল\t7\n", "utf-8")
    attested = read_word_lists(tmp_path)

    verdicts = [attested.verdict(word) for word in ("মনত", "গছ", "মনত পৰা", "মনত গছগছা")]

    assert verdicts == [Verdict.ATTESTED, Verdict.INFLECTED, Verdict.INFLECTED, Verdict.UNKNOWN]


def test_a_source_does_not_confirm_itself() -> None:
    idea = IdeaRecord("cldr", "emoji-1f4a7", "Material Noun", WATER.words)
    (pani, *_) = examine(idea, {"cldr": {"water": {"পানী"}}}, Attested(frozenset(), frozenset()))
    assert pani.verdict is Verdict.UNKNOWN


def test_the_summary_of_nothing_is_not_an_error() -> None:
    assert summary([]) == ("0 Assamese words: confirmed 0 (0%), attested 0 (0%), inflected 0 (0%), unknown 0 (0%)")


def test_the_program_prints_the_share_and_then_the_words_to_look_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ideas = tmp_path / "ideas.jsonl"
    ideas.write_text(WATER_LINE, "utf-8")
    assert main([str(make_data(tmp_path)), str(ideas)]) == 0
    share, *rest = capsys.readouterr().out.splitlines()
    assert share.startswith(
        "abhidhan: 2 Assamese words: confirmed 1 (50%), attested 0 (0%), inflected 0 (0%), unknown 1 (50%); 1"
    )
    assert rest == ["unknown\tabhidhan:water\twater\tনীৰ (elsewhere: পানী)"]


def test_every_everyday_idea_of_two_or_more_assamese_words_has_been_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert (main(["--readings"]), capsys.readouterr().out) == (0, "")


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("", ["not read\twater\tনীৰ|পানী"]),
        ("water\tপানী|নীৰ\tfits\t2026-11-28\n", []),
        (
            "water\tপানী|জল\tfits\t2026-11-28\n",
            ["not read\twater\tনীৰ|পানী", "no such idea\twater\tজল|পানী"],
        ),
        ("water\tপানী|নীৰ\tfits\t2026-11-28\nfire\tজুই|অগ্নি\tfits\t2026-11-28\n", ["no such idea\tfire\tঅগ্নি|জুই"]),
    ],
    ids=["not read", "read in any order", "read with other words", "read and gone"],
)
def test_an_idea_that_words_share_is_read_with_just_these_words(
    rows: str, told: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ideas, readings = tmp_path / "ideas.jsonl", tmp_path / "readings.tsv"
    ideas.write_text(WATER_LINE, "utf-8")
    readings.write_text("key\twords\tverdict\tdate\n" + rows, "utf-8")

    status = check_readings(ideas, readings)

    assert status == (1 if told else 0)
    assert capsys.readouterr().out.splitlines()[: len(told)] == told


def test_without_data_or_readings_the_program_says_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([])
    assert "DATA is missing" in capsys.readouterr().err
