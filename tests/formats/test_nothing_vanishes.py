"""Importers load or report every row of a file: none vanishes."""

import json
from pathlib import Path

import pytest

from abhidhan.exchange.service.importing import ImportRequest, import_files
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.registry import IMPORTERS
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import InputError
from abhidhan.records.import_records import LocatedRecord, RecordError
from abhidhan.records.kinds import SourceRecord
from tests.support.importing import SOURCE, read

AS = ImportOptions(source=SOURCE, language="as", target="en")
BARE = ImportOptions(source=SOURCE)

TEI = '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body>\n{}</body></text></TEI>'
TEI_ENTRY = "<entry><form><orth>{}</orth></form><sense><cit type='trans'><quote>fish</quote></cit></sense></entry>\n"
LMF = (
    '<LexicalResource><Lexicon id="l" language="as" license="CC0-1.0">\n'
    '<LexicalEntry id="a"><Lemma writtenForm="মাছ" partOfSpeech="n"/><Sense id="s" synset="y"/></LexicalEntry>\n'
    '<LexicalEntry id="b"><Lemma writtenForm="" partOfSpeech="n"/></LexicalEntry>\n'
    '<Synset id="y" partOfSpeech="n"><Definition>fish</Definition></Synset>\n</Lexicon></LexicalResource>'
)
LIFT = (
    '<lift version="0.13">\n<entry><lexical-unit><form lang="as"><text>মাছ</text></form></lexical-unit><sense>'
    '<gloss lang="en"><text>fish</text></gloss></sense><sense id="b"/></entry>\n<entry id="c"/></lift>'
)
PROVERB = '{"record":"phrase","source":"s","key":"k","language":"as","text":"ক","category":"Other"}\n'
CLDF = {
    "languages.csv": "ID,ISO639P3code\nl,asm\n",
    "entries.csv": "ID,Language_ID,Headword\n1,l,মাছ\n2,l,চৰাই\n3,l,ঘৰ,more\n",
    "senses.csv": "ID,Entry_ID,Description\n1,1,fish\n4,9,x\n5,1,a,b\n",
}


def wiktionary(*entries: dict[str, object]) -> dict[str, str | bytes]:
    """Make lines of Wiktextract."""
    return {"k.jsonl": "".join(json.dumps(entry) + "\n" for entry in entries)}


FILES: list[tuple[str, dict[str, str | bytes], ImportOptions, int, int]] = [
    ("csv", {"a.csv": 'en,as\nfish,মাছ\n"x,y\nbird,চৰাই,z\n,\nsea,\n'}, BARE, 2, 2),
    ("csv", {"a.tsv": 'en\tas\nfish\tমাছ\n"x\ty\nbird\tচৰাই\tz\n'}, BARE, 2, 1),
    ("pairs", {"en_as.tsv": "fish\tমাছ\nx\na\tb\tc\n"}, BARE, 1, 2),
    ("proverbs", {"a.csv": 'assamese,meaning\nক,a\n,b\nখ,b,c\n"গ,d\n'}, BARE, 1, 3),
    ("unimorph", {"asm": "মাছ\tমাছৰ\tN;GEN\nx\n"}, BARE, 1, 1),
    ("frequencies", {"a.tsv": "word\tfrequency\tsource\nমাছ\t12.5\tc\nx\nঘৰ\tmany\tc\n"}, AS, 1, 2),
    ("dictpress", {"a.csv": '-,f,fish,english\n^,m,মাছ,assamese\n^,"m,x,assamese\n-,g,x,english\n'}, BARE, 1, 2),
    (
        "omw",
        {"wn-data-asm.tab": "# A\tasm\tx\tCC\n00000001-n\tasm:lemma\tমাছ\nx\n00000002-n\tasm:lemma\t\n"},
        BARE,
        1,
        2,
    ),
    ("wordnet", {"data.noun": "00000001 05 n 01 fish 0 000 | a\n00000002 05 n zz\n", "noun.exc": "x\n"}, BARE, 1, 2),
    ("jsonl", {"a.jsonl": PROVERB + "{}\nx\n"}, BARE, 1, 2),
    ("tei", {"a.tei": TEI.format(TEI_ENTRY.format("মাছ") + TEI_ENTRY.format(""))}, AS, 1, 1),
    ("wn-lmf", {"a.xml": LMF}, BARE, 2, 1),
    ("cldf", dict(CLDF), AS, 1, 4),
    ("lift", {"a.lift": LIFT}, BARE, 1, 2),
    (
        "wiktextract",
        wiktionary(
            {"word": "মাছ", "lang_code": "as", "senses": [{"glosses": ["fish"]}]}, {"word": "x", "lang_code": "as"}
        ),
        BARE,
        1,
        1,
    ),
]
"""Of each format: files, and how many of their records can be read, and how many cannot."""


