"""Saved lists that an account stores and synchronises, if the user has chosen so; otherwise only the browser does."""

import time
from collections.abc import Callable
from functools import partial
from typing import Final

import msgspec

from abhidhan.people.model.card_progress import Progress, merged_progress
from abhidhan.people.model.saved_lists import Lists, check_room, merged, without_old_marks
from abhidhan.people.store import saved_lists as stored
from abhidhan.people.store.saved_lists import KeptRow
from abhidhan.platform.database.database import Database, Writer
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import ConflictError, PreconditionError, sentence
from abhidhan.records.people import Person

NOT_KEPT: Final = sentence("Your account no longer stores lists. Start again without `If-Match`.")
CHANGED: Final = sentence("Your lists have changed in the meantime. Read them again, or send them without `If-Match`.")
OF_ANOTHER: Final = sentence("These lists belong to another account.")

_DECODER: Final = msgspec.json.Decoder(Lists)
_DECODER_OF_CARDS: Final = msgspec.json.Decoder(Progress)


class KeptLists(msgspec.Struct, frozen=True):
    """A user's stored lists and flashcard progress. `version` is 0 if the account stores none."""

    version: int
    lists: Lists = ()
    cards: Progress = ()


class Sent(msgspec.Struct, frozen=True):
    """A device's lists, the account they belong to (empty if none yet), and its `If-Match` header."""

    lists: Lists
    owner: str = ""
    only_if: str | None = None
    cards: Progress = ()


class OwnLists:
    """Service for saved lists. Its writes change no public data."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        """`clock` returns the seconds since 1970."""
        self._database = database
        self._clock = clock

    async def of(self, person: Person) -> KeptLists:
        """Return the lists stored in a user's account."""
        return await self._database.read(partial(_read, person_id=person.id), long=True)

    async def put_together(self, person: Person, sent: Sent) -> KeptLists:
        """Merge a device's lists into the stored ones; the first call turns synchronisation on.

        Raises InputError if a limit is exceeded, ConflictError for lists of another account, PreconditionError.
        """
        if sent.owner and sent.owner != person.username:
            raise ConflictError(OF_ANOTHER)
        job = partial(_put_together, person_id=person.id, sent=sent, now=int(self._clock()))
        return await self._database.write(job, public=False)

    async def forget(self, person: Person) -> None:
        """Delete the stored lists; those on devices remain."""
        await self._database.write(partial(stored.forget_lists, person_id=person.id), public=False)


def tag_of(version: int) -> str:
    """Format a version as an ETag."""
    return f'"{version}"'


def _kept(row: KeptRow | None) -> KeptLists:
    if row is None:
        return KeptLists(0)
    return KeptLists(row.version, _DECODER.decode(row.lists), _DECODER_OF_CARDS.decode(row.cards or "[]"))


def _read(reader: Reader, person_id: int) -> KeptLists:
    return _kept(stored.lists_of(reader, person_id))


def _put_together(connection: Writer, person_id: int, sent: Sent, now: int) -> KeptLists:
    """Merge within one transaction, so that concurrent requests of two devices are merged one after the other."""
    before = _kept(stored.read_lists(connection, person_id))
    _check(sent.only_if, before.version)
    lists = without_old_marks(merged(before.lists, sent.lists), now)
    check_room(lists)
    after = KeptLists(before.version + 1, lists, merged_progress(before.cards, sent.cards))
    if before.version and (after.lists, after.cards) == (before.lists, before.cards):
        return before
    lists_json, cards_json = (msgspec.json.encode(each).decode() for each in (after.lists, after.cards))
    stored.keep_lists(connection, person_id, KeptRow(lists_json, after.version, cards_json), now)
    return after


def _check(only_if: str | None, version: int) -> None:
    """Check the `If-Match` header (RFC 9110, section 13.1.1). Raises PreconditionError."""
    if only_if is None:
        return
    if not version:
        raise PreconditionError(NOT_KEPT)
    if only_if.strip() != "*" and tag_of(version) not in {each.strip() for each in only_if.split(",")}:
        raise PreconditionError(CHANGED)
