"""Tables: each column, cell and sheet is kept or named in the report."""

import json
from datetime import date
from importlib.resources import files
from pathlib import Path

import pytest
from xlsxwriter import Workbook

from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.tables.columns import FIELD_BY_HEADING, Column, guess_columns
from abhidhan.records.import_records import LocatedRecord, RecordError, UnstoredValue
from abhidhan.records.kinds import DefinitionRecord
from tests.formats.tables.test_workbooks import ods, pack
from tests.support.databases import SqliteDatabases
from tests.support.importing import SOURCE, ideas, read, words
from tests.support.kept_values import import_and_export

TABLE = ImportOptions(source=SOURCE)
ROW = {
    "key": "row-key",
    "sense_position": "1",
    "word:as": "প্ৰথম; দ্বিতীয় (টোকা)\nতৃতীয়",
    "English": "first1 / second²",
    "translation": "third one, fourth (with a note)",
    "language": "as",
    "definition:en": "what it means | what else",
    "definition:as": "অৰ্থ",
    "pos": "n. pl.",
    "part of speech": "verb",
    "gender": "masc",
    "context": "subject-one|subject-two",
    "example": "example-text",
    "example:en": "example-english",
    "forms": "form-one, form-two",
    "roman": "prothom|dwitiyo|tritiyo|caturtho",
    "roman:hi": "roman-of-nothing",
    "ipa": "pɹɔtʰɔm",
    "asm": "asm-text",
    "variant": "variant-name",
    "origin": "origin-text",
    "countable": "true",
    "plural": "plural-text",
    "definitive": "definitive-text",
    "frequency": "12.50",
    "frequency_source": "counted-by",
    "reference": "reference-text",
    "note": "note-text",
    "remarks": "remark-text",
    "glyph": "glyph-text",
    "emoji": "second-glyph",
    "Informant": "informant-name",
    "": "nameless-text",
    "last": "last-text",
}
READ_OTHERWISE = frozenset({"as", "masc", "12.50", "verb", "true", "1"})
"""What is read into the code of a language, or into a value or a number that is written otherwise."""


def pieces(cell: str) -> list[str]:
    for mark in ("; ", "\n", " / ", ", ", " | ", "|", " (", ")"):
        cell = cell.replace(mark, "\t")
    return [piece.rstrip("12²") for piece in cell.split("\t") if piece and piece not in READ_OTHERWISE]


