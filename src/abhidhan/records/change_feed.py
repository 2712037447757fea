"""The change feed for clients that keep a copy of the public records, and its continuation tokens."""

import base64
import binascii
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import islice
from typing import Final, NamedTuple

import msgspec

from abhidhan.records.errors import InputError, sentence
from abhidhan.records.history import Change, ListItemState, RecordState, SenseState, WordState
from abhidhan.records.id_bitmap import IdRun, IdSet

RETENTION_DAYS: Final = 365
"""Minimum number of days for which changes are stored."""


class Followed(StrEnum):
    """The kinds of records in the change feed."""

    WORD = "word"
    IDEA = "idea"
    PHRASE = "phrase"
    CARD = "card"


class Became(StrEnum):
    """The kind of a change. New records count as changed, because clients handle both the same way."""

    CHANGED = "changed"
    DELETED = "deleted"


class ChangedRecord(msgspec.Struct, frozen=True):
    """A changed or deleted record, with the time of the change (seconds since 1970, UTC)."""

    kind: Followed
    id: int
    became: Became
    at: int


class ChangePage(msgspec.Struct, frozen=True):
    """A page of changes, oldest first. `next` is the token of the next page, `more` is whether it has any changes."""

    records: tuple[ChangedRecord, ...]
    next: str
    more: bool


# --- changes of a transaction ----------------------------------------------------------------------------------------


class ChangedRun(NamedTuple):
    """Records of one kind with consecutive IDs that were all changed or all deleted."""

    kind: Followed
    ids: IdRun
    became: Became


class TransactionChanges:
    """The records that a transaction has changed or deleted, each with its latest change only."""

    def __init__(self) -> None:
        """Start without any changed records."""
        self._ids = {(kind, became): IdSet() for became in Became for kind in Followed}

    def add_changed(self, kind: Followed, ids: Iterable[int]) -> None:
        """Record that records were created or changed."""
        self._record(kind, ids, Became.CHANGED, Became.DELETED)

    def add_deleted(self, kind: Followed, ids: Iterable[int]) -> None:
        """Record that records were deleted."""
        self._record(kind, ids, Became.DELETED, Became.CHANGED)

    def add_created_run(self, kind: Followed, run: IdRun | None) -> None:
        """Record that records with consecutive IDs were created; None means that there are none."""
        if run is not None:
            self._ids[kind, Became.CHANGED].add_run(run)

    def iter_runs(self) -> Iterator[ChangedRun]:
        """Yield all runs, deletions last."""
        for (kind, became), ids in self._ids.items():
            yield from (ChangedRun(kind, run, became) for run in ids.iter_runs())

    def apply_run(self, run: ChangedRun) -> None:
        """Apply a run of later changes."""
        ids = range(run.ids.first, run.ids.last + 1)
        (self.add_deleted if run.became is Became.DELETED else self.add_changed)(run.kind, ids)

    def __bool__(self) -> bool:
        """Return whether any record was changed or deleted."""
        return any(self._ids.values())

    def _record(self, kind: Followed, ids: Iterable[int], became: Became, replaced: Became) -> None:
        recorded, superseded = self._ids[kind, became], self._ids[kind, replaced]
        for record_id in ids:
            recorded.add(record_id)
            if superseded:
                superseded.discard(record_id)


def affected_records(changes: Iterable[Change], idea_ids: Iterable[int]) -> TransactionChanges:
    """Return the records that an edit affects; `idea_ids` are the ideas whose responses it changes."""
    affected, change_list = TransactionChanges(), list(changes)
    affected.add_changed(Followed.IDEA, idea_ids)
    affected.add_changed(Followed.WORD, _iter_sense_words(change_list))
    for change in change_list:
        if change.ref.kind not in _TRACKED_KINDS:
            continue
        kind = Followed(change.ref.kind)
        add_ids = affected.add_deleted if change.after is None else affected.add_changed
        add_ids(kind, [change.ref.number])
    return affected


def renamed_values(changes: Iterable[Change]) -> frozenset[tuple[str, int]]:
    """Return the list values (list, ID) that were renamed, which changes the responses that contain them."""
    return frozenset(
        (before.list, before.item_id)
        for before, after in ((change.before, change.after) for change in changes)
        if isinstance(before, ListItemState) and isinstance(after, ListItemState) and before.value != after.value
    )


