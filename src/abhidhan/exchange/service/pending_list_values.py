"""Submissions of list values that other submitted records need, and the import of approved records."""

import hashlib
from collections.abc import Iterator
from typing import NamedTuple, TypeVar, cast

import msgspec

from abhidhan.editing.service.editor import EditSession
from abhidhan.editing.service.list_values import insert_list_value
from abhidhan.editing.store.records import list_items
from abhidhan.editing.store.records.edit_context import EditContext
from abhidhan.editing.store.records.record_lookup import drop_missing_ideas, find_records
from abhidhan.exchange.store.loading.bulk_load import BulkLoadOptions, load_in_transaction
from abhidhan.platform.database.database import WriteConnection
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import ConflictError, InputError, sentence
from abhidhan.records.history import ListItemState, RecordRef
from abhidhan.records.import_records import LocatedRecord, NameIds, RecordError, convert_list_item, parse_inverse_id
from abhidhan.records.kinds import ListItemRecord
from abhidhan.records.kinds.catalogue import ListValueRecord
from abhidhan.records.list_value_names import ValueName, can_precede_value, list_referenced_values, rename_values
from abhidhan.records.lookup_lists import LIST_VALUE_NAMES, ListName
from abhidhan.records.submission_payloads import FileRecord, RecordData, ReviewedRecord
from abhidhan.records.submissions import Status
from abhidhan.submissions.store import PERMANENT_MARK_PREFIX, SubmissionRow, read_by_mark
from assamese.normalization import collapse_whitespace, nfc

R = TypeVar("R", bound=ReviewedRecord)


class NeededValue(msgspec.Struct, frozen=True):
    """A list value that a submitted record uses and the dictionary lacks, with the submission of the value."""

    list: str
    value: str
    submission_id: int
    is_pending: bool
    """True if the submission is pending; else it was rejected or deleted."""


# --- values in files ----------------------------------------------------------------------------------------------


class FileListValues:
    """The list values of a file; new ones are deferred until the values to which they refer are known."""

    def __init__(self, catalogue: Catalogue, names: NameIds) -> None:
        """Initialise with the values of a database; new ones are added to `names` for the records that use them."""
        self._values = {(item.list, item.id): item.value for item in catalogue.items}
        self._names = names
        self._deferred: list[tuple[LocatedRecord, ListItemRecord]] = []

    def register(self, record: ListItemRecord) -> bool:
        """Register the ID of a value in the file; return whether the list or an earlier record already has the value.

        Raises InputError for an invalid value.
        """
        clean = convert_list_item(record, self._names)
        self._values[record.list, record.id] = clean.value
        return (record.list, clean.value.casefold()) in self._names.items

    def defer(self, located: LocatedRecord, record: ListItemRecord) -> None:
        """Defer a new value until the names of all values to which it may refer are known."""
        clean = convert_list_item(record, self._names)
        self._names.items[record.list, clean.value.casefold()] = 0
        self._deferred.append((located, clean))

    def pop_deferred(self) -> Iterator[ListValueRecord | RecordError]:
        """Yield the deferred values, which refer to other values by name instead of ID, and clear them."""
        values, self._deferred = self._deferred, []
        for located, record in values:
            parent, inverse = self._value_name(record, record.parent), self._inverse_name(record)
            if record.parent and parent is None:
                detail = f"There is no value with the ID {record.parent} in the list {record.list} (in parent)."
                yield RecordError(located.file, located.line, detail)
                continue
            code = None if record.list == ListName.RELATIONS else record.code
            yield ListValueRecord(record.list, record.value, code, parent, inverse, record.short)

    def _inverse_name(self, record: ListItemRecord) -> str | None:
        return self._value_name(record, parse_inverse_id(record.code)) if record.list == ListName.RELATIONS else None

    def _value_name(self, record: ListItemRecord, item_id: int | None) -> str | None:
        return self._values.get((record.list, item_id)) if item_id else None


def build_value_mark(list_name: str, value: str) -> str:
    """Return the mark that identifies the submission of a list value, whichever file it comes from."""
    name = f"{list_name}:{value.casefold()}"
    return f"{PERMANENT_MARK_PREFIX}value:{hashlib.sha256(name.encode()).hexdigest()}"


