"""Editing service: each edit is one history entry, and can be undone."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeVar

from abhidhan.dictionary.store.confirmations import load_confirmations
from abhidhan.editing.service import cards, history, ideas, list_values, words
from abhidhan.editing.service.cards import delete_card_set
from abhidhan.editing.service.editor import (
    Edited,
    EditSession,
    build_version_conflict,
    commit_edit,
    open_edit_session,
    read_current_result,
    require_record,
)
from abhidhan.editing.service.history import RevisionView
from abhidhan.editing.service.ideas import delete_idea
from abhidhan.editing.service.words import delete_phrase, delete_sense, delete_word
from abhidhan.editing.store import history as stored_history
from abhidhan.platform.database.database import Database, WriteConnection
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import NotFoundError, sentence
from abhidhan.records.history import RECORD_KIND_NAMES, HistoryAction, RecordRef, RecordState, RelationState
from abhidhan.records.ideas import Confirmation
from abhidhan.records.input_validation import InputReader, RecordChanges
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.people import Permission, Person, require_permission
from abhidhan.records.submission_payloads import CardData, CardSetData, IdeaData, ProverbData, WordData

T = TypeVar("T")


class Editing:
    """Service for direct edits. Each method is one transaction with one history entry."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        """Initialise with a database. `clock` returns the seconds since 1970."""
        self._database = database
        self._clock = clock

    async def read(self, person: Person, ref: RecordRef) -> Edited:
        """Return the state and version of a record. Raises NotFoundError, ForbiddenError."""
        return await self._read(person, partial(read_current_result, ref=ref))

    async def add_word(self, person: Person, data: WordData) -> Edited:
        """Add a word to an existing or new idea. Raises InputError, ConflictError."""
        return await self._write(person, partial(words.add_word, data=data))

    async def add_idea(self, person: Person, data: IdeaData) -> Edited:
        """Add an idea without words. Raises InputError."""
        return await self._write(person, partial(ideas.add_idea, data=data))

    async def add_proverb(self, person: Person, data: ProverbData) -> Edited:
        """Add a proverb. Raises InputError, ConflictError."""
        return await self._write(person, partial(words.add_proverb, data=data))

    async def add_card(self, person: Person, data: CardData) -> Edited:
        """Add a flashcard to a set. Raises InputError."""
        return await self._write(person, partial(cards.add_card, data=data))

    async def add_card_set(self, person: Person, data: CardSetData) -> Edited:
        """Add an empty set of flashcards. Raises InputError."""
        return await self._write(person, partial(cards.add_card_set, data=data))

    async def move_card(self, person: Person, card_id: int, steps: int) -> Edited:
        """Move a flashcard by `steps` positions within its set. Raises NotFoundError."""
        return await self._write(person, partial(cards.move_card, ref=RecordRef("card", str(card_id)), steps=steps))

    async def move_word(self, person: Person, sense_id: int, steps: int) -> Edited:
        """Move a word by `steps` positions among the idea's words of its language. Raises NotFoundError."""
        return await self._write(person, partial(words.move_word, ref=RecordRef("sense", str(sense_id)), steps=steps))

    async def move_meaning(self, person: Person, sense_id: int, steps: int) -> Edited:
        """Move a sense by `steps` positions among those of its word. Raises NotFoundError."""
        ref = RecordRef("sense", str(sense_id))
        return await self._write(person, partial(words.move_meaning, ref=ref, steps=steps))

    async def add_list_value(self, person: Person, list_name: ListName, value: str) -> Edited:
        """Add a value to a lookup list. Raises InputError, ConflictError."""
        return await self._write(person, partial(list_values.add_list_value, list_name=list_name, value=value))

    async def rename_list_value(self, person: Person, list_name: ListName, item_id: int, value: str) -> Edited:
        """Rename a value of a lookup list. Raises InputError, NotFoundError, ConflictError."""
        return await self._write(
            person, partial(list_values.rename_list_value, list_name=list_name, item_id=item_id, value=value)
        )

    async def change(self, person: Person, ref: RecordRef, version: int, changes: RecordChanges) -> Edited:
        """Change a record if it still has this version.

        Raises NotFoundError, InputError, ConflictError with both states.
        """
        return await self._write(person, partial(change_record, ref=ref, version=version, changes=changes))

    async def delete(self, person: Person, ref: RecordRef) -> Edited:
        """Delete a record and its dependent records. Raises NotFoundError, ConflictError."""
        return await self._write(person, partial(delete_record, ref=ref))

    async def relate(self, person: Person, relation: RelationState) -> Edited:
        """Relate an idea to another. Raises InputError."""
        return await self._write(person, partial(ideas.relate, relation=relation))

    async def read_relation(self, person: Person, relation: RelationState) -> Edited:
        """Return a relation with its version. Raises NotFoundError."""
        return await self._read(person, partial(ideas.read_relation, relation=relation))

    async def list_relations(self, person: Person, idea_id: int) -> tuple[Edited, ...]:
        """List the relations of an idea, each with its version."""
        return await self._read(person, partial(ideas.list_relations, idea_id=idea_id))

    async def change_relation(self, person: Person, relation: RelationState, version: int, type_id: int) -> Edited:
        """Change the type of a relation if it still has this version.

        Raises InputError, NotFoundError, ConflictError with both states.
        """
        return await self._write(
            person, partial(ideas.change_relation, relation=relation, version=version, type_id=type_id)
        )

    async def unrelate(self, person: Person, relation: RelationState, version: int | None = None) -> Edited:
        """Remove a relation; with a version, only if the relation still has it.

        Raises NotFoundError, ConflictError with both states.
        """
        return await self._write(person, partial(ideas.unrelate, relation=relation, version=version))

    async def merge(self, person: Person, target_id: int, merged_id: int) -> Edited:
        """Merge the idea `merged_id` into `target_id`. Raises NotFoundError, InputError."""
        return await self._write(person, partial(ideas.merge, target_id=target_id, merged_id=merged_id))

    async def confirm(self, person: Person, idea_id: int) -> Confirmation:
        """Mark an idea as reviewed and correct. Raises NotFoundError, or ForbiddenError if the user may not review."""
        step = partial(ideas.confirm, idea_id=idea_id)
        await self._database.write(await self._build_job(person, step, Permission.REVIEW))
        confirmations = await self._database.read(partial(load_confirmations, idea_ids=[idea_id]), long=True)
        if idea_id not in confirmations:
            raise NotFoundError(
                sentence("There is no %(value)s with the ID %(id)s.", value=RECORD_KIND_NAMES["idea"], id=idea_id)
            )
        return confirmations[idea_id]

    async def undo(self, person: Person, entry_id: int) -> Edited:
        """Undo the changes of a history entry. Raises NotFoundError, ConflictError."""
        return await self._write(person, partial(history.undo, entry_id=entry_id))

    async def list_history(self, ref: RecordRef, limit: int, offset: int = 0) -> tuple[RevisionView, ...]:
        """List the history entries of a record, newest first."""
        return await self._database.read(partial(history.list_history, ref=ref, limit=limit, offset=offset), long=True)

    async def _write(self, person: Person, step: Callable[[EditSession], T]) -> T:
        return await self._database.write(await self._build_job(person, step))

    async def _read(self, person: Person, step: Callable[[EditSession], T]) -> T:
        """Run a read-only step, which needs no write lock."""
        return await self._database.read_transaction(await self._build_job(person, step))

    async def _build_job(
        self, person: Person, step: Callable[[EditSession], T], permission: Permission = Permission.EDIT
    ) -> Callable[[WriteConnection], T]:
        require_permission(person, permission)
        catalogue = await self._database.read(lambda reader: reader.catalogue)
        return partial(_run_step, catalogue=catalogue, person=person, now=int(self._clock()), step=step)


