"""Values of lookup lists: add and rename them."""

import msgspec

from abhidhan.editing.service.editor import Edited, EditSession, commit_edit, require_record
from abhidhan.editing.store.records import list_items
from abhidhan.records.errors import ConflictError, InputError, sentence
from abhidhan.records.history import HistoryAction, ListItemState, RecordRef
from abhidhan.records.kinds.catalogue import FIXED_LISTS, ListValueRecord
from abhidhan.records.lookup_lists import ListName


def add_list_value(editor: EditSession, list_name: ListName, value: str) -> Edited:
    """Add a value to a lookup list."""
    return commit_edit(
        editor, HistoryAction.LIST_EDITED, insert_list_value(editor, ListValueRecord(str(list_name), value))
    )


def insert_list_value(editor: EditSession, record: ListValueRecord) -> RecordRef:
    """Add a value at the end of a lookup list, under its parent if it has one.

    A relation type and its inverse are added one after the other; the second call links them. Raises InputError, and
    ConflictError if the list already has the value.
    """
    _check_editable(record.list)
    clean = editor.draft.list_value(record.value)
    code, short = editor.draft.list_code("code", record.code), editor.draft.list_code("short", record.short)
    editor.draft.finish()
    if list_items.find_list_item(editor.edit, record.list, clean):
        raise ConflictError(sentence("The list %(list)s already contains %(value)s.", list=record.list, value=clean))
    item_id = list_items.next_item_id(editor.edit, record.list)
    parent = _parent(editor, record)
    if short and list_items.is_code_taken(editor.edit, record.list, short):
        short = None
    state = ListItemState(record.list, item_id, clean, item_id, code, parent, short)
    if record.list != ListName.RELATIONS:
        return editor.recorder.create("list_item", state)
    return _with_inverse(editor, msgspec.structs.replace(state, code=None), record.inverse)


def _parent(editor: EditSession, record: ListValueRecord) -> int | None:
    if not record.parent:
        return None
    parent = list_items.find_list_item(editor.edit, record.list, record.parent)
    if parent is None:
        raise InputError.of(
            "parent",
            sentence("The list %(list)s has no value %(value)s.", list=record.list, value=record.parent),
        )
    return parent.item_id


def _with_inverse(editor: EditSession, state: ListItemState, inverse: str | None) -> RecordRef:
    """Add a relation type and link it with its inverse; a symmetric type is its own inverse."""
    is_symmetric = inverse is not None and inverse.casefold() == state.value.casefold()
    other = list_items.find_list_item(editor.edit, state.list, inverse) if inverse and not is_symmetric else None
    code = state.item_id if is_symmetric else other.item_id if other else None
    made = editor.recorder.create("list_item", msgspec.structs.replace(state, code=None if code is None else str(code)))
    if other and other.code is None:
        linked = msgspec.structs.replace(other, code=str(state.item_id))
        editor.recorder.apply(RecordRef("list_item", f"{other.list}-{other.item_id}"), linked)
    return made


def rename_list_value(editor: EditSession, list_name: ListName, item_id: int, value: str) -> Edited:
    """Rename a value of a lookup list."""
    _check_editable(list_name)
    name = RecordRef("list_item", f"{list_name}-{item_id}")
    state = require_record(editor, name)
    clean = editor.draft.list_value(value)
    editor.draft.finish()
    if isinstance(state, ListItemState):
        editor.recorder.apply(name, msgspec.structs.replace(state, value=clean))
    return commit_edit(editor, HistoryAction.LIST_EDITED, name)


def _check_editable(list_name: str) -> None:
    if list_name in FIXED_LISTS:
        raise InputError.of(
            "list",
            sentence("The list %(list_name)s cannot be edited because the program depends on it.", list_name=list_name),
        )