# --- records that need values -----------------------------------------------------------------------------------------


class _ResolvedValues(NamedTuple):
    """List values that a record uses but the lists lack: the current names of approved ones, and the unapproved."""

    current_names: dict[ValueName, str]
    missing: tuple[NeededValue, ...]


def find_needed_values(connection: WriteConnection, *, record: ReviewedRecord) -> tuple[NeededValue, ...]:
    """Return the list values that must be approved before a record can be."""
    return _resolve_values(EditContext(connection, Catalogue((), (), ()), 0), record).missing


def use_approved_values(edit: EditContext, record: R) -> R:
    """Replace list values in a record by their approved names. Raises ConflictError if a value is not approved."""
    resolved = _resolve_values(edit, record)
    for need in resolved.missing:
        raise ConflictError(
            sentence(
                "This needs the %(kind)s “%(value)s”, which has not been approved: "
                "approve it first (submission %(id)s).",
                kind=LIST_VALUE_NAMES[need.list],
                value=need.value,
                id=need.submission_id,
            )
        )
    renamed_record = rename_values(record, lambda name: resolved.current_names.get(name, name[1]))
    return cast("R", renamed_record)


def find_existing_value(edit: EditContext, record: ListValueRecord) -> RecordRef | None:
    """Return the value of the same name that an editor has since added to the list; None if there is none.

    Records that need the submitted value then use the existing one.
    """
    item = list_items.find_list_item(edit, record.list, collapse_whitespace(nfc(record.value)))
    return RecordRef("list_item", f"{item.list}-{item.item_id}") if item else None


def _resolve_values(edit: EditContext, record: ReviewedRecord) -> _ResolvedValues:
    renamed: dict[ValueName, str] = {}
    needed: list[NeededValue] = []
    for list_name, value in list_referenced_values(record):
        if list_items.find_list_item(edit, list_name, value):
            continue
        row = read_by_mark(edit.connection, build_value_mark(list_name, value))
        approved = _read_approved_value(edit, row) if row else None
        if approved:
            renamed[list_name, value] = approved.value
        elif row and not can_precede_value(record, (list_name, value)):
            needed.append(NeededValue(list_name, value, row.id, row.status == Status.PENDING))
    return _ResolvedValues(renamed, tuple(needed))


def _read_approved_value(edit: EditContext, row: SubmissionRow) -> ListItemState | None:
    """Return the value that a submission has added; None if it is not approved or the value no longer exists."""
    if row.status != Status.APPROVED or not row.result:
        return None
    return list_items.read_list_item(edit, RecordRef.parse(row.result).id)


# --- approval -------------------------------------------------------------------------------------------------------


def collect_records(data: RecordData) -> list[LocatedRecord]:
    """Return the records of a submission to load; an empty list for a list value, which is added by an edit."""
    if isinstance(data.record, ListValueRecord):
        return []
    return [LocatedRecord("submission", 1, one) for one in (*data.sources, *data.languages, data.record)]


def add_record(editor: EditSession, data: RecordData) -> RecordRef:
    """Add a record to the dictionary with history; return the reference to its main record. Raises InputError.

    Raises ConflictError while the record needs a list value that is not approved.
    """
    record = use_approved_values(editor.context, data.record)
    if isinstance(record, ListValueRecord):
        return find_existing_value(editor.context, record) or insert_list_value(editor, record)
    return _import_record(editor, data, record)


def _import_record(editor: EditSession, data: RecordData, original: FileRecord) -> RecordRef:
    """Import a record as if from its file, without its references to ideas that no longer exist."""
    before = {ref: editor.recorder.get_current(ref) for ref in find_records(editor.context, original)}
    record = drop_missing_ideas(editor.context, original)
    records = collect_records(msgspec.structs.replace(data, record=record))
    loaded = load_in_transaction(editor.context.connection, records, BulkLoadOptions(editor.now))
    if loaded.errors:
        raise InputError.of("data", " ".join(fault.detail for fault in loaded.errors))
    refs = find_records(editor.context, record)
    for ref in refs:
        editor.recorder.record_change(ref, before.get(ref))
    return refs[0]
