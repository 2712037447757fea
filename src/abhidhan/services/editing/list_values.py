"""The values of lookup lists: adding and renaming them."""

import msgspec

from abhidhan.domain.history import Action, ListItemState, RecordName
from abhidhan.domain.lists import ListName
from abhidhan.domain.records.list_item import FIXED_LISTS
from abhidhan.errors import InputError, sentence
from abhidhan.services.editing.editor import Edited, Editor, edited, existing
from abhidhan.storage.records import list_items


def add_list_value(editor: Editor, list_name: ListName, value: str) -> Edited:
    """Add a value to a lookup list."""
    _refuse_fixed(list_name)
    clean = editor.draft.list_value(value)
    editor.draft.finish()
    item_id = list_items.next_item_id(editor.edit, list_name)
    state = ListItemState(str(list_name), item_id, clean, item_id)
    return edited(editor, Action.LIST_EDITED, editor.ledger.create("list_item", state))


def rename_list_value(editor: Editor, list_name: ListName, item_id: int, value: str) -> Edited:
    """Rename a value of a lookup list."""
    _refuse_fixed(list_name)
    name = RecordName("list_item", f"{list_name}-{item_id}")
    state = existing(editor, name)
    clean = editor.draft.list_value(value)
    editor.draft.finish()
    if isinstance(state, ListItemState):
        editor.ledger.put(name, msgspec.structs.replace(state, value=clean))
    return edited(editor, Action.LIST_EDITED, name)


def _refuse_fixed(list_name: ListName) -> None:
    if list_name in FIXED_LISTS:
        raise InputError.of(
            "list",
            sentence("The list %(list_name)s cannot be edited: the program itself depends on it.", list_name=list_name),
        )
