"""The differences between a file and the dictionary, and the order of words in the file, as found by a load."""

from collections import defaultdict
from collections.abc import Collection, Iterable, KeysView, Mapping
from typing import Final, NamedTuple

from abhidhan.platform.database.compiled_queries import SqlValue
from abhidhan.records.id_bitmap import IdSet
from abhidhan.records.import_records import LocatedRecord

Positions = dict[int, int]
"""The positions of words or ideas, by ID."""


class FileOrder:
    """The order of words and meanings that loading a file into an empty dictionary would produce."""

    def __init__(self) -> None:
        """Initialise with an empty order."""
        self._words: defaultdict[tuple[int, int], Positions] = defaultdict(dict)
        self._meanings: defaultdict[int, Positions] = defaultdict(dict)

    def note_link(
        self, word_id: int, idea_id: int, language_id: int, *, rank: int | None, position: int | None
    ) -> None:
        """Record that the file links a word to an idea; without a rank or position, append it to the order."""
        _set_position(self._words[idea_id, language_id], word_id, rank)
        _set_position(self._meanings[word_id], idea_id, position)

    @property
    def word_ids(self) -> KeysView[int]:
        """The words of the file."""
        return self._meanings.keys()

    def list_words(self) -> list[tuple[tuple[int, int], list[int]]]:
        """Return the words of each idea and language in order."""
        return [(name, _in_order(positions)) for name, positions in self._words.items()]

    def list_meanings(self) -> list[tuple[int, list[int]]]:
        """Return the ideas of each word in order."""
        return [(word_id, _in_order(positions)) for word_id, positions in self._meanings.items()]


def _set_position(positions: Positions, record_id: int, position: int | None) -> None:
    if record_id not in positions:
        positions[record_id] = position or max(positions.values(), default=0) + 1


def _in_order(positions: Positions) -> list[int]:
    return sorted(positions, key=positions.__getitem__)


# --- differences ----------------------------------------------------------------------------------------------------


UNSAVED_ID: Final = 0
"""Placeholder for the ID of a record that is not stored yet, since the same batch adds it."""


class FileDifference(NamedTuple):
    """A field of a stored record whose value differs from that in the file."""

    file: str
    line: int
    kind: str
    record_id: int
    column: str
    file_value: SqlValue
    is_first: bool
    """True if this is the first value of the field in the file, and the file has not added the record."""
    is_own: bool
    """True if the record belongs to a source of the file; true for words, whose sources are checked later."""


class ComparedPart(NamedTuple):
    """A part of an idea: a definition, an example or a context with its content, or a sense with its word's ID."""

    kind: str
    values: tuple[SqlValue, ...]


PartGroup = tuple[SqlValue, ...]
"""The properties of parts that replace one another: kind and language, and for senses the source."""


class Differences:
    """The differences between a file and the dictionary, collected by all transactions of an import."""

    def __init__(
        self, *, mirror: bool = False, shared_sources: Collection[str] = (), order: FileOrder | None = None
    ) -> None:
        """Initialise without differences; with `mirror`, records that the file lacks are collected for removal.

        `shared_sources` are the codes of sources to which the file only adds. `order` collects the order of its words.
        """
        self.shared_sources = shared_sources
        self.order = order
        self.sources: set[int] = set()
        """The IDs of the sources that the file owns."""
        self.seen: defaultdict[str, IdSet] = defaultdict(IdSet)
        """The ideas, phrases, sets and cards in the file, by kind."""
        self.replaced_parts: dict[int, set[ComparedPart]] = {}
        """The stored parts of each idea that the file replaces by others, by idea ID."""
        self.omitted_parts: dict[int, set[ComparedPart]] = {}
        """With `mirror`: the stored parts of a kind and language of which the file has none, by idea ID."""
        self.absent_relations: list[tuple[int, int, int]] = []
        """With `mirror`: stored relations that the file lacks, as the IDs of the idea, the type and the other idea."""
        self.mirror = mirror
        self._pending_differences: list[FileDifference] = []
        self._new_records: defaultdict[str, IdSet] = defaultdict(IdSet)
        self._seen_fields: defaultdict[tuple[str, str], IdSet] = defaultdict(IdSet)
        self._compared: defaultdict[PartGroup, IdSet] = defaultdict(IdSet)

    def note_new(self, kind: str, record_id: int) -> None:
        """Record that the import has added a record, so that later values of its fields count as repetitions."""
        self._new_records[kind].add(record_id)

    def note_fields(  # noqa: PLR0913  # identifies a field of a record
        self,
        located: LocatedRecord,
        kind: str,
        record_id: int,
        stored: Mapping[str, SqlValue],
        values: Mapping[str, SqlValue],
        *,
        is_own: bool,
    ) -> None:
        """Record which fields of a record the file has, and which of them differ from the stored values."""
        for column, value in values.items():
            if value is None:
                continue
            seen_ids = self._seen_fields[kind, column]
            is_first = (
                record_id != UNSAVED_ID and record_id not in seen_ids and record_id not in self._new_records[kind]
            )
            seen_ids.add(record_id)
            if stored[column] != value:
                self._pending_differences.append(
                    FileDifference(located.file, located.line, kind, record_id, column, value, is_first, is_own)
                )

    def is_in_file(self, kind: str, record_id: int, column: str) -> bool:
        """Return whether the file has a value for a field of a record, or has added the record."""
        return record_id in self._seen_fields[kind, column] or record_id in self._new_records[kind]

    def note_omitted_text(self, located: LocatedRecord, kind: str, idea_id: int, text: str, *, is_own: bool) -> None:
        """Record a definition or a translation of an example that was not stored because another version is kept."""
        self._pending_differences.append(
            FileDifference(located.file, located.line, kind, idea_id, kind, text, is_first=True, is_own=is_own)
        )

    def compare_idea(
        self, idea_id: int, stored: Mapping[ComparedPart, PartGroup], file_parts: Mapping[ComparedPart, PartGroup]
    ) -> None:
        """Record the stored parts of an idea that the file no longer has, in groups of which it has other parts.

        If several records of the file have a group, the first one determines the candidates, and parts that a later
        record has are dropped again.
        """
        if idea_id in self._new_records["idea"]:
            return
        groups = {*file_parts.values()}
        new_groups = {group for group in groups if idea_id not in self._compared[group]}
        for group in new_groups:
            self._compared[group].add(idea_id)
        _collect_missing(
            self.replaced_parts, idea_id, {part for part, group in stored.items() if group in new_groups}, file_parts
        )
        if self.mirror:
            is_first = idea_id not in self._compared[()]
            self._compared[()].add(idea_id)
            missing = {part for part, group in stored.items() if is_first and group not in groups}
            _collect_missing(self.omitted_parts, idea_id, missing, file_parts)

    def pop_all(self) -> Iterable[FileDifference]:
        """Return the differences since the last call."""
        differences, self._pending_differences = self._pending_differences, []
        return differences


def _collect_missing(
    parts: dict[int, set[ComparedPart]], idea_id: int, missing: set[ComparedPart], file_parts: Collection[ComparedPart]
) -> None:
    """Add missing parts to those collected for an idea, except any that this record of the file has."""
    remaining = (parts.pop(idea_id, set()) | missing).difference(file_parts)
    if remaining:
        parts[idea_id] = remaining
