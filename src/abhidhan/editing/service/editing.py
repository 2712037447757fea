"""Editing service: each edit is one history entry, and can be undone."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeVar

from abhidhan.dictionary.store.confirmations import confirmations_of
from abhidhan.editing.service import cards, history, ideas, list_values, words
from abhidhan.editing.service.cards import delete_card_set
from abhidhan.editing.service.editor import (
    Edited,
    Editor,
    clash,
    edited,
    existing,
    open_editor,
    unchanged,
)
from abhidhan.editing.service.history import ShownRevision
from abhidhan.editing.service.ideas import delete_idea
from abhidhan.editing.service.words import delete_phrase, delete_sense, delete_word
from abhidhan.editing.store import history as stored_history
from abhidhan.platform.database.database import Database, Writer
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import NotFoundError, sentence
from abhidhan.records.history import RECORD_KIND_NAMES, Action, AnyState, RecordName, RelationState
from abhidhan.records.ideas import Confirmation
from abhidhan.records.input_validation import Changes, Draft
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.people import Permission, Person, require
from abhidhan.records.submission_payloads import CardData, CardSetData, IdeaData, ProverbData, WordData

T = TypeVar("T")


class Editing:
    """Service for direct edits. Each method is one transaction with one history entry."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        """`clock` returns the seconds since 1970."""
        self._database = database
        self._clock = clock

    async def read(self, person: Person, name: RecordName) -> Edited:
        """Return the state and version of a record. Raises NotFoundError, ForbiddenError."""
        return await self._look(person, partial(read_record, name=name))

    async def add_word(self, person: Person, data: WordData) -> Edited:
        """Add a word to an existing or new idea. Raises InputError, ConflictError."""
        return await self._work(person, partial(words.add_word, data=data))

    async def add_idea(self, person: Person, data: IdeaData) -> Edited:
        """Add an idea without words. Raises InputError."""
        return await self._work(person, partial(ideas.add_idea, data=data))

    async def add_proverb(self, person: Person, data: ProverbData) -> Edited:
        """Add a proverb. Raises InputError, ConflictError."""
        return await self._work(person, partial(words.add_proverb, data=data))

    async def add_card(self, person: Person, data: CardData) -> Edited:
        """Add a flashcard to a set. Raises InputError."""
        return await self._work(person, partial(cards.add_card, data=data))

    async def add_card_set(self, person: Person, data: CardSetData) -> Edited:
        """Add an empty set of flashcards. Raises InputError."""
        return await self._work(person, partial(cards.add_card_set, data=data))

    async def move_card(self, person: Person, card_id: int, steps: int) -> Edited:
        """Move a flashcard by `steps` positions within its set. Raises NotFoundError."""
        return await self._work(person, partial(cards.move_card, name=RecordName("card", str(card_id)), steps=steps))

    async def move_word(self, person: Person, sense_id: int, steps: int) -> Edited:
        """Move a word by `steps` positions among the idea's words of its language. Raises NotFoundError."""
        return await self._work(person, partial(words.move_word, name=RecordName("sense", str(sense_id)), steps=steps))

    async def move_meaning(self, person: Person, sense_id: int, steps: int) -> Edited:
        """Move a sense by `steps` positions among those of its word. Raises NotFoundError."""
        name = RecordName("sense", str(sense_id))
        return await self._work(person, partial(words.move_meaning, name=name, steps=steps))

    async def add_list_value(self, person: Person, list_name: ListName, value: str) -> Edited:
        """Add a value to a lookup list. Raises InputError, ConflictError."""
        return await self._work(person, partial(list_values.add_list_value, list_name=list_name, value=value))

    async def rename_list_value(self, person: Person, list_name: ListName, item_id: int, value: str) -> Edited:
        """Rename a value of a lookup list. Raises InputError, NotFoundError, ConflictError."""
        return await self._work(
            person, partial(list_values.rename_list_value, list_name=list_name, item_id=item_id, value=value)
        )

    async def change(self, person: Person, name: RecordName, version: int, changes: Changes) -> Edited:
        """Change a record if it still has this version.

        Raises NotFoundError, InputError, ConflictError with both states.
        """
        return await self._work(person, partial(change_record, name=name, version=version, changes=changes))

    async def delete(self, person: Person, name: RecordName) -> Edited:
        """Delete a record and its dependent records. Raises NotFoundError, ConflictError."""
        return await self._work(person, partial(delete_record, name=name))

    async def relate(self, person: Person, relation: RelationState) -> Edited:
        """Relate an idea to another. Raises InputError."""
        return await self._work(person, partial(ideas.relate, relation=relation))

    async def read_relation(self, person: Person, relation: RelationState) -> Edited:
        """Return a relation with its version. Raises NotFoundError."""
        return await self._look(person, partial(ideas.read_relation, relation=relation))

    async def relations_of(self, person: Person, idea_id: int) -> tuple[Edited, ...]:
        """List the relations of an idea, each with its version."""
        return await self._look(person, partial(ideas.relations_of, idea_id=idea_id))

    async def change_relation(self, person: Person, relation: RelationState, version: int, type_id: int) -> Edited:
        """Change the type of a relation if it still has this version.

        Raises InputError, NotFoundError, ConflictError with both states.
        """
        return await self._work(
            person, partial(ideas.change_relation, relation=relation, version=version, type_id=type_id)
        )

    async def unrelate(self, person: Person, relation: RelationState, version: int | None = None) -> Edited:
        """Remove a relation, if it still has the given version.

        Raises NotFoundError, ConflictError with both states.
        """
        return await self._work(person, partial(ideas.unrelate, relation=relation, version=version))

    async def merge(self, person: Person, kept_id: int, gone_id: int) -> Edited:
        """Merge the idea `gone_id` into `kept_id`. Raises NotFoundError, InputError."""
        return await self._work(person, partial(ideas.merge, kept_id=kept_id, gone_id=gone_id))

    async def confirm(self, person: Person, idea_id: int) -> Confirmation:
        """Mark an idea as reviewed and correct. Raises ForbiddenError for users who may not review, NotFoundError."""
        step = partial(ideas.confirm, idea_id=idea_id)
        await self._database.write(await self._job(person, step, Permission.REVIEW))
        found = await self._database.read(partial(confirmations_of, idea_ids=[idea_id]), long=True)
        if idea_id not in found:
            raise NotFoundError(
                sentence("There is no %(value)s with the ID %(id)s.", value=RECORD_KIND_NAMES["idea"], id=idea_id)
            )
        return found[idea_id]

    async def undo(self, person: Person, entry_id: int) -> Edited:
        """Undo the changes of a history entry. Raises NotFoundError, ConflictError."""
        return await self._work(person, partial(history.undo, entry_id=entry_id))

    async def history_of(self, name: RecordName, limit: int, offset: int = 0) -> tuple[ShownRevision, ...]:
        """List the history entries of a record, newest first."""
        return await self._database.read(partial(history.history_of, name=name, limit=limit, offset=offset), long=True)

    async def _work(self, person: Person, step: Callable[[Editor], T]) -> T:
        return await self._database.write(await self._job(person, step))

    async def _look(self, person: Person, step: Callable[[Editor], T]) -> T:
        """Run a read-only step, which needs no write lock."""
        return await self._database.read_transaction(await self._job(person, step))

    async def _job(
        self, person: Person, step: Callable[[Editor], T], permission: Permission = Permission.EDIT
    ) -> Callable[[Writer], T]:
        require(person, permission)
        catalogue = await self._database.read(lambda reader: reader.catalogue)
        return partial(_in_ledger, catalogue=catalogue, person=person, now=int(self._clock()), step=step)


