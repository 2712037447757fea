"""Backup and restore of the database, photos and recordings, in one archive with checksums; for both engines."""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from abhidhan.exchange.service.backup_archive import DATABASE_FILE, BackupError, BackupManifest, unpack, write_archive
from abhidhan.exchange.service.copying import copy_files, require_current_schema
from abhidhan.exchange.store.backup_time import write_backup_time
from abhidhan.platform.database import sqlite_backup
from abhidhan.platform.database.connections import display_url, sqlite_file
from abhidhan.platform.database.copying.copy import copy_into_file, replace_all
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.migrate import prepare_database, read_revision, refuse_unusable_file
from abhidhan.platform.runtime import files
from abhidhan.platform.sandbox.object_store import FileStore, open_file_store
from abhidhan.records.errors import AbhidhanError, DatabaseError

__all__ = [
    "BackupError",
    "BackupManifest",
    "FileLocations",
    "back_up",
    "read_marker_time",
    "record_backup_time",
    "restore",
    "verify",
]

PHOTOS_FOLDER: Final = "photos"
RECORDINGS_FOLDER: Final = "recordings"
LAST_BACKUP_FILE: Final = "last-backup"
"""An empty file in the folder of backups, whose modification time is that of the last backup to any folder."""

FileLocation = Path | FileStore


class FileLocations(NamedTuple):
    """The folders or stores of photos and recordings; `recordings` is None if the dictionary has no recordings."""

    photos: FileLocation
    recordings: FileLocation | None = None

    @property
    def by_folder_name(self) -> dict[str, FileLocation]:
        """The locations by their folder names in the archive."""
        return {PHOTOS_FOLDER: self.photos} | ({} if self.recordings is None else {RECORDINGS_FOLDER: self.recordings})


def back_up(database_url: str, locations: FileLocations, target: Path, *, now: int, program: str) -> BackupManifest:
    """Write a backup, even while the server runs; the file is moved to `target` only after it has been verified.

    Raises BackupError, DatabaseError, UnavailableError.
    """
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with files.open_staging_folder(target.parent) as folder:
            archive, copy = (
                files.create_private_file(folder / target.name),
                files.create_private_file(folder / f"copy-{DATABASE_FILE}"),
            )
            _copy_database(database_url, copy)
            manifest = write_archive(archive, copy, locations.by_folder_name, now=now, program=program)
            with archive.open("rb") as stream:
                os.fsync(stream.fileno())
            verify(archive)
            archive.replace(target)
    except OSError as error:
        raise BackupError(f"{target} cannot be written: {error.strerror or error}.") from error
    return manifest


def record_backup_time(database_url: str, folder: Path, now: int) -> None:
    """Record the time of a backup for monitoring, in the database and in the folder.

    A failure does not invalidate the backup. A standby cannot record it.
    """
    with suppress(OSError, AbhidhanError):
        marker = folder / LAST_BACKUP_FILE
        files.create_private_folder(folder)
        files.create_private_file(marker)
        os.utime(marker, (now, now))
    with suppress(AbhidhanError), Database(database_url) as database:
        database.write_now(partial(write_backup_time, now=now), public=False)


def read_marker_time(folder: Path) -> float | None:
    """Return the time of the last backup according to the folder of backups; None if there is none."""
    try:
        return (folder / LAST_BACKUP_FILE).stat().st_mtime
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
        _has_dictionary(database_url, file)
        or any(_has_files(location) for location in locations.by_folder_name.values())
    ):
        existing_place = file.parent if file else name
        raise BackupError(
            f"There is already a dictionary in {existing_place}: use --force to replace it with the backup."
        )
    try:
        return _restore(archive, database_url, locations, file.parent if file else home)
    except OSError as error:
        raise BackupError(f"{error.filename or name} cannot be written: {error.strerror or error}.") from error


def _restore(archive: Path, database_url: str, locations: FileLocations, work_folder: Path) -> BackupManifest:
    """Unpack each folder next to the one that it replaces, since that may be on another disk; then rename them."""
    with ExitStack() as stack:
        folder = stack.enter_context(_temporary_folder(work_folder))
        unpack_folders = {
            name: stack.enter_context(_temporary_folder(location.parent)) if isinstance(location, Path) else folder
            for name, location in locations.by_folder_name.items()
        }
        manifest = unpack(archive, folder, unpack_folders)
        sqlite_backup.check_copy(folder / DATABASE_FILE)
        refuse_unusable_file(folder / DATABASE_FILE, "The database in the backup")
        for name, location in locations.by_folder_name.items():
            if isinstance(location, Path):
                stack.enter_context(_replace_folder(unpack_folders[name] / name, location))
            else:
                copy_files(open_file_store(str(folder / name), folder / name), location)
        _install_database(folder / DATABASE_FILE, database_url)
    return manifest


@contextmanager
def _temporary_folder(folder: Path) -> Iterator[Path]:
    files.create_private_folder(folder)
    with files.open_staging_folder(folder) as path:
        yield path


def _copy_database(database_url: str, copy: Path) -> None:
    """Copy a consistent state of the database, of either engine, into an SQLite file."""
    with Database(database_url) as database:
        file = sqlite_file(database.url)
        if file is not None:
            sqlite_backup.copy_database(file, copy)
        else:
            require_current_schema(database_url)
            copy_into_file(database, copy)


def _install_database(copy: Path, database_url: str) -> None:
    """Replace the current database with the copy: the SQLite file, or all PostgreSQL tables in one transaction."""
    with Database(database_url) as database:
        file = sqlite_file(database.url)
        if file is not None:
            sqlite_backup.replace_database(copy, file)
            return
        url = f"sqlite:///{copy}"
        prepare_database(url, copy.parent)
        with Database(url) as source:
            replace_all(source, database)


def _has_dictionary(database_url: str, file: Path | None) -> bool:
    if file is not None:
        return file.exists()
    try:
        return read_revision(database_url) is not None
    except DatabaseError:
        # An unusable database still exists; replacing it reports the problem.
        return True


def _has_files(location: FileLocation) -> bool:
    if isinstance(location, Path):
        return location.is_dir() and any(location.iterdir())
    return bool(location.list_now())


@contextmanager
def _replace_folder(new: Path, target: Path) -> Iterator[None]:
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
