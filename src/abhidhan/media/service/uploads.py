"""Uploads: stored, shown, decided on and served; a gate bounds how many are read at a time."""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar
from weakref import WeakValueDictionary

import structlog

from abhidhan.media.service.upload_cleanup import UploadCleanup
from abhidhan.media.service.upload_kinds import NewFile, Shown, UploadKind, decide, list_page, show_one, store
from abhidhan.media.store.uploads import Decision, Row
from abhidhan.platform.database.database import Database, Writer
from abhidhan.platform.sandbox.object_store import MEDIA_TYPES, FileStore
from abhidhan.platform.sandbox.sandboxed_processing import Processor
from abhidhan.records.errors import ForbiddenError, NotFoundError
from abhidhan.records.paging import Page
from abhidhan.records.people import Permission, Person, require
from abhidhan.records.sources import DEFAULT_LICENCE
from abhidhan.records.submissions import Quotas, Status, Step, clean_reason, mark_of_key
from abhidhan.records.uploads import Refusal, RefusedFileError, SentFile

T = TypeVar("T")

_log = structlog.get_logger("abhidhan.sent_files")


class ProcessedFile(Protocol):
    """What was sent, made ready to be kept."""

    @property
    def files(self) -> Mapping[str, bytes]:
        """Its files, by what follows the key in their names."""


Processed = TypeVar("Processed", bound=ProcessedFile)


class OpenedUpload(NamedTuple):
    """The bytes of a file: how many, and piece by piece, with their type and what may be told of them."""

    size: int
    pieces: AsyncIterator[bytes]
    media_type: str
    tag: str
    public: bool


class UploadService(ABC, Generic[Row, Processed, Shown]):
    """Everything that is done with one kind of file. Each method is one job; `cleanup` deletes old bytes."""

    kind: UploadKind[Row, Shown]

    def __init__(  # noqa: PLR0913  # each is one independent part, named where it is given
        self,
        database: Database,
        files: FileStore,
        processor: Processor[Processed],
        *,
        rejected_days: int = 30,
        quotas: Quotas = Quotas(),  # noqa: B008  # frozen
        licence: str = DEFAULT_LICENCE,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Put the parts together. What is sent is under `licence`; the bytes of what is rejected go after a while."""
        self._database = database
        self._files = files
        self._clock = clock
        self.cleanup = UploadCleanup(self.kind, database, files, rejected_days=rejected_days, clock=clock)
        self._processor = processor
        self._quotas = quotas
        self.licence = licence
        self._kept: set[asyncio.Task[Any]] = set()

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

    @abstractmethod
    async def submit(self, person: Person, sent: SentFile) -> Shown:
        """Check a file and all that came with it, and keep it for review."""

    async def processed(self, sent: SentFile) -> Processed:
        """Decode a file and encode it anew. Raises RefusedFileError, UnavailableError."""
        if sent.too_big or not sent.file:
            raise RefusedFileError(self.kind.name, Refusal.TOO_BIG if sent.too_big else Refusal.MISSING)
        return await self._processor.process(sent.file)

    async def store(self, new: NewFile, processed: Processed, quotas: Quotas | None) -> Shown:
        """Keep a file, and let it wait for review; without quotas, however many wait.

        Raises QuotaError, ReusedKeyError, UnavailableError, and what the check of its kind raises.
        """
        job = partial(store, kind=self.kind, new=new, processed=processed, now=self.now(), quotas=quotas)
        return await self.show(await self.keep(new.key, processed, job))

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
        job = partial(show_one, kind=self.kind, number=number, with_alike=with_alike)
        return await self._database.read(job, long=True)

    async def show_to(self, person: Person, number: int) -> Shown:
        """Show one file to its submitter or a moderator. Raises NotFoundError, ForbiddenError."""
        row = await self._row(number)
        if row.person_id != person.id:
            require(person, Permission.REVIEW)
        return await self.show(number, with_alike=person.may(Permission.REVIEW))

    async def list_for(self, person: Person, status: Status | None, limit: int, offset: int) -> Page[Shown]:
        """List what was sent: moderators see all, others their own."""
        return await self._page(status, None if person.may(Permission.REVIEW) else person.id, limit, offset)

    async def list_all(self, status: Status | None, limit: int, offset: int = 0) -> Page[Shown]:
        """List what everybody has sent, for whoever has the machine itself."""
        return await self._page(status, None, limit, offset)

    async def _page(self, status: Status | None, person_id: int | None, limit: int, offset: int) -> Page[Shown]:
        job = partial(list_page, kind=self.kind, status=status, person_id=person_id, limit=limit, offset=offset)
        return await self._database.read(job, long=True)

    async def open_file(self, number: int, suffix: str, person: Person | None) -> OpenedUpload:
        """Open a file by its ID and what its name ends with: approved ones for anybody, others for some.

        Raises NotFoundError, also where somebody may not know that there is such a file; UnavailableError.
        """
        row = await self._find(number)
        if row is None or row.purged or suffix not in self.kind.suffixes(row) or not _may_see(person, row):
            raise NotFoundError(self.kind.not_there)
        opened = await self._files.open(row.key + suffix)
        if opened is None:
            _log.error("a file is lost", record=f"{self.kind.name}:{row.id}")
            raise NotFoundError(self.kind.not_there)
        mark, _, extension = suffix.partition(".")
        tag = f'"{row.sha256[:24]}{mark}"'
        return OpenedUpload(*opened, MEDIA_TYPES[extension], tag, _is_public(row))

    async def _find(self, number: int) -> Row | None:
        return await self._database.read(partial(self.kind.stored.find, number=number))

    async def _row(self, number: int) -> Row:
        row = await self._find(number)
        if row is None:
            raise NotFoundError(self.kind.absent(number))
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
            raise ForbiddenError(self.kind.not_own)
        await self._decide(person, number, Step.WITHDRAW, None)
        await self.cleanup.throw_away_if_possible([row])
        return await self.show(number)

    async def _decide(self, person: Person, number: int, step: Step, reason: str | None) -> Shown:
        decision = Decision(Status.PENDING, reason, person.id, self.now())
        job = partial(decide, kind=self.kind, number=number, step=step, decision=decision)
        await self._database.write(job, public=step in self.kind.public)
        return await self.show(number, with_alike=person.may(Permission.REVIEW))

    async def close(self) -> None:
        """Finish what has been begun."""
        await asyncio.gather(*self._kept, return_exceptions=True)
        self._processor.close()


def _is_public(row: Row) -> bool:
    return row.status == Status.APPROVED


def _may_see(person: Person | None, row: Row) -> bool:
    return _is_public(row) or (person is not None and (row.person_id == person.id or person.may(Permission.REVIEW)))


OPEN_AT_ONCE: Final = 16
"""Maximum number of uploads read at a time, by all workers together; more wait, so that memory stays bounded."""

OPEN_BY_ONE_PERSON: Final = 4
"""Maximum number of these per person: somebody with a slow line, or a bad intention, leaves places to others."""


class Gate:
    """Limit the uploads that are open at a time, and those of one person: to this worker's part of what all may."""

    def __init__(self, workers: int = 1) -> None:
        """Open the gate of one of several workers."""
        self._all = asyncio.Semaphore(max(1, OPEN_AT_ONCE // workers))
        self._places_of_one = max(1, OPEN_BY_ONE_PERSON // workers)
        self._own: WeakValueDictionary[int, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def passing(self, person_id: int) -> AsyncIterator[None]:
        """Wait for a place, and hold it."""
        own = self._own.setdefault(person_id, asyncio.Semaphore(self._places_of_one))
        async with own, self._all:
            yield
