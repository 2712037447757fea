"""What a workbook holds besides the texts of its cells: comments, links, pictures, and cells without a value."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from abhidhan.records.import_records import Loss

PICTURES: Final = ("xl/media/", "pictures/")
"""Folders of a workbook, in small letters, in which its pictures are."""

_RELATIONS: Final = "_rels/"


class Span(NamedTuple):
    """Merged cells of one column: its number, and the first and last row, from 0."""

    column: int
    first: int
    last: int


class Extras:
    """Takes what is found in the files of a workbook."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._found: list[tuple[int, str, str]] = []
        self._links: list[tuple[int, str, str]] = []
        self._targets: dict[tuple[str, str], str] = {}
        self.spans: list[list[Span]] = []
        """Merged cells of each sheet of an .ods file."""

    def add_file(self, member: str) -> None:
        """Take the name of a file, which may be a picture."""
        if member.lower().startswith(PICTURES) and not member.endswith("/"):
            self._found.append((0, "picture", member))

    def add(self, row: int, field: str, value: str) -> None:
        """Take a text that stands in a row but in no cell."""
        if value.strip():
            self._found.append((row, field, value.strip()))

    def add_link(self, sheet: str, row: int, relation: str) -> None:
        """Take a link of a cell, whose address stands in the relations of its sheet."""
        self._links.append((row, sheet, relation))

    def add_target(self, relations: str, relation: str, address: str) -> None:
        """Take an address of the relations of a sheet."""
        self._targets[relations.replace(_RELATIONS, "").removesuffix(".rels"), relation] = address

    def losses(self, file: str) -> Iterator[Loss]:
        """Yield all of it: no record holds any."""
        linked = ((row, "link", self._targets.get((sheet, name), "")) for row, sheet, name in self._links)
        for row, field, value in (*self._found, *linked):
            if value:
                yield Loss(file, row, field, value)
