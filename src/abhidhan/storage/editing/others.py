"""Proverbs, list items, photos and submissions as they are edited."""

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import ColumnElement, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from abhidhan.domain.history import ListItemState, PhotoState, PhraseState, SubmissionState
from abhidhan.domain.lists import ListName
from abhidhan.domain.submissions import Status
from abhidhan.errors import ConflictError, sentence
from abhidhan.storage.editing.edit import Edit
from abhidhan.storage.indexes import phrase_grams
from abhidhan.storage.indexes.stored_keys import KEYS_OF_PHRASES
from abhidhan.storage.schema import idea, idea_context, idea_relation, list_item, photo, phrase, submission, word

_OF_PHRASE = PhraseState.__struct_fields__


# --- proverbs -----------------------------------------------------------------------------------------------------


def read_phrase(edit: Edit, record_id: str) -> PhraseState | None:
    """Read what a proverb holds now."""
    row = edit.hold(select(phrase).where(phrase.c.id == int(record_id))).one_or_none()
    return PhraseState(**{name: getattr(row, name) for name in _OF_PHRASE}) if row else None


def create_phrase(edit: Edit, after: PhraseState, record_id: str | None) -> str:
    """Make a proverb, and give its ID. Raises ConflictError when the language has it already."""
    try:
        with edit.connection.begin_nested():
            phrase_id = edit.insert(phrase, _phrase_values(edit, after), int(record_id) if record_id else None)
    except IntegrityError:
        raise ConflictError(sentence("The proverb %(text)s is already in this language.", text=after.text)) from None
    phrase_grams.renew(edit.connection, phrase_id)
    return str(phrase_id)


def change_phrase(edit: Edit, record_id: str, before: PhraseState, after: PhraseState) -> None:
    """Change a proverb, and the pieces by which it is found."""
    del before
    phrase_id = int(record_id)
    try:
        with edit.connection.begin_nested():
            edit.connection.execute(update(phrase).where(phrase.c.id == phrase_id).values(_phrase_values(edit, after)))
    except IntegrityError:
        raise ConflictError(sentence("The proverb %(text)s is already in this language.", text=after.text)) from None
    phrase_grams.renew(edit.connection, phrase_id)


def delete_phrase(edit: Edit, record_id: str) -> None:
    """Delete a proverb."""
    phrase_grams.remove(edit.connection, int(record_id))
    edit.connection.execute(delete(phrase).where(phrase.c.id == int(record_id)))


def _phrase_values(edit: Edit, state: PhraseState) -> dict[str, Any]:
    keys = KEYS_OF_PHRASES.of(state.text, edit.codes[state.language_id])
    return {name: getattr(state, name) for name in _OF_PHRASE} | keys


# --- lists --------------------------------------------------------------------------------------------------------


def read_list_item(edit: Edit, record_id: str) -> ListItemState | None:
    """Read a value of a lookup list; its ID is written `POS-3`."""
    name, _, number = record_id.partition("-")
    wanted = (list_item.c.list == name, list_item.c.id == int(number))
    row = edit.hold(select(list_item).where(*wanted)).one_or_none()
    return ListItemState(row.list, row.id, row.value, row.position, row.code, row.parent_id) if row else None


def create_list_item(edit: Edit, after: ListItemState, _: str | None) -> str:
    """Add a value to a lookup list, and give its ID."""
    try:
        with edit.connection.begin_nested():
            edit.connection.execute(insert(list_item).values(id=after.item_id, **_item_values(after)))
    except IntegrityError:
        raise ConflictError(
            sentence("The list %(list)s already has the value %(value)s.", list=after.list, value=after.value)
        ) from None
    return f"{after.list}-{after.item_id}"


def change_list_item(edit: Edit, record_id: str, before: ListItemState, after: ListItemState) -> None:
    """Change a value of a lookup list."""
    del record_id
    wanted = (list_item.c.list == before.list, list_item.c.id == before.item_id)
    try:
        with edit.connection.begin_nested():
            edit.connection.execute(update(list_item).where(*wanted).values(_item_values(after)))
    except IntegrityError:
        raise ConflictError(
            sentence("The list %(list)s already has the value %(value)s.", list=after.list, value=after.value)
        ) from None


