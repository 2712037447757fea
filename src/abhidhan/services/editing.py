"""Editing: every step by which the dictionary changes, each one entry of its history, and taking a step back."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, NamedTuple, TypeVar

import msgspec

from abhidhan.domain.catalogue import Catalogue
from abhidhan.domain.drafts import (
    CardChanges,
    CardData,
    Draft,
    IdeaChanges,
    IdeaData,
    PhraseChanges,
    ProverbData,
    SenseChanges,
    WordChanges,
    WordData,
)
from abhidhan.domain.history import (
    Action,
    AnyState,
    CardState,
    IdeaState,
    ListItemState,
    PhotoState,
    PhraseState,
    RecordName,
    RelationState,
    Revision,
    SenseState,
    WordState,
    undo_of,
)
from abhidhan.domain.lists import ListName, Named
from abhidhan.domain.people import Permission, Person
from abhidhan.errors import ConflictError, InputError, NotFoundError, Problem
from abhidhan.services.accounts import may
from abhidhan.storage import history as stored_history
from abhidhan.storage import people as stored_people
from abhidhan.storage import submissions as stored_submissions
from abhidhan.storage.database import Database, Reader, Writer
from abhidhan.storage.editing import Edit, Entry, Ledger, ideas, others, words

T = TypeVar("T")

Changes = IdeaChanges | WordChanges | PhraseChanges | SenseChanges | CardChanges

EDITED: Final[Mapping[str, Action]] = {
    "idea": Action.IDEA_EDITED,
    "word": Action.WORD_EDITED,
    "sense": Action.WORD_EDITED,
    "phrase": Action.PROVERB_EDITED,
    "card": Action.CARD_EDITED,
}

CALLED: Final[Mapping[str, str]] = {
    "idea": "idea",
    "word": "word",
    "sense": "meaning of a word",
    "phrase": "proverb",
    "card": "flashcard",
    "list_item": "value of a list",
}

NOT_SHOWN: Final = {"submission", "photo"}
"""Kinds of records whose states are not the public's business."""

FIXED_LISTS: Final = {ListName.LANGUAGES, ListName.HISTORY_ACTIONS}


class Edited(msgspec.Struct, frozen=True):
    """What came of an edit: the record that it was chiefly about, its version now, and what it holds; None: gone."""

    record: str
    version: int
    state: AnyState | None


class ShownChange(msgspec.Struct, frozen=True):
    """One record before and after a change; null before it was made, and after it is gone."""

    record: str
    before: AnyState | None
    after: AnyState | None


class ShownRevision(msgspec.Struct, frozen=True):
    """An entry of the history as readers see it. `person` decided, `contributor` had submitted it."""

    id: int
    at: int
    action: Named | None
    person: str | None
    contributor: str | None
    changes: tuple[ShownChange, ...]


class Editor(NamedTuple):
    """An edit in progress: its ledger, the draft that reads what was written, who edits and when."""

    ledger: Ledger
    draft: Draft
    person: Person
    now: int

    @property
    def edit(self) -> Edit:
        """The open transaction, and the codes behind IDs."""
        return self.ledger.edit

    def entry(self, action: Action, name: RecordName) -> int:
        """Write what has changed into the history, and give the new version."""
        return self.ledger.commit(Entry(action, self.person.id, self.now, name))


