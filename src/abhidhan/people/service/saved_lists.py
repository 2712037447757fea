"""Lists of words that an account keeps across devices, if its person wants that; else only the browser does."""

import time
from collections.abc import Callable
from functools import partial
from typing import Final

import msgspec

from abhidhan.people.model.saved_lists import Lists, check_room, merged, without_old_marks
from abhidhan.people.store import saved_lists as stored
from abhidhan.people.store.saved_lists import KeptRow
from abhidhan.platform.database.database import Database, Writer
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import ConflictError, PreconditionError, sentence
from abhidhan.records.people import Person

NOT_KEPT: Final = sentence("Your account keeps no lists, or no longer. Begin anew without `If-Match`.")
CHANGED: Final = sentence("Your lists have changed meanwhile. Read them again, or send them without `If-Match`.")
OF_ANOTHER: Final = sentence("These lists are kept with another account.")

_DECODER: Final = msgspec.json.Decoder(Lists)


class KeptLists(msgspec.Struct, frozen=True):
    """The lists of a person, and their version; version 0 says that the account keeps none."""

    version: int
    lists: Lists = ()


class Sent(msgspec.Struct, frozen=True):
    """What a device holds: its lists, whose account they are kept with (empty: nobody's yet), and its `If-Match`."""

    lists: Lists
    owner: str = ""
    only_if: str | None = None


class OwnLists:
    """What accounts keep of own lists. Each method is one job; no answer that is for everybody changes by it."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        """Work on a database. `clock` tells the seconds since 1970."""
        self._database = database
        self._clock = clock

    async def of(self, person: Person) -> KeptLists:
        """Return the lists that the account of a person keeps."""
        return await self._database.read(partial(_read, person_id=person.id), long=True)

    async def put_together(self, person: Person, sent: Sent) -> KeptLists:
        """Keep what a device holds together with what was kept; with that the account begins to keep lists.

        Raises InputError for too many, ConflictError for lists of another account, PreconditionError.
        """
        if sent.owner and sent.owner != person.username:
            raise ConflictError(OF_ANOTHER)
        job = partial(_put_together, person_id=person.id, sent=sent, now=int(self._clock()))
        return await self._database.write(job, public=False)

    async def forget(self, person: Person) -> None:
        """Delete what the account keeps; what devices hold stays there."""
        await self._database.write(partial(stored.forget_lists, person_id=person.id), public=False)


def tag_of(version: int) -> str:
    """Return the ETag of a version."""
    return f'"{version}"'


def _kept(row: KeptRow | None) -> KeptLists:
    return KeptLists(0) if row is None else KeptLists(row.version, _DECODER.decode(row.lists))


def _read(reader: Reader, person_id: int) -> KeptLists:
    return _kept(stored.lists_of(reader, person_id))


def _put_together(connection: Writer, person_id: int, sent: Sent, now: int) -> KeptLists:
    """Merge within one transaction: of two devices at once the second one adds to what the first has brought."""
    before = _kept(stored.read_lists(connection, person_id))
    _check(sent.only_if, before.version)
    lists = without_old_marks(merged(before.lists, sent.lists), now)
    check_room(lists)
    if before.version and lists == before.lists:
        return before
    after = KeptLists(before.version + 1, lists)
    stored.keep_lists(connection, person_id, KeptRow(msgspec.json.encode(lists).decode(), after.version), now)
    return after


def _check(only_if: str | None, version: int) -> None:
    """Hold to what `If-Match` asks (RFC 9110, section 13.1.1). Raises PreconditionError."""
    if only_if is None:
        return
    if not version:
        raise PreconditionError(NOT_KEPT)
    if only_if.strip() != "*" and tag_of(version) not in {each.strip() for each in only_if.split(",")}:
        raise PreconditionError(CHANGED)
