from pathlib import Path

import pytest

from abhidhan.errors import InputError
from abhidhan.formats.guessing import guess_format

FILES = {
    "data.noun": ("wordnet", ""),
    "wn-data-asm.tab": ("omw", "# x\n"),
    "cldf-metadata.json": ("cldf", "{}"),
    "a.ifo": ("stardict", ""),
    "freedict-lat-eng.index": ("dictd", ""),
    "all.assamese": ("indowordnet", ""),
    "en_as.tsv": ("pairs", ""),
    "eng-hin.tei": ("tei", ""),
    "karbi.lift": ("lift", ""),
    "karbi.xml": ("lift", '<?xml version="1.0"?>\n<lift version="0.13">'),
    "eng-hin.dsl": ("dsl", ""),
    "lexicon.xml": ("wn-lmf", '<?xml version="1.0"?>\n<LexicalResource>'),
    "entries.xml": ("tei", '<?xml version="1.0"?>\n<TEI xmlns="x">'),
    "as.xml": ("cldr", "<ldml>"),
    "annotations.json": ("cldr", '{\n "annotations": {}}'),
    "kaikki.jsonl": ("wiktextract", '{"word": "x", "lang_code": "as"}'),
    "dictionary.jsonl": ("jsonl", '{"type": "language"}'),
    "counted.tsv": ("frequencies", "# running words: 7\nword\tcount\n"),
    "exported.tsv": ("frequencies", "# Licence\nword\tfrequency\tsource\n"),
    "words.csv": ("csv", "English,Assamese\n"),
    "words.xlsx": ("csv", "PK"),
}


@pytest.mark.parametrize("name", FILES)
def test_the_format_of_a_file_is_seen_by_its_name_or_its_beginning(tmp_path: Path, name: str) -> None:
    expected, content = FILES[name]
    (tmp_path / name).write_text(content, "utf-8")

    assert guess_format([tmp_path]) == expected


def test_a_format_that_nothing_tells_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "words.dat").write_text("words", "utf-8")

    with pytest.raises(InputError, match="Say it with --format; there are cldf, cldr, csv"):
        guess_format([tmp_path])