def test_every_cell_of_a_table_is_kept_or_reported(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    row = ROW | {"pos": "v.t. once"}
    lines = [["A title, with a comma"], [*row], [f'"{cell}"' for cell in row.values()]]
    text = "\n".join(",".join(line) for line in [[f'"{lines[0][0]}"'], *lines[1:]])

    found = import_and_export(sqlite_databases, tmp_path, "csv", {"all.csv": text}, TABLE)

    assert {FIELD_BY_HEADING.get(name.partition(":")[0].lower(), "word") for name in row if name} == set(
        FIELD_BY_HEADING.values()
    )
    assert found.rejected == 0
    assert (
        found.find_missing(["A title, with a comma", *(piece for cell in row.values() for piece in pieces(cell))]) == []
    )


def test_every_key_of_json_objects_is_kept_or_reported(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    rows = [
        {"english": "water", "assamese": ["পানী", "জল"], "senses": {"level": 7401, "is_old": True}},
        {"english": "fish", "assamese": "মাছ", "extra": None},
        {"page": 12},
        "not an object",
    ]
    text = json.dumps(rows, ensure_ascii=False, indent=1)

    found = import_and_export(sqlite_databases, tmp_path, "csv", {"a.json": text}, TABLE)

    assert found.rejected == 2
    assert (
        found.find_missing(["water", "পানী", "জল", "fish", "মাছ", "senses/level 7401", "senses/is_old true", "page"])
        == []
    )


def test_dates_formulas_links_and_comments_of_a_workbook_are_kept_or_reported(tmp_path: Path) -> None:
    with Workbook(str(tmp_path / "a.xlsx")) as book:
        moment = book.add_format({"num_format": "yyyy-mm-dd"})
        sheet = book.add_worksheet("Words")
        sheet.write_row(0, 0, ["Assamese", "English", "Note"])
        sheet.merge_range("A2:A3", "ঘৰ")
        sheet.write_row(1, 1, ["house", date(2026, 1, 2)], moment)
        sheet.write_row(2, 1, ["home", True])
        sheet.write_row(3, 0, ["জুই", date(2026, 3, 1)], moment)
        sheet.write_formula(4, 1, '=CONCATENATE("tr","ee")', None, "")
        sheet.write(4, 0, "গছ")
        sheet.write_formula(5, 1, "=1/0", None, "#DIV/0!")
        sheet.write_url(5, 0, "https://example.org/word", string="নদী")
        sheet.write_comment("B2", "a comment")
        more = book.add_worksheet("More")
        more.write_row(0, 0, ["Word in English", "Bangla"])
        more.write_row(1, 0, ["fire", "আগুন"])
        other = book.add_worksheet("Informants")
        other.write_row(0, 0, ["Person", "Village"])
        other.write_row(1, 0, ["Someone", "Somewhere"])
    found = read(tmp_path, "csv", {}, TABLE)

    assert [words(idea) for idea in ideas(found)] == [
        [("as", "ঘৰ"), ("en", "house")],
        [("as", "ঘৰ"), ("en", "home")],
        [("as", "জুই")],
        [("as", "গছ")],
        [("as", "নদী")],
        [("en", "fire"), ("bn", "আগুন")],
    ]
    assert [word.note for idea in ideas(found)[:2] for word in idea.words[:1]] == ["2026-01-02", "TRUE"]
    assert {(one.file, one.line, one.field, one.value) for one in found if isinstance(one, UnstoredValue)} == {
        ("a.xlsx", 4, "English (a date)", "2026-03-01"),
        ("a.xlsx", 5, "formula without a value", 'CONCATENATE("tr","ee")'),
        ("a.xlsx", 6, "error in place of a value", "#DIV/0!"),
        ("a.xlsx", 6, "link", "https://example.org/word"),
        ("a.xlsx", 2, "comment", "a comment"),
        ("a.xlsx [Informants]", 2, "a.xlsx [Informants]: Person", "Someone"),
        ("a.xlsx [Informants]", 2, "a.xlsx [Informants]: Village", "Somewhere"),
    }


def test_comments_links_and_merged_cells_of_an_open_document_are_read(tmp_path: Path) -> None:
    cell = '<table:table-cell office:value-type="string"{}>{}<text:p>{}</text:p></table:table-cell>'
    comment = "<office:annotation><text:p>a comment</text:p></office:annotation>"
    link = '<text:a xlink:href="https://example.org/word">house</text:a>'
    rows = (
        cell.format("", "", "Assamese") + cell.format("", "", "English"),
        cell.format(' table:number-rows-spanned="2"', comment, "ঘৰ") + cell.format("", "", link),
        "<table:covered-table-cell/>" + cell.format("", "", "home"),
    )
    table = "".join(f"<table:table-row>{row}</table:table-row>" for row in rows)
    files = ods(table)
    files["content.xml"] = files["content.xml"].replace("xmlns:text", 'xmlns:xlink="xlink" xmlns:text', 1)
    pack(tmp_path, "a.ods", files)
    found = read(tmp_path, "csv", {}, TABLE)

    assert [words(idea) for idea in ideas(found)] == [[("as", "ঘৰ"), ("en", "house")], [("as", "ঘৰ"), ("en", "home")]]
    assert [(one.line, one.field, one.value) for one in found if isinstance(one, UnstoredValue)] == [
        (2, "comment", "a comment"),
        (2, "link", "https://example.org/word"),
    ]


HEADINGS = [
    ("List of plants (draft)\nEnglish,Assamese\nmango,আম\n", [[("en", "mango"), ("as", "আম")]]),
    ("My Assamese list 2026\n\nen\tas\nmango\tআম\n", [[("en", "mango"), ("as", "আম")]]),
    ("Assamese words, of 2026\nen,as\nmango,আম\n", [[("en", "mango"), ("as", "আম")]]),
    ('Plants\nen,as\nmango,"আম\nৰসাল"\n', [[("en", "mango"), ("as", "আম"), ("as", "ৰসাল")]]),
    ("Sl,Word in English,Meaning (Assamese)\n1,mango,আম\n", [[("en", "mango"), ("as", "আম")]]),
    ("বাংলা,Boro,TAI-Ahom,kok-borok\nজল,दै,nam,tui\n", [[("bn", "জল"), ("brx", "दै"), ("aho", "nam"), ("trp", "tui")]]),
]


def test_headings_are_recognised_below_titles_and_in_many_words(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for text, expected in HEADINGS:
        with subtests.test(text):
            found = read(tmp_path, "csv", {"a.csv": text}, TABLE)

            assert [words(idea) for idea in ideas(found)] == expected
            assert all(one.field == "title" for one in found if isinstance(one, UnstoredValue))


def test_every_language_name_of_the_project_is_a_heading() -> None:
    lines = (files("abhidhan.data") / "languages.jsonl").read_text("utf-8").splitlines()
    languages = [json.loads(line) for line in lines]
    names = {
        name: one["code"] for one in languages for name in (one["name"], one["native_name"], f"Word in {one['name']}")
    }

    assert {name: guess_columns([name], TABLE).get(name) for name in names} == {
        name: Column("word", code) for name, code in names.items()
    }


CELLS: list[tuple[str, list[tuple[str, int | None]]]] = [
    ("stone\nrock", [("stone", None), ("rock", None)]),
    ("1. flower\n2. blossom", [("flower", None), ("blossom", None)]),
    ("(1) fish (2) Pisces", [("fish", None), ("Pisces", None)]),
    ("black / deaf", [("black", None), ("deaf", None)]),
    ("and/or", [("and/or", None)]),
    ("..", [("..", None)]),
    ("bank1, bank 2, bank³", [("bank", 1), ("bank", 2), ("bank", 3)]),
    ("mp3, HTML5, m², Windows 7", [("mp3", None), ("HTML5", None), ("m²", None), ("Windows 7", None)]),
]


def test_words_of_a_cell_are_separated_and_homograph_numbers_read(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for cell, expected in CELLS:
        with subtests.test(cell):
            (idea,) = ideas(read(tmp_path, "csv", {"a.csv": f'en,note\n"{cell}",x\n'}, TABLE))

            assert [(word.text, word.position) for word in idea.words] == expected


def test_homographs_of_a_table_without_keys_are_separate_ideas(tmp_path: Path) -> None:
    found = ideas(read(tmp_path, "csv", {"a.csv": "Assamese,English\nকলা1,black\nকলা২,art\nফল (গছৰ),fruit\n"}, TABLE))

    assert [idea.key for idea in found] == ["কলা1::", "কলা২::", "ফল (গছৰ)::"]
    assert [(idea.words[0].text, idea.words[0].position) for idea in found] == [("কলা", 1), ("কলা", 2), ("ফল", None)]


def test_examples_and_definitions_are_in_a_language_of_their_script(tmp_path: Path) -> None:
    header = "English,Assamese,Example,Definition\n"
    content = f"{header}water,পানী,পানী খোৱা।,A liquid.\nfire,জুই,Fire burns.,পোহৰ আৰু তাপ\n"
    found = ideas(read(tmp_path, "csv", {"a.csv": content}, TABLE))

    assert [(idea.examples[0].language, idea.definitions[0].language) for idea in found] == [("as", "en"), ("en", "as")]


def test_a_table_without_headings_is_read_with_the_header_option(tmp_path: Path) -> None:
    options = ImportOptions(source=SOURCE, header=("word:en", "word:as", "ignore"), columns={"ignore": "ignore"})
    found = read(tmp_path, "csv", {"a.csv": "water,পানী,x\nhouse,ঘৰ\n"}, options)

    assert [words(idea) for idea in ideas(found)] == [[("en", "water"), ("as", "পানী")], [("en", "house"), ("as", "ঘৰ")]]
    assert [one for one in found if not isinstance(one, LocatedRecord)] == []


def test_a_table_made_by_pyglossary_is_read_whole(tmp_path: Path) -> None:
    content = (
        '"shark","হাঙৰ"\n"fish","n. মাছ, মীন\nএটা ""সতেজ"" মাছ","pisces,fishes"\n'
        '"bird","<b>1.</b> চৰাই<br/>2. পক্ষী"\n"sea","সাগৰ\nসমুদ্ৰ"\n'
    )
    columns = ("word:en", "definition:as", "forms")
    options = ImportOptions(source=SOURCE, header=columns, columns=dict(zip(columns, columns, strict=True)))
    found = read(tmp_path, "csv", {"words.csv": content}, options)

    assert [(idea.words[0].text, idea.definitions[0].text, idea.words[0].forms) for idea in ideas(found)] == [
        ("shark", "হাঙৰ", ()),
        ("fish", 'n. মাছ, মীন\nএটা "সতেজ" মাছ', ("pisces", "fishes")),
        ("bird", "<b>1.</b> চৰাই<br/>2. পক্ষী", ()),
        ("sea", "সাগৰ\nসমুদ্ৰ", ()),
    ]
    assert [one for one in found if not isinstance(one, LocatedRecord)] == []


def test_definitions_of_our_own_exports_are_read_separately(tmp_path: Path) -> None:
    header = "key,source,licence,attribution,pos,short,language,word,definition:en"
    found = read(
        tmp_path, "csv", {"a.csv": f"{header}\ns:k,s,CC0-1.0,S,Transitive,V.tr,as,খা,to eat | to drink\n"}, TABLE
    )

    assert ideas(found)[0].definitions == (DefinitionRecord("en", "to eat"), DefinitionRecord("en", "to drink"))
    assert [one for one in found if isinstance(one, UnstoredValue)] == []


def test_truncated_json_is_reported_at_its_last_line(tmp_path: Path) -> None:
    found = read(tmp_path, "csv", {"a.json": '[{"en": "a"},\n{"en": "b"},\n{"en": '}, TABLE)

    assert [one.line for one in found if isinstance(one, LocatedRecord)] == [0, 1, 2]
    assert [one.line for one in found if isinstance(one, RecordError)] == [3]
