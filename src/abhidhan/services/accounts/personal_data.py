"""A person's own data: a copy of all that is kept about somebody, and the deletion of an account."""

import time
import zipfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
import structlog

from abhidhan.domain.drafts import decode_submission
from abhidhan.domain.history import Action, RecordName, decode_changes
from abhidhan.domain.lists import ListName
from abhidhan.domain.people import Person, SignedIn, username_key
from abhidhan.domain.personal_data import EXPORT, Leaving, Redaction, name_of
from abhidhan.domain.photos import PhotoName
from abhidhan.domain.visits import Visit, try_key
from abhidhan.errors import AbhidhanError, NotFoundError, TooManyRequestsError, sentence
from abhidhan.services.accounts.people import keep_an_administrator
from abhidhan.services.accounts.sign_in import Accounts
from abhidhan.services.contributions.photos import PURGED_AT_ONCE, Photos
from abhidhan.storage import people as stored_people
from abhidhan.storage import personal_data as stored
from abhidhan.storage.engine.database import Database, Reader, Writer
from abhidhan.storage.history import Entry, write_entry
from abhidhan.storage.personal_data import HistoryRow
from abhidhan.storage.photos import PhotoRow
from abhidhan.storage.submissions import SubmissionRow

RowType = TypeVar("RowType", SubmissionRow, PhotoRow, HistoryRow)

FORM: Final = 1
"""Names the form of a copy: it is raised when a key changes its meaning or goes away."""

DOCUMENT: Final = "account.json"
NOT_SHOWN: Final = frozenset({"submission", "photo"})
"""Kinds of records whose states are the business of those who sent them; one's own stand in lists of their own."""

_log = structlog.get_logger("abhidhan.personal_data")

Section = tuple[str, AsyncIterator[list[dict[str, Any]]]]
"""A list of the document: its key, and its members, some at a time."""


class PersonalData:
    """What a person may ask of this service about himself or herself: a copy of everything, and to be forgotten."""

    def __init__(
        self, database: Database, accounts: Accounts, photos: Photos, *, clock: Callable[[], float] = time.time
    ) -> None:
        """Put the parts together. `clock` tells the seconds since 1970."""
        self._database = database
        self._accounts = accounts
        self._photos = photos
        self._clock = clock

    # --- a copy ---------------------------------------------------------------------------------------------------

    async def export(self, person: Person) -> AsyncIterator[bytes]:
        """Write all that is kept about somebody as one JSON document, piece by piece. Raises TooManyRequestsError."""
        await self._count(person)
        return self._document(person)

    async def export_with_photos(self, person: Person) -> AsyncIterator[bytes]:
        """Write the same with the pictures themselves as a ZIP file, piece by piece. Raises TooManyRequestsError."""
        await self._count(person)
        return self._package(person)

    async def _count(self, person: Person) -> None:
        rules = {try_key("export", str(person.id)): EXPORT}
        job = partial(stored_people.count_tries, rules=rules, now=self._now())
        if wait := await self._database.write(job, public=False):
            raise TooManyRequestsError(
                sentence("Too many copies of your data have been made recently. Try again in %(wait)s s.", wait=wait),
                wait,
            )

    async def _document(self, person: Person) -> AsyncIterator[bytes]:
        about = await self._database.read(partial(_about, person=person, now=self._now()), long=True)
        yield msgspec.json.encode(about)[:-1]
        for key, members in self._sections(person):
            yield f',"{key}":['.encode()
            async for piece in _listed(members):
                yield piece
            yield b"]"
        yield b"}\n"

    def _sections(self, person: Person) -> tuple[Section, ...]:
        return (
            ("submissions", self._pages(stored.submissions_of, _as_submissions, person)),
            ("photos", self._pages(stored.photos_of, _as_photos, person)),
            ("changes", self._pages(stored.changes_of, _as_changes, person)),
        )

    async def _pages(
        self,
        read: Callable[[Reader, int, int], list[RowType]],
        write: Callable[[Reader, list[RowType]], list[dict[str, Any]]],
        person: Person,
    ) -> AsyncIterator[list[dict[str, Any]]]:
        """Read the rows of a section some at a time, each time in a thread, so that few are held in memory."""
        after = 0
        while True:
            job = partial(_page, read=read, write=write, person_id=person.id, after=after)
            page = await self._database.read(job, long=True)
            if not page.members:
                return
            yield page.members
            after = page.last

    async def _package(self, person: Person) -> AsyncIterator[bytes]:
        sink = _Sink()
        with zipfile.ZipFile(sink, "w", zipfile.ZIP_STORED) as package:  # a copy is written once, on its way out
            async for piece in _filed(package, sink, DOCUMENT, self._document(person)):
                yield piece
            async for rows in self._pages(stored.photos_of, _as_files, person):
                for row in rows:
                    async for piece in self._photo_filed(package, sink, person, row):
                        yield piece
        yield sink.taken()

    async def _photo_filed(
        self, package: zipfile.ZipFile, sink: "_Sink", person: Person, row: dict[str, Any]
    ) -> AsyncIterator[bytes]:
        try:
            opened = await self._photos.open(PhotoName(row["id"], row["extension"], thumbnail=False), person)
        except NotFoundError:
            return
        async for piece in _filed(package, sink, row["file"], opened.pieces):
            yield piece

    # --- leaving --------------------------------------------------------------------------------------------------

    async def remove_own(self, signed_in: SignedIn, password: str, leaving: Leaving, visit: Visit) -> None:
        """Delete your own account.

        Raises InputError, ForbiddenError for a wrong password, ConflictError for the last administrator and for a
        name that is another person's.
        """
        name = name_of(leaving)
        await self._accounts.check_own_password(signed_in.person, password, visit)
        await self._remove(signed_in.person, name, leaving, None)

    async def remove(self, person: Person, leaving: Leaving, by: Person | None = None) -> None:
        """Delete somebody's account. Raises as `remove_own` does, and NotFoundError."""
        await self._remove(person, name_of(leaving), leaving, by)

    async def _remove(self, person: Person, name: str, leaving: Leaving, by: Person | None) -> None:
        others = by.id if by and by.id != person.id else None
        job = partial(_removed, person_id=person.id, name=name, leaving=leaving, by=others, now=self._now())
        await self._database.write(job)
        # What is not thrown away now is thrown away within the hour, by this worker or another.
        with suppress(AbhidhanError):
            while await self._photos.purge() == PURGED_AT_ONCE:
                _log.info("photos of a deleted account were thrown away", photos=PURGED_AT_ONCE)

    def _now(self) -> int:
        return int(self._clock())


