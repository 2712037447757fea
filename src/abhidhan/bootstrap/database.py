"""The dictionary opened as the settings say, for the server and for commands."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from abhidhan.services.exchange import importing
from abhidhan.settings import Settings
from abhidhan.storage.engine.database import Database
from abhidhan.storage.migrate import prepare


@contextmanager
def open_dictionary(settings: Settings) -> Iterator[Database]:
    """Open the dictionary: an absent one is made and given the starter data, an older one brought up to date."""
    prepare(settings.database_url, settings.backups)
    with Database(settings.database_url) as database:
        importing.load_starter(database, now=int(time.time()))
        yield database
