"""Read and write values of lookup lists in an edit."""

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import ColumnElement, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from abhidhan.editing.store.records.edit_context import EditContext
from abhidhan.records.errors import ConflictError, sentence
from abhidhan.records.history import ListItemState
from abhidhan.records.ids import FIRST_LOCAL_ID
from abhidhan.records.lookup_lists import ListName
from abhidhan.schema import idea, idea_context, idea_relation, list_item, phrase, word


def read_list_item(context: EditContext, record_id: str) -> ListItemState | None:
    """Return a value of a lookup list, or None; `record_id` has the form `POS-3`."""
    name, _, number = record_id.partition("-")
    conditions = (list_item.c.list == name, list_item.c.id == int(number))
    row = context.connection.execute(select(list_item).where(*conditions)).one_or_none()
    return ListItemState(row.list, row.id, row.value, row.position, row.code, row.parent_id, row.short) if row else None


def find_list_item(context: EditContext, list_name: str, value: str) -> ListItemState | None:
    """Find a value of a lookup list by its name, case-insensitively."""
    for row in context.connection.execute(select(list_item).where(list_item.c.list == list_name)):
        if row.value.casefold() == value.casefold():
            return ListItemState(row.list, row.id, row.value, row.position, row.code, row.parent_id, row.short)
    return None


def is_code_taken(context: EditContext, list_name: str, short: str) -> bool:
    """Return whether a lookup list already has this short code, case-insensitively."""
    codes = context.connection.execute(select(list_item.c.short).where(list_item.c.list == list_name)).scalars()
    return short.casefold() in {code.casefold() for code in codes if code}


def create_list_item(context: EditContext, after: ListItemState, _: str | None) -> str:
    """Insert a value into a lookup list; return its ID. Raises ConflictError if it already exists."""
    try:
        with context.connection.begin_nested():
            context.connection.execute(insert(list_item).values(id=after.item_id, **_build_item_row(after)))
    except IntegrityError:
        raise ConflictError(
            sentence("The list %(list)s already contains %(value)s.", list=after.list, value=after.value)
        ) from None
    return f"{after.list}-{after.item_id}"


def change_list_item(context: EditContext, record_id: str, before: ListItemState, after: ListItemState) -> None:
    """Update a value of a lookup list. Raises ConflictError if the new value already exists."""
    del record_id
    conditions = (list_item.c.list == before.list, list_item.c.id == before.item_id)
    try:
        with context.connection.begin_nested():
            context.connection.execute(update(list_item).where(*conditions).values(_build_item_row(after)))
    except IntegrityError:
        raise ConflictError(
            sentence("The list %(list)s already contains %(value)s.", list=after.list, value=after.value)
        ) from None


def delete_list_item(context: EditContext, record_id: str) -> None:
    """Delete an unused value of a lookup list. Raises ConflictError if it is in use."""
    name, _, number = record_id.partition("-")
    for column in _REFERENCING_COLUMNS.get(name, ()):
        if context.connection.execute(select(column).where(column == int(number)).limit(1)).first():
            raise ConflictError(sentence("This value is in use. Give the records that use it another value first."))
    context.connection.execute(delete(list_item).where(list_item.c.list == name, list_item.c.id == int(number)))


_REFERENCING_COLUMNS: Final[Mapping[str, tuple[ColumnElement[Any], ...]]] = {
    ListName.PARTS_OF_SPEECH: (idea.c.pos_id,),
    ListName.GENDERS: (idea.c.gender_id,),
    ListName.CONTEXTS: (idea_context.c.context_id, list_item.c.parent_id),
    ListName.VARIANTS: (word.c.variant_id,),
    ListName.RELATIONS: (idea_relation.c.type_id,),
    ListName.PHRASE_CATEGORIES: (phrase.c.category_id,),
}
"""Columns that reference the values of each list."""


def find_next_item_id(context: EditContext, list_name: str) -> int:
    """Return the next free ID in a lookup list."""
    last = context.connection.execute(select(func.max(list_item.c.id)).where(list_item.c.list == list_name)).scalar()
    min_id = FIRST_LOCAL_ID if list_name == ListName.PARTS_OF_SPEECH else 1
    return max((last or 0) + 1, min_id)


def _build_item_row(state: ListItemState) -> dict[str, Any]:
    return {
        "list": state.list,
        "value": state.value,
        "code": state.code,
        "parent_id": state.parent_id,
        "short": state.short,
        "position": state.position,
    }
