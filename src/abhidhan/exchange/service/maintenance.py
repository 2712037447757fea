"""Maintenance of the data: integrity checks, file permissions, and renewal of derived data."""

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
from abhidhan.dictionary.store.indexes.stored_keys import read_stored_rules
from abhidhan.exchange.store import checks, imports
from abhidhan.platform.database.bulk_connections import refuse_pooler
from abhidhan.platform.database.connections import sqlite_file
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.import_lock import hold_import_lock
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import ConflictError
from abhidhan.records.integrity_checks import IntegrityFinding
from assamese.search_keys import key_rules_version

OTHER_ACCOUNTS_MASK: Final = 0o077
"""Permission bits of a file's mode for accounts other than its owner."""

BACKGROUND_BATCH_SIZE: Final = 2000
"""Number of words per transaction when an index is filled while the server runs.

They take 20 ms of processor time, or about seventy times as long on a busy machine, while other writers wait.
"""

REPAIRABLE_CODES: Final = registry.REPAIRABLE_CODES
"""Codes of the findings that are repaired by renewing derived data."""


def check(database: Database) -> Iterator[IntegrityFinding]:
    """Yield the findings of all integrity checks, which read one snapshot of the database."""
    with database.snapshot() as reader:
        yield from checks.run_checks(reader)
        yield from _find_interrupted_imports(reader)


def check_file_modes(database: Database, folders: Iterable[Path], *, repair: bool) -> Iterator[IntegrityFinding]:
    """Yield a finding for each file that other accounts of this machine can read; optionally repair its mode."""
    for path in _iter_private_paths(database, folders):
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & OTHER_ACCOUNTS_MASK:
            if repair:
                path.chmod(mode & ~OTHER_ACCOUNTS_MASK)
            yield IntegrityFinding("W601", f"file:{path}", f"its mode is {mode:o}")


def _iter_private_paths(database: Database, folders: Iterable[Path]) -> Iterator[Path]:
    """Yield the paths that must be private; a private folder protects everything inside it."""
    file = sqlite_file(database.url)
    paths = [Path(f"{file}{end}") for end in ("", "-wal", "-shm")] if file else []
    for folder in folders:
        paths += [folder, *(sorted(folder.glob("*.*")) if folder.is_dir() else [])]
    yield from (path for path in paths if path.exists())


def _find_interrupted_imports(connection: ReadConnection) -> Iterator[IntegrityFinding]:
    """Yield a finding for each interrupted import; its relations and flashcards are missing, since they come last."""
    for interrupted in imports.find_interrupted(connection):
        day = f"{datetime.fromtimestamp(interrupted.at, tz=UTC):%Y-%m-%d}"
        yield IntegrityFinding(
            "W501", f"import:{interrupted.id}", f"{day}, sources {', '.join(interrupted.sources) or 'not named'}"
        )


def is_idea_cache_incomplete(connection: ReadConnection) -> bool:
    """Return whether the idea cache is incomplete, as after a restore, an upgrade or a very large edit."""
    return idea_cache.is_any_missing(connection)


def fill_idea_cache(database: Database, *, pause_seconds: float = 0) -> int:
    """Add missing ideas to the idea cache; return their number.

    Does not change any public response, and can be stopped at any time. It pauses for `pause_seconds` after each batch,
    so that other writers can proceed.
    """
    filled = after = 0
    while True:
        with database.snapshot() as reader:
            batch = idea_cache.load_missing(reader, after)
        if not batch.ideas:
            return filled
        if database.write_now(partial(idea_cache.write_missing, missing=batch), public=False):
            filled += len(batch.ideas)
            after = max(batch.ideas)
        time.sleep(pause_seconds)


def is_readable_word_index_incomplete(connection: ReadConnection) -> bool:
    """Return whether the index of Roman-letter words that may also be read as Indic ones is incomplete.

    Look-ups in Roman letters are then slower. It is incomplete after an upgrade, and after each edit that adds a word
    in an Indic script, until all words are indexed again.
    """
    return READABLE_WORDS.needs_full_pass(connection)


def fill_readable_words(database: Database, *, pause_seconds: float = 0) -> int:
    """Index the Roman-letter words that may also be read as Indic ones; return the number of words checked.

    Does not change any public response. It can be stopped at any time, and then starts from the beginning. It pauses
    for `pause_seconds` after each batch, so that other writers can proceed.
    """
    checked = 0
    for step in registry.run_step(database, partial(READABLE_WORDS.rebuild_next, batch_size=BACKGROUND_BATCH_SIZE)):
        checked += step.seen
        time.sleep(pause_seconds)
    return checked


def build_word_indexes(database: Database) -> None:
    """Build the word indexes, unless they are complete.

    Without them, look-ups in Roman letters read the database even if no word matches, and completions are computed for
    each request. Does nothing while an import runs, which builds them at its end.
    """
    if database.read_now(accelerators.are_complete):
        return
    with (
        contextlib.suppress(ConflictError),
        hold_import_lock(database, wait=False) as fence,
        database.long_write(before_commit=fence.ensure_held) as connection,
    ):
        accelerators.fill(connection)


def is_reindexing_due(database: Database) -> bool:
    """Return whether the stored keys were computed by other rules than the current ones."""
    return database.read_now(read_stored_rules) != key_rules_version()


def reindex(database: Database, on_progress: Callable[[int], None] = lambda _seen: None) -> int:
    """Renew all derived data without blocking readers and writers; return the number of corrected records.

    `on_progress` is called after each step with the number of records checked. Raises ConflictError.
    """
    return _renew_derived_data(database, {registry.RULES_CODE}, on_progress)


def repair_findings(database: Database, codes: Collection[str]) -> int:
    """Renew the derived data behind findings with these codes; return the number of corrected records.

    Raises ConflictError.
    """
    return _renew_derived_data(database, codes, lambda _seen: None) if REPAIRABLE_CODES.intersection(codes) else 0


def _renew_derived_data(database: Database, codes: Collection[str], on_progress: Callable[[int], None]) -> int:
    changed = 0
    with hold_import_lock(database, wait=False):
        with database.long_write() as connection:
            refuse_pooler(connection)
        for step in registry.rebuild_indexes(database, codes):
            changed += step.changed
            on_progress(step.seen)
    return changed
