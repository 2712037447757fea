"""Ideas and their relations: add, confirm, delete, relate and merge them."""

import msgspec

from abhidhan.editing.service.editor import Edited, Editor, clash, detach_recordings, edited, existing, move_recordings
from abhidhan.editing.service.words import delete_sense
from abhidhan.editing.store.history import version_of
from abhidhan.editing.store.records import cards, contributions, ideas, words
from abhidhan.records.errors import ConflictError, InputError, NotFoundError, sentence
from abhidhan.records.history import Action, ConfirmationState, IdeaState, PhotoState, RecordName, RelationState
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.submission_payloads import IdeaData


def add_idea(editor: Editor, data: IdeaData) -> Edited:
    """Add an idea without words."""
    state = editor.draft.idea(data)
    editor.draft.finish()
    return edited(editor, Action.IDEA_CREATED, editor.ledger.create("idea", state))


def delete_idea(editor: Editor, name: RecordName) -> None:
    """Delete an idea, and the words that have no other sense. Raises ConflictError if it has photos."""
    if contributions.photos_of_idea(editor.edit, name.number):
        raise ConflictError(sentence("This idea has photos: merge it into another idea instead."))
    for sense_id in words.senses_of_idea(editor.edit, name.number):
        delete_sense(editor, RecordName("sense", sense_id))
    for relation in ideas.relations_of(editor.edit, name.number):
        editor.ledger.put(RecordName("relation", ideas.relation_id(relation)), None)
    for card_id, card in cards.cards_of_idea(editor.edit, name.number).items():
        editor.ledger.put(RecordName("card", card_id), msgspec.structs.replace(card, idea_id=None))
    editor.ledger.put(RecordName("confirmation", name.id), None)
    detach_recordings(editor, name)
    editor.ledger.put(name, None)


def merge(editor: Editor, kept_id: int, gone_id: int) -> Edited:
    """Merge the idea `gone_id` into `kept_id`."""
    if kept_id == gone_id:
        raise InputError.of("into", sentence("An idea cannot be merged into itself."))
    put_together(editor, kept_id, gone_id)
    return edited(editor, Action.IDEAS_MERGED, RecordName("idea", str(kept_id)))


def put_together(editor: Editor, kept_id: int, gone_id: int) -> None:
    """Merge two ideas without writing a history entry."""
    kept, gone = RecordName("idea", str(kept_id)), RecordName("idea", str(gone_id))
    one, other = existing(editor, kept), existing(editor, gone)
    _move_links(editor, kept_id, gone_id)
    _move_relations(editor, kept_id, gone_id)
    move_recordings(editor, gone, kept)
    # A confirmation of the remaining idea stays; that of the other does not apply to the merged content.
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
    """Return the source and key by which import files refer to an idea, if it has them."""
    named = state.source_id is not None and state.external_key is not None
    return ((state.source_id or 0, state.external_key or ""),) if named else ()


def _move_links(editor: Editor, kept_id: int, gone_id: int) -> None:
    """Move the words, flashcards and photos of one idea to another."""
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


def confirm(editor: Editor, idea_id: int) -> None:
    """Confirm an idea, unless it is already confirmed. Raises NotFoundError.

    A later edit does not remove the confirmation, as editors may confirm too and have read the idea. The history has
    the times of both, so readers can see what was written after the confirmation. Merging or deleting an idea removes
    its confirmation; undo restores it.
    """
    name = RecordName("idea", str(idea_id))
    existing(editor, name)
    own = RecordName("confirmation", name.id)
    if editor.ledger.current(own) is None:
        editor.ledger.put(own, ConfirmationState(editor.now))
        editor.entry(Action.APPROVED, name)


def relate(editor: Editor, relation: RelationState) -> Edited:
    """Relate an idea to another."""
    _check_relation(editor, relation)
    for idea_id in (relation.idea_id, relation.other_id):
        existing(editor, RecordName("idea", str(idea_id)))
    editor.ledger.put(_relation_name(relation), relation)
    if editor.ledger.is_empty:
        raise ConflictError(sentence("These two ideas are already related in this way."))
    return edited(editor, Action.RELATION_ADDED, RecordName("idea", str(relation.idea_id)))


