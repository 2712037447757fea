"""Helpers for tests of importers: read files of a format into records."""

from pathlib import Path

from abhidhan.formats.files import open_contents
from abhidhan.formats.importer_api import ImportOptions, ParsedRecord
from abhidhan.formats.registry import IMPORTERS
from abhidhan.records.import_records import LocatedRecord, RecordError
from abhidhan.records.kinds import IdeaRecord, Record, SourceRecord

SOURCE = SourceRecord("s", "S", "CC0-1.0")
OPTIONS = ImportOptions(source=SOURCE, language="as", target="en")


def read(
    folder: Path, name: str, files: dict[str, str | bytes], options: ImportOptions = OPTIONS
) -> list[ParsedRecord]:
    """Read files of a format."""
    for file, content in files.items():
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return list(IMPORTERS[name].read(open_contents([folder]), options))


def records(found: list[ParsedRecord]) -> list[Record]:
    """Return the records without sources; fail if there are errors."""
    assert [one for one in found if isinstance(one, RecordError)] == []
    return [one.record for one in found if isinstance(one, LocatedRecord) and not isinstance(one.record, SourceRecord)]


def ideas(found: list[ParsedRecord]) -> list[IdeaRecord]:
    """Return the ideas."""
    return [one for one in records(found) if isinstance(one, IdeaRecord)]


def words(idea: IdeaRecord) -> list[tuple[str, str]]:
    """Return the words of an idea."""
    return [(word.language, word.text) for word in idea.words]
