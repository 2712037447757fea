"""Restoration of the records that an import has replaced or deleted."""

from functools import partial
from typing import NamedTuple

from abhidhan.editing.service.editor import open_edit_session
from abhidhan.editing.store.history import HistoryEntry, list_import_entries
from abhidhan.editing.store.records.edit_context import savepoint
from abhidhan.exchange.service.updating import IMPORT_USER
from abhidhan.platform.database.database import Database, WriteConnection
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import ConflictError, NotFoundError
from abhidhan.records.history import HistoryAction, build_undo


class RestoreResult(NamedTuple):
    """The numbers of records that were restored, and that were not because they have changed again since."""

    records: int
    changed_since: int


def restore_import(database: Database, import_id: int, *, now: int) -> RestoreResult:
    """Restore the records that an import has replaced or deleted; added ones stay. Raises NotFoundError."""
    catalogue = database.read_now(lambda reader: reader.catalogue)
    return database.write_now(partial(_restore, catalogue=catalogue, import_id=import_id, now=now))


def _restore(connection: WriteConnection, *, catalogue: Catalogue, import_id: int, now: int) -> RestoreResult:
    entries = list_import_entries(connection, import_id)
    if not entries:
        raise NotFoundError(f"There is no import with the ID {import_id} that has replaced or removed anything.")
    restored = 0
    for entry in entries:
        editor = open_edit_session(connection, catalogue, IMPORT_USER, now)
        try:
            with savepoint(connection):
                editor.recorder.apply_all(build_undo(entry.changes, editor.recorder.get_current))
                editor.recorder.commit(HistoryEntry(HistoryAction.UNDONE, None, now, entry.main))
                restored += 1
        except ConflictError:
            continue
    return RestoreResult(restored, len(entries) - restored)