def delete_list_item(edit: Edit, record_id: str) -> None:
    """Remove a value of a lookup list that nothing uses. Raises ConflictError when something does."""
    name, _, number = record_id.partition("-")
    for column in _USES.get(name, ()):
        if edit.connection.execute(select(column).where(column == int(number)).limit(1)).first():
            raise ConflictError(sentence("This value is in use: give everything that uses it another value first."))
    edit.connection.execute(delete(list_item).where(list_item.c.list == name, list_item.c.id == int(number)))


_USES: Final[Mapping[str, tuple[ColumnElement[Any], ...]]] = {
    ListName.PARTS_OF_SPEECH: (idea.c.pos_id,),
    ListName.GENDERS: (idea.c.gender_id,),
    ListName.CONTEXTS: (idea_context.c.context_id, list_item.c.parent_id),
    ListName.VARIANTS: (word.c.variant_id,),
    ListName.RELATIONS: (idea_relation.c.type_id,),
    ListName.PHRASE_CATEGORIES: (phrase.c.category_id,),
}
"""Where the values of each list are used."""


def next_item_id(edit: Edit, list_name: str) -> int:
    """Return the ID of a new value of a lookup list."""
    last = edit.connection.execute(select(func.max(list_item.c.id)).where(list_item.c.list == list_name)).scalar()
    return (last or 0) + 1


def _item_values(state: ListItemState) -> dict[str, Any]:
    return {
        "list": state.list,
        "value": state.value,
        "code": state.code,
        "parent_id": state.parent_id,
        "position": state.position,
    }


# --- photos and submissions: what undoing a decision changes ------------------------------------------------------


def read_photo(edit: Edit, record_id: str) -> PhotoState | None:
    """Read where a photo stands."""
    row = edit.hold(select(photo).where(photo.c.id == int(record_id))).one_or_none()
    return PhotoState(row.idea_id, row.status, row.credit, row.reason) if row else None


def change_photo(edit: Edit, record_id: str, before: PhotoState, after: PhotoState) -> None:
    """Change where a photo stands, or which idea it shows. Raises ConflictError when its bytes are gone."""
    del before
    photo_id = int(record_id)
    purged = edit.connection.execute(select(photo.c.purged).where(photo.c.id == photo_id)).scalar()
    if purged and after.status in {Status.PENDING, Status.APPROVED}:
        raise ConflictError(sentence("The files of this photo have been deleted."))
    values: dict[str, Any] = {"idea_id": after.idea_id, "status": after.status, "reason": after.reason}
    if after.status == Status.PENDING:
        values |= {"decided": None, "decided_by": None}
    edit.connection.execute(update(photo).where(photo.c.id == photo_id).values(values))


def photos_of_idea(edit: Edit, idea_id: int) -> dict[str, PhotoState]:
    """List the photos of an idea, whatever became of them, by ID."""
    rows = edit.connection.execute(select(photo).where(photo.c.idea_id == idea_id).order_by(photo.c.id))
    return {str(row.id): PhotoState(row.idea_id, row.status, row.credit, row.reason) for row in rows}


def read_submission(edit: Edit, record_id: str) -> SubmissionState | None:
    """Read where a submission stands."""
    row = edit.hold(select(submission).where(submission.c.id == int(record_id))).one_or_none()
    return SubmissionState(row.status, row.reason, row.result) if row else None


def change_submission(edit: Edit, record_id: str, before: SubmissionState, after: SubmissionState) -> None:
    """Change where a submission stands."""
    del before
    values: dict[str, Any] = {"status": after.status, "reason": after.reason, "result": after.result}
    values |= {"decided": None, "decided_by": None} if after.status == Status.PENDING else {"decided": edit.now}
    edit.connection.execute(update(submission).where(submission.c.id == int(record_id)).values(values))


def idea_exists(edit: Edit, idea_id: int) -> bool:
    """Return whether there is such an idea."""
    return edit.connection.execute(select(idea.c.id).where(idea.c.id == idea_id)).first() is not None
