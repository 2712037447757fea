"""A dictionary with everything that a file can contain: the sample, and additional records."""

from collections.abc import Iterator
from typing import Final

from abhidhan.exchange.service.importing import import_records
from abhidhan.platform.database.database import Database
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import (
    DefinitionRecord,
    ExampleRecord,
    FormsRecord,
    IdeaRecord,
    LanguageRecord,
    Record,
    RelationRecord,
    SourceRecord,
    WordRecord,
)
from tests.support.databases import load_sample
from tests.support.sample import NOW

RELATION_KINDS: Final = ("Hypernym", "Related", "Near-synonym", "Antonym", "Holonym", "Effect", "Young of")
HOSTILE_TEXT: Final = 'a "b" \\ <c> \n\t} ] . @en ^^ \u2028x'


def more_records() -> Iterator[Record]:
    """Yield records that the sample lacks: a word with several parts of speech, relations and texts of all kinds."""
    yield SourceRecord("s", "S <s>", "CC-BY-SA-4.0", url="https://example.org/a b>c", notice=HOSTILE_TEXT)
    yield IdeaRecord(
        "s",
        "play",
        "Transitive",
        (
            WordRecord("en", "run", note=HOSTILE_TEXT, reference="Page 7", ipa="rʌn", asm="ৰান", licence="CC0-1.0"),
            WordRecord("en", "go on", origin="Old English"),
            WordRecord("as", "চলা", roman="sola", variant="Kamrupi", forms=("চলে", "চলিল")),
            WordRecord("brx", "-फ"),
        ),
        gender="Common",
        contexts=("Science and Technology",),
        definitions=(DefinitionRecord("en", HOSTILE_TEXT), DefinitionRecord("as", "চলা")),
        examples=(ExampleRecord("en", "They go on.", "সিহঁত যায়।"), ExampleRecord("as", "চলি থকা।", "Going on.")),
        licence="CC0-1.0",
        aliases=("s:older",),
    )
    relations = tuple(RelationRecord(kind, "s:play") for kind in RELATION_KINDS)
    yield IdeaRecord("s", "flow", "Intransitive", (WordRecord("en", "run"),), relations=relations)
    yield IdeaRecord("s", "race", "Common Noun", (WordRecord("en", "run"), WordRecord("as", "দৌৰ")))
    yield IdeaRecord("s", "none", None, (WordRecord("en", "run"),))
    tagged = (("runs", "V;PRS;3;SG"), ("ran", "V;PST;V.CVB"), ("runner", "odd"))
    yield FormsRecord("en", "run", tagged)
    # Codes of sources and of languages that are not simple names.
    yield SourceRecord("1 a:b/ç <x>", 'The "odd" one', 'CC & "BY"')
    yield LanguageRecord(0, "qaa-Latn-x-odd", None, "Odd & <new>", "Odd", "Latn")
    odd = WordRecord("qaa-Latn-x-odd", "&amp < b")
    yield IdeaRecord("1 a:b/ç <x>", "o < d", "Adverb", (odd, WordRecord("en", "oddly")), gender="Feminine")


def load_more(database: Database) -> None:
    """Load the sample and these records."""
    load_sample(database)
    placed = [LocatedRecord("a", number, record) for number, record in enumerate(more_records())]
    faults = import_records(database, placed, now=NOW).errors
    assert not faults, faults
