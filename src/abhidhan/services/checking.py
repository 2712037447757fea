"""Looking after the data: whether anything is wrong with them, and keys made anew after a change of the rules."""

import stat
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from abhidhan.domain.checks import Finding
from abhidhan.domain.indexing import key_rules
from abhidhan.storage import checks, imports, reindexing
from abhidhan.storage.database import Database, Reader, sqlite_file
from abhidhan.storage.gathered import count_not_kept, keep_all
from abhidhan.storage.locks import importing

OTHERS: Final = 0o077
"""What others than the owner may do, in the mode of a file."""


def check(database: Database) -> Iterator[Finding]:
    """Find what is wrong with the data, as they are at one moment."""
    with database.snapshot() as reader:
        yield from checks.look_through(reader)
        yield from _broken_off(reader)


def check_modes(database: Database, folders: Iterable[Path], *, mend: bool) -> Iterator[Finding]:
    """Find what other accounts of this machine may read: the database, folders, the files of backups; and mend it."""
    for path in _private_places(database, folders):
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & OTHERS:
            if mend:
                path.chmod(mode & ~OTHERS)
            yield Finding("W601", f"file:{path}", f"its mode is {mode:o}")


def _private_places(database: Database, folders: Iterable[Path]) -> Iterator[Path]:
    """List what is to be private. Nobody looks into a private folder, so that what is deeper in it needs no look."""
    file = sqlite_file(database.url)
    beside = [Path(f"{file}{end}") for end in ("", "-wal", "-shm")] if file else []
    for folder in folders:
        beside += [folder, *(sorted(folder.glob("*.*")) if folder.is_dir() else [])]
    yield from (path for path in beside if path.exists())


def _broken_off(reader: Reader) -> Iterator[Finding]:
    """Find the imports that lack their relations and flashcards, which are stored last."""
    for one in imports.find_broken_off(reader):
        day = f"{datetime.fromtimestamp(one.at, tz=UTC):%Y-%m-%d}"
        yield Finding("W501", f"import:{one.id}", f"{day}, sources {', '.join(one.sources) or 'not named'}")


def keep_ready(database: Database) -> None:
    """Keep ready for answers what an edit that touched very many ideas has left to be gathered at every look-up."""
    if database.read_now(count_not_kept):
        with database.long_write() as connection:
            keep_all(connection)


def is_reindexing_due(database: Database) -> bool:
    """Tell whether the stored keys were made by other rules than today's."""
    return database.read_now(reindexing.stored_rules) != key_rules()


def reindex(database: Database, told: Callable[[int, int], None] = lambda _seen, _changed: None) -> int:
    """Make every key anew while others read and write; tell how many records had other keys. Raises ConflictError."""
    changed = 0
    with importing(database, wait=False):
        for batch in reindexing.reindex(database):
            changed += batch.changed
            told(batch.seen, batch.changed)
    return changed
