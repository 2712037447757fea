"""The dictionary opened as the settings say, for the server and for commands; and what follows each of its changes."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from abhidhan.services.exchange import starting
from abhidhan.settings import Settings
from abhidhan.storage import changes, mails
from abhidhan.storage.acceleration import idea_cache
from abhidhan.storage.engine.database import Database
from abhidhan.storage.history import Subscriber, subscribe
from abhidhan.storage.indexes import voices
from abhidhan.storage.migrate import prepare

SUBSCRIBERS: Final[tuple[Subscriber, ...]] = (
    idea_cache.refresh,
    changes.note_changes,
    voices.refresh,
    mails.note_decisions,
)
"""What follows every change of a record, in the transaction that writes it, in this order.

What is derived from one row alone, such as the keys and completions of a word, is written with the row
(`storage/records`).
"""


@contextmanager
def open_dictionary(settings: Settings, *, with_lists: bool = False) -> Iterator[Database]:
    """Open the dictionary: an absent one is made and given the starter data, an older one brought up to date.

    One that was begun empty stays empty, unless it is opened `with_lists`: then it has languages and lists at least.
    A standby has what its primary has.
    """
    subscribe(SUBSCRIBERS)
    prepare(settings.direct_url, settings.backups)
    with Database(settings.direct_url) as database:
        if not database.ask_recovery():
            starting.load_starter(database, now=int(time.time()))
            if with_lists:
                starting.load_lists(database, now=int(time.time()))
        yield database


def open_for_serving(settings: Settings) -> Database:
    """Open the dictionary for a worker, which closes it. Raises SettingError."""
    subscribe(SUBSCRIBERS)
    return Database(
        settings.database_url, outages=settings.run_folder / "outage.lock", connections=settings.database_connections
    )


def begin_empty_dictionary(settings: Settings) -> None:
    """Make a dictionary that holds nothing. Raises ConflictError if there is one that holds something."""
    prepare(settings.direct_url, settings.backups)
    with Database(settings.direct_url) as database:
        starting.begin_empty(database)
