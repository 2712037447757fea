"""Opens the configured dictionary, for server and commands, and registers the subscribers of record changes."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from abhidhan.dictionary.store import changes
from abhidhan.dictionary.store.acceleration import idea_cache
from abhidhan.dictionary.store.indexes import derived_columns
from abhidhan.editing.store.history import Subscriber, subscribe
from abhidhan.exchange.service import bundled_data
from abhidhan.people.store import mails
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.migrate import prepare_database
from abhidhan.records.errors import DatabaseError, UnwritableError
from abhidhan.records.setting_values import hide_password
from abhidhan.records.settings import Settings, SettingSource

SUBSCRIBERS: Final[tuple[Subscriber, ...]] = (
    idea_cache.refresh,
    changes.log_changes,
    derived_columns.refresh_audio,
    mails.queue_decisions,
)
"""Functions that are called for every change of a record, in this order, in the transaction of the change.

Data derived from a single row, such as the keys and completions of a word, is written together with the row
(`editing/store/records`).
"""


@contextmanager
def open_dictionary(settings: Settings, *, with_lists: bool = False) -> Iterator[Database]:
    """Open the dictionary; create a missing one with the starter data, and upgrade an older one.

    A dictionary that was created empty stays empty, except that `with_lists` adds the languages and lists. Nothing is
    written to a standby.
    """
    subscribe(SUBSCRIBERS)
    _prepare_database(settings)
    with Database(settings.direct_url) as database:
        if not database.check_standby():
            bundled_data.load_starter(database, now=int(time.time()))
            if with_lists:
                bundled_data.load_lists(database, now=int(time.time()))
        yield database


def _prepare_database(settings: Settings) -> None:
    """Create or upgrade the database. Raises DatabaseError or UnwritableError, which name the setting."""
    try:
        prepare_database(settings.direct_url, settings.backup_folder)
    except (DatabaseError, UnwritableError) as error:
        name = next((each for each in ("database_direct", "database") if getattr(settings, each)), "home")
        if settings.get_source(name) is SettingSource.DEFAULT or settings.get_display_name(name) in str(error):
            raise
        address = hide_password(str(getattr(settings, name)))
        raise type(error)(f"{error} {settings.get_display_name(name)} is {address}.") from error


def open_for_serving(settings: Settings) -> Database:
    """Open the dictionary for a worker, which must close it. Raises SettingError."""
    subscribe(SUBSCRIBERS)
    return Database(
        settings.database_url,
        outage_lock_file=settings.run_folder / "outage.lock",
        max_connections=settings.database_connections,
    )


def create_empty_dictionary(settings: Settings) -> None:
    """Create an empty dictionary. Raises ConflictError if there is one that is not empty."""
    _prepare_database(settings)
    with Database(settings.direct_url) as database:
        bundled_data.initialise_empty(database)
