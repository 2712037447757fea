"""Cleanup of uploads: delete files that are no longer needed, and compare files with database rows."""

import secrets
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final, Generic

import msgspec
import structlog

from abhidhan.media.service.upload_kinds import Shown, UploadKind, reject_lost_uploads
from abhidhan.media.store.uploads import Row
from abhidhan.platform.database.database import Database
from abhidhan.platform.sandbox.object_store import FOLDER_COUNT, FileStore, StoredFile, parse_key
from abhidhan.records.errors import UnavailableError
from abhidhan.records.timestamps import DAY_SECONDS

PURGE_BATCH_SIZE: Final = 100

GRACE_SECONDS: Final = 3600
"""Minimum age in seconds of a file without a database row before it is deleted; its row may still be written."""

MAX_SWEPT_FILES: Final = 5_000
MAX_SWEPT_FOLDERS: Final = 32
"""Maximum number of files and folders per sweep; the last folder is always completed. With a million files, each of the
256 folders has 4,000, and sweeping all of them takes several days. Each folder of an object store costs one request."""

_log = structlog.get_logger("abhidhan.sent_files")


class CleanupCheck(msgspec.Struct, frozen=True):
    """Result of comparing files with database rows: names of files without a row, and IDs of rows without a file."""

    files: int
    orphans: tuple[str, ...]
    lost: tuple[int, ...]
    mended: bool


class UploadCleanup(Generic[Row, Shown]):
    """Deletes files of one kind of upload that are no longer needed, and compares files with database rows."""

    def __init__(
        self,
        kind: UploadKind[Row, Shown],
        database: Database,
        files: FileStore,
        *,
        rejected_days: int,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Files of rejected uploads are deleted after `rejected_days`. `clock` returns the seconds since 1970."""
        self._kind = kind
        self._database = database
        self._files = files
        self._rejected_seconds = rejected_days * DAY_SECONDS
        self._clock = clock
        # A random start: workers sweep different folders, and frequent restarts do not repeat the same ones.
        self._next_folder = secrets.randbelow(FOLDER_COUNT)

    async def purge(self) -> int:
        """Delete the files of uploads that were withdrawn, or rejected long enough ago; return their number."""
        job = partial(self._kind.table.list_purgeable, cutoff=self._rejection_cutoff(), limit=PURGE_BATCH_SIZE)
        return await self._delete_files(await self._database.read(job, long=True))

    async def sweep(self) -> int:
        """Delete old files without a database row in the next few folders; return the number deleted.

        A crash between writing files and their row leaves such files behind. Recent files may still get their row.
        """
        seen_count = removed_count = 0
        for _ in range(MAX_SWEPT_FOLDERS):
            files = await self._files.list_folder(self._next_folder)
            # Rows are read after the files are listed: a file that was old then would have its row by now.
            orphans = await self._find_orphans(files)
            await self._files.delete_by_name(orphans)
            self._next_folder = (self._next_folder + 1) % FOLDER_COUNT
            seen_count, removed_count = seen_count + len(files), removed_count + len(orphans)
            if seen_count >= MAX_SWEPT_FILES:
                break
        return removed_count

    async def _find_orphans(self, files: Iterable[StoredFile]) -> list[str]:
        cutoff = self._now() - GRACE_SECONDS
        names = [file.name for file in files if file.modified_at < cutoff]
        keys = {name: key for name in names if (key := parse_key(name))}
        if not keys:
            return []
        job = partial(self._kind.table.find_existing_keys, keys=sorted(set(keys.values())))
        existing_keys = await self._database.read(job, long=True)
        return [name for name, key in keys.items() if key not in existing_keys]

    async def check(self, *, mend: bool = False) -> CleanupCheck:
        """Compare files with rows; with `mend`, delete files without a row and reject uploads without their file."""
        rows = await self._database.read(self._kind.table.list_unpurged, long=True)
        # Files are listed after the rows are read: files of uploads in between have no row here, but are young.
        files = await self._files.list()
        stored_names = {file.name for file in files}
        expected = {name for row in rows for name in self._file_names(row)}
        cutoff = self._now() - GRACE_SECONDS
        orphans = sorted(file.name for file in files if file.name not in expected and file.modified_at < cutoff)
        lost = [row for row in rows if not stored_names.issuperset(self._file_names(row))]
        if mend:
            await self._files.delete_by_name(orphans)
            for row in lost:
                await self._files.delete_by_key(row.key, self._kind.suffixes(row))
            await self._database.write(partial(reject_lost_uploads, kind=self._kind, rows=lost, now=self._now()))
        return CleanupCheck(len(files), tuple(orphans), tuple(row.id for row in lost), mend)

    def _file_names(self, row: Row) -> list[str]:
        return [row.key + suffix for suffix in self._kind.suffixes(row)]

    async def _delete_files(self, rows: Iterable[Row]) -> int:
        """Mark rows as purged unless they have changed, then delete their files; `sweep` deletes any that remain."""
        numbers = [row.id for row in rows]
        if not numbers:
            return 0
        job = partial(
            self._kind.table.claim_purgeable, numbers=numbers, cutoff=self._rejection_cutoff(), now=self._now()
        )
        claimed_rows = await self._database.write(job, public=False)
        for row in claimed_rows:
            await self._files.try_delete_by_key(row.key, self._kind.suffixes(row))
        return len(claimed_rows)

    async def delete_if_possible(self, rows: Iterable[Row]) -> None:
        """Delete the files of withdrawn uploads; log a failure, as a later round will retry."""
        try:
            await self._delete_files(rows)
        except UnavailableError as error:
            _log.warning("expired files could not be removed", reason=str(error))

    def _now(self) -> int:
        return int(self._clock())

    def _rejection_cutoff(self) -> int:
        """Return the latest time of a rejection after which files may be deleted, in seconds since 1970."""
        return self._now() - self._rejected_seconds
