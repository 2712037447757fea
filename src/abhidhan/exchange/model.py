"""The filter of an export, the names of exported records, and the phases of an import."""

from collections.abc import Callable
from enum import Enum, auto

import msgspec

from abhidhan.records.catalogue import Catalogue
from abhidhan.records.kinds import SourceRecord

LOCAL_SOURCE = SourceRecord(
    "local",
    "This dictionary",
    "see the operator",
    notice="Written here; the operator of the dictionary says on what terms it may be used.",
)
"""The source of records without one: those added in this dictionary."""


class ExportSelection(msgspec.Struct, frozen=True):
    """The filter of an export; an empty set selects everything. Languages, contexts and parts of speech are IDs.

    `extra_languages` are languages whose words are included if they share an idea with a word of `languages`.
    """

    languages: frozenset[int] = frozenset()
    extra_languages: frozenset[int] = frozenset()
    sources: frozenset[str] = frozenset()
    contexts: frozenset[int] = frozenset()
    parts_of_speech: frozenset[int] = frozenset()

    @property
    def is_unfiltered(self) -> bool:
        """True if the filter selects every record."""
        return not (self.languages or self.sources or self.contexts or self.parts_of_speech)

    @property
    def included_languages(self) -> frozenset[int]:
        """The languages whose words are included; empty means all."""
        return self.languages | self.extra_languages if self.languages else self.languages


def is_selected(allowed: frozenset[int] | frozenset[str], value: object) -> bool:
    """Return whether a value passes a filter; an empty filter accepts everything."""
    return not allowed or value in allowed


def build_local_key(kind: str, record_id: int, created: int) -> str:
    """Return the key in files of a record without a source; its creation time makes it unique across dictionaries."""
    return f"{kind}-{record_id}-{created}"


def format_idea_name(catalogue: Catalogue, source_id: int | None, key: str | None, idea_id: int, created: int) -> str:
    """Return the name `source:key` by which the records in a file refer to an idea."""
    return ":".join(get_source_and_key(catalogue, source_id, key, build_local_key("idea", idea_id, created)))


def get_source_and_key(catalogue: Catalogue, source_id: int | None, key: str | None, local_key: str) -> tuple[str, str]:
    """Return the source and key of a record in files; without a source of its own, `local` and `local_key`."""
    if source_id is None or key is None:
        return LOCAL_SOURCE.code, local_key
    return catalogue.sources[source_id].code, key


OnStep = Callable[[int], None]
"""Called with the number of units processed since the last call, in the unit of the phase's total."""


class Phase(Enum):
    """A phase of an import; progress and the remaining time are reported for each phase."""

    COPYING = auto()
    """Copying the dictionary for a trial."""
    CHECKING = auto()
    """Decompressing packed files to verify them; progress is counted in bytes."""
    READING = auto()
    """Reading and storing records; progress is counted in bytes."""
    LINKING = auto()
    """Storing relations and flashcards, which may refer to later records, and committing."""
    IDEA_CACHE = auto()
    """Filling the cache of ideas for look-ups; progress is counted in ideas."""
    SOUND_INDEX = auto()
    """Adding the sounds of new words to the sound index."""
    PREFIX_LISTS = auto()
    """Building the lists for prefix search."""


OnPhase = Callable[[Phase, int | None], OnStep]
"""Called at the start of a phase with its total, or None if unknown; returns the callback for its progress."""


def ignore_progress(_phase: Phase, _total: int | None) -> OnStep:
    """Return a callback that ignores the progress of a phase."""
    return lambda _: None
