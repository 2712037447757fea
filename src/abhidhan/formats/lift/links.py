"""References between LIFT entries and senses, collected on disk, and resolved when all entries have been read."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import msgspec

from abhidhan.formats.importer_api import Found
from abhidhan.formats.writers.external_sort import Entry, Sorted
from abhidhan.records.errors import Problem, quoted
from abhidhan.records.import_records import Fault, Loss, Placed
from abhidhan.records.kinds import IdeaRecord, RelationRecord, WordRecord

MOST_IDEAS: Final = 1_000
"""Maximum number of ideas with one ID; otherwise a file could multiply variants by millions of equal IDs."""

_NAMED: Final = b"0"
_LEADING: Final = b"1"


class Link(msgspec.Struct, frozen=True, array_like=True):
    """A reference to an ID: a relation of an idea, or a variant, which is a word of all ideas with that ID."""

    file: str
    line: int
    idea: str = ""
    type: str = ""
    word: WordRecord | None = None


class Links:
    """Collector of IDs and references to them, joined at the end with flat memory."""

    def __init__(self, folder: Path) -> None:
        """Initialise; items beyond a limit go into a file in a folder."""
        self._sorted = Sorted(folder)
        self._count = 0

    def name(self, identifier: str | None, idea: str) -> None:
        """Add the ID of a sense, or of an entry with the idea of one of its senses."""
        if identifier:
            self._add(identifier, _NAMED + idea.encode())

    def lead(self, identifier: str, link: Link) -> None:
        """Add a reference to an ID."""
        self._add(identifier, _LEADING + msgspec.msgpack.encode(link))

    def _add(self, identifier: str, name: bytes) -> None:
        self._count += 1
        self._sorted.add(Entry(identifier.encode("utf-8", "surrogatepass"), name, self._count))

    def told(self) -> Iterator[Found]:
        """Yield the relations and variants as additions to ideas, or as faults if they have no target."""
        for key, entries in groupby(self._sorted, key=lambda entry: entry.key):
            identifier = key.decode("utf-8", "replace")
            ideas: list[tuple[int, str]] = []
            for name, same in groupby(entries, key=lambda entry: entry.name):
                if name.startswith(_NAMED):
                    ideas.append((next(same).number, name[1:].decode()))
                    if len(ideas) > 2 * MOST_IDEAS:
                        ideas = sorted(ideas)[: MOST_IDEAS + 1]
                else:
                    link = msgspec.msgpack.decode(name[1:], type=Link)
                    yield from _joined(link, [idea for _, idea in sorted(ideas)], identifier)

    def __enter__(self) -> Self:
        """Return the collector itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the file."""
        self._sorted.__exit__(kind, error, trace)


def _joined(link: Link, ideas: list[str], identifier: str) -> Iterator[Found]:
    if not ideas:
        detail = (
            f"No entry or sense with a meaning has the ID {quoted(identifier)} of this relation. Correct the "
            "`ref`, or remove the relation."
        )
        yield Fault(link.file, link.line, detail, (Problem("relation", detail),))
    elif link.word is not None and len(ideas) > MOST_IDEAS:
        detail = (
            f"More than {MOST_IDEAS:,} senses have the ID {quoted(identifier)} of this relation. Give each sense "
            "and each entry an ID of its own."
        )
        yield Fault(link.file, link.line, detail, (Problem("relation", detail),))
    elif link.word is not None:
        for idea in ideas:
            yield Placed(link.file, link.line, _addition(idea, words=(link.word,)))
    elif ideas[0] != link.idea:
        yield Placed(link.file, link.line, _addition(link.idea, relations=(RelationRecord(link.type, ideas[0]),)))
    else:
        # An idea cannot be related to itself.
        yield Loss(link.file, link.line, "relation@ref", identifier)


def _addition(
    idea: str, *, words: tuple[WordRecord, ...] = (), relations: tuple[RelationRecord, ...] = ()
) -> IdeaRecord:
    source, _, key = idea.partition(":")
    return IdeaRecord(source, key, None, words, relations=relations)
