"""LIFT as it is written: valid by its schema, and read again into what it was written of."""

import io
import tempfile
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from hypothesis import given, settings
from lxml import etree

from abhidhan.formats.files import open_contents
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.lift.reader import read_lift
from abhidhan.formats.lift.writer import write_lift
from abhidhan.formats.writers.export_source import ExportSource
from abhidhan.records.import_records import LocatedRecord, RecordError, UnstoredValue
from abhidhan.records.kinds import (
    DefinitionRecord,
    ExampleRecord,
    FormsRecord,
    IdeaRecord,
    ListItemRecord,
    PhraseRecord,
    Record,
    RelationRecord,
    SourceRecord,
    WordRecord,
)
from abhidhan.records.languages import Language
from tests.support.export_sources import make_export
from tests.support.lift import ROOT, SCHEMA_FOLDER, needs_schema
from tests.support.random_dictionaries import CODES, dictionaries

SOURCES = (
    SourceRecord("s", "S & Söhne", "CC0-1.0", "https://example.org/a b?c=<d>", "Who", "Only <here>."),
    SourceRecord("t", "T", "CC-BY-4.0"),
)
LANGUAGES = tuple(Language(number, code, None, code, code, "Latn", "ltr") for number, code in enumerate(CODES, 1))
ITEMS = (
    ListItemRecord("POS", 1, "Common Noun", "Noun"),
    ListItemRecord("CTX", 1, "Science"),
    ListItemRecord("CTX", 2, "Biology", parent=1),
    ListItemRecord("RIC", 1, "Antonym", "1"),
    ListItemRecord("VRT", 1, "Dialect", "dial"),
)


def book_of(records: Sequence[Record], languages: Sequence[Language] = LANGUAGES) -> ExportSource:
    return make_export([*ITEMS, *records], SOURCES, languages)


def write_files(book: ExportSource) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        write_lift(book, Path(folder) / "a.zip")
        with zipfile.ZipFile(Path(folder) / "a.zip") as made:
            return {name: made.read(name) for name in made.namelist()}


def read_again(files: dict[str, bytes]) -> list[Record]:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "a.lift").write_bytes(files["abhidhan.lift"])
        found = list(read_lift(open_contents([Path(folder)]), ImportOptions()))
    assert [one for one in found if isinstance(one, RecordError | UnstoredValue)] == []
    return [one.record for one in found if isinstance(one, LocatedRecord)]


def merged(records: Sequence[Record]) -> dict[tuple[str, ...], Record]:
    """Put together what entries say of the same idea, as the loader does; of words the order matters, of others not."""
    found: dict[tuple[str, ...], Record] = {}
    for one in records:
        match one:
            case IdeaRecord():
                name = ("idea", one.source, one.key)
                there = found.get(name)
                words = {(word.language, word.text): word for word in one.words}
                if isinstance(there, IdeaRecord):
                    words |= {(word.language, word.text): word for word in there.words}
                texts = sorted(one.definitions, key=lambda each: each.language)
                found[name] = msgspec.structs.replace(
                    one,
                    words=tuple(words.values()),
                    definitions=tuple(texts),
                    relations=tuple(sorted(one.relations, key=lambda each: (each.type, each.idea))),
                )
            case FormsRecord():
                found["forms", one.language, one.text] = one
            case PhraseRecord():
                found["phrase", one.source, one.key] = one
            case SourceRecord():
                found["source", one.code] = one
    return {
        name: msgspec.structs.replace(one, words=in_order(one.words)) if isinstance(one, IdeaRecord) else one
        for name, one in found.items()
    }


def in_order(words: Iterable[WordRecord]) -> tuple[WordRecord, ...]:
    """Order words by language and rank; one without a rank stands where it is given."""
    ranked = sorted(enumerate(words, 1), key=lambda each: (each[1].language, each[1].rank or each[0]))
    return tuple(msgspec.structs.replace(word, rank=None) for _, word in ranked)


@settings(max_examples=60, deadline=None)
@given(dictionaries())
def test_any_dictionary_round_trips(records: list[Record]) -> None:
    assert merged(read_again(write_files(book_of(records)))) == merged([*SOURCES, *records])


def sample() -> list[Record]:
    """Make a dictionary that has one of everything."""
    water = WordRecord(
        "as",
        "পানী",
        roman="pani",
        ipa="pani",
        asm="পানি",
        variant="Dialect",
        origin="Sanskrit.\nOld.",
        plural="বোৰ",
        definitive="টো",
        countable=False,
        frequency=12.5,
        frequency_source="c",
        reference="p. 1",
        note="<&>",
        source="t",
        position=2,
        forms=("পানীৰ",),
        created=10,
        updated=20,
        added=30,
        licence="CC0-1.0",
    )
    return [
        IdeaRecord(
            "s",
            "water",
            "Common Noun",
            (WordRecord("en", "water", created=1), water, WordRecord("as", "জল", created=1)),
            "Neuter",
            "💧",
            ("Water", "Biology"),
            (DefinitionRecord("en", "A liquid."), DefinitionRecord("en", "Rain."), DefinitionRecord("as", "ৰস")),
            (ExampleRecord("as", "পানী খাওঁ।", "I drink water."),),
            (RelationRecord("Antonym", "s:fire"),),
            1,
            2,
            "CC0-1.0",
            ("t:eau",),
        ),
        IdeaRecord("s", "fire", None, (WordRecord("mjw", "me", created=1),), created=1),
        FormsRecord("as", "পানী", (("পানীত", "LOC"),)),
        PhraseRecord("s", "p1", "as", "পানীতকৈ তেজ ডাঠ", "Proverb", "Blood is thicker than water.", "panitkoi", 5),
    ]


