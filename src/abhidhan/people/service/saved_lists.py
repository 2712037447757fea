"""Saved lists in accounts, for synchronisation between devices. Users opt in; browsers store the lists in any case."""

import time
from collections.abc import Callable
from functools import partial
from typing import Final

import msgspec

from abhidhan.people.model.card_progress import ProgressEntries, merge_progress
from abhidhan.people.model.saved_lists import Lists, check_limits, drop_old_tombstones, merge_lists
from abhidhan.people.store import saved_lists as stored
from abhidhan.people.store.saved_lists import ListsRow
from abhidhan.platform.database.database import Database, WriteConnection
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import ConflictError, PreconditionError, sentence
from abhidhan.records.people import Person

NO_STORED_LISTS: Final = sentence("Your account no longer stores lists. Start again without `If-Match`.")
LISTS_CHANGED: Final = sentence(
    "Your lists have changed in the meantime. Read them again, or send them without `If-Match`."
)
OTHER_ACCOUNT: Final = sentence("These lists belong to another account.")

_LISTS_DECODER: Final = msgspec.json.Decoder(Lists)
_CARDS_DECODER: Final = msgspec.json.Decoder(ProgressEntries)


class StoredLists(msgspec.Struct, frozen=True):
    """A user's stored lists and flashcard progress. `version` is 0 if the account stores none."""

    version: int
    lists: Lists = ()
    cards: ProgressEntries = ()


class ListsUpdate(msgspec.Struct, frozen=True):
    """The lists of a device, the account with which it last synchronised ("" if none), and the `If-Match` header."""

    lists: Lists
    owner: str = ""
    if_match: str | None = None
    cards: ProgressEntries = ()


class SavedLists:
    """Service for the saved lists in accounts. Its writes change no public data."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        """`clock` returns the seconds since 1970."""
        self._database = database
        self._clock = clock

    async def load(self, person: Person) -> StoredLists:
        """Return the lists stored in a user's account."""
        return await self._database.read(partial(_load_lists, person_id=person.id), long=True)

    async def merge(self, person: Person, update: ListsUpdate) -> StoredLists:
        """Merge the lists of a device into the stored ones; the first call turns synchronisation on.

        Raises InputError if a limit is exceeded, ConflictError for lists of another account, PreconditionError.
        """
        if update.owner and update.owner != person.username:
            raise ConflictError(OTHER_ACCOUNT)
        job = partial(_merge_update, person_id=person.id, update=update, now=int(self._clock()))
        return await self._database.write(job, public=False)

    async def delete(self, person: Person) -> None:
        """Delete the stored lists; those on devices remain."""
        await self._database.write(partial(stored.delete_lists, person_id=person.id), public=False)


def format_etag(version: int) -> str:
    """Format a version as an ETag."""
    return f'"{version}"'


def _decode_row(row: ListsRow | None) -> StoredLists:
    if row is None:
        return StoredLists(0)
    return StoredLists(row.version, _LISTS_DECODER.decode(row.lists), _CARDS_DECODER.decode(row.cards or "[]"))


def _load_lists(connection: ReadConnection, person_id: int) -> StoredLists:
    return _decode_row(stored.find_lists(connection, person_id))


def _merge_update(connection: WriteConnection, person_id: int, update: ListsUpdate, now: int) -> StoredLists:
    """Read, merge and store the lists in one transaction, so that concurrent requests of two devices lose nothing."""
    before = _decode_row(stored.read_lists(connection, person_id))
    _check_if_match(update.if_match, before.version)
    lists = drop_old_tombstones(merge_lists(before.lists, update.lists), now)
    check_limits(lists)
    after = StoredLists(before.version + 1, lists, merge_progress(before.cards, update.cards))
    if before.version and (after.lists, after.cards) == (before.lists, before.cards):
        return before
    lists_json, cards_json = (msgspec.json.encode(part).decode() for part in (after.lists, after.cards))
    stored.save_lists(connection, person_id, ListsRow(lists_json, after.version, cards_json), now)
    return after


def _check_if_match(if_match: str | None, version: int) -> None:
    """Check the `If-Match` header (RFC 9110, section 13.1.1). Raises PreconditionError."""
    if if_match is None:
        return
    if not version:
        raise PreconditionError(NO_STORED_LISTS)
    if if_match.strip() != "*" and format_etag(version) not in {tag.strip() for tag in if_match.split(",")}:
        raise PreconditionError(LISTS_CHANGED)
