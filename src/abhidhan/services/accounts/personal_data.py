"""A person's own data: a copy of all that is kept about somebody, and the deletion of an account."""

import time
import zipfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final, TypeVar

import msgspec
import structlog

from abhidhan.domain.people import Person, SignedIn
from abhidhan.domain.personal_data import EXPORT, Leaving, name_of
from abhidhan.domain.photos import PhotoName
from abhidhan.domain.visits import Visit, try_key
from abhidhan.errors import AbhidhanError, NotFoundError, TooManyRequestsError, sentence
from abhidhan.services.accounts.personal_data_copy import (
    ZipSink,
    as_changes,
    as_files,
    as_photos,
    as_recordings,
    as_sounds,
    as_submissions,
    describe_person,
    filed,
    listed,
    read_page,
)
from abhidhan.services.accounts.removal import remove_account
from abhidhan.services.accounts.sign_in import Accounts
from abhidhan.services.contributions.photos import Photos
from abhidhan.services.contributions.recordings import Recordings
from abhidhan.services.contributions.sent_file_house import PURGED_AT_ONCE
from abhidhan.services.contributions.sent_files import OpenedSent
from abhidhan.storage import people as stored_people
from abhidhan.storage import personal_data as stored
from abhidhan.storage.engine.database import Database
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.personal_data import HistoryRow
from abhidhan.storage.photos import PHOTOS, PhotoRow
from abhidhan.storage.recordings import RECORDINGS, RecordingRow
from abhidhan.storage.submissions import SubmissionRow

RowType = TypeVar("RowType", SubmissionRow, PhotoRow, RecordingRow, HistoryRow)

DOCUMENT: Final = "account.json"

_log = structlog.get_logger("abhidhan.personal_data")

Section = tuple[str, AsyncIterator[list[dict[str, Any]]]]
"""A list of the document: its key, and its members, some at a time."""


class PersonalData:
    """What a person may ask of this service about himself or herself: a copy of everything, and to be forgotten."""

    def __init__(  # each is one independent part
        self,
        database: Database,
        accounts: Accounts,
        photos: Photos,
        recordings: Recordings,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Put the parts together. `clock` tells the seconds since 1970."""
        self._database = database
        self._accounts = accounts
        self._photos = photos
        self._recordings = recordings
        self._clock = clock

    # --- a copy ---------------------------------------------------------------------------------------------------

    async def export(self, person: Person) -> AsyncIterator[bytes]:
        """Write all that is kept about somebody as one JSON document, piece by piece. Raises TooManyRequestsError."""
        await self._count(person)
        return self._document(person)

    async def export_with_photos(self, person: Person) -> AsyncIterator[bytes]:
        """Write the same as a ZIP file, with the photos and recordings themselves. Raises TooManyRequestsError."""
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
        about = await self._database.read(partial(describe_person, person=person, now=self._now()), long=True)
        yield msgspec.json.encode(about)[:-1]
        for key, members in self._sections(person):
            yield f',"{key}":['.encode()
            async for piece in listed(members):
                yield piece
            yield b"]"
        yield b"}\n"

    def _sections(self, person: Person) -> tuple[Section, ...]:
        return (
            ("submissions", self._pages(stored.submissions_of, as_submissions, person)),
            ("photos", self._pages(PHOTOS.of_person, as_photos, person)),
            ("recordings", self._pages(RECORDINGS.of_person, as_recordings, person)),
            ("changes", self._pages(stored.changes_of, as_changes, person)),
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
            job = partial(read_page, read=read, write=write, person_id=person.id, after=after)
            page = await self._database.read(job, long=True)
            if not page.members:
                return
            yield page.members
            after = page.last

    async def _package(self, person: Person) -> AsyncIterator[bytes]:
        sink = ZipSink()
        with zipfile.ZipFile(sink, "w", zipfile.ZIP_STORED) as package:  # a copy is written once, on its way out
            async for piece in filed(package, sink, DOCUMENT, self._document(person)):
                yield piece
            async for row, opening in self._files_of(person):
                try:
                    opened = await opening
                except NotFoundError:
                    continue
                async for piece in filed(package, sink, row["file"], opened.pieces):
                    yield piece
        yield sink.taken()

    async def _files_of(self, person: Person) -> AsyncIterator[tuple[dict[str, Any], Awaitable[OpenedSent]]]:
        """List the files of a person, each with what opens it."""
        async for rows in self._pages(PHOTOS.of_person, as_files, person):
            for row in rows:
                name = PhotoName(row["id"], row["extension"], thumbnail=False)
                yield row, self._photos.open(name, person)
        async for rows in self._pages(RECORDINGS.of_person, as_sounds, person):
            for row in rows:
                yield row, self._recordings.open(row["id"], person)

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
        job = partial(remove_account, person_id=person.id, name=name, leaving=leaving, by=others, now=self._now())
        await self._database.write(job)
        # What is not thrown away now is thrown away within the hour, by this worker or another.
        with suppress(AbhidhanError):
            while PURGED_AT_ONCE in {await self._photos.purge(), await self._recordings.purge()}:
                _log.info("files of a deleted account were thrown away")

    def _now(self) -> int:
        return int(self._clock())
