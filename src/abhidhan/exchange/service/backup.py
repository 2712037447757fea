"""Backup and restore of the database, photos and recordings, in one archive with checksums; for both engines."""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from abhidhan.exchange.service.backup_archive import DATABASE, BackupError, BackupManifest, unpack, write_archive
from abhidhan.exchange.service.copying import copy_files, refuse_other_versions
from abhidhan.platform.database import sqlite_backup
from abhidhan.platform.database.connections import display_url, sqlite_file
from abhidhan.platform.database.copying.copy import copy_into_file, replace_all
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.migrate import prepare, read_revision, refuse_unusable_file
from abhidhan.platform.runtime import files
from abhidhan.platform.sandbox.object_store import FileStore, open_files
from abhidhan.records.errors import AbhidhanError, DatabaseError

__all__ = [
    "BackupError",
    "BackupManifest",
    "FileLocations",
    "back_up",
    "last_backup",
    "record_backup",
    "restore",
    "verify",
]

PHOTOS: Final = "photos"
RECORDINGS: Final = "recordings"
LAST_BACKUP: Final = "last-backup"
"""An empty file in the folder of backups, whose modification time is that of the last backup to any folder."""

FileLocation = Path | FileStore


class FileLocations(NamedTuple):
    """The folders or stores of photos and recordings; `recordings` is None if the dictionary has no recordings."""

    photos: FileLocation
    recordings: FileLocation | None = None

    @property
    def by_name(self) -> dict[str, FileLocation]:
        """The locations by their folder names in the archive."""
        return {PHOTOS: self.photos} | ({} if self.recordings is None else {RECORDINGS: self.recordings})


def back_up(database_url: str, locations: FileLocations, target: Path, *, now: int, program: str) -> BackupManifest:
    """Write a backup, even while the server runs; the file is moved to `target` only after it has been verified.

    Raises BackupError, DatabaseError, UnavailableError.
    """
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with files.staging_folder(target.parent) as folder:
            archive, copy = (
                files.make_private(folder / target.name),
                files.make_private(folder / f"copy-{DATABASE}"),
            )
            _copy_database(database_url, copy)
            manifest = write_archive(archive, copy, locations.by_name, now=now, program=program)
            with archive.open("rb") as stream:
                os.fsync(stream.fileno())
            verify(archive)
            archive.replace(target)
    except OSError as error:
        raise BackupError(f"{target} cannot be written: {error.strerror or error}.") from error
    return manifest


def record_backup(folder: Path, now: int) -> None:
    """Record the time of the last backup for monitoring; a failure does not invalidate the backup."""
    with suppress(OSError, AbhidhanError):
        mark = folder / LAST_BACKUP
        files.make_private_folder(folder)
        files.make_private(mark)
        os.utime(mark, (now, now))


def last_backup(folder: Path) -> float | None:
    """Return the recorded time of the last backup; None if there is none."""
    try:
        return (folder / LAST_BACKUP).stat().st_mtime
    except OSError:
        return None


def verify(archive: Path) -> BackupManifest:
    """Verify a backup by reading all of it and comparing every checksum. Raises BackupError."""
    return unpack(archive, None, {})


def restore(
    archive: Path, database_url: str, locations: FileLocations, home: Path, *, overwrite: bool
) -> BackupManifest:
    """Restore a verified backup; replace existing data only with `overwrite`.

    In an object store, only missing files are added. For PostgreSQL, the backup is first unpacked in `home`.
    Raises BackupError, DatabaseError or UnavailableError, and then leaves all else unchanged.
    """
    with Database(database_url) as database:
        file, name = sqlite_file(database.url), display_url(database.url)
    if not archive.is_file():
        raise BackupError(f"There is no backup {archive}.")
    if not overwrite and (
        _exists(database_url, file) or any(_holds_files(location) for location in locations.by_name.values())
    ):
        there = file.parent if file else name
        raise BackupError(f"There is already a dictionary in {there}: use --force to replace it with the backup.")
    try:
        return _restore(archive, database_url, locations, file.parent if file else home)
    except OSError as error:
        raise BackupError(f"{error.filename or name} cannot be written: {error.strerror or error}.") from error


def _restore(archive: Path, database_url: str, locations: FileLocations, work: Path) -> BackupManifest:
    """Unpack each folder next to the one that it replaces, since that may be on another disk; then rename them."""
    with ExitStack() as stack:
        folder = stack.enter_context(_temporary_folder(work))
        unpack_folders = {
            name: stack.enter_context(_temporary_folder(location.parent)) if isinstance(location, Path) else folder
            for name, location in locations.by_name.items()
        }
        manifest = unpack(archive, folder, unpack_folders)
        sqlite_backup.check_copy(folder / DATABASE)
        refuse_unusable_file(folder / DATABASE, "The database in the backup")
        for name, location in locations.by_name.items():
            if isinstance(location, Path):
                stack.enter_context(_replaced_folder(unpack_folders[name] / name, location))
            else:
                copy_files(open_files(str(folder / name), folder / name), location)
        _put_in_place(folder / DATABASE, database_url)
    return manifest


@contextmanager
def _temporary_folder(folder: Path) -> Iterator[Path]:
    files.make_private_folder(folder)
    with files.staging_folder(folder) as path:
        yield path


def _copy_database(database_url: str, copy: Path) -> None:
    """Copy a consistent state of the database, of either engine, into an SQLite file."""
    with Database(database_url) as database:
        file = sqlite_file(database.url)
        if file is not None:
            sqlite_backup.copy_database(file, copy)
        else:
            refuse_other_versions(database_url)
            copy_into_file(database, copy)


def _put_in_place(copy: Path, database_url: str) -> None:
    """Replace the current database with the copy: the SQLite file, or all PostgreSQL tables in one transaction."""
    with Database(database_url) as database:
        file = sqlite_file(database.url)
        if file is not None:
            sqlite_backup.replace_database(copy, file)
            return
        url = f"sqlite:///{copy}"
        prepare(url, copy.parent)
        with Database(url) as source:
            replace_all(source, database)


def _exists(database_url: str, file: Path | None) -> bool:
    if file is not None:
        return file.exists()
    try:
        return read_revision(database_url) is not None
    except DatabaseError:
        # An unusable database still exists; replacing it reports the problem.
        return True


def _holds_files(location: FileLocation) -> bool:
    if isinstance(location, Path):
        return location.is_dir() and any(location.iterdir())
    return bool(location.list_now())


@contextmanager
def _replaced_folder(new: Path, target: Path) -> Iterator[None]:
    """Replace a folder with another one, and restore it if the block fails.

    The older folder gets a name that no clean-up matches, so nothing is lost if the process is killed midway.
    """
    old = target.with_name(f"{target.name}-before-{int(time.time())}-{os.getpid()}")
    if target.exists():
        target.rename(old)
    try:
        if new.exists():
            new.rename(target)
        yield
    except BaseException:
        if target.exists():
            target.rename(new)
        if old.exists():
            old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)
