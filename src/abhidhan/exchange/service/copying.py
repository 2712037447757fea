"""Copying a dictionary into another database, and its photos and recordings into another folder or store."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, NamedTuple

from abhidhan.platform.database.connections import display_url
from abhidhan.platform.database.copying.copy import ChangedTable, CopyProgress, copy_all, find_changed_tables
from abhidhan.platform.database.copying.copy_rows import TableChecksum
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.migrate import NEWEST_REVISION, read_revision
from abhidhan.platform.sandbox.object_store import FileStore, parse_key
from abhidhan.records.errors import DatabaseError, RetryAfter, UnavailableError

MAX_CONCURRENT_COPIES: Final = 8
"""Number of files copied in parallel, since a remote store responds slowly to each."""

IGNORE_PROGRESS: Final = CopyProgress()
"""A listener that ignores progress."""


class DictionaryCopyResult(NamedTuple):
    """The result of a copy: checksums by table, whether it was resumed, and the source tables that have changed."""

    checksums: dict[str, TableChecksum]
    was_resumed: bool
    changed: tuple[ChangedTable, ...]


class FileCopyCounts(NamedTuple):
    """The numbers of files that were copied, and that the target already had."""

    copied: int
    existing: int


def copy_dictionary(
    source_url: str, target_url: str, *, finish: bool = True, progress: CopyProgress = IGNORE_PROGRESS
) -> DictionaryCopyResult:
    """Copy a consistent state of a dictionary into an empty database, or resume such a copy.

    With `finish` false, the copy stays unusable until a second run finishes it. Raises DatabaseError, SettingError and
    ConflictError.
    """
    with Database(source_url) as source, Database(target_url) as copy:
        name = display_url(source.url)
        if source.url == copy.url:
            raise DatabaseError(f"{name} cannot be copied into itself.")
        require_current_schema(source_url)
        copied = copy_all(source, copy, source_name=name, is_final=finish, progress=progress)
        changed = find_changed_tables(source, copied.checksums) if finish else ()
    return DictionaryCopyResult(*copied, changed)


def require_current_schema(database_url: str) -> None:
    """Check that a database has the schema of this version. Raises DatabaseError."""
    revision = read_revision(database_url)
    with Database(database_url) as database:
        name = display_url(database.url)
    if revision is None:
        raise DatabaseError(f"There is no dictionary in {name} to copy.")
    if revision != NEWEST_REVISION:
        raise DatabaseError(
            f"{name} was written by an older version of Abhidhan: first upgrade it with any other command of this "
            "version, such as `abhidhan stats`, or copy it with that version."
        )


def copy_files(
    source: FileStore, target: FileStore, on_file: Callable[[int, int], None] = lambda _done, _of: None
) -> FileCopyCounts:
    """Copy the files that the target lacks, and verify each by reading it back. Raises UnavailableError."""
    target_sizes = {file.name: file.size for file in target.list_now()}
    source_files = [file for file in source.list_now() if parse_key(file.name)]
    missing = [file.name for file in source_files if target_sizes.get(file.name) != file.size]
    copied = 0
    with ThreadPoolExecutor(MAX_CONCURRENT_COPIES) as threads:
        for done, was_copied in enumerate(threads.map(partial(_copy_file, source, target), missing), 1):
            copied += was_copied
            on_file(done, len(missing))
    return FileCopyCounts(copied, len(source_files) - len(missing))


def _copy_file(source: FileStore, target: FileStore, name: str) -> bool:
    """Copy a file; return False if it has been deleted from the source since it was listed."""
    content = source.read_now(name)
    if content is None:
        return False
    target.save_now(name, content)
    if target.read_now(name) != content:
        raise UnavailableError(f"{name} in the store differs from what was written.", RetryAfter.OPERATOR)
    return True
