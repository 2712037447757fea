"""Values of lookup lists: add and rename them."""

import msgspec

from abhidhan.editing.service.editor import Edited, EditSession, commit_edit, require_record
from abhidhan.editing.store.records import list_items
from abhidhan.records.errors import ConflictError, InputError, sentence
from abhidhan.records.history import HistoryAction, ListItemState, RecordRef
from abhidhan.records.kinds.catalogue import READ_ONLY_LISTS, ListValueRecord
from abhidhan.records.lookup_lists import ListName


def add_list_value(session: EditSession, list_name: ListName, value: str) -> Edited:
    """Add a value to a lookup list."""
    return commit_edit(
        session, HistoryAction.LIST_EDITED, insert_list_value(session, ListValueRecord(str(list_name), value))
    )


def insert_list_value(session: EditSession, record: ListValueRecord) -> RecordRef:
    """Add a value at the end of a lookup list, under its parent if it has one.

    A relation type and its inverse are added one after the other; the second call links them. Raises InputError, and
    ConflictError if the list already has the value.
    """
    _check_editable(record.list)
    valid_name = session.validator.clean_list_value(record.value)
    code, short = (
        session.validator.clean_list_code("code", record.code),
        session.validator.clean_list_code("short", record.short),
    )
    session.validator.raise_problems()
    if list_items.find_list_item(session.context, record.list, valid_name):
        raise ConflictError(
            sentence("The list %(list)s already contains %(value)s.", list=record.list, value=valid_name)
        )
    item_id = list_items.find_next_item_id(session.context, record.list)
    parent = _find_parent_id(session, record)
    if short and list_items.is_code_taken(session.context, record.list, short):
        short = None
    state = ListItemState(record.list, item_id, valid_name, item_id, code, parent, short)
    if record.list != ListName.RELATIONS:
        return session.recorder.create("list_item", state)
    return _create_with_inverse(session, msgspec.structs.replace(state, code=None), record.inverse)


def _find_parent_id(session: EditSession, record: ListValueRecord) -> int | None:
    if not record.parent:
        return None
    parent = list_items.find_list_item(session.context, record.list, record.parent)
    if parent is None:
        raise InputError.of(
            "parent",
            sentence("The list %(list)s has no value %(value)s.", list=record.list, value=record.parent),
        )
    return parent.item_id


def _create_with_inverse(session: EditSession, state: ListItemState, inverse: str | None) -> RecordRef:
    """Add a relation type and link it with its inverse; a symmetric type is its own inverse."""
    is_symmetric = inverse is not None and inverse.casefold() == state.value.casefold()
    other = list_items.find_list_item(session.context, state.list, inverse) if inverse and not is_symmetric else None
    code = state.item_id if is_symmetric else other.item_id if other else None
    ref = session.recorder.create("list_item", msgspec.structs.replace(state, code=None if code is None else str(code)))
    if other and other.code is None:
        linked = msgspec.structs.replace(other, code=str(state.item_id))
        session.recorder.apply(RecordRef("list_item", f"{other.list}-{other.item_id}"), linked)
    return ref


def rename_list_value(session: EditSession, list_name: ListName, item_id: int, value: str) -> Edited:
    """Rename a value of a lookup list."""
    _check_editable(list_name)
    ref = RecordRef("list_item", f"{list_name}-{item_id}")
    state = require_record(session, ref)
    valid_name = session.validator.clean_list_value(value)
    session.validator.raise_problems()
    if isinstance(state, ListItemState):
        session.recorder.apply(ref, msgspec.structs.replace(state, value=valid_name))
    return commit_edit(session, HistoryAction.LIST_EDITED, ref)


def _check_editable(list_name: str) -> None:
    if list_name in READ_ONLY_LISTS:
        raise InputError.of(
            "list",
            sentence("The list %(list_name)s cannot be edited because the program depends on it.", list_name=list_name),
        )
