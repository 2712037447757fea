from pathlib import Path

import pytest

from abhidhan.records.kinds import IdeaRecord, WordRecord
from tools.check_starter import (
    Verdict,
    WordLists,
    check_idea,
    check_readings,
    format_summary,
    main,
    normalize_english,
    normalize_word,
    read_translations,
    read_word_lists,
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


def test_spellings_that_look_alike_are_equal() -> None:
    for written, folded in (
        ("ক'লা", "ক’লা"),
        ("পারি", "পাৰি"),
        ("ৰ্\N{ZERO WIDTH JOINER}য", "ৰ্য"),
        ("অসমী\u09df\u09be", "অসমীয়া"),
        (" পানী\u00a0 ম’হ ", "পানী ম’হ"),
    ):
        assert normalize_word(written) == normalize_word(folded), folded


def test_english_is_compared_without_to_and_articles() -> None:
    assert [normalize_english(text) for text in ("To go", "the Sun", "tomato")] == ["go", "sun", "tomato"]


def make_data(folder: Path) -> Path:
    (folder / "gatitos").mkdir()
    (folder / "gatitos" / "en_as.tsv").write_text("water\tপানী\nfish\tমাছ\n", "utf-8")
    (folder / "hunspell_as").mkdir()
    (folder / "hunspell_as" / "as_IN.dic").write_text("1\nজল\n", "utf-8")
    return folder


def test_a_word_is_confirmed_attested_or_unknown(tmp_path: Path) -> None:
    data = make_data(tmp_path)
    findings = list(check_idea(WATER, read_translations(data), read_word_lists(data)))
    assert [found.verdict for found in findings] == [Verdict.CONFIRMED, Verdict.ATTESTED, Verdict.UNKNOWN]
    assert findings[0].sources == ("gatitos",)
    assert findings[2].other_words == ("পানী",)


def test_words_are_attested_by_their_forms_too(tmp_path: Path) -> None:
    (tmp_path / "assamese_counts").mkdir()
    (tmp_path / "assamese_counts" / "words.tsv").write_text("গছবোৰৰ\t12\nমনত\t9\nপৰিল\t7\n", "utf-8")
    attested = read_word_lists(tmp_path)

    verdicts = [attested.find_verdict(word) for word in ("মনত", "গছ", "মনত পৰা", "মনত গছগছা")]

    assert verdicts == [Verdict.ATTESTED, Verdict.INFLECTED, Verdict.INFLECTED, Verdict.UNKNOWN]


def test_a_source_does_not_confirm_itself() -> None:
    idea = IdeaRecord("cldr", "emoji-1f4a7", "Material Noun", WATER.words)
    (pani, *_) = check_idea(idea, {"cldr": {"water": {"পানী"}}}, WordLists(frozenset(), frozenset()))
    assert pani.verdict is Verdict.UNKNOWN


def test_the_summary_of_no_words_has_zeros() -> None:
    assert format_summary([]) == (
        "0 Assamese words: confirmed 0 (0%), attested 0 (0%), inflected 0 (0%), unknown 0 (0%)"
    )


def test_the_program_prints_the_shares_and_the_unknown_words(
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


def test_the_starter_agrees_with_the_readings(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["--readings"])
    agreement = capsys.readouterr().out.splitlines()
    assert (status, [line for line in agreement if " read twice " not in line]) == (0, [])
    assert "order: of 105 read twice 86 alike (81.9%)" in agreement


IDEAS = (
    '{"record":"idea","source":"abhidhan","key":"%s","pos":"Common Noun","words":'
    '[{"language":"as","text":"টকা","position":%d},{"language":"as","text":"ধন","origin":"সং"}]}\n'
)
READ = {
    "word_order.tsv": "key\twords\nabhidhan:money\tটকা|ধন\nabhidhan:wealth\tটকা|ধন\n",
    "main_senses.tsv": "word\tideas\nটকা\tabhidhan:wealth|abhidhan:money\nধন\tabhidhan:money|abhidhan:wealth\n",
    "origins.tsv": "word\torigin\nটকা\t\nধন\tসং\n",
    "second_readings.tsv": "kind\tkey\tfirst\tsecond\tjudgement\n",
}


def test_differences_between_stored_and_read_records_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ideas = tmp_path / "ideas.jsonl"
    ideas.write_text(IDEAS % ("money", 2) + IDEAS.replace(',"origin":"সং"', "") % ("wealth", 1), "utf-8")
    cases: list[tuple[str, str, list[str]]] = [
        ("origins.tsv", READ["origins.tsv"], []),
        (
            "word_order.tsv",
            "key\twords\nabhidhan:money\tধন|টকা\nabhidhan:gone\tধন|টকা\n",
            [
                "word_order.tsv\tabhidhan:gone\tread: ধন|টকা\tstored: nothing",
                "word_order.tsv\tabhidhan:money\tread: ধন|টকা\tstored: টকা|ধন",
                "word_order.tsv\tabhidhan:wealth\tread: never\tstored: টকা|ধন",
            ],
        ),
        (
            "main_senses.tsv",
            "word\tideas\nটকা\tabhidhan:money|abhidhan:wealth\nধন\tabhidhan:money|abhidhan:wealth\n",
            ["main_senses.tsv\tটকা\tread: abhidhan:money|abhidhan:wealth\tstored: abhidhan:wealth|abhidhan:money"],
        ),
        ("origins.tsv", "word\torigin\nটকা\tসং\nধন\tসং\n", ["origins.tsv\tটকা\tread: সং\tstored: nothing"]),
    ]
    for file, rows, reported in cases:
        for name, read in {**READ, file: rows}.items():
            (tmp_path / name).write_text(read, "utf-8")

        status = check_readings([ideas], tmp_path)

        assert status == (1 if reported else 0)
        assert [line for line in capsys.readouterr().out.splitlines() if ".tsv" in line] == reported


def test_without_arguments_the_program_names_the_missing_one(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([])
    assert "DATA is missing" in capsys.readouterr().err
