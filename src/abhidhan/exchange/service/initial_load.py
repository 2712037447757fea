"""Beginning a dictionary: with the one that comes with the program, or empty."""

from collections.abc import Iterable

from abhidhan.exchange.service.bundled_data import catalogue_records, starter_records
from abhidhan.exchange.store.loading.bulk_load import Loading, begin_if_empty, is_begun, is_empty, load_records
from abhidhan.exchange.store.loading.load_context import Loaded
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.import_lock import importing
from abhidhan.platform.database.leases import Fence
from abhidhan.records.errors import ConflictError
from abhidhan.records.import_records import Fault, Placed

WHOLE = 2**31
"""More words than any file has: all in one transaction."""


def load_starter(database: Database, *, now: int) -> Loaded | None:
    """Load the dictionary that comes with the program, unless the database holds data or was begun empty; then None."""
    # Read first: a writing look would wait for an import that runs, and every command begins here.
    if database.read_now(is_begun):
        return None
    with importing(database, wait=True) as fence:
        if database.read_now(is_begun) or not database.write_now(is_empty, public=False):
            return None
        return _load(database, starter_records(), now, fence)


def load_lists(database: Database, *, now: int) -> Loaded | None:
    """Load the languages, lists and sources that come with the program, unless there are languages; then None."""
    if database.read_now(lambda reader: reader.catalogue.languages):
        return None
    with importing(database, wait=True) as fence:
        return _load(database, catalogue_records(), now, fence)


def begin_empty(database: Database) -> None:
    """Begin a dictionary that holds nothing, and is not given the starter. Raises ConflictError if there is one."""
    with importing(database, wait=True):
        if not database.write_now(begin_if_empty, public=False):
            raise ConflictError("There is a dictionary already, and it stays as it is: --empty begins a new one.")


def _load(database: Database, records: Iterable[Placed | Fault], now: int, fence: Fence) -> Loaded:
    with database.long_write(at_end=fence.make_sure) as connection:
        return load_records(connection, records, Loading(now, words_at_once=WHOLE))
