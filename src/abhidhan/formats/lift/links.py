"""References between LIFT entries and senses: collected on disk, and resolved after all entries were read."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import msgspec

from abhidhan.formats.importer_api import ParsedRecord
from abhidhan.formats.writers.external_sort import ExternalSorter, SortItem
from abhidhan.records.errors import Problem, quoted
from abhidhan.records.import_records import LocatedRecord, RecordError, UnstoredValue
from abhidhan.records.kinds import IdeaRecord, RelationRecord, WordRecord

MAX_IDEAS_PER_ID: Final = 1_000
"""Maximum number of ideas with one ID. A variant is added to each of them, so duplicate IDs multiply it."""

_TARGET_PREFIX: Final = b"0"
_LINK_PREFIX: Final = b"1"


class PendingLink(msgspec.Struct, frozen=True, array_like=True):
    """A reference to an ID: a relation of an idea, or a variant, which becomes a word of all ideas with the ID."""

    file: str
    line: int
    idea: str = ""
    type: str = ""
    word: WordRecord | None = None


class LinkCollector:
    """Collector of IDs and references to them; joins both at the end with bounded memory."""

    def __init__(self, folder: Path) -> None:
        """Initialise; items beyond a limit go into a file in a folder."""
        self._sorter = ExternalSorter(folder)
        self._count = 0

    def add_target(self, identifier: str | None, idea: str) -> None:
        """Add the ID of a sense, or of an entry with the idea of one of its senses."""
        if identifier:
            self._add(identifier, _TARGET_PREFIX + idea.encode())

    def add_link(self, identifier: str, link: PendingLink) -> None:
        """Add a reference to an ID."""
        self._add(identifier, _LINK_PREFIX + msgspec.msgpack.encode(link))

    def _add(self, identifier: str, payload: bytes) -> None:
        self._count += 1
        self._sorter.add(SortItem(identifier.encode("utf-8", "surrogatepass"), payload, self._count))

    def resolve(self) -> Iterator[ParsedRecord]:
        """Yield the relations and variants as additions to ideas, or as errors if they have no target."""
        for key, entries in groupby(self._sorter, key=lambda entry: entry.key):
            identifier = key.decode("utf-8", "replace")
            ideas: list[tuple[int, str]] = []
            for name, same in groupby(entries, key=lambda entry: entry.payload):
                if name.startswith(_TARGET_PREFIX):
                    ideas.append((next(same).number, name[1:].decode()))
                    if len(ideas) > 2 * MAX_IDEAS_PER_ID:
                        ideas = sorted(ideas)[: MAX_IDEAS_PER_ID + 1]
                else:
                    link = msgspec.msgpack.decode(name[1:], type=PendingLink)
                    yield from _resolve(link, [idea for _, idea in sorted(ideas)], identifier)

    def __enter__(self) -> Self:
        """Return the collector itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the file."""
        self._sorter.__exit__(kind, error, trace)


def _resolve(link: PendingLink, ideas: list[str], identifier: str) -> Iterator[ParsedRecord]:
    if not ideas:
        detail = (
            f"No entry or sense with a meaning has the ID {quoted(identifier)} of this relation. Correct the "
            "`ref`, or remove the relation."
        )
        yield RecordError(link.file, link.line, detail, (Problem("relation", detail),))
    elif link.word is not None and len(ideas) > MAX_IDEAS_PER_ID:
        detail = (
            f"More than {MAX_IDEAS_PER_ID:,} senses have the ID {quoted(identifier)} of this relation. Give each sense "
            "and each entry an ID of its own."
        )
        yield RecordError(link.file, link.line, detail, (Problem("relation", detail),))
    elif link.word is not None:
        for idea in ideas:
            yield LocatedRecord(link.file, link.line, _build_addition(idea, words=(link.word,)))
    elif ideas[0] != link.idea:
        yield LocatedRecord(
            link.file, link.line, _build_addition(link.idea, relations=(RelationRecord(link.type, ideas[0]),))
        )
    else:
        # An idea cannot be related to itself.
        yield UnstoredValue(link.file, link.line, "relation@ref", identifier)


def _build_addition(
    idea: str, *, words: tuple[WordRecord, ...] = (), relations: tuple[RelationRecord, ...] = ()
) -> IdeaRecord:
    source, _, key = idea.partition(":")
    return IdeaRecord(source, key, None, words, relations=relations)
