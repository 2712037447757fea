"""What was approved of files is put into the dictionary, as an import would have done."""

import msgspec

from abhidhan.editing.service.editor import Editor
from abhidhan.editing.service.list_values import place_list_value
from abhidhan.editing.store.records.record_lookup import records_of, with_known_ideas
from abhidhan.exchange.service.pending_list_values import known_value, with_approved_values
from abhidhan.exchange.store.loading.bulk_load import Loading, load_within
from abhidhan.records.errors import InputError
from abhidhan.records.history import RecordName
from abhidhan.records.import_records import Placed
from abhidhan.records.kinds.catalogue import ListValueRecord
from abhidhan.records.submission_payloads import FileRecord, RecordData


def placed_data(data: RecordData) -> list[Placed]:
    """Place what a submission holds as a file would; a value of a list is edited into its list, not loaded."""
    if isinstance(data.record, ListValueRecord):
        return []
    return [Placed("submission", 1, one) for one in (*data.sources, *data.languages, data.record)]


def place_record(editor: Editor, data: RecordData) -> RecordName:
    """Put a record into the dictionary, noting what changes; name what it is about. Raises InputError.

    Raises ConflictError while it needs a value of a list that was not approved.
    """
    record = with_approved_values(editor.edit, data.record)
    if isinstance(record, ListValueRecord):
        return known_value(editor.edit, record) or place_list_value(editor, record)
    return _imported(editor, data, record)


def _imported(editor: Editor, data: RecordData, given: FileRecord) -> RecordName:
    """Import a record as its file would have been. What leads to ideas that are not there by now is left out."""
    before = {name: editor.ledger.current(name) for name in records_of(editor.edit, given)}
    record = with_known_ideas(editor.edit, given)
    placed = placed_data(msgspec.structs.replace(data, record=record))
    loaded = load_within(editor.edit.connection, placed, Loading(editor.now))
    if loaded.faults:
        raise InputError.of("data", " ".join(fault.detail for fault in loaded.faults))
    found = records_of(editor.edit, record)
    for name in found:
        editor.ledger.note(name, before.get(name))
    return found[0]