def changed_spellings(changes: Iterable[Change]) -> frozenset[tuple[int, str]]:
    """Return the spellings (language ID, text), including inflected forms, that words have gained or lost."""
    return frozenset(each for change in changes for each in _spellings(change.before) ^ _spellings(change.after))


def relinked_word_ids(changes: Iterable[Change]) -> frozenset[int]:
    """Return the words that were linked to or unlinked from an idea."""
    links = (link for change in changes for link in _sense_links(change.before) ^ _sense_links(change.after))
    return frozenset(word_id for word_id, _ in links)


def _spellings(state: RecordState | None) -> frozenset[tuple[int, str]]:
    if not isinstance(state, WordState):
        return frozenset()
    return frozenset((state.language_id, text) for text in (state.text, *(key for key, _ in state.forms)))


def _sense_links(state: RecordState | None) -> frozenset[tuple[int, int]]:
    return frozenset({(state.word_id, state.idea_id)} if isinstance(state, SenseState) else ())


_TRACKED_KINDS: Final = frozenset(str(kind) for kind in Followed)


def _iter_sense_words(changes: Iterable[Change]) -> Iterator[int]:
    for change in changes:
        yield from (state.word_id for state in (change.before, change.after) if isinstance(state, SenseState))


# --- reading the feed ------------------------------------------------------------------------------------------------


class StoredRun(NamedTuple):
    """A stored run of records with consecutive IDs that one transaction has changed.

    Runs are ordered by version, which is the order in which transactions were committed, then by number.
    """

    version: int
    number: int
    at: int
    kind: Followed
    first: int
    last: int
    became: Became


class FeedPosition(NamedTuple):
    """A position in the feed: a run, its time, and the last ID of this run that the client has received."""

    version: int
    number: int
    at: int
    record_id: int


def position_after(run: StoredRun) -> FeedPosition:
    """Return the position at the end of a run."""
    return FeedPosition(run.version, run.number, run.at, run.last)


def contains_position(run: StoredRun, position: FeedPosition) -> bool:
    """Return whether a position is in a run.

    The times differ if the position is older than a restored backup, whose runs have the same numbers.
    """
    return (run.version, run.number, run.at) == (position.version, position.number, position.at)


def build_page(runs: Sequence[StoredRun], position: FeedPosition, limit: int) -> ChangePage:
    """Return a page of at most `limit` records after a position, which must be in the first of the runs."""
    entries = list(islice(_iter_records_after(runs, position), limit + 1))
    last = entries[:limit][-1][0] if entries else position
    return ChangePage(tuple(record for _, record in entries[:limit]), encode_token(last), len(entries) > limit)


def _iter_records_after(
    runs: Sequence[StoredRun], position: FeedPosition
) -> Iterator[tuple[FeedPosition, ChangedRecord]]:
    for index, run in enumerate(runs):
        first = run.first if index else max(run.first, position.record_id + 1)
        for record_id in range(first, run.last + 1):
            record_position = FeedPosition(run.version, run.number, run.at, record_id)
            yield record_position, ChangedRecord(run.kind, record_id, run.became, run.at)


# --- tokens ----------------------------------------------------------------------------------------------------------

_TOKEN_FORMAT: Final = struct.Struct(">qiqi")
_CHECKSUM_BYTES: Final = 4

TOKEN_PATTERN: Final = r"^[A-Za-z0-9_-]{38}$"  # noqa: S105  # not a secret
"""The pattern of every token."""


def encode_token(position: FeedPosition) -> str:
    """Encode a position as an opaque token with a checksum, so that truncated tokens are rejected."""
    packed = _TOKEN_FORMAT.pack(*position)
    with_checksum = packed + zlib.crc32(packed).to_bytes(_CHECKSUM_BYTES, "big")
    return base64.urlsafe_b64encode(with_checksum).rstrip(b"=").decode("ascii")


def decode_token(text: str) -> FeedPosition:
    """Decode a token. Raises InputError for any other text."""
    try:
        packed = base64.urlsafe_b64decode(text.encode("ascii") + b"==")
        position = FeedPosition._make(_TOKEN_FORMAT.unpack(packed[:-_CHECKSUM_BYTES]))
    except (ValueError, binascii.Error, struct.error):
        raise _invalid_token_error() from None
    if encode_token(position) != text:
        raise _invalid_token_error()
    return position


def _invalid_token_error() -> InputError:
    return InputError.of(
        "since",
        sentence(
            "`%(parameter)s` must be the `next` token from an earlier /api/changes response; leave it out to get a "
            "first one.",
            parameter="since",
        ),
    )
