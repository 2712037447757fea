"""Differences between a file and the dictionary, and the order of the file's words, collected during a load."""

from collections import defaultdict
from collections.abc import Collection, Iterable, KeysView, Mapping
from typing import Final, NamedTuple

from abhidhan.platform.database.compiled_queries import Value
from abhidhan.records.id_bitmap import IdSet
from abhidhan.records.import_records import Placed

Places = dict[int, int]
"""The positions of words or ideas, by ID."""


class GivenOrder:
    """The order of a whole file, as loading it into an empty dictionary would produce it."""

    def __init__(self) -> None:
        """Initialise with an empty order."""
        self._words: defaultdict[tuple[int, int], Places] = defaultdict(dict)
        self._meanings: defaultdict[int, Places] = defaultdict(dict)

    def note(self, word_id: int, idea_id: int, language_id: int, *, rank: int | None, position: int | None) -> None:
        """Record that the file links a word to an idea; without a rank or position it comes last."""
        _place(self._words[idea_id, language_id], word_id, rank)
        _place(self._meanings[word_id], idea_id, position)

    @property
    def word_ids(self) -> KeysView[int]:
        """The words of the file."""
        return self._meanings.keys()

    def words(self) -> list[tuple[tuple[int, int], list[int]]]:
        """Return the words of each idea and language in order."""
        return [(name, _in_order(placed)) for name, placed in self._words.items()]

    def meanings(self) -> list[tuple[int, list[int]]]:
        """Return the ideas of each word in order."""
        return [(word_id, _in_order(placed)) for word_id, placed in self._meanings.items()]


def _place(placed: Places, record_id: int, place: int | None) -> None:
    if record_id not in placed:
        placed[record_id] = place or max(placed.values(), default=0) + 1


def _in_order(placed: Places) -> list[int]:
    return sorted(placed, key=placed.__getitem__)


# --- differences ----------------------------------------------------------------------------------------------------


NOT_STORED: Final = 0
"""Placeholder for the ID of a record that the same batch adds."""


class Difference(NamedTuple):
    """A field of a record with another value than in the file."""

    file: str
    line: int
    kind: str
    record_id: int
    column: str
    given: Value
    is_first: bool
    """Whether the file gives the field for the first time."""
    is_own: bool
    """Whether the record belongs to a source of the file; for words, which have no source, this is checked later."""


class Part(NamedTuple):
    """A part of an idea: a definition, an example or a context with its content, or a sense with its word's ID."""

    kind: str
    values: tuple[Value, ...]


Group = tuple[Value, ...]
"""The properties shared by parts that replace each other: kind and language, and for senses the source."""


class Differences:
    """The differences of one import, over all its transactions."""

    def __init__(self, *, mirror: bool = False, shared: Collection[str] = (), order: GivenOrder | None = None) -> None:
        """Initialise without differences; with `mirror`, records that the file lacks are collected for removal.

        `shared` are the codes of sources to which the file only adds. `order` records the order of the file's words.
        """
        self.shared = shared
        self.order = order
        self.sources: set[int] = set()
        """The sources that the file owns."""
        self.seen: defaultdict[str, IdSet] = defaultdict(IdSet)
        """The ideas, phrases, sets and cards in the file, by kind."""
        self.absent: dict[int, set[Part]] = {}
        """The parts of each idea that the file replaces by others."""
        self.ungiven: dict[int, set[Part]] = {}
        """With a mirror: the parts of each idea for whose kind and language the file has none."""
        self.relations: list[tuple[int, int, int]] = []
        """With a mirror: relations that the file lacks, as idea, type and other idea."""
        self.mirror = mirror
        self._found: list[Difference] = []
        self._made: defaultdict[str, IdSet] = defaultdict(IdSet)
        self._given: defaultdict[tuple[str, str], IdSet] = defaultdict(IdSet)
        self._compared: defaultdict[Group, IdSet] = defaultdict(IdSet)

    def note_new(self, kind: str, record_id: int) -> None:
        """Record that the file has added a record, so that a second mention of a field is not its first."""
        self._made[kind].add(record_id)

    def note(  # noqa: PLR0913  # identifies a field of a record
        self,
        at: Placed,
        kind: str,
        record_id: int,
        known: Mapping[str, Value],
        given: Mapping[str, Value],
        *,
        is_own: bool,
    ) -> None:
        """Record the fields that the file gives, and those with another value."""
        for column, value in given.items():
            if value is None:
                continue
            others = self._given[kind, column]
            is_first = record_id != NOT_STORED and record_id not in others and record_id not in self._made[kind]
            others.add(record_id)
            if known[column] != value:
                self._found.append(Difference(at.file, at.line, kind, record_id, column, value, is_first, is_own))

    def is_given(self, kind: str, record_id: int, column: str) -> bool:
        """Return whether the file gives a field of a record, or has added the record."""
        return record_id in self._given[kind, column] or record_id in self._made[kind]

    def note_kept(self, at: Placed, kind: str, idea_id: int, given: str, *, is_own: bool) -> None:
        """Record a definition or a translation of an example that was not stored because a user's version stays."""
        self._found.append(Difference(at.file, at.line, kind, idea_id, kind, given, is_first=True, is_own=is_own))

    def compare(self, idea_id: int, there: Mapping[Part, Group], given: Mapping[Part, Group]) -> None:
        """Record the parts of an idea that the file no longer has, in groups for which it has others.

        A file may give a group in several records; the first one determines which parts may be absent.
        """
        if idea_id in self._made["idea"]:
            return
        groups = {*given.values()}
        fresh = {group for group in groups if idea_id not in self._compared[group]}
        for group in fresh:
            self._compared[group].add(idea_id)
        _keep_lacking(self.absent, idea_id, {part for part, group in there.items() if group in fresh}, given)
        if self.mirror:
            is_first = idea_id not in self._compared[()]
            self._compared[()].add(idea_id)
            others = {part for part, group in there.items() if is_first and group not in groups}
            _keep_lacking(self.ungiven, idea_id, others, given)

    def take(self) -> Iterable[Difference]:
        """Return the differences since the last call."""
        found, self._found = self._found, []
        return found


def _keep_lacking(parts: dict[int, set[Part]], idea_id: int, lacking: set[Part], given: Collection[Part]) -> None:
    """Add parts that the file lacks to the collected ones, and remove those that it gives."""
    left = (parts.pop(idea_id, set()) | lacking).difference(given)
    if left:
        parts[idea_id] = left
