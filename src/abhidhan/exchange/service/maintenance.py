"""Looking after the data: whether anything is wrong with them, and what is derived from them renewed."""

import contextlib
import stat
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

from abhidhan.dictionary.store.acceleration import idea_cache
from abhidhan.dictionary.store.acceleration import words as accelerators
from abhidhan.dictionary.store.acceleration.readable_words import READABLE_WORDS
from abhidhan.dictionary.store.indexes import registry
from abhidhan.dictionary.store.indexes.stored_keys import stored_rules
from abhidhan.exchange.store import checks, imports
from abhidhan.platform.database.bulk_connections import refuse_pooler
from abhidhan.platform.database.connections import sqlite_file
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.import_lock import importing
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import ConflictError
from abhidhan.records.integrity_checks import Finding
from assamese.search_keys import key_rules

OTHERS: Final = 0o077
"""What others than the owner may do, in the mode of a file."""

AT_ONCE_ASIDE: Final = 2000
"""How many words are gone through in a transaction beside the server, at the lowest priority: 20 ms of a processor, and
where that is busy some seventy times as long, for which other writers wait."""

MENDED: Final = registry.MENDED
"""The codes of the findings that renewing what is derived mends."""


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


def is_idea_cache_lacking(reader: Reader) -> bool:
    """Return whether look-ups read any idea from all tables, after a restore, an upgrade, or an edit of very many."""
    return idea_cache.is_any_missing(reader)


def fill_idea_cache(database: Database, *, pause: float = 0) -> int:
    """Write into the idea cache what is missing; return how many ideas that were.

    No public answer changes by it. It may be stopped at any time. After each few ideas it pauses for so many seconds,
    and lets other writers go first.
    """
    filled = after = 0
    while True:
        with database.snapshot() as reader:
            read = idea_cache.read_missing(reader, after)
        if not read.ideas:
            return filled
        if database.write_now(partial(idea_cache.write_read, read=read), public=False):
            filled += len(read.ideas)
            after = max(read.ideas)
        time.sleep(pause)


def are_readable_words_lacking(reader: Reader) -> bool:
    """Return whether words in Roman letters are looked up more slowly than they could be, after an upgrade, or an edit.

    So it is after each that brings a word in Indic letters, until somebody goes through all words.
    """
    return READABLE_WORDS.is_lacking(reader)


def fill_readable_words(database: Database, *, pause: float = 0) -> int:
    """Go through all words, and note those in Roman letters that others may be meant by; return how many words.

    No public answer changes by it. It may be stopped at any time, and then begins anew. After each 2,000 it pauses for
    so many seconds, and lets other writers go first.
    """
    seen = 0
    for step in registry.each(database, partial(READABLE_WORDS.renew_next, at_once=AT_ONCE_ASIDE)):
        seen += step.seen
        time.sleep(pause)
    return seen


def go_through_words(database: Database) -> None:
    """Go through all words, where that was never done: Latin letters are looked up in vain until then.

    Words to offer while somebody types are looked for anew each time. An import that runs does it at its end.
    """
    if database.read_now(accelerators.are_whole):
        return
    with (
        contextlib.suppress(ConflictError),
        importing(database, wait=False) as fence,
        database.long_write(at_end=fence.make_sure) as connection,
    ):
        accelerators.fill(connection)


def is_reindexing_due(database: Database) -> bool:
    """Return whether the stored keys were made by other rules than today's."""
    return database.read_now(stored_rules) != key_rules()


def reindex(database: Database, on_progress: Callable[[int], None] = lambda _seen: None) -> int:
    """Renew all that is derived, while others read and write; return of how many records something was wrong.

    `on_progress` is told after each step how many records it has looked at. Raises ConflictError.
    """
    return _renew(database, {registry.RULES}, on_progress)


def mend(database: Database, codes: Collection[str]) -> int:
    """Renew what findings of these codes are about, if it is derived; return of how many records something was wrong.

    Raises ConflictError.
    """
    return _renew(database, codes, lambda _seen: None) if MENDED.intersection(codes) else 0


def _renew(database: Database, codes: Collection[str], on_progress: Callable[[int], None]) -> int:
    changed = 0
    with importing(database, wait=False):
        with database.long_write() as connection:
            refuse_pooler(connection)
        for step in registry.renew(database, codes):
            changed += step.changed
            on_progress(step.seen)
    return changed