# --- the document -----------------------------------------------------------------------------------------------------


class _Page(NamedTuple):
    """Some members of a list, and the ID of the last."""

    members: list[dict[str, Any]]
    last: int


def _page(
    reader: Reader,
    *,
    read: Callable[[Reader, int, int], list[RowType]],
    write: Callable[[Reader, list[RowType]], list[dict[str, Any]]],
    person_id: int,
    after: int,
) -> _Page:
    rows = read(reader, person_id, after)
    return _Page(write(reader, rows), rows[-1].id if rows else after)


def _about(reader: Reader, *, person: Person, now: int) -> dict[str, Any]:
    return {
        "form": FORM,
        "made": _moment(now),
        "account": {
            "id": person.id,
            "username": person.username,
            "email": person.email,
            "role": str(person.role),
            "created": _moment(person.created),
        },
        "sessions": [
            {
                "created": _moment(row.created),
                "seen": _moment(row.seen),
                "expires": _moment(row.expires),
                "agent": row.agent,
            }
            for row in stored.sessions_of(reader, person.id)
        ],
        "known_addresses": [
            {"address": "hashed", "seen": _moment(seen)} for seen in stored.addresses_of(reader, person.id)
        ],
        "links": [
            {"kind": row.kind, "role": row.role, "created": _moment(row.created), "expires": _moment(row.expires)}
            for row in stored.tickets_of(reader, person.id)
        ],
    }


def _as_submissions(reader: Reader, rows: Sequence[SubmissionRow]) -> list[dict[str, Any]]:
    results = {row.id: RecordName.parse(row.result) for row in rows if row.result}
    texts = stored.texts_of(reader, results.values())
    return [
        {
            "id": row.id,
            "kind": row.kind,
            "data": msgspec.to_builtins(decode_submission(row.payload).data),
            "status": row.status,
            "reason": row.reason,
            "submitted": _moment(row.submitted),
            "decided": _moment(row.decided),
            "result": row.result,
            "text": texts.get(results[row.id]) if row.id in results else None,
        }
        for row in rows
    ]


