from abhidhan.formats.tables.writer import iter_rows
from abhidhan.formats.writers.export_source import ExportSource
from abhidhan.records.kinds import IdeaRecord, SourceRecord, WordRecord

SOURCES = (SourceRecord("s", "Sources", "CC0-1.0"), SourceRecord("local", "This dictionary", "see the operator"))


def test_a_contributed_word_has_its_own_licence_and_others_that_of_their_source() -> None:
    words = (WordRecord("as", "পানী"), WordRecord("as", "নীৰ", source="local", licence="CC BY-SA 4.0"))
    ideas = (IdeaRecord("s", "water", "Common Noun", words=words),)
    export = ExportSource(
        "Abhidhan",
        0,
        (),
        SOURCES,
        records=lambda: iter(ideas),
        ideas=lambda: iter(ideas),
        numbered_ideas=lambda: iter(()),
        numbered_forms=lambda: iter(()),
        words=lambda _: iter(()),
        stored_forms=lambda _: {},
        card_sets=lambda: iter(()),
    )

    header, *rows = iter_rows(export)

    assert [row[header.index("licence")] for row in rows] == ["CC0-1.0", "CC BY-SA 4.0"]