def test_every_row_becomes_a_record_or_an_error(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for number, (name, files, options, right, wrong) in enumerate(FILES):
        with subtests.test(name):
            found = read(tmp_path / str(number), name, files, options)

            accepted = [
                one for one in found if isinstance(one, LocatedRecord) and not isinstance(one.record, SourceRecord)
            ]
            errors = [one for one in found if isinstance(one, RecordError)]
            assert (len(accepted), len(errors)) == (right, wrong), found
            assert all(one.line and one.detail.endswith((".", '("").')) for one in errors)

    assert {row[0] for row in FILES} == set(IMPORTERS) - {"recordings"}


def test_every_row_of_a_table_is_stored_rejected_or_unchanged(dictionary: Database, tmp_path: Path) -> None:
    rows = [f"{number},word{number},শব্দ{number}" for number in range(600)]
    rows[7] = '7,"word7,শব্দ৭'
    rows[300] += ",surplus"
    rows[301] = "301,,"
    rows[302] = rows[0]
    file = tmp_path / "a.csv"
    file.write_text("\n".join(["key,en,as", *rows]) + "\n", "utf-8")
    rejected: list[RecordError] = []
    wanted = ImportRequest("csv", (file,), ImportOptions(source=SOURCE))

    loaded = import_files(dictionary, wanted, now=1, on_progress=lambda _: None, on_reject=rejected.append).loaded
    again = import_files(dictionary, wanted, now=1, on_progress=lambda _: None).loaded

    assert [fault.line for fault in rejected] == [9, 302, 303]
    assert (loaded.counts["idea"], loaded.rejected, loaded.unchanged + loaded.extended) == (596, 3, 1)
    assert (again.counts.get("idea", 0), again.rejected, again.unchanged + again.extended) == (0, 3, 597)


DEEP = "[" * 200_000


HOSTILE_FILES: list[tuple[str, dict[str, str | bytes]]] = [
    ("jsonl", {"a.jsonl": f'{{"record":"language","x":{DEEP}\n'}),
    ("wiktextract", {"a.jsonl": f'{{"x":{DEEP}\n'}),
    ("cldf", {"a-metadata.json": f'{{"x":{DEEP}'}),
    ("tei", {"a.tei": TEI.format("<entry>" + "<sense>" * 50_000 + "</sense>" * 50_000 + "</entry>")}),
    ("tei", {"a.tei": TEI.format(f"<entry><note>{'x' * 17_000_000}</note></entry>")}),
    ("tei", {"a.tei": '<?xml version="1.0" encoding="shift_jis"?><a/>'}),
    ("tei", {"a.tei": '<?xml version="1.0" encoding="nonsense"?><a/>'}),
    ("wordnet", {"data.noun": "x\n", "index.noun": "fish n\n"}),
    ("wordnet", {"data.noun": "00000001 05 n 01 fish 0 999999999 | a\n"}),
]


def test_hostile_files_are_reported_and_never_crash(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for number, (name, files) in enumerate(HOSTILE_FILES):
        with subtests.test(f"{number} {name}"):
            try:
                messages = [
                    one.detail for one in read(tmp_path / str(number), name, files, AS) if isinstance(one, RecordError)
                ]
            except InputError as error:
                messages = [str(error)]
            assert messages
            assert all(one.endswith(".") for one in messages)


def test_a_too_long_line_costs_no_other_line(tmp_path: Path) -> None:
    long = "x" * 9_000_000
    content = f'{long}\n{{"record":"source","code":"x","name":"X","licence":"CC0-1.0"}}\n'
    fault, record = read(tmp_path, "jsonl", {"a.jsonl": content})

    assert (isinstance(fault, RecordError), isinstance(record, LocatedRecord)) == (True, True), record


def test_a_wrong_encoding_is_reported(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for encoding in ["utf-16", "utf-32", "cp1252", "ascii", "idna"]:
        with subtests.test(encoding):
            options = ImportOptions(source=SOURCE, encoding=encoding)
            try:
                found = read(tmp_path, "pairs", {"en_as.tsv": b"fish\t\x81\xe0\xa6\xae\n"}, options)
                messages = [str(one) for one in found if isinstance(one, RecordError)]
            except InputError as error:
                messages = [str(error)]
            assert [one for one in messages if "encoding" in one]