def _as_photos(_: Reader, rows: Sequence[PhotoRow]) -> list[dict[str, Any]]:
    return [
        {
            "id": row.id,
            "idea_id": row.idea_id,
            "credit": row.credit,
            "status": row.status,
            "reason": row.reason,
            "submitted": _moment(row.submitted),
            "decided": _moment(row.decided),
            "width": row.width,
            "height": row.height,
            "size": row.size,
            "file": None if row.purged else _file_of(row),
        }
        for row in rows
    ]


def _as_files(_: Reader, rows: Sequence[PhotoRow]) -> list[dict[str, Any]]:
    return [{"id": row.id, "extension": row.extension, "file": _file_of(row)} for row in rows]


def _file_of(row: PhotoRow) -> str:
    return f"photos/{row.id}.{row.extension}"


def _as_changes(reader: Reader, rows: Sequence[HistoryRow]) -> list[dict[str, Any]]:
    actions = {item.id: item.value for item in reader.catalogue.items_of(ListName.HISTORY_ACTIONS)}
    return [
        {
            "id": row.id,
            "at": _moment(row.at),
            "action": actions.get(row.action_id),
            "records": [
                {"record": str(change.name)}
                if change.name.kind in NOT_SHOWN
                else {
                    "record": str(change.name),
                    "before": msgspec.to_builtins(change.before),
                    "after": msgspec.to_builtins(change.after),
                }
                for change in decode_changes(row.before, row.after)
            ],
        }
        for row in rows
    ]


def _moment(seconds: int | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


async def _listed(pages: AsyncIterator[list[dict[str, Any]]]) -> AsyncIterator[bytes]:
    between = b""
    async for members in pages:
        yield between + msgspec.json.encode(members)[1:-1]
        between = b","


class _Sink:
    """Takes the bytes of a ZIP file as they are made, and gives them away."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._written: list[bytes] = []

    def write(self, content: bytes, /) -> int:
        """Take some bytes."""
        self._written.append(bytes(content))
        return len(content)

    def flush(self) -> None:
        """Do nothing: there is nothing behind."""

    def close(self) -> None:
        """Do nothing: what is written is taken by whoever sends it."""

    def taken(self) -> bytes:
        """Give away what has been written since."""
        written, self._written = self._written, []
        return b"".join(written)


async def _filed(
    package: zipfile.ZipFile, sink: _Sink, name: str, pieces: AsyncIterator[bytes]
) -> AsyncIterator[bytes]:
    """Write a file into a package, and give what that makes of bytes."""
    with package.open(zipfile.ZipInfo(name, datetime.now(UTC).timetuple()[:6]), "w", force_zip64=True) as member:
        async for piece in pieces:
            member.write(piece)
            yield sink.taken()
    yield sink.taken()


# --- leaving, in one transaction --------------------------------------------------------------------------------------


def _removed(  # noqa: PLR0913  # who leaves, how, and who says so when
    connection: Writer, *, person_id: int, name: str, leaving: Leaving, by: int | None, now: int
) -> None:
    person = stored.lock_person(connection, person_id)
    if person is None:
        raise NotFoundError(sentence("This account no longer exists."))
    keep_an_administrator(connection, person)
    former_id = stored.add_former(connection, person, name, now)
    redaction = Redaction(person.username, person.email, name, all_credits=leaving.all_credits)
    kept = stored.kept_statuses(keep_waiting=leaving.keep_waiting)
    submissions = stored.leave_submissions(connection, person.id, former_id, kept, redaction)
    photos = stored.leave_photos(connection, person.id, former_id, kept, redaction)
    staying, gone = submissions[0] | photos[0], submissions[1] | photos[1]
    stored.leave_senses(connection, person, staying, redaction)
    stored.leave_history(connection, person, staying, gone, redaction)
    stored.forget_mentions(connection, person, redaction)
    stored.remove_account(connection, person.id, former_id, _tries_of(person))
    entry = Entry(Action.ACCOUNT_DELETED, by or former_id, now, RecordName("person", str(former_id)))
    write_entry(connection, entry, [])


def _tries_of(person: Person) -> list[str]:
    """Name what is counted about somebody from anywhere; what is counted by address is forgotten in two days."""
    names = [name for name in (person.username, person.email) if name]
    keys = [try_key(kind, username_key(name)) for kind in ("account", "reset") for name in names]
    return [*keys, try_key("export", str(person.id))]
