"""Confirmations as they are edited: one for each idea at most."""

from sqlalchemy import delete, insert, select, update

from abhidhan.editing.store.records.edit_context import Edit
from abhidhan.records.history import ConfirmationState
from abhidhan.schema import confirmation


def read_confirmation(edit: Edit, record_id: str) -> ConfirmationState | None:
    """Read the confirmation of an idea, by the idea's ID; None when it has none."""
    wanted = select(confirmation.c.confirmed).where(confirmation.c.idea_id == int(record_id))
    confirmed = edit.connection.execute(wanted).scalar()
    return None if confirmed is None else ConfirmationState(confirmed)


def create_confirmation(edit: Edit, after: ConfirmationState, record_id: str | None) -> str:
    """Confirm an idea. Without its ID there is nothing to confirm."""
    if record_id is None:
        raise TypeError("a confirmation has the ID of its idea")
    values = {"idea_id": int(record_id), "confirmed": after.confirmed}
    edit.connection.execute(insert(confirmation).values(values))
    return record_id


def change_confirmation(edit: Edit, record_id: str, before: ConfirmationState, after: ConfirmationState) -> None:
    """Change when an idea was confirmed, as undoing may do."""
    del before
    own = update(confirmation).where(confirmation.c.idea_id == int(record_id))
    edit.connection.execute(own.values(confirmed=after.confirmed))


def delete_confirmation(edit: Edit, record_id: str) -> None:
    """Take the confirmation of an idea away."""
    edit.connection.execute(delete(confirmation).where(confirmation.c.idea_id == int(record_id)))
