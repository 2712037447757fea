"""Looking after the data: whether anything is wrong with them, and keys made anew after a change of the rules."""

from collections.abc import Callable, Iterator

from abhidhan.domain.checks import Finding
from abhidhan.domain.indexing import key_rules
from abhidhan.storage import checks, reindexing
from abhidhan.storage.database import Database
from abhidhan.storage.locks import importing


def check(database: Database) -> Iterator[Finding]:
    """Find what is wrong with the data, as they are at one moment."""
    with database.snapshot() as reader:
        yield from checks.look_through(reader)


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
