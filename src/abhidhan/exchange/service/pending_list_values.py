"""Records of files that wait for an editor: values of lookup lists, which others need first, and what is approved."""

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
    """A value that a record names and its list lacks, and the submission that would bring it."""

    list: str
    value: str
    submission_id: int
    waits: bool
    """Whether it can be decided on now; else it was rejected, or is gone."""


# --- what files bring ---------------------------------------------------------------------------------------------


class FileValues:
    """The values of lookup lists that a file brings. They wait under their names; those that are there do not."""

    def __init__(self, catalogue: Catalogue, names: Names) -> None:
        """Begin with the values of a database; `names` learns those that a file brings, for what names them."""
        self._values = {(item.list, item.id): item.value for item in catalogue.items}
        self._names = names
        self._held: list[tuple[Placed, ListItemRecord]] = []

    def knows(self, record: ListItemRecord) -> bool:
        """Note the ID by which a file knows a value; say whether the list, or the file, had the value before.

        Raises InputError for one that cannot be stored.
        """
        clean = new_list_item(record, self._names)
        self._values[record.list, record.id] = clean.value
        return (record.list, clean.value.casefold()) in self._names.items

    def hold(self, placed: Placed, record: ListItemRecord) -> None:
        """Keep a new value until the names of all others are known that it may name."""
        clean = new_list_item(record, self._names)
        self._names.items[record.list, clean.value.casefold()] = 0
        self._held.append((placed, clean))

    def release(self) -> Iterator[ListValueRecord | Fault]:
        """Return the values that were held, which name others by what they are called."""
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
    """Return the mark of the submission that brings a value: there is one for each, whichever file sends it."""
    named = f"{list_name}:{value.casefold()}"
    return f"{MARK_FOR_GOOD}value:{hashlib.sha256(named.encode()).hexdigest()}"


# --- what needs them ----------------------------------------------------------------------------------------------


class _Found(NamedTuple):
    """Of the values that a record names and lists lack: what they are called now, and which were not approved."""

    renamed: dict[ValueName, str]
    needed: tuple[Need, ...]


def needs_of(connection: Writer, *, record: ReviewedRecord) -> tuple[Need, ...]:
    """List the values that have to be approved before a record."""
    return _find(Edit(connection, Catalogue((), (), ()), 0), record).needed


def with_approved_values(edit: Edit, record: R) -> R:
    """Name values as they were approved: an editor may have mended their names. Raises ConflictError if one was not."""
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
    """Name the value that a list has already: an editor has mended a value into it, or somebody has added it since.

    What needs the value that waited then uses that one.
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
    """Read the value that came of a submission."""
    if row.status != Status.APPROVED or not row.result:
        return None
    return list_items.read_list_item(edit, RecordName.parse(row.result).id)


# --- what is approved -----------------------------------------------------------------------------------------------


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
