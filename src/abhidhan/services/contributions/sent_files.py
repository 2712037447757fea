"""Files that people send: kept, shown, decided on, served, and thrown away; and files held to their rows."""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping
from functools import partial
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

import msgspec
import structlog

from abhidhan.domain.licences import DEFAULT_LICENCE
from abhidhan.domain.people import Permission, Person, require
from abhidhan.domain.submissions import Quotas, Status, Step, clean_reason, mark_of_key
from abhidhan.errors import AbhidhanError, ForbiddenError, NotFoundError, UnavailableError
from abhidhan.media.files import FOLDERS, MEDIA_TYPES, FileStore, StoredFile, key_of
from abhidhan.media.processing import Processor
from abhidhan.services.contributions.sent_file_kinds import (
    SentKind,
    SentPage,
    Shown,
    decide,
    list_page,
    mark_lost,
    show_one,
)
from abhidhan.storage.engine.database import Database, Writer
from abhidhan.storage.sent_files import Decision, Row

T = TypeVar("T")

DAY: Final = 86_400
PURGED_AT_ONCE: Final = 100
PURGED_EVERY: Final = 3600
"""Seconds between two rounds of throwing away bytes that are kept no longer."""

GRACE_SECONDS: Final = 3600
"""A file without a row may belong to something that is being submitted: so long it is left alone."""

SWEPT_AT_ONCE: Final = 5_000
FOLDERS_SWEPT_AT_ONCE: Final = 32
"""Files and folders that one round of sweeping looks at, or the files of one folder if it has more: of a million, each
of 256 folders has 4,000, and all have been looked at after some days. An object store is asked once for each folder."""

_log = structlog.get_logger("abhidhan.sent_files")


class ProcessedFile(Protocol):
    """What was sent, made ready to be kept."""

    @property
    def files(self) -> Mapping[str, bytes]:
        """Its files, by what follows the key in their names."""


Processed = TypeVar("Processed", bound=ProcessedFile)


class OpenedSent(NamedTuple):
    """The bytes of a file: how many, and piece by piece, with their type and what may be told of them."""

    size: int
    pieces: AsyncIterator[bytes]
    media_type: str
    tag: str
    public: bool


class Checked(msgspec.Struct, frozen=True):
    """What a check of files against rows has found: files that no row names, and rows whose file is lost."""

    files: int
    orphans: tuple[str, ...]
    lost: tuple[int, ...]
    mended: bool