def _run_step(
    connection: WriteConnection, *, catalogue: Catalogue, person: Person, now: int, step: Callable[[EditSession], T]
) -> T:
    return step(open_edit_session(connection, catalogue, person, now))


EDIT_ACTIONS: Final[Mapping[str, HistoryAction]] = {
    "idea": HistoryAction.IDEA_EDITED,
    "word": HistoryAction.WORD_EDITED,
    "sense": HistoryAction.WORD_EDITED,
    "phrase": HistoryAction.PROVERB_EDITED,
    "card": HistoryAction.CARD_EDITED,
    "card_set": HistoryAction.CARD_EDITED,
    "list_item": HistoryAction.LIST_EDITED,
}


def change_record(session: EditSession, ref: RecordRef, version: int, changes: RecordChanges) -> Edited:
    """Change a record if it still has this version."""
    before = require_record(session, ref)
    after = apply_changes(session.validator, before, changes)
    newest = stored_history.find_version(session.context.connection, ref)
    if version != newest:
        raise build_version_conflict(Edited(str(ref), newest, before), Edited(str(ref), version, after))
    if before == after:
        return read_current_result(session, ref)
    session.recorder.apply(ref, after)
    return commit_edit(session, EDIT_ACTIONS[ref.kind], ref)


def apply_changes(draft: InputReader, before: RecordState, changes: RecordChanges) -> RecordState:
    """Return the state of a record after the changes. Raises InputError."""
    after = draft.change_record(before, changes)
    draft.raise_problems()
    return after


def delete_record(session: EditSession, ref: RecordRef) -> Edited:
    """Delete a record and its dependent records."""
    require_record(session, ref)
    delete, action = _DELETERS[ref.kind]
    delete(session, ref)
    return commit_edit(session, action, ref)


def _delete_single(session: EditSession, ref: RecordRef) -> None:
    session.recorder.apply(ref, None)


_DELETERS: Final[Mapping[str, tuple[Callable[[EditSession, RecordRef], None], HistoryAction]]] = {
    "word": (delete_word, HistoryAction.WORD_DELETED),
    "sense": (delete_sense, HistoryAction.WORD_UNLINKED),
    "idea": (delete_idea, HistoryAction.IDEA_DELETED),
    "phrase": (delete_phrase, HistoryAction.PROVERB_DELETED),
    "card": (_delete_single, HistoryAction.CARD_DELETED),
    "card_set": (delete_card_set, HistoryAction.CARD_DELETED),
}
