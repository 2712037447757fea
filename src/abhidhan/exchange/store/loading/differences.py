"""The order of a file's words, and what it gives otherwise than the dictionary has it, gathered while it is loaded."""

from collections import defaultdict
from collections.abc import Collection, Iterable, KeysView, Mapping
from typing import Final, NamedTuple

from abhidhan.platform.database.compiled_queries import Value
from abhidhan.records.id_bitmap import IdSet
from abhidhan.records.import_records import Placed

Places = dict[int, int]
"""Words or ideas, by their IDs, with their places."""


class GivenOrder:
    """The order of a whole file, as loading it into an empty dictionary would make it."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._words: defaultdict[tuple[int, int], Places] = defaultdict(dict)
        self._meanings: defaultdict[int, Places] = defaultdict(dict)

    def note(self, word_id: int, idea_id: int, language_id: int, *, rank: int | None, position: int | None) -> None:
        """Note that the file links a word of a language to an idea; without a place, it stands last."""
        _place(self._words[idea_id, language_id], word_id, rank)
        _place(self._meanings[word_id], idea_id, position)

    @property
    def word_ids(self) -> KeysView[int]:
        """The words of the file."""
        return self._meanings.keys()

    def words(self) -> list[tuple[tuple[int, int], list[int]]]:
        """List the ideas and languages with their words in order."""
        return [(name, _in_order(placed)) for name, placed in self._words.items()]

    def meanings(self) -> list[tuple[int, list[int]]]:
        """List the words with the ideas that they mean, in order."""
        return [(word_id, _in_order(placed)) for word_id, placed in self._meanings.items()]


def _place(placed: Places, record_id: int, place: int | None) -> None:
    if record_id not in placed:
        placed[record_id] = place or max(placed.values(), default=0) + 1


def _in_order(placed: Places) -> list[int]:
    return sorted(placed, key=placed.__getitem__)


# --- differences ----------------------------------------------------------------------------------------------------


NOT_STORED: Final = 0
"""Stands for the ID of a record that the same batch brings."""


class Difference(NamedTuple):
    """A field of a record that holds something else than the file gives."""

    file: str
    line: int
    kind: str
    record_id: int
    column: str
    given: Value
    is_first: bool
    """Whether the file gives the field for the first time."""
    is_own: bool
    """Whether the record is of a source of the file; of words, which have no source, it is found out later."""


class Part(NamedTuple):
    """A part of an idea: a definition, an example or a context with what it holds, or a sense with its ID."""

    kind: str
    values: tuple[Value, ...]


Group = tuple[Value, ...]
"""What parts of an idea have in common that take each other's place: their kind and language, of senses the source."""


class Differences:
    """The differences of one import, through all of its transactions."""

    def __init__(self, *, mirror: bool = False, shared: Collection[str] = (), order: GivenOrder | None = None) -> None:
        """Begin with none. `mirror` says whether what the file does not have is to be removed.

        `shared` are the codes of sources that the file only adds to. `order` notes in which order the file gives words.
        """
        self.shared = shared
        self.order = order
        self.sources: set[int] = set()
        """The file's own sources."""
        self.seen: defaultdict[str, IdSet] = defaultdict(IdSet)
        """The ideas, phrases, sets and cards that the file has, by their kind."""
        self.absent: dict[int, set[Part]] = {}
        """The parts of each idea in whose place the file gives others."""
        self.ungiven: dict[int, set[Part]] = {}
        """With a mirror: the parts of each idea of whose kind and language the file gives none."""
        self.relations: list[tuple[int, int, int]] = []
        """With a mirror: relations that the file does not give: an idea, the type, the other idea."""
        self.mirror = mirror
        self._found: list[Difference] = []
        self._made: defaultdict[str, IdSet] = defaultdict(IdSet)
        self._given: defaultdict[tuple[str, str], IdSet] = defaultdict(IdSet)
        self._compared: defaultdict[Group, IdSet] = defaultdict(IdSet)

    def note_new(self, kind: str, record_id: int) -> None:
        """Note that the file has brought a record: what it gives of it a second time is not the first."""
        self._made[kind].add(record_id)

    def note(  # noqa: PLR0913  # what is needed to name a field of a record
        self,
        at: Placed,
        kind: str,
        record_id: int,
        known: Mapping[str, Value],
        given: Mapping[str, Value],
        *,
        is_own: bool,
    ) -> None:
        """Note which fields the file gives, and those that hold something else."""
        for column, value in given.items():
            if value is None:
                continue
            others = self._given[kind, column]
            is_first = record_id != NOT_STORED and record_id not in others and record_id not in self._made[kind]
            others.add(record_id)
            if known[column] != value:
                self._found.append(Difference(at.file, at.line, kind, record_id, column, value, is_first, is_own))

    def is_given(self, kind: str, record_id: int, column: str) -> bool:
        """Say whether the file gives a field of a record, or has brought the record."""
        return record_id in self._given[kind, column] or record_id in self._made[kind]

    def note_kept(self, at: Placed, kind: str, idea_id: int, given: str, *, is_own: bool) -> None:
        """Note a definition, or the translation of an example, in whose place that of a person stays."""
        self._found.append(Difference(at.file, at.line, kind, idea_id, kind, given, is_first=True, is_own=is_own))

    def compare(self, idea_id: int, there: Mapping[Part, Group], given: Mapping[Part, Group]) -> None:
        """Note the parts of an idea that the file gives no longer, where it gives others of the same group.

        The file may give a group in several records. The first of them tells what may be absent.
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
        """Return what was noted since the last time."""
        found, self._found = self._found, []
        return found


def _keep_lacking(parts: dict[int, set[Part]], idea_id: int, lacking: set[Part], given: Collection[Part]) -> None:
    """Add parts that an idea lacks in the file to those before, but for what the file gives."""
    left = (parts.pop(idea_id, set()) | lacking).difference(given)
    if left:
        parts[idea_id] = left