def test_an_entry_uses_the_names_of_fieldworks() -> None:
    root = etree.fromstring(write_files(book_of(sample()))["abhidhan.lift"])
    (entry,) = root.xpath("entry[lexical-unit/form[@lang='as']/text='পানী']")

    assert root.get("version") == "0.13"
    assert entry.get("id") == f"পানী_{entry.get('guid')}"
    assert entry.xpath("lexical-unit/form/@lang") == ["as", "as-Latn-x-roman"]
    assert entry.xpath("sense/gloss/@lang") == ["en"]
    assert entry.xpath("sense/trait[@name='semantic-domain-ddp4']/@value") == ["1.3 Water"]
    assert entry.xpath("sense/definition/form/text/text()") == ["A liquid.", "ৰস"]
    assert entry.xpath("sense/field[@type='definition-2']/form/text/text()") == ["Rain."]
    assert entry.xpath("variant/trait[@name='paradigm']/@value") == ["LOC"]


def test_each_relation_refers_to_a_sense_of_the_file_and_ids_are_unique() -> None:
    root = etree.fromstring(write_files(book_of(sample()))["abhidhan.lift"])
    identifiers = root.xpath("//sense/@id")

    assert len(set(identifiers)) == len(identifiers) == 5
    assert set(root.xpath("//relation/@ref")) <= set(identifiers)
    assert root.xpath("//relation/@type") == ["Antonym", "Synonyms", "Antonym", "Synonyms", "Antonym"]
    assert len(set(root.xpath("entry/@guid"))) == 5


def test_forms_of_a_language_and_notes_of_a_type_are_unique_in_an_element() -> None:
    root = etree.fromstring(write_files(book_of(sample()))["abhidhan.lift"])

    for element in root.iter():
        for child, name in (("form", "lang"), ("note", "type"), ("field", "type")):
            kinds = [kind for one in element.findall(child) if (kind := one.get(name))]
            assert len(set(kinds)) == len(kinds), etree.tostring(element, encoding="unicode")


def test_with_a_chosen_language_words_of_others_are_only_glosses() -> None:
    files = write_files(book_of(sample(), LANGUAGES[1:2]))
    root = etree.fromstring(files["abhidhan.lift"])

    assert root.xpath("entry/lexical-unit/form[1]/text/text()") == ["জল", "পানী", "পানীতকৈ তেজ ডাঠ"]
    assert {word.text for one in read_again(files) if isinstance(one, IdeaRecord) for word in one.words} == {
        "জল",
        "পানী",
        "water",
    }


def test_additions_to_ideas_of_fieldworks_keep_their_ids() -> None:
    entry, first, second = (f"0f2e1d3c-1111-4aaa-8bbb-00000000000{number}" for number in (1, 2, 3))
    other = "5a5a5a5a-2222-4ccc-9ddd-000000000003"
    lang = WordRecord("mjw", "lang", created=1)
    synonym = WordRecord("mjw", "aang", created=1, added=9)
    records: list[Record] = [
        IdeaRecord("s", f"mjw/{entry}/{first}", None, (lang, synonym, WordRecord("en", "water")), created=1),
        IdeaRecord("s", f"mjw/{other}/{second}", None, (lang, WordRecord("en", "hot")), created=1),
        IdeaRecord("t", "local", None, (lang,), created=1),
    ]
    root = etree.fromstring(write_files(book_of(records, LANGUAGES[3:]))["abhidhan.lift"])

    entries = [(one.get("guid"), one.get("order"), one.xpath("sense/@id")) for one in root.findall("entry")]
    assert [one[1] for one in entries] == [None, "1", "2"]
    assert [one[0] for one in entries[1:]] == [entry, other]
    assert entries[1][2][0] == first
    assert len(entries[1][2]) == 2
    assert entries[2][2] == [second]


def test_the_example_in_the_documentation_is_right() -> None:
    lang = WordRecord("mjw", "lang", created=1)
    idea = IdeaRecord("karbi", "7", "Common Noun", (lang, WordRecord("en", "water")), contexts=("Water",), created=1)
    root = etree.fromstring(write_files(book_of([idea], LANGUAGES[3:]))["abhidhan.lift"])
    (sense,) = root.iter("sense")

    example = (ROOT / "docs/exporting.md").read_text("utf-8").split("```xml\n")[1].split("\n```")[0]
    assert etree.tostring(sense, encoding="unicode") == example


@needs_schema
def test_the_files_are_valid_by_the_schema() -> None:
    files = write_files(book_of(sample()))
    for name, schema in (("abhidhan.lift", "lift-0.13.rng"), ("abhidhan.lift-ranges", "lift-ranges-0.13.rng")):
        grammar = etree.RelaxNG(etree.parse(SCHEMA_FOLDER / schema))
        grammar.assertValid(etree.parse(io.BytesIO(files[name])))
