"""Our own records: an export comes back whole, and what a record has no field for is reported."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, get_args

import msgspec
import pytest

from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.jsonl import encode_line
from abhidhan.records.import_records import LocatedRecord, RecordError, UnstoredValue
from abhidhan.records.kinds import (
    CardRecord,
    CardSetRecord,
    DefinitionRecord,
    ExampleRecord,
    FormsRecord,
    FrequencyRecord,
    IdeaRecord,
    LanguageRecord,
    ListItemRecord,
    PhraseRecord,
    Record,
    RelationRecord,
    SourceRecord,
    WordRecord,
)
from abhidhan.records.kinds.field_types import LocalTextRecord
from tests.support.databases import SqliteDatabases, leave_empty
from tests.support.importing import SOURCE, read
from tests.support.lossless import import_file

SOURCES: Final = (
    SourceRecord("one", "Source one", "CC0-1.0", "https://example.org/", "Its makers", "Nobody has reviewed it."),
    SourceRecord("two", "Source two", "CC-BY-4.0"),
)
LANGUAGES: Final = (
    LanguageRecord(1, "en", "eng", "English", "English", "Latn"),
    LanguageRecord(2, "as", "asm", "Assamese", "অসমীয়া", "Beng"),
    LanguageRecord(1001, "ur", "urd", "Urdu", "اردو", "Arab", "rtl"),
)
LISTS: Final = (
    ListItemRecord("CTX", 1, "Nature"),
    ListItemRecord("CTX", 2, "Water", parent=1),
    ListItemRecord("FJCAT", 1, "Proverbs"),
    ListItemRecord("GEN", 1, "Feminine"),
    ListItemRecord("POS", 1, "Common Noun", "Noun", short="N.com"),
    ListItemRecord("RIC", 1, "Hypernym", "2"),
    ListItemRecord("RIC", 2, "Hyponym", "1"),
    ListItemRecord("VRT", 1, "Kamrupi", "kam"),
)
WORD: Final = WordRecord(
    "as",
    "পানী",
    roman="pani",
    ipa="pani",
    asm="পানি",
    variant="Kamrupi",
    origin="From Sanskrit.",
    plural="বোৰ",
    definitive="খিনি",
    countable=True,
    frequency=12.5,
    frequency_source="A corpus",
    reference="Page 7",
    note="Colloquial",
    source="two",
    position=2,
    forms=("পানীৰ",),
    created=100,
    updated=200,
    added=150,
    licence="CC0-1.0",
)
IDEAS: Final = (
    IdeaRecord(
        "one",
        "water",
        "Common Noun",
        (WORD,),
        gender="Feminine",
        glyph="💧",
        contexts=("Water",),
        definitions=(DefinitionRecord("en", "A clear liquid."),),
        examples=(ExampleRecord("as", "পানী খাওঁ।", "We drink water."),),
        relations=(RelationRecord("Hypernym", "one:liquid"),),
        created=90,
        updated=190,
        licence="CC-BY-4.0",
        aliases=("two:h2o",),
    ),
    IdeaRecord(
        "one",
        "liquid",
        None,
        (WordRecord("en", "liquid"),),
        relations=(RelationRecord("Hyponym", "one:water"),),
        created=90,
    ),
)
FORMS: Final = FormsRecord("as", "পানী", (("পানীত", "N;LOC"),))
PHRASE: Final = PhraseRecord(
    "one",
    "p",
    "as",
    "যেনে কুকুৰ, তেনে টাঙোন",
    "Proverbs",
    "Tit for tat",
    "zene kukur",
    120,
    "CC0-1.0",
    (LocalTextRecord("as", "যেনে কাম, তেনে ফল।"), LocalTextRecord("ur", "جیسا")),
)
CARDS: Final = CardSetRecord(
    "one",
    "c",
    "Drinks",
    "as",
    "en",
    "What we drink",
    (CardRecord("পানী", "water", "pani", "💧", "one:water"),),
    (LocalTextRecord("as", "পানীয়"),),
    (LocalTextRecord("as", "আমি যি পান কৰোঁ"),),
)
EXPORT: Final[tuple[Record, ...]] = (*LANGUAGES, *LISTS, *SOURCES, *IDEAS, FORMS, PHRASE, CARDS)
"""A whole dictionary, in the order of an export."""

NOT_EXPORTED: Final = {"FormsRecord.optional", "WordRecord.rank"}
"""What says how to import a record, and is stored nowhere, and what the order of an export says by itself."""


def lines(*records: Record) -> str:
    """Write records as lines."""
    return "".join(encode_line(record).decode() for record in records)


def list_fields(value: object) -> Iterator[str]:
    """List the fields of records, and of what they are made of, that have something in them."""
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            if (below := getattr(value, name)) not in {None, (), False}:
                yield f"{type(value).__name__}.{name}"
                yield from list_fields(below)
    elif isinstance(value, tuple):
        for each in value:
            yield from list_fields(each)


def test_a_whole_export_round_trips(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    imported = import_file(sqlite_databases, tmp_path, "jsonl", lines(*EXPORT), filling=leave_empty)

    assert (imported.rejected, imported.lost, imported.report.unknown_names) == ([], [], {})
    exported = [msgspec.json.decode(line, type=Record) for line in imported.lines]
    # A dictionary always has all parts of speech of the program, also where a file of before lacks some.
    added = [one for one in exported if isinstance(one, ListItemRecord) and one.list == "POS" and one not in EXPORT]
    assert [one for one in exported if one not in added] == list(EXPORT)
    assert {one.short for one in added}.isdisjoint({None, "N.com"})


def test_the_export_has_every_field_of_every_kind_of_record() -> None:
    kinds = {*get_args(Record), WordRecord, DefinitionRecord, ExampleRecord, RelationRecord, CardRecord}
    every = {f"{kind.__name__}.{name}" for kind in kinds - {FrequencyRecord} for name in kind.__struct_fields__}

    assert every - set(list_fields(EXPORT)) == NOT_EXPORTED


def test_a_frequency_is_exported_with_its_word(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    frequency = FrequencyRecord("en", "liquid", 3.5, "Another corpus")
    imported = import_file(sqlite_databases, tmp_path, "jsonl", lines(*EXPORT, frequency), filling=leave_empty)

    assert '"text":"liquid","frequency":3.5,"frequency_source":"Another corpus"' in "".join(imported.lines)


def test_flashcard_sets_may_share_and_repeat_clues(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    cards = (CardRecord("আম", "mango"), CardRecord("কল", "banana"), CardRecord("কল", "machine"))
    one = CardSetRecord("one", "fruit", "Fruit", "as", "en", cards=cards[:2])
    two = CardSetRecord("one", "words", "Words", "as", "en", cards=cards)
    imported = import_file(sqlite_databases, tmp_path, "jsonl", lines(*EXPORT, one, two), filling=leave_empty)

    assert "".join(imported.lines).endswith(lines(one, two))


def test_an_unknown_key_of_a_record_is_reported(tmp_path: Path, subtests: pytest.Subtests) -> None:
    records: tuple[Record, ...] = (SOURCES[0], LANGUAGES[0], LISTS[0], IDEAS[0], FORMS, PHRASE, CARDS)
    for record in records:
        given: dict[str, Any] = json.loads(encode_line(record))
        kind = given["record"]
        with subtests.test(kind):
            line = json.dumps({**given, "colour": {"name": "red", "shades": [1, 2.5, True, None]}})

            found = read(tmp_path, "jsonl", {"a.jsonl": f"\n{line}\n"}, ImportOptions())

            assert found == [
                LocatedRecord("a.jsonl", 2, record),
                UnstoredValue("a.jsonl", 2, f"{kind}/colour/name", "red"),
                *(UnstoredValue("a.jsonl", 2, f"{kind}/colour/shades", value) for value in ("1", "2.5", "true")),
            ]


def test_an_unknown_key_within_a_part_of_a_record_is_reported(tmp_path: Path) -> None:
    given = json.loads(encode_line(IDEAS[0]))
    given["words"][0]["record"] = "word"
    given["definitions"][0]["date"] = 1928

    found = read(tmp_path, "jsonl", {"a.jsonl": json.dumps(given)}, ImportOptions())

    assert [(one.field, one.value) for one in found if isinstance(one, UnstoredValue)] == [
        ("idea/words/record", "word"),
        ("idea/definitions/date", "1928"),
    ]


LINES_OF_WRONG_SHAPE = [
    '{"record":"idea","source":"one","key":"k","pos":null,"words":{"language":"as","text":"x"}}',
    '{"record":"idea","source":"one","key":"k","pos":null,"words":[["as","x"]]}',
    '{"record":"phrase","source":"one","key":1,"language":"as","text":"x","category":"Proverbs"}',
    '{"record":"forms","language":"as","text":"x","forms":[["a"]]}',
    '{"record":"word","language":"as","text":"x"}',
    '{"source":"one"}',
    '[{"record":"source"}]',
    "null",
    "{",
]


def test_a_line_of_the_wrong_shape_is_reported_and_the_others_are_kept(
    tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for line in LINES_OF_WRONG_SHAPE:
        with subtests.test(line):
            found = read(tmp_path, "jsonl", {"a.jsonl": lines(PHRASE) + line + "\n" + lines(CARDS)}, ImportOptions())

            assert [type(one) for one in found] == [LocatedRecord, RecordError, LocatedRecord]
            assert isinstance(found[1], RecordError)
            assert (found[1].file, found[1].line) == ("a.jsonl", 2)


def test_the_source_of_the_options_comes_first_unless_the_file_describes_it(
    tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for code, count in [("s", 1), ("other", 0)]:
        with subtests.test(code):
            phrase = msgspec.structs.replace(PHRASE, source=code)
            found = read(tmp_path, "jsonl", {"a.jsonl": lines(phrase, phrase)}, ImportOptions(source=SOURCE))

            assert [one.record for one in found if isinstance(one, LocatedRecord)] == [
                *[SOURCE] * count,
                phrase,
                phrase,
            ]

    own = msgspec.structs.replace(SOURCE, name="As the file calls it")
    phrase = msgspec.structs.replace(PHRASE, source="s")
    found = read(tmp_path, "jsonl", {"a.jsonl": lines(own, phrase)}, ImportOptions(source=SOURCE))

    assert [one.record for one in found if isinstance(one, LocatedRecord)] == [own, phrase]
