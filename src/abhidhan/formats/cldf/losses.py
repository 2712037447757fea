"""Losses of a CLDF import: metadata, references and cells that no record holds."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from abhidhan.formats.cldf.files import DataSet
from abhidhan.formats.cldf.languages import Listed, has_transcriptions
from abhidhan.formats.content_streams import Content
from abhidhan.formats.importer_api import Found
from abhidhan.formats.losses import losses
from abhidhan.records.import_records import Fault, Loss, Placed

Place = tuple[str, int]
"""A file, and a line in it."""

OF_RECORDINGS: Final = frozenset(
    {"id", "mediaType", "downloadUrl", "pathInZip", "languageReference", "Speaker", "Place", "Licence", "License"}
)
"""Columns that an import of recordings reads."""

NOT_DATA: Final = frozenset({"@context", "dialect", "tables", "dc:conformsTo", "rdf:type"})
"""Metadata about the form of a data set."""

_FIELD: Final = re.compile(r"\s*(\w+)\s*=\s*(.*)")
_BETWEEN_WORDS: Final = re.compile(r"[|;,()\[\]<>।]")


class Columns(NamedTuple):
    """Columns that are read into values of another form, and columns that may hold lists of words."""

    read: Collection[str] = ()
    lists: Collection[str] = ()


def losses_of_row(
    data: DataSet, kind: str, placed: tuple[Place, Mapping[str, str]], found: Iterable[Found], columns: Columns
) -> Iterator[Loss]:
    """Yield the cells of a row that its records do not hold."""
    place, row = placed
    values = (
        (f"{data.tables[kind].file}: {cell.column}", piece.strip())
        for cell in data.cells(kind, row)
        if cell.name not in columns.read
        for piece in (_BETWEEN_WORDS.split(cell.text) if cell.name in columns.lists else [cell.text])
    )
    return losses(*place, values, found)


def losses_of_table(data: DataSet, kind: str) -> Iterator[Found]:
    """Yield all cells of a table that is not read."""
    for place, row in data.rows(kind):
        if isinstance(row, Fault):
            yield row
        else:
            yield from losses_of_row(data, kind, (place, row), (), Columns())


def losses_of_languages(data: DataSet, languages: Mapping[str, Listed]) -> Iterator[Found]:
    """Yield the cells of the language table besides codes and names of new languages."""
    read = {"name"} if has_transcriptions(data) else set()
    for place, row in data.rows("LanguageTable"):
        if isinstance(row, Fault):
            yield row
            continue
        one = languages.get(row.get("id", ""))
        found = [Placed(*place, one.new)] if one and one.new else []
        is_by_glottocode = one is not None and row.get("iso639P3code", "") == ""
        code = {"glottocode"} if is_by_glottocode else {"iso639P3code"} if one else set()
        yield from losses_of_row(data, "LanguageTable", (place, row), found, Columns(read | code))


def losses_of_media(data: DataSet) -> Iterator[Found]:
    """Yield the cells of the media table that an import of recordings does not read."""
    for place, row in data.rows("MediaTable"):
        if isinstance(row, Fault):
            yield row
        else:
            is_recording = row.get("mediaType", "").startswith("audio/")
            yield from losses_of_row(
                data, "MediaTable", (place, row), (), Columns(OF_RECORDINGS if is_recording else ())
            )


def losses_of_metadata(data: DataSet, source: Placed, read: Collection[str]) -> Iterator[Loss]:
    """Yield the metadata that the source record lacks, except those that are read into another form."""
    told = {name: value for name, value in data.description.items() if name not in NOT_DATA and name not in read}
    file = data.metadata_file.rpartition("/")[2]
    return losses(data.metadata_file, 1, _leaves(file, told), [source])


def _leaves(path: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(f"{path}: {name}", inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(path, inner)
    elif value is not None:
        yield path, str(value)


def losses_of_works(content: Content) -> Iterator[Loss]:
    """Yield the fields of a bibliography other than years, since records only have short names of works."""
    content.stream.seek(0)
    field = "entry"
    for number, line in enumerate(content.stream, 1):
        text = line.decode("utf-8", "replace").strip()
        found = _FIELD.fullmatch(text)
        if text.startswith("@"):
            field = "entry"
        elif found:
            field, text = found[1].lower(), found[2]
        value = text.strip('{}", ')
        if value and field != "year":
            yield Loss(content.name, number, f"{content.base_name}: {field}", value)
