"""Undoing the replacements and deletions of an import."""

from functools import partial
from typing import NamedTuple

from abhidhan.editing.service.editor import open_editor
from abhidhan.editing.store.history import Entry, entries_of_import
from abhidhan.editing.store.records.edit_context import undone_by_conflicts
from abhidhan.exchange.service.updating import THE_IMPORT
from abhidhan.platform.database.database import Database, Writer
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import ConflictError, NotFoundError
from abhidhan.records.history import Action, undo_of


class Restored(NamedTuple):
    """The number of restored records, and of those not restored because they have changed again."""

    records: int
    changed_since: int


def restore_import(database: Database, import_id: int, *, now: int) -> Restored:
    """Restore what an import has replaced and deleted; records that it added stay. Raises NotFoundError."""
    catalogue = database.read_now(lambda reader: reader.catalogue)
    return database.write_now(partial(_restore, catalogue=catalogue, import_id=import_id, now=now))


def _restore(connection: Writer, *, catalogue: Catalogue, import_id: int, now: int) -> Restored:
    entries = entries_of_import(connection, import_id)
    if not entries:
        raise NotFoundError(f"There is no import with the ID {import_id} that has replaced or removed anything.")
    restored = 0
    for entry in entries:
        editor = open_editor(connection, catalogue, THE_IMPORT, now)
        try:
            with undone_by_conflicts(connection):
                editor.ledger.put_all(undo_of(entry.changes, editor.ledger.current))
                editor.ledger.commit(Entry(Action.UNDONE, None, now, entry.main))
                restored += 1
        except ConflictError:
            continue
    return Restored(restored, len(entries) - restored)
