"""Ideas: adding, deleting, relating and merging."""

import msgspec

from abhidhan.editing.service import recordings
from abhidhan.editing.service.editor import Edited, Editor, edited, existing
from abhidhan.editing.service.words import delete_sense
from abhidhan.editing.store.records import cards, contributions, ideas, words
from abhidhan.records.errors import ConflictError, InputError, sentence
from abhidhan.records.history import Action, IdeaState, PhotoState, RecordName, RelationState
from abhidhan.records.submission_payloads import IdeaData


def add_idea(editor: Editor, data: IdeaData) -> Edited:
    """Make an idea that has no word yet."""
    state = editor.draft.idea(data)
    editor.draft.finish()
    return edited(editor, Action.IDEA_CREATED, editor.ledger.create("idea", state))


def delete_idea(editor: Editor, name: RecordName) -> None:
    """Delete an idea, and the words that mean nothing else."""
    if contributions.photos_of_idea(editor.edit, name.number):
        raise ConflictError(sentence("This idea has photos: merge it into another idea instead."))
    for sense_id in words.senses_of_idea(editor.edit, name.number):
        delete_sense(editor, RecordName("sense", sense_id))
    for relation in ideas.relations_of(editor.edit, name.number):
        editor.ledger.put(RecordName("relation", ideas.relation_id(relation)), None)
    for card_id, card in cards.cards_of_idea(editor.edit, name.number).items():
        editor.ledger.put(RecordName("card", card_id), msgspec.structs.replace(card, idea_id=None))
    editor.ledger.put(RecordName("confirmation", name.id), None)
    recordings.let_go(editor, name)
    editor.ledger.put(name, None)


def merge(editor: Editor, kept_id: int, gone_id: int) -> Edited:
    """Merge an idea into another, which then has everything of both."""
    if kept_id == gone_id:
        raise InputError.of("into", sentence("An idea cannot be merged into itself."))
    put_together(editor, kept_id, gone_id)
    return edited(editor, Action.IDEAS_MERGED, RecordName("idea", str(kept_id)))


def put_together(editor: Editor, kept_id: int, gone_id: int) -> None:
    """Give everything of an idea to another one, without an entry of the history."""
    kept, gone = RecordName("idea", str(kept_id)), RecordName("idea", str(gone_id))
    one, other = existing(editor, kept), existing(editor, gone)
    _move_links(editor, kept_id, gone_id)
    _move_relations(editor, kept_id, gone_id)
    recordings.move(editor, gone, kept)
    # The one that is left keeps what it has: nobody has confirmed all that both say.
    editor.ledger.put(RecordName("confirmation", gone.id), None)
    editor.ledger.put(gone, None)
    if isinstance(one, IdeaState) and isinstance(other, IdeaState):
        editor.ledger.put(kept, _both(one, other))


def _both(kept: IdeaState, gone: IdeaState) -> IdeaState:
    return msgspec.structs.replace(
        kept,
        pos_id=kept.pos_id or gone.pos_id,
        gender_id=kept.gender_id or gone.gender_id,
        licence=kept.licence or gone.licence,
        glyph=kept.glyph or gone.glyph,
        contexts=tuple(sorted({*kept.contexts, *gone.contexts})),
        definitions=tuple(dict.fromkeys((*kept.definitions, *gone.definitions))),
        examples=tuple(dict.fromkeys((*kept.examples, *gone.examples))),
        aliases=tuple(sorted({*kept.aliases, *gone.aliases, *_own_name(gone)})),
    )


def _own_name(state: IdeaState) -> tuple[tuple[int, str], ...]:
    """Return the name under which files know an idea."""
    named = state.source_id is not None and state.external_key is not None
    return ((state.source_id or 0, state.external_key or ""),) if named else ()


def _move_links(editor: Editor, kept_id: int, gone_id: int) -> None:
    """Hang words, flashcards and photos of one idea on another."""
    there = {one.word_id for one in words.senses_of_idea(editor.edit, kept_id).values()}
    for sense_id, sense in words.senses_of_idea(editor.edit, gone_id).items():
        moved = None if sense.word_id in there else msgspec.structs.replace(sense, idea_id=kept_id, rank=None)
        editor.ledger.put(RecordName("sense", sense_id), moved)
    for card_id, card in cards.cards_of_idea(editor.edit, gone_id).items():
        editor.ledger.put(RecordName("card", card_id), msgspec.structs.replace(card, idea_id=kept_id))
    for photo_id, photo in contributions.photos_of_idea(editor.edit, gone_id).items():
        editor.ledger.put(RecordName("photo", photo_id), _of_idea(photo, kept_id))


def _of_idea(photo: PhotoState, idea_id: int) -> PhotoState:
    return msgspec.structs.replace(photo, idea_id=idea_id)


def _move_relations(editor: Editor, kept_id: int, gone_id: int) -> None:
    for relation in ideas.relations_of(editor.edit, gone_id):
        editor.ledger.put(RecordName("relation", ideas.relation_id(relation)), None)
        moved = RelationState(kept_id, relation.type_id, relation.other_id)
        if moved.other_id != kept_id:
            editor.ledger.put(RecordName("relation", ideas.relation_id(moved)), moved)