def read_relation(editor: Editor, relation: RelationState) -> Edited:
    """Return a relation with its version. Raises NotFoundError."""
    if editor.ledger.current(_relation_name(relation)) is None:
        raise NotFoundError(sentence("These two ideas are not related in this way."))
    return Edited(str(_relation_name(relation)), _relation_version(editor, relation), relation)


def relations_of(editor: Editor, idea_id: int) -> tuple[Edited, ...]:
    """List the relations of an idea, each with its version."""
    return tuple(
        Edited(str(_relation_name(relation)), _relation_version(editor, relation), relation)
        for relation in ideas.relations_of(editor.edit, idea_id)
    )


def change_relation(editor: Editor, relation: RelationState, version: int, type_id: int) -> Edited:
    """Change the type of a relation if it still has this version."""
    after = RelationState(relation.idea_id, type_id, relation.other_id)
    _check_relation(editor, after)
    _check_version(editor, relation, Edited(str(_relation_name(after)), version, after))
    if after == relation:
        return read_relation(editor, relation)
    if editor.ledger.current(_relation_name(after)) is not None:
        raise ConflictError(sentence("These two ideas are already related in this way."))
    editor.ledger.put(_relation_name(relation), None)
    editor.ledger.put(_relation_name(after), after)
    entry = editor.entry(Action.IDEA_EDITED, RecordName("idea", str(relation.idea_id)))
    return Edited(str(_relation_name(after)), entry, after)


def unrelate(editor: Editor, relation: RelationState, version: int | None) -> Edited:
    """Remove a relation; if a version is given, only if it still has it."""
    if version is not None:
        _check_version(editor, relation, Edited(str(_relation_name(relation)), version, None))
    editor.ledger.put(_relation_name(relation), None)
    if editor.ledger.is_empty:
        raise NotFoundError(sentence("These two ideas are not related in this way."))
    return edited(editor, Action.RELATION_REMOVED, RecordName("idea", str(relation.idea_id)))


# --- helpers ----------------------------------------------------------------------------------------------------------


def _relation_name(relation: RelationState) -> RecordName:
    return RecordName("relation", ideas.relation_id(relation))


def _check_relation(editor: Editor, relation: RelationState) -> None:
    """Check the ideas and the type of a relation. Raises InputError."""
    if relation.idea_id == relation.other_id:
        raise InputError.of("other_id", sentence("An idea cannot be related to itself."))
    if editor.edit.catalogue.item_of_id(ListName.RELATIONS, relation.type_id) is None:
        raise InputError.of(
            "type_id",
            sentence("`%(parameter)s` is not a relation: /api/get-list.php?type=RIC lists them.", parameter="type_id"),
        )


def _check_version(editor: Editor, relation: RelationState, proposed: Edited) -> None:
    """Check that a relation still exists and has the version of `proposed`.

    Raises NotFoundError if there is no such relation, ConflictError with both states.
    """
    sides = sorted(ideas.both_sides(editor.edit, relation), key=ideas.relation_id)
    there = [editor.ledger.current(_relation_name(side)) for side in sides]
    newest = _relation_version(editor, relation)
    if newest != proposed.version:
        raise clash(_current_relation(editor, relation, newest), proposed)
    if None in there:
        raise NotFoundError(sentence("These two ideas are not related in this way."))


def _current_relation(editor: Editor, relation: RelationState, newest: int) -> Edited:
    """Return the relation if it exists, or else the one that replaced it in the newest change."""
    found = [each for each in ideas.relations_of(editor.edit, relation.idea_id) if each.other_id == relation.other_id]
    if relation in found:
        return Edited(str(_relation_name(relation)), newest, relation)
    for each in found:
        if _relation_version(editor, each) == newest:
            return Edited(str(_relation_name(each)), newest, each)
    return Edited(str(_relation_name(relation)), newest, None)


def _relation_version(editor: Editor, relation: RelationState) -> int:
    sides = ideas.both_sides(editor.edit, relation)
    return max(version_of(editor.edit.connection, _relation_name(side)) for side in sides)
