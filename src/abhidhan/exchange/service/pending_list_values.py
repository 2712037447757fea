"""Submissions of list values that other records need, and the application of approved records."""

import hashlib
from collections.abc import Iterator
from typing import NamedTuple, TypeVar, cast

import msgspec

from abhidhan.editing.service.editor import Editor
from abhidhan.editing.service.list_values import place_list_value
from abhidhan.editing.store.records import list_items
from abhidhan.editing.store.records.edit_context import Edit
from abhidhan.editing.store.records.record_lookup import records_of, with_known_ideas
from abhidhan.exchange.store.loading.bulk_load import Loading, load_within
from abhidhan.platform.database.database import Writer
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import ConflictError, InputError, sentence
from abhidhan.records.history import ListItemState, RecordName
from abhidhan.records.import_records import Fault, Names, Placed, inverse_of, new_list_item
from abhidhan.records.kinds import ListItemRecord
from abhidhan.records.kinds.catalogue import ListValueRecord
from abhidhan.records.list_value_names import ValueName, can_wait, values_named, with_value_names
from abhidhan.records.lookup_lists import LIST_VALUE_NAMES, ListName
from abhidhan.records.submission_payloads import FileRecord, RecordData, ReviewedRecord
from abhidhan.records.submissions import Status
from abhidhan.submissions.store import MARK_FOR_GOOD, SubmissionRow, read_marked
from assamese.normalization import nfc, squeeze

R = TypeVar("R", bound=ReviewedRecord)


class Need(msgspec.Struct, frozen=True):
    """A list value that a record names and the dictionary lacks, with the submission that adds it."""

    list: str
    value: str
    submission_id: int
    waits: bool
    """Whether the submission is pending; else it was rejected or deleted."""


# --- values in files ----------------------------------------------------------------------------------------------


class FileValues:
    """The values of lookup lists in a file; new ones are submitted for review under their names."""

    def __init__(self, catalogue: Catalogue, names: Names) -> None:
        """Initialise with the values of a database; new ones are added to `names` for the records that use them."""
        self._values = {(item.list, item.id): item.value for item in catalogue.items}
        self._names = names
        self._held: list[tuple[Placed, ListItemRecord]] = []

    def knows(self, record: ListItemRecord) -> bool:
        """Record the ID of a value in the file; return whether the list, or an earlier record, already has the value.

        Raises InputError for an invalid value.
        """
        clean = new_list_item(record, self._names)
        self._values[record.list, record.id] = clean.value
        return (record.list, clean.value.casefold()) in self._names.items

    def hold(self, placed: Placed, record: ListItemRecord) -> None:
        """Hold back a new value until the names of the other values to which it may refer are known."""
        clean = new_list_item(record, self._names)
        self._names.items[record.list, clean.value.casefold()] = 0
        self._held.append((placed, clean))

    def release(self) -> Iterator[ListValueRecord | Fault]:
        """Yield the values held back, with references to other values by name."""
        held, self._held = self._held, []
        for placed, record in held:
            parent, inverse = self._named(record, record.parent), self._inverse(record)
            if record.parent and parent is None:
                detail = f"There is no value with the ID {record.parent} in the list {record.list} (in parent)."
                yield Fault(placed.file, placed.line, detail)
                continue
            code = None if record.list == ListName.RELATIONS else record.code
            yield ListValueRecord(record.list, record.value, code, parent, inverse, record.short)

    def _inverse(self, record: ListItemRecord) -> str | None:
        return self._named(record, inverse_of(record.code)) if record.list == ListName.RELATIONS else None

    def _named(self, record: ListItemRecord, item_id: int | None) -> str | None:
        return self._values.get((record.list, item_id)) if item_id else None


def mark_of_value(list_name: str, value: str) -> str:
    """Return the mark of the submission that adds a value; it is the same for every file."""
    named = f"{list_name}:{value.casefold()}"
    return f"{MARK_FOR_GOOD}value:{hashlib.sha256(named.encode()).hexdigest()}"


# --- records that need values -----------------------------------------------------------------------------------------


class _Found(NamedTuple):
    """Values that a record names and lists lack: the current names of approved ones, and those not approved."""

    renamed: dict[ValueName, str]
    needed: tuple[Need, ...]


def needs_of(connection: Writer, *, record: ReviewedRecord) -> tuple[Need, ...]:
    """Return the values that must be approved before a record."""
    return _find(Edit(connection, Catalogue((), (), ()), 0), record).needed


def with_approved_values(edit: Edit, record: R) -> R:
    """Replace names of values by those approved, which editors may have changed. Raises ConflictError if one is not."""
    found = _find(edit, record)
    for need in found.needed:
        raise ConflictError(
            sentence(
                "This needs the %(kind)s “%(value)s”, which has not been approved: "
                "approve it first (submission %(id)s).",
                kind=LIST_VALUE_NAMES[need.list],
                value=need.value,
                id=need.submission_id,
            )
        )
    called = with_value_names(record, lambda name: found.renamed.get(name, name[1]))
    return cast("R", called)


def known_value(edit: Edit, record: ListValueRecord) -> RecordName | None:
    """Return a list value that already exists under the name, because an editor changed or added one; else None.

    Records that need the pending value then use the existing one.
    """
    found = list_items.find_list_item(edit, record.list, squeeze(nfc(record.value)))
    return RecordName("list_item", f"{found.list}-{found.item_id}") if found else None


def _find(edit: Edit, record: ReviewedRecord) -> _Found:
    renamed: dict[ValueName, str] = {}
    needed: list[Need] = []
    for list_name, value in values_named(record):
        if list_items.find_list_item(edit, list_name, value):
            continue
        row = read_marked(edit.connection, mark_of_value(list_name, value))
        approved = _approved(edit, row) if row else None
        if approved:
            renamed[list_name, value] = approved.value
        elif row and not can_wait(record, (list_name, value)):
            needed.append(Need(list_name, value, row.id, row.status == Status.PENDING))
    return _Found(renamed, tuple(needed))


def _approved(edit: Edit, row: SubmissionRow) -> ListItemState | None:
    """Return the value that an approved submission has added; None if there is none."""
    if row.status != Status.APPROVED or not row.result:
        return None
    return list_items.read_list_item(edit, RecordName.parse(row.result).id)


# --- approval -------------------------------------------------------------------------------------------------------


def placed_data(data: RecordData) -> list[Placed]:
    """List the records of a submission as those of a file; a list value is edited into its list instead, not loaded."""
    if isinstance(data.record, ListValueRecord):
        return []
    return [Placed("submission", 1, one) for one in (*data.sources, *data.languages, data.record)]


def place_record(editor: Editor, data: RecordData) -> RecordName:
    """Add a record to the dictionary with history; return the reference to its main record. Raises InputError.

    Raises ConflictError while the record needs a list value that is not approved.
    """
    record = with_approved_values(editor.edit, data.record)
    if isinstance(record, ListValueRecord):
        return known_value(editor.edit, record) or place_list_value(editor, record)
    return _imported(editor, data, record)


def _imported(editor: Editor, data: RecordData, given: FileRecord) -> RecordName:
    """Import a record as from its file, without references to ideas that no longer exist."""
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
