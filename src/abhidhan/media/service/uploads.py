"""Uploads: storage, views, decisions and downloads, with a limit on concurrent uploads."""

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
from abhidhan.media.service.upload_kinds import (
    NewFile,
    Shown,
    UploadKind,
    decide_upload,
    list_uploads,
    load_upload,
    store_upload,
)
from abhidhan.media.store.uploads import Decision, Row
from abhidhan.platform.database.database import Database, WriteConnection
from abhidhan.platform.sandbox.object_store import MEDIA_TYPES, FileStore
from abhidhan.platform.sandbox.sandboxed_processing import UploadProcessor
from abhidhan.records.errors import ForbiddenError, NotFoundError
from abhidhan.records.paging import Page
from abhidhan.records.people import Permission, Person, require_permission
from abhidhan.records.sources import DEFAULT_LICENCE
from abhidhan.records.submissions import Quotas, ReviewStep, Status, build_key_mark, clean_reason
from abhidhan.records.uploads import RefusedFileError, UploadedFile, UploadRefusal

T = TypeVar("T")

_log = structlog.get_logger("abhidhan.sent_files")


class ProcessedFile(Protocol):
    """An uploaded file after re-encoding, ready to be stored."""

    @property
    def files(self) -> Mapping[str, bytes]:
        """Its files by name suffix."""


Processed = TypeVar("Processed", bound=ProcessedFile)


class OpenedUpload(NamedTuple):
    """An open file for a response: its size, chunks of content, media type, ETag, and whether it is public."""

    size: int
    pieces: AsyncIterator[bytes]
    media_type: str
    etag: str
    is_public: bool


