"""The filter of an export, the names of exported records, and the phases of an import."""

from collections.abc import Callable
from enum import Enum, auto

import msgspec

from abhidhan.records.catalogue import Catalogue
from abhidhan.records.kinds import SourceRecord

LOCAL = SourceRecord(
    "local",
    "This dictionary",
    "see the operator",
    notice="Written here; the operator of the dictionary says on what terms it may be used.",
)
"""The source of records without one: those added in this dictionary."""


class ExportSelection(msgspec.Struct, frozen=True):
    """The filter of an export; an empty set means everything. Languages, contexts and parts of speech are IDs.

    `extra_languages` are languages whose words are included if they share an idea with a word of `languages`.
    """

    languages: frozenset[int] = frozenset()
    extra_languages: frozenset[int] = frozenset()
    sources: frozenset[str] = frozenset()
    contexts: frozenset[int] = frozenset()
    parts_of_speech: frozenset[int] = frozenset()

    @property
    def is_everything(self) -> bool:
        """Whether nothing is filtered out."""
        return not (self.languages or self.sources or self.contexts or self.parts_of_speech)

    @property
    def included_languages(self) -> frozenset[int]:
        """The languages whose words are included; empty means all."""
        return self.languages | self.extra_languages if self.languages else self.languages


def is_selected(chosen: frozenset[int] | frozenset[str], value: object) -> bool:
    """Return whether a value passes a filter; an empty filter accepts everything."""
    return not chosen or value in chosen


def local_key(kind: str, record_id: int, created: int) -> str:
    """Return the key of a record written here; its creation time keeps it apart from other dictionaries' records."""
    return f"{kind}-{record_id}-{created}"


def name_of_idea(catalogue: Catalogue, source_id: int | None, key: str | None, idea_id: int, created: int) -> str:
    """Return the name of an idea in files, by which other records refer to it: `source:key`."""
    return ":".join(name_in_files(catalogue, source_id, key, local_key("idea", idea_id, created)))


def name_in_files(catalogue: Catalogue, source_id: int | None, key: str | None, local_key: str) -> tuple[str, str]:
    """Return a record's source and key in files; those of this dictionary if it has no source of its own."""
    if source_id is None or key is None:
        return LOCAL.code, local_key
    return catalogue.sources[source_id].code, key


OnStep = Callable[[int], None]
"""Called with the number of units processed since the last call, in the unit of the phase's total."""


class Phase(Enum):
    """A phase of a load, each with its own progress and estimate."""

    COPYING = auto()
    """Copying the dictionary for a trial."""
    CHECKING = auto()
    """Decompressing packed files to verify them; in bytes."""
    READING = auto()
    """Reading and storing records; in bytes."""
    JOINING = auto()
    """Storing relations and flashcards, which may refer to later records, and committing."""
    ANSWERS = auto()
    """Filling the cache of ideas for look-ups; in ideas."""
    SOUNDS = auto()
    """Adding the sounds of new words to the sound index."""
    BEGINNINGS = auto()
    """Building the lists for prefix search."""


OnPhase = Callable[[Phase, int | None], OnStep]
"""Called with a phase and its total, if known; returns the callback for its steps."""


def ignore_progress(_phase: Phase, _total: int | None) -> OnStep:
    """Ignore the progress of a phase."""
    return lambda _: None
