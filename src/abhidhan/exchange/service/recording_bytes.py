"""The bytes of approved recordings, for what is written into files: read here and now, one after another."""

from collections.abc import Callable
from functools import cached_property, partial
from typing import Final

from abhidhan.media.store.recordings import RECORDINGS
from abhidhan.platform.database.database import Database
from abhidhan.platform.sandbox.object_store import FileStore
from abhidhan.records.recordings import SUFFIX
from abhidhan.records.submissions import Status

NOT_STATED: Final = "not stated"
"""What is said of the licence of a recording that has none."""


class Sounds:
    """The recordings of a dictionary, where they are kept."""

    def __init__(self, database: Database, open_store: Callable[[], FileStore]) -> None:
        """Ask a database what may be heard; the store is opened when the first one is read."""
        self._database = database
        self._open_store = open_store

    @cached_property
    def _files(self) -> FileStore:
        return self._open_store()

    def read(self, recording_id: int) -> bytes | None:
        """Read a recording; None where its file is lost. Raises UnavailableError when the store cannot be reached.

        Whoever writes a file sees the dictionary as it was when that began. What was withdrawn since is None too.
        """
        row = self._database.read_now(partial(RECORDINGS.find, number=recording_id))
        if row is None or row.purged or row.status != Status.APPROVED:
            return None
        return self._files.read_now(row.key + SUFFIX)