def _in_ledger(connection: Writer, *, catalogue: Catalogue, person: Person, now: int, step: Callable[[Editor], T]) -> T:
    return step(open_editor(connection, catalogue, person, now))


EDITED: Final[Mapping[str, Action]] = {
    "idea": Action.IDEA_EDITED,
    "word": Action.WORD_EDITED,
    "sense": Action.WORD_EDITED,
    "phrase": Action.PROVERB_EDITED,
    "card": Action.CARD_EDITED,
    "card_set": Action.CARD_EDITED,
    "list_item": Action.LIST_EDITED,
}


def read_record(editor: Editor, name: RecordName) -> Edited:
    """Return the state and version of a record."""
    return unchanged(editor, name)


def change_record(editor: Editor, name: RecordName, version: int, changes: Changes) -> Edited:
    """Change a record if it still has this version."""
    before = existing(editor, name)
    after = apply_changes(editor.draft, before, changes)
    newest = stored_history.version_of(editor.edit.connection, name)
    if version != newest:
        raise clash(Edited(str(name), newest, before), Edited(str(name), version, after))
    if before == after:
        return unchanged(editor, name)
    editor.ledger.put(name, after)
    return edited(editor, EDITED[name.kind], name)


def apply_changes(draft: Draft, before: AnyState, changes: Changes) -> AnyState:
    """Return the state of a record after the changes. Raises InputError."""
    after = draft.change(before, changes)
    draft.finish()
    return after


def delete_record(editor: Editor, name: RecordName) -> Edited:
    """Delete a record and its dependent records."""
    existing(editor, name)
    take_away, action = _DELETING[name.kind]
    take_away(editor, name)
    return edited(editor, action, name)


def _delete_alone(editor: Editor, name: RecordName) -> None:
    editor.ledger.put(name, None)


_DELETING: Final[Mapping[str, tuple[Callable[[Editor, RecordName], None], Action]]] = {
    "word": (delete_word, Action.WORD_DELETED),
    "sense": (delete_sense, Action.WORD_UNLINKED),
    "idea": (delete_idea, Action.IDEA_DELETED),
    "phrase": (delete_phrase, Action.PROVERB_DELETED),
    "card": (_delete_alone, Action.CARD_DELETED),
    "card_set": (delete_card_set, Action.CARD_DELETED),
}