class Editing:
    """Direct edits by editors. Each method is one job in one transaction, with its entry of the history."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        """Work on a database. `clock` tells the seconds since 1970."""
        self._database = database
        self._clock = clock

    async def read(self, person: Person, name: RecordName) -> Edited:
        """Read a record as it is edited, with its version. Raises NotFoundError, ForbiddenError."""
        return await self._work(person, partial(_read, name=name), public=False)

    async def add_word(self, person: Person, data: WordData) -> Edited:
        """Add a word to an idea, or with a new idea. Raises InputError, ConflictError."""
        return await self._work(person, partial(_add_word, data=data))

    async def add_idea(self, person: Person, data: IdeaData) -> Edited:
        """Make an idea that has no word yet. Raises InputError."""
        return await self._work(person, partial(_add_idea, data=data))

    async def add_proverb(self, person: Person, data: ProverbData) -> Edited:
        """Add a proverb. Raises InputError, ConflictError."""
        return await self._work(person, partial(_add_proverb, data=data))

    async def add_card(self, person: Person, data: CardData) -> Edited:
        """Add a flashcard to a set. Raises InputError."""
        return await self._work(person, partial(_add_card, data=data))

    async def add_list_value(self, person: Person, list_name: ListName, value: str) -> Edited:
        """Add a value to a lookup list. Raises InputError, ConflictError."""
        return await self._work(person, partial(_add_list_value, list_name=list_name, value=value))

    async def rename_list_value(self, person: Person, list_name: ListName, item_id: int, value: str) -> Edited:
        """Give a value of a lookup list another name. Raises InputError, NotFoundError, ConflictError."""
        return await self._work(person, partial(_rename_list_value, list_name=list_name, item_id=item_id, value=value))

    async def change(self, person: Person, name: RecordName, version: int, changes: Changes) -> Edited:
        """Change a record of this version. Raises NotFoundError, InputError, and ConflictError with both states."""
        return await self._work(person, partial(_change, name=name, version=version, changes=changes))

    async def delete(self, person: Person, name: RecordName) -> Edited:
        """Delete a record and what hangs on it. Raises NotFoundError, ConflictError."""
        return await self._work(person, partial(_delete, name=name))

    async def relate(self, person: Person, relation: RelationState) -> Edited:
        """Relate an idea to another. Raises InputError."""
        return await self._work(person, partial(_relate, relation=relation))

    async def unrelate(self, person: Person, relation: RelationState) -> Edited:
        """Take a relation away. Raises NotFoundError."""
        return await self._work(person, partial(_unrelate, relation=relation))

    async def merge(self, person: Person, kept_id: int, gone_id: int) -> Edited:
        """Merge an idea into another, which then has everything of both. Raises NotFoundError, InputError."""
        return await self._work(person, partial(_merge, kept_id=kept_id, gone_id=gone_id))

    async def undo(self, person: Person, entry_id: int) -> Edited:
        """Take back the change that an entry of the history tells of. Raises NotFoundError, ConflictError."""
        return await self._work(person, partial(_undo, entry_id=entry_id))

    async def history_of(self, name: RecordName, most: int, skipped: int = 0) -> tuple[ShownRevision, ...]:
        """List what was done with a record, the newest first."""
        return await self._database.read(partial(_history_of, name=name, most=most, skipped=skipped), long=True)

    async def _work(self, person: Person, step: Callable[[Editor], T], *, public: bool = True) -> T:
        may(person, Permission.EDIT)
        catalogue = await self._database.read(lambda reader: reader.catalogue)
        job = partial(_in_ledger, catalogue=catalogue, person=person, now=int(self._clock()), step=step)
        return await self._database.write(job, public=public)


def _in_ledger(connection: Writer, *, catalogue: Catalogue, person: Person, now: int, step: Callable[[Editor], T]) -> T:
    return step(open_editor(connection, catalogue, person, now))


def open_editor(connection: Writer, catalogue: Catalogue, person: Person, now: int) -> Editor:
    """Begin an edit in a transaction that is open."""
    return Editor(Ledger(Edit.of(connection, catalogue, now)), Draft(catalogue, now), person, now)


# --- the steps --------------------------------------------------------------------------------------------------------


def _read(editor: Editor, name: RecordName) -> Edited:
    state = _existing(editor, name)
    return Edited(str(name), stored_history.version_of(editor.edit.connection, name), state)


def _existing(editor: Editor, name: RecordName) -> AnyState:
    state = editor.ledger.current(name)
    if state is None:
        raise NotFoundError(f"There is no {CALLED.get(name.kind, name.kind)} with the ID {name.id}.")
    return state


def _edited(editor: Editor, action: Action, name: RecordName) -> Edited:
    return Edited(str(name), editor.entry(action, name), editor.ledger.current(name))


def place_word(editor: Editor, data: WordData) -> RecordName:
    """Make a word, unless it is there, and link it to its idea, which is made if need be. Names the word."""
    draft, ledger = editor.draft, editor.ledger
    meaning = None if data.idea_id else data.meaning
    state = draft.word(data)
    idea = draft.idea(meaning) if meaning else None
    link = draft.sense(data, 0, 0, 1)
    if not data.idea_id and not meaning:
        draft.problems.append(Problem("idea_id", "Give `idea_id`, or `meaning` for a new idea."))
    if data.idea_id and not others.idea_exists(editor.edit, data.idea_id):
        draft.problems.append(Problem("idea_id", f"There is no idea with the ID {data.idea_id}."))
    draft.finish()
    idea_id = ledger.create("idea", idea).number if idea else data.idea_id or 0
    known = words.find_word(editor.edit, state.language_id, state.text)
    name = ledger.create("word", state) if known is None else RecordName("word", str(known))
    position = 1 + max((one.position for one in words.senses_of_word(editor.edit, name.number).values()), default=0)
    ledger.create("sense", msgspec.structs.replace(link, word_id=name.number, idea_id=idea_id, position=position))
    return name


def _add_word(editor: Editor, data: WordData) -> Edited:
    return _edited(editor, Action.WORD_LINKED if data.idea_id else Action.IDEA_CREATED, place_word(editor, data))


def _add_idea(editor: Editor, data: IdeaData) -> Edited:
    state = editor.draft.idea(data)
    editor.draft.finish()
    return _edited(editor, Action.IDEA_CREATED, editor.ledger.create("idea", state))


def place_proverb(editor: Editor, data: ProverbData) -> RecordName:
    """Make a proverb, and name it."""
    state = editor.draft.phrase(data)
    editor.draft.finish()
    return editor.ledger.create("phrase", state)


def _add_proverb(editor: Editor, data: ProverbData) -> Edited:
    return _edited(editor, Action.PROVERB_EDITED, place_proverb(editor, data))


def place_card(editor: Editor, data: CardData) -> RecordName:
    """Make a flashcard behind the last one of its set, and name it."""
    position = others.next_position(editor.edit, data.set_id)
    state = editor.draft.card(data, position or 1)
    if position is None:
        editor.draft.problems.append(Problem("set_id", f"There is no set of flashcards with the ID {data.set_id}."))
    if data.idea_id is not None and not others.idea_exists(editor.edit, data.idea_id):
        editor.draft.problems.append(Problem("idea_id", f"There is no idea with the ID {data.idea_id}."))
    editor.draft.finish()
    return editor.ledger.create("card", state)


def _add_card(editor: Editor, data: CardData) -> Edited:
    return _edited(editor, Action.CARD_EDITED, place_card(editor, data))


def _add_list_value(editor: Editor, list_name: ListName, value: str) -> Edited:
    _refuse_fixed(list_name)
    clean = editor.draft.list_value(value)
    editor.draft.finish()
    item_id = others.next_item_id(editor.edit, list_name)
    state = ListItemState(str(list_name), item_id, clean, item_id)
    return _edited(editor, Action.LIST_EDITED, editor.ledger.create("list_item", state))


def _rename_list_value(editor: Editor, list_name: ListName, item_id: int, value: str) -> Edited:
    _refuse_fixed(list_name)
    name = RecordName("list_item", f"{list_name}-{item_id}")
    state = _existing(editor, name)
    clean = editor.draft.list_value(value)
    editor.draft.finish()
    if isinstance(state, ListItemState):
        editor.ledger.put(name, msgspec.structs.replace(state, value=clean))
    return _edited(editor, Action.LIST_EDITED, name)


def _refuse_fixed(list_name: ListName) -> None:
    if list_name in FIXED_LISTS:
        raise InputError.of("list", f"The list {list_name} is not edited: the program itself depends on it.")


def _change(editor: Editor, name: RecordName, version: int, changes: Changes) -> Edited:
    before = _existing(editor, name)
    after = changed(editor.draft, before, changes)
    newest = stored_history.version_of(editor.edit.connection, name)
    if version != newest:
        raise ConflictError(
            f"Somebody else has changed this {CALLED[name.kind]} meanwhile (its version is {newest}, yours {version}): "
            "`current` shows what it holds now, `proposed` what you wanted to save.",
            current=Edited(str(name), newest, before),
            proposed=Edited(str(name), version, after),
        )
    if before == after:
        return Edited(str(name), newest, before)
    editor.ledger.put(name, after)
    return _edited(editor, EDITED[name.kind], name)


def changed(draft: Draft, before: AnyState, changes: Changes) -> AnyState:
    """Make the state of a record after changes. Raises InputError."""
    after: AnyState
    match before, changes:
        case IdeaState(), IdeaChanges():
            after = draft.changed_idea(before, changes)
        case WordState(), WordChanges():
            after = draft.changed_word(before, changes)
        case SenseState(), SenseChanges():
            after = draft.changed_sense(before, changes)
        case PhraseState(), PhraseChanges():
            after = draft.changed_phrase(before, changes)
        case CardState(), CardChanges():
            after = draft.changed_card(before, changes)
        case _:
            raise InputError.of("changes", "`changes` are those of another kind of record.")
    draft.finish()
    return after


# --- deleting ---------------------------------------------------------------------------------------------------------


def _delete(editor: Editor, name: RecordName) -> Edited:
    _existing(editor, name)
    delete, action = _DELETING[name.kind]
    delete(editor, name)
    return _edited(editor, action, name)


def _delete_word(editor: Editor, name: RecordName) -> None:
    for sense_id in words.senses_of_word(editor.edit, name.number):
        editor.ledger.put(RecordName("sense", sense_id), None)
    editor.ledger.put(name, None)


def _delete_sense(editor: Editor, name: RecordName) -> None:
    """Take a meaning from a word; a word without any meaning left is not kept."""
    state = editor.ledger.current(name)
    editor.ledger.put(name, None)
    if isinstance(state, SenseState) and not words.senses_of_word(editor.edit, state.word_id):
        editor.ledger.put(RecordName("word", str(state.word_id)), None)


def _delete_idea(editor: Editor, name: RecordName) -> None:
    if others.photos_of_idea(editor.edit, name.number):
        raise ConflictError("This idea has photos: merge it into another idea instead.")
    for sense_id in words.senses_of_idea(editor.edit, name.number):
        _delete_sense(editor, RecordName("sense", sense_id))
    for relation in ideas.relations_of(editor.edit, name.number):
        editor.ledger.put(RecordName("relation", ideas.relation_id(relation)), None)
    for card_id, card in others.cards_of_idea(editor.edit, name.number).items():
        editor.ledger.put(RecordName("card", card_id), msgspec.structs.replace(card, idea_id=None))
    editor.ledger.put(name, None)


def _delete_alone(editor: Editor, name: RecordName) -> None:
    editor.ledger.put(name, None)


_DELETING: Final[Mapping[str, tuple[Callable[[Editor, RecordName], None], Action]]] = {
    "word": (_delete_word, Action.WORD_DELETED),
    "sense": (_delete_sense, Action.WORD_UNLINKED),
    "idea": (_delete_idea, Action.IDEA_DELETED),
    "phrase": (_delete_alone, Action.PROVERB_DELETED),
    "card": (_delete_alone, Action.CARD_DELETED),
}


# --- relations, merging, undoing --------------------------------------------------------------------------------------


def _relate(editor: Editor, relation: RelationState) -> Edited:
    if relation.idea_id == relation.other_id:
        raise InputError.of("other_id", "An idea cannot be related to itself.")
    if relation.type_id not in editor.edit.inverses:
        raise InputError.of("type_id", "`type_id` is no relation: /api/get-list.php?type=RIC lists them.")
    for idea_id in (relation.idea_id, relation.other_id):
        _existing(editor, RecordName("idea", str(idea_id)))
    editor.ledger.put(RecordName("relation", ideas.relation_id(relation)), relation)
    if editor.ledger.is_empty:
        raise ConflictError("These two ideas are related so already.")
    return _edited(editor, Action.RELATION_ADDED, RecordName("idea", str(relation.idea_id)))


def _unrelate(editor: Editor, relation: RelationState) -> Edited:
    editor.ledger.put(RecordName("relation", ideas.relation_id(relation)), None)
    if editor.ledger.is_empty:
        raise NotFoundError("These two ideas are not related so.")
    return _edited(editor, Action.RELATION_REMOVED, RecordName("idea", str(relation.idea_id)))


def _merge(editor: Editor, kept_id: int, gone_id: int) -> Edited:
    kept, gone = RecordName("idea", str(kept_id)), RecordName("idea", str(gone_id))
    if kept == gone:
        raise InputError.of("into", "An idea cannot be merged into itself.")
    one, other = _existing(editor, kept), _existing(editor, gone)
    if isinstance(one, IdeaState) and isinstance(other, IdeaState):
        editor.ledger.put(kept, _both(one, other))
    _move_links(editor, kept_id, gone_id)
    _move_relations(editor, kept_id, gone_id)
    editor.ledger.put(gone, None)
    return _edited(editor, Action.IDEAS_MERGED, kept)


def _both(kept: IdeaState, gone: IdeaState) -> IdeaState:
    return msgspec.structs.replace(
        kept,
        pos_id=kept.pos_id or gone.pos_id,
        gender_id=kept.gender_id or gone.gender_id,
        glyph=kept.glyph or gone.glyph,
        contexts=tuple(sorted({*kept.contexts, *gone.contexts})),
        definitions=tuple(dict.fromkeys((*kept.definitions, *gone.definitions))),
        examples=tuple(dict.fromkeys((*kept.examples, *gone.examples))),
    )


def _move_links(editor: Editor, kept_id: int, gone_id: int) -> None:
    """Hang words, flashcards and photos of one idea on another."""
    there = {one.word_id for one in words.senses_of_idea(editor.edit, kept_id).values()}
    for sense_id, sense in words.senses_of_idea(editor.edit, gone_id).items():
        moved = None if sense.word_id in there else msgspec.structs.replace(sense, idea_id=kept_id)
        editor.ledger.put(RecordName("sense", sense_id), moved)
    for card_id, card in others.cards_of_idea(editor.edit, gone_id).items():
        editor.ledger.put(RecordName("card", card_id), msgspec.structs.replace(card, idea_id=kept_id))
    for photo_id, photo in others.photos_of_idea(editor.edit, gone_id).items():
        editor.ledger.put(RecordName("photo", photo_id), _of_idea(photo, kept_id))


def _of_idea(photo: PhotoState, idea_id: int) -> PhotoState:
    return msgspec.structs.replace(photo, idea_id=idea_id)


def _move_relations(editor: Editor, kept_id: int, gone_id: int) -> None:
    for relation in ideas.relations_of(editor.edit, gone_id):
        editor.ledger.put(RecordName("relation", ideas.relation_id(relation)), None)
        moved = RelationState(kept_id, relation.type_id, relation.other_id)
        if moved.other_id != kept_id:
            editor.ledger.put(RecordName("relation", ideas.relation_id(moved)), moved)


def _undo(editor: Editor, entry_id: int) -> Edited:
    entry = stored_history.find_entry(editor.edit.connection, entry_id)
    if entry is None:
        raise NotFoundError(f"There is no entry of the history with the ID {entry_id}.")
    editor.ledger.put_all(undo_of(entry.changes, editor.ledger.current))
    restored = entry.action_id == Action.WORD_DELETED
    return _edited(editor, Action.WORD_RESTORED if restored else Action.UNDONE, entry.main)


# --- the public history -----------------------------------------------------------------------------------------------


def _history_of(reader: Reader, name: RecordName, most: int, skipped: int) -> tuple[ShownRevision, ...]:
    entries = stored_history.entries_about(reader, name, most, skipped)
    submitted = {number for entry in entries for number in _submissions_of(entry)}
    contributors = stored_submissions.contributors(reader, sorted(submitted))
    deciders = [entry.person_id for entry in entries if entry.person_id is not None]
    names = stored_people.names_of(reader, [*deciders, *contributors.values()])
    actions = {item.id: item for item in reader.catalogue.items_of(ListName.HISTORY_ACTIONS)}
    return tuple(
        ShownRevision(
            id=entry.id,
            at=entry.at,
            action=Named(entry.action_id, actions[entry.action_id].value) if entry.action_id in actions else None,
            person=names.get(entry.person_id or 0),
            contributor=next(
                (names.get(contributors[each]) for each in _submissions_of(entry) if each in contributors), None
            ),
            changes=tuple(
                ShownChange(str(change.name), change.before, change.after)
                for change in entry.changes
                if change.name.kind not in NOT_SHOWN
            ),
        )
        for entry in entries
    )


def _submissions_of(entry: Revision) -> list[int]:
    return [change.name.number for change in entry.changes if change.name.kind == "submission"]