class UploadService(ABC, Generic[Row, Processed, Shown]):
    """Service for one kind of upload: submission, review and download. `cleanup` deletes old files."""

    kind: UploadKind[Row, Shown]

    def __init__(  # noqa: PLR0913  # independent dependencies and settings
        self,
        database: Database,
        files: FileStore,
        processor: UploadProcessor[Processed],
        *,
        rejected_days: int = 30,
        quotas: Quotas = Quotas(),  # noqa: B008  # frozen
        licence: str = DEFAULT_LICENCE,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`licence` applies to all uploads; files of rejected uploads are deleted after `rejected_days`."""
        self._database = database
        self._files = files
        self._clock = clock
        self.cleanup = UploadCleanup(self.kind, database, files, rejected_days=rejected_days, clock=clock)
        self._processor = processor
        self._quotas = quotas
        self.licence = licence
        self._write_tasks: set[asyncio.Task[Any]] = set()

    def now(self) -> int:
        """Return the time in whole seconds since 1970."""
        return int(self._clock())

    # --- storing --------------------------------------------------------------------------------------------------

    def build_mark(self, person: Person, key: str | None, *content: bytes) -> str | None:
        """Build the mark of a request from the client's idempotency key and the content; None without a key."""
        return build_key_mark(person.id, key, *content) if key else None

    def get_quotas(self, person: Person) -> Quotas | None:
        """Return the quotas for a user's pending uploads; None for reviewers, who have no quotas."""
        return None if person.has_permission(Permission.REVIEW) else self._quotas

    @abstractmethod
    async def submit(self, person: Person, upload: UploadedFile) -> Shown:
        """Check an upload and its fields, and store it for review."""

    async def process(self, upload: UploadedFile) -> Processed:
        """Decode and re-encode a file. Raises RefusedFileError, UnavailableError."""
        if upload.is_too_big or not upload.file:
            raise RefusedFileError(
                self.kind.name, UploadRefusal.TOO_BIG if upload.is_too_big else UploadRefusal.MISSING
            )
        return await self._processor.process(upload.file)

    async def store(self, new: NewFile, processed: Processed, quotas: Quotas | None) -> Shown:
        """Store a processed file for review; without quotas, the number of pending files is not limited.

        Raises QuotaError, ReusedKeyError, UnavailableError, and the errors of the kind's check.
        """
        job = partial(store_upload, kind=self.kind, new=new, processed=processed, now=self.now(), quotas=quotas)
        return await self.load(await self.store_files(new.key, processed, job))

    async def store_files(
        self, key: str, processed: Processed, job: Callable[[WriteConnection], tuple[int, bool]]
    ) -> int:
        """Store files and their row; return its ID. `job` stores the row, and returns its ID and whether it is new."""
        # Completed even if the client disconnects: otherwise, a row could lose its files.
        return await self._complete(self._write_files(key, processed, job))

    async def _write_files(
        self, key: str, processed: Processed, job: Callable[[WriteConnection], tuple[int, bool]]
    ) -> int:
        """Write the files first and the row last, so that every row has its files."""
        await self._files.save(key, processed.files)
        try:
            stored_id, is_new = await self._database.write(job, public=False)
        except BaseException:
            await self._files.try_delete_by_key(key, processed.files)
            raise
        if not is_new:
            await self._files.try_delete_by_key(key, processed.files)
        return stored_id

    async def _complete(self, coroutine: Coroutine[object, object, T]) -> T:
        task = asyncio.ensure_future(coroutine)
        self._write_tasks.add(task)
        task.add_done_callback(self._write_tasks.discard)
        return await asyncio.shield(task)

    # --- reading --------------------------------------------------------------------------------------------------

    async def load(self, number: int, *, include_duplicates: bool = False) -> Shown:
        """Load an upload, optionally with its duplicates. Raises NotFoundError."""
        job = partial(load_upload, kind=self.kind, number=number, include_duplicates=include_duplicates)
        return await self._database.read(job, long=True)

    async def load_for(self, person: Person, number: int) -> Shown:
        """Load an upload for its sender or a moderator. Raises NotFoundError, ForbiddenError."""
        row = await self._require_row(number)
        if row.person_id != person.id:
            require_permission(person, Permission.REVIEW)
        return await self.load(number, include_duplicates=person.has_permission(Permission.REVIEW))

    async def list_for(self, person: Person, status: Status | None, limit: int, offset: int) -> Page[Shown]:
        """Return a page of uploads: all for moderators, their own for others."""
        return await self._page(status, None if person.has_permission(Permission.REVIEW) else person.id, limit, offset)

    async def list_all(self, status: Status | None, limit: int, offset: int = 0) -> Page[Shown]:
        """Return a page of all uploads, without a permission check, for commands."""
        return await self._page(status, None, limit, offset)

    async def _page(self, status: Status | None, person_id: int | None, limit: int, offset: int) -> Page[Shown]:
        job = partial(list_uploads, kind=self.kind, status=status, person_id=person_id, limit=limit, offset=offset)
        return await self._database.read(job, long=True)

    async def open_file(self, number: int, suffix: str, person: Person | None) -> OpenedUpload:
        """Open a file by ID and name suffix; if it is not approved, only for its owner and moderators.

        Raises NotFoundError, also for files that the user may not see, and UnavailableError.
        """
        row = await self._find(number)
        if row is None or row.purged or suffix not in self.kind.suffixes(row) or not _can_view(person, row):
            raise NotFoundError(self.kind.missing_file_message)
        opened = await self._files.open(row.key + suffix)
        if opened is None:
            _log.error("a file is missing", record=f"{self.kind.name}:{row.id}")
            raise NotFoundError(self.kind.missing_file_message)
        mark, _, extension = suffix.partition(".")
        tag = f'"{row.sha256[:24]}{mark}"'
        return OpenedUpload(*opened, MEDIA_TYPES[extension], tag, _is_public(row))

    async def _find(self, number: int) -> Row | None:
        return await self._database.read(partial(self.kind.table.find, number=number))

    async def _require_row(self, number: int) -> Row:
        row = await self._find(number)
        if row is None:
            raise NotFoundError(self.kind.not_found_message(number))
        return row

    # --- deciding -------------------------------------------------------------------------------------------------

    async def approve(self, person: Person, number: int) -> Shown:
        """Approve and publish an upload. Raises ForbiddenError, NotFoundError, ConflictError if it is decided."""
        require_permission(person, Permission.REVIEW)
        return await self._decide(person, number, ReviewStep.APPROVE, None)

    async def reject(self, person: Person, number: int, reason: str) -> Shown:
        """Reject an upload, with a reason for its submitter. Raises the same errors as `approve`, and InputError."""
        require_permission(person, Permission.REVIEW)
        return await self._decide(person, number, ReviewStep.REJECT, clean_reason(reason))

    async def withdraw(self, person: Person, number: int) -> Shown:
        """Withdraw the user's own upload and delete its files immediately. Raises the same errors as `approve`."""
        row = await self._require_row(number)
        if row.person_id != person.id:
            raise ForbiddenError(self.kind.not_owner_message)
        await self._decide(person, number, ReviewStep.WITHDRAW, None)
        await self.cleanup.delete_if_possible([row])
        return await self.load(number)

    async def _decide(self, person: Person, number: int, step: ReviewStep, reason: str | None) -> Shown:
        decision = Decision(Status.PENDING, reason, person.id, self.now())
        job = partial(decide_upload, kind=self.kind, number=number, step=step, decision=decision)
        await self._database.write(job, public=step in self.kind.public_steps)
        return await self.load(number, include_duplicates=person.has_permission(Permission.REVIEW))

    async def close(self) -> None:
        """Wait for running writes, and close the processor."""
        await asyncio.gather(*self._write_tasks, return_exceptions=True)
        self._processor.close()


def _is_public(row: Row) -> bool:
    return row.status == Status.APPROVED


def _can_view(person: Person | None, row: Row) -> bool:
    return _is_public(row) or (
        person is not None and (row.person_id == person.id or person.has_permission(Permission.REVIEW))
    )


MAX_CONCURRENT_UPLOADS: Final = 16
"""Maximum number of concurrent uploads over all workers, which limits memory; others wait."""

MAX_UPLOADS_PER_PERSON: Final = 4
"""Maximum number of concurrent uploads per user, so that slow or malicious clients do not take all slots."""


class UploadLimiter:
    """Limits concurrent uploads, in total and per user, to this worker's share of the maximum."""

    def __init__(self, workers: int = 1) -> None:
        """`workers` is the number of worker processes that share the limits."""
        self._total_slots = asyncio.Semaphore(max(1, MAX_CONCURRENT_UPLOADS // workers))
        self._slots_per_user = max(1, MAX_UPLOADS_PER_PERSON // workers)
        self._user_slots: WeakValueDictionary[int, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def slot(self, person_id: int) -> AsyncIterator[None]:
        """Wait for an upload slot of this user, and hold it for the duration of the context."""
        semaphore = self._user_slots.setdefault(person_id, asyncio.Semaphore(self._slots_per_user))
        async with semaphore, self._total_slots:
            yield
