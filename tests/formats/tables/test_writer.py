from abhidhan.formats.tables.writer import iter_rows
from abhidhan.records.kinds import IdeaRecord, SourceRecord, WordRecord
from tests.support.export_sources import make_export

SOURCES = (SourceRecord("s", "Sources", "CC0-1.0"), SourceRecord("local", "This dictionary", "see the operator"))


def test_a_contributed_word_has_its_own_licence_and_others_that_of_their_source() -> None:
    words = (WordRecord("as", "পানী"), WordRecord("as", "নীৰ", source="local", licence="CC BY-SA 4.0"))

    header, *rows = iter_rows(make_export([IdeaRecord("s", "water", "Common Noun", words=words)], SOURCES))

    assert [row[header.index("licence")] for row in rows] == ["CC0-1.0", "CC BY-SA 4.0"]