class SentFileService(Generic[Row, Processed, Shown]):
    """Everything that is done with one kind of file. Each method is one job."""

    def __init__(  # noqa: PLR0913  # each is one independent part, named where it is given
        self,
        database: Database,
        files: FileStore,
        processor: Processor[Processed],
        kind: SentKind[Row, Shown],
        *,
        rejected_days: int = 30,
        quotas: Quotas = Quotas(),  # noqa: B008  # frozen
        licence: str = DEFAULT_LICENCE,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Put the parts together. What is sent is under `licence`; the bytes of what is rejected go after a while."""
        self._database = database
        self._files = files
        self._processor = processor
        self._kind = kind
        self._rejected_seconds = rejected_days * DAY
        self._quotas = quotas
        self.licence = licence
        self._clock = clock
        self._kept: set[asyncio.Task[Any]] = set()
        # Workers begin at different folders, and a server that is started often does not see the same ones each time.
        self._swept = secrets.randbelow(FOLDERS)

    def now(self) -> int:
        """Return the time in whole seconds since 1970."""
        return int(self._clock())

    # --- keeping --------------------------------------------------------------------------------------------------

    def mark(self, person: Person, key: str | None, *said: bytes) -> str | None:
        """Write what a request with a key of the client's own is known by; None where it has none."""
        return mark_of_key(person.id, key, *said) if key else None

    def quotas_of(self, person: Person) -> Quotas | None:
        """Return how much of a person's may wait. Who decides on what others send has no queue of their own."""
        return None if person.may(Permission.REVIEW) else self._quotas

    async def keep(self, key: str, processed: Processed, job: Callable[[Writer], tuple[int, bool]]) -> int:
        """Keep files, and do the job that stores their row: it tells an ID, and whether the row is new."""
        # Once files are being written, the job is finished even if the client hangs up: else a row could lose them.
        return await self._to_its_end(self._keep(key, processed, job))

    async def _keep(self, key: str, processed: Processed, job: Callable[[Writer], tuple[int, bool]]) -> int:
        """Write the files first and the row last: what there is a row of, there are files of."""
        await self._files.keep(key, processed.files)
        try:
            stored_id, fresh = await self._database.write(job, public=False)
        except BaseException:
            await self._files.forget_if_possible(key, processed.files)
            raise
        if not fresh:
            await self._files.forget_if_possible(key, processed.files)
        return stored_id

    async def _to_its_end(self, work: Coroutine[object, object, T]) -> T:
        task = asyncio.ensure_future(work)
        self._kept.add(task)
        task.add_done_callback(self._kept.discard)
        return await asyncio.shield(task)

    # --- looking --------------------------------------------------------------------------------------------------

    async def show(self, number: int, *, with_alike: bool = False) -> Shown:
        """Show one file, if wanted with those that are like it. Raises NotFoundError."""
        job = partial(show_one, kind=self._kind, number=number, with_alike=with_alike)
        return await self._database.read(job, long=True)

    async def show_to(self, person: Person, number: int) -> Shown:
        """Show one file to its submitter or a moderator. Raises NotFoundError, ForbiddenError."""
        row = await self._row(number)
        if row.person_id != person.id:
            require(person, Permission.REVIEW)
        return await self.show(number, with_alike=person.may(Permission.REVIEW))

    async def list_for(self, person: Person, status: Status | None, limit: int, offset: int) -> SentPage[Shown]:
        """List what was sent: moderators see all, others their own."""
        return await self._page(status, None if person.may(Permission.REVIEW) else person.id, limit, offset)

    async def list_all(self, status: Status | None, limit: int, offset: int = 0) -> SentPage[Shown]:
        """List what everybody has sent, for whoever has the machine itself."""
        return await self._page(status, None, limit, offset)

    async def _page(self, status: Status | None, person_id: int | None, limit: int, offset: int) -> SentPage[Shown]:
        job = partial(list_page, kind=self._kind, status=status, person_id=person_id, limit=limit, offset=offset)
        return await self._database.read(job, long=True)

    async def open_file(self, number: int, suffix: str, person: Person | None) -> OpenedSent:
        """Open a file by its ID and what its name ends with: approved ones for anybody, others for some.

        Raises NotFoundError, also where somebody may not know that there is such a file; UnavailableError.
        """
        row = await self._find(number)
        if row is None or row.purged or suffix not in self._kind.suffixes(row) or not _may_see(person, row):
            raise NotFoundError(self._kind.not_there)
        opened = await self._files.open(row.key + suffix)
        if opened is None:
            _log.error("a file is lost", record=f"{self._kind.name}:{row.id}")
            raise NotFoundError(self._kind.not_there)
        mark, _, extension = suffix.partition(".")
        tag = f'"{row.sha256[:24]}{mark}"'
        return OpenedSent(*opened, MEDIA_TYPES[extension], tag, _is_public(row))

    async def _find(self, number: int) -> Row | None:
        return await self._database.read(partial(self._kind.stored.find, number=number))

    async def _row(self, number: int) -> Row:
        row = await self._find(number)
        if row is None:
            raise NotFoundError(self._kind.absent(number))
        return row

    # --- deciding -------------------------------------------------------------------------------------------------

    async def approve(self, person: Person, number: int) -> Shown:
        """Let the world have a file. Raises ForbiddenError, NotFoundError, ConflictError when it is decided already."""
        require(person, Permission.REVIEW)
        return await self._decide(person, number, Step.APPROVE, None)

    async def reject(self, person: Person, number: int, reason: str) -> Shown:
        """Refuse a file, for a reason that its submitter reads. Raises as `approve` does, and InputError."""
        require(person, Permission.REVIEW)
        return await self._decide(person, number, Step.REJECT, clean_reason(reason))

    async def withdraw(self, person: Person, number: int) -> Shown:
        """Take one's own file back; its bytes are thrown away at once. Raises as `approve` does."""
        row = await self._row(number)
        if row.person_id != person.id:
            raise ForbiddenError(self._kind.not_own)
        await self._decide(person, number, Step.WITHDRAW, None)
        await self._throw_away_if_possible([row])
        return await self.show(number)

    async def _decide(self, person: Person, number: int, step: Step, reason: str | None) -> Shown:
        decision = Decision(Status.PENDING, reason, person.id, self.now())
        job = partial(decide, kind=self._kind, number=number, step=step, decision=decision)
        await self._database.write(job, public=step in self._kind.public)
        return await self.show(number, with_alike=person.may(Permission.REVIEW))

    # --- keeping house --------------------------------------------------------------------------------------------

    async def purge(self) -> int:
        """Throw away the bytes of what was withdrawn, or rejected long enough ago; return how many."""
        job = partial(self._kind.stored.purgeable, decided=self._decided_before(), limit=PURGED_AT_ONCE)
        return await self._throw_away(await self._database.read(job, long=True))

    async def sweep(self) -> int:
        """Remove files of ours that no row names, folder by folder, as many as one round looks at; return how many.

        A crash between writing files and their row leaves them. Young files are left alone: their row may be about to
        be written.
        """
        seen = gone = 0
        for _ in range(FOLDERS_SWEPT_AT_ONCE):
            files = await self._files.list_folder(self._swept)
            # Rows are read after files are listed: a file that was old by then has had its row for long.
            orphans = await self._orphans_among(files)
            await self._files.remove(orphans)
            self._swept = (self._swept + 1) % FOLDERS
            seen, gone = seen + len(files), gone + len(orphans)
            if seen >= SWEPT_AT_ONCE:
                break
        return gone

    async def _orphans_among(self, files: Iterable[StoredFile]) -> list[str]:
        old = self.now() - GRACE_SECONDS
        names = [file.name for file in files if file.written < old]
        keys = {name: key for name in names if (key := key_of(name))}
        if not keys:
            return []
        job = partial(self._kind.stored.known_keys, keys=sorted(set(keys.values())))
        known = await self._database.read(job, long=True)
        return [name for name, key in keys.items() if key not in known]

    async def keep_house(self) -> None:
        """Purge and sweep now and then, until cancelled."""
        while True:
            for work in (self.purge, self.sweep):
                try:
                    await work()
                except AbhidhanError as error:
                    _log.warning("files that are kept no longer could not be thrown away", reason=str(error))
            await asyncio.sleep(PURGED_EVERY)

    async def check(self, *, mend: bool = False) -> Checked:
        """Hold files and rows to each other. To mend is to remove orphaned files and reject what has lost its own."""
        rows = await self._database.read(self._kind.stored.kept, long=True)
        # Files are listed after rows are read: what is submitted meanwhile has orphaned files, but young ones.
        files = await self._files.list()
        present = {file.name for file in files}
        own = {name for row in rows for name in self._names_of(row)}
        old = self.now() - GRACE_SECONDS
        orphans = sorted(file.name for file in files if file.name not in own and file.written < old)
        lost = [row for row in rows if not present.issuperset(self._names_of(row))]
        if mend:
            await self._files.remove(orphans)
            for row in lost:
                await self._files.forget(row.key, self._kind.suffixes(row))
            await self._database.write(partial(mark_lost, kind=self._kind, rows=lost, now=self.now()))
        return Checked(len(files), tuple(orphans), tuple(row.id for row in lost), mend)

    def _names_of(self, row: Row) -> list[str]:
        return [row.key + suffix for suffix in self._kind.suffixes(row)]

    async def _throw_away(self, rows: Iterable[Row]) -> int:
        """Throw away the bytes of what may still go. Rows come first: what a crash leaves is swept."""
        numbers = [row.id for row in rows]
        if not numbers:
            return 0
        job = partial(self._kind.stored.claim, numbers=numbers, decided=self._decided_before(), now=self.now())
        going = await self._database.write(job, public=False)
        for row in going:
            await self._files.forget_if_possible(row.key, self._kind.suffixes(row))
        return len(going)

    async def _throw_away_if_possible(self, rows: Iterable[Row]) -> None:
        """Do the same for what has been withdrawn: that stands, whether the bytes go now or in a later round."""
        try:
            await self._throw_away(rows)
        except UnavailableError as error:
            _log.warning("files that are kept no longer could not be thrown away", reason=str(error))

    def _decided_before(self) -> int:
        """Return until when something must have been rejected for its bytes to go."""
        return self.now() - self._rejected_seconds

    async def close(self) -> None:
        """Finish what has been begun."""
        await asyncio.gather(*self._kept, return_exceptions=True)
        self._processor.close()


def _is_public(row: Row) -> bool:
    return row.status == Status.APPROVED


def _may_see(person: Person | None, row: Row) -> bool:
    return _is_public(row) or (person is not None and (row.person_id == person.id or person.may(Permission.REVIEW)))
