"""Ideas and their relations: add, confirm, delete, relate and merge them."""

import msgspec

from abhidhan.editing.service.editor import (
    Edited,
    EditSession,
    commit_edit,
    detach_recordings,
    move_recordings,
    require_record,
    version_conflict,
)
from abhidhan.editing.service.words import delete_sense
from abhidhan.editing.store.history import version_of
from abhidhan.editing.store.records import cards, contributions, ideas, words
from abhidhan.records.errors import ConflictError, InputError, NotFoundError, sentence
from abhidhan.records.history import ConfirmationState, HistoryAction, IdeaState, PhotoState, RecordRef, RelationState
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.submission_payloads import IdeaData


def add_idea(editor: EditSession, data: IdeaData) -> Edited:
    """Add an idea without words."""
    state = editor.draft.idea(data)
    editor.draft.finish()
    return commit_edit(editor, HistoryAction.IDEA_CREATED, editor.recorder.create("idea", state))


def delete_idea(editor: EditSession, name: RecordRef) -> None:
    """Delete an idea, and the words that have no other sense. Raises ConflictError if it has photos."""
    if contributions.photos_of_idea(editor.edit, name.number):
        raise ConflictError(sentence("This idea has photos: merge it into another idea instead."))
    for sense_id in words.senses_of_idea(editor.edit, name.number):
        delete_sense(editor, RecordRef("sense", sense_id))
    for relation in ideas.relations_of(editor.edit, name.number):
        editor.recorder.apply(RecordRef("relation", ideas.relation_id(relation)), None)
    for card_id, card in cards.cards_of_idea(editor.edit, name.number).items():
        editor.recorder.apply(RecordRef("card", card_id), msgspec.structs.replace(card, idea_id=None))
    editor.recorder.apply(RecordRef("confirmation", name.id), None)
    detach_recordings(editor, name)
    editor.recorder.apply(name, None)


def merge(editor: EditSession, kept_id: int, gone_id: int) -> Edited:
    """Merge the idea `merged_id` into `target_id`."""
    if kept_id == gone_id:
        raise InputError.of("into", sentence("An idea cannot be merged into itself."))
    merge_records(editor, kept_id, gone_id)
    return commit_edit(editor, HistoryAction.IDEAS_MERGED, RecordRef("idea", str(kept_id)))


def merge_records(editor: EditSession, kept_id: int, gone_id: int) -> None:
    """Merge two ideas without writing a history entry."""
    kept_name, gone_name = RecordRef("idea", str(kept_id)), RecordRef("idea", str(gone_id))
    kept_state, gone_state = require_record(editor, kept_name), require_record(editor, gone_name)
    _move_links(editor, kept_id, gone_id)
    _move_relations(editor, kept_id, gone_id)
    move_recordings(editor, gone_name, kept_name)
    # A confirmation of the remaining idea stays; that of the other does not apply to the merged content.
    editor.recorder.apply(RecordRef("confirmation", gone_name.id), None)
    editor.recorder.apply(gone_name, None)
    if isinstance(kept_state, IdeaState) and isinstance(gone_state, IdeaState):
        editor.recorder.apply(kept_name, _merged_state(kept_state, gone_state))


def _merged_state(kept_state: IdeaState, gone_state: IdeaState) -> IdeaState:
    return msgspec.structs.replace(
        kept_state,
        pos_id=kept_state.pos_id or gone_state.pos_id,
        gender_id=kept_state.gender_id or gone_state.gender_id,
        licence=kept_state.licence or gone_state.licence,
        glyph=kept_state.glyph or gone_state.glyph,
        contexts=tuple(sorted({*kept_state.contexts, *gone_state.contexts})),
        definitions=tuple(dict.fromkeys((*kept_state.definitions, *gone_state.definitions))),
        examples=tuple(dict.fromkeys((*kept_state.examples, *gone_state.examples))),
        aliases=tuple(sorted({*kept_state.aliases, *gone_state.aliases, *_import_keys(gone_state)})),
    )


def _import_keys(state: IdeaState) -> tuple[tuple[int, str], ...]:
    """Return the source and key by which import files refer to an idea, if it has them."""
    named = state.source_id is not None and state.external_key is not None
    return ((state.source_id or 0, state.external_key or ""),) if named else ()


def _move_links(editor: EditSession, kept_id: int, gone_id: int) -> None:
    """Move the words, flashcards and photos of one idea to another."""
    there = {kept_sense.word_id for kept_sense in words.senses_of_idea(editor.edit, kept_id).values()}
    for sense_id, sense in words.senses_of_idea(editor.edit, gone_id).items():
        moved = None if sense.word_id in there else msgspec.structs.replace(sense, idea_id=kept_id, rank=None)
        editor.recorder.apply(RecordRef("sense", sense_id), moved)
    for card_id, card in cards.cards_of_idea(editor.edit, gone_id).items():
        editor.recorder.apply(RecordRef("card", card_id), msgspec.structs.replace(card, idea_id=kept_id))
    for photo_id, photo in contributions.photos_of_idea(editor.edit, gone_id).items():
        editor.recorder.apply(RecordRef("photo", photo_id), _of_idea(photo, kept_id))


def _of_idea(photo: PhotoState, idea_id: int) -> PhotoState:
    return msgspec.structs.replace(photo, idea_id=idea_id)


def _move_relations(editor: EditSession, kept_id: int, gone_id: int) -> None:
    for relation in ideas.relations_of(editor.edit, gone_id):
        editor.recorder.apply(RecordRef("relation", ideas.relation_id(relation)), None)
        moved = RelationState(kept_id, relation.type_id, relation.other_id)
        if moved.other_id != kept_id:
            editor.recorder.apply(RecordRef("relation", ideas.relation_id(moved)), moved)


def confirm(editor: EditSession, idea_id: int) -> None:
    """Confirm an idea, unless it is already confirmed. Raises NotFoundError.

    A later edit does not remove the confirmation, as editors may confirm too and have read the idea. The history has
    the times of both, so readers can see what was written after the confirmation. Merging or deleting an idea removes
    its confirmation; undo restores it.
    """
    name = RecordRef("idea", str(idea_id))
    require_record(editor, name)
    confirmation = RecordRef("confirmation", name.id)
    if editor.recorder.current(confirmation) is None:
        editor.recorder.apply(confirmation, ConfirmationState(editor.now))
        editor.commit(HistoryAction.APPROVED, name)


def relate(editor: EditSession, relation: RelationState) -> Edited:
    """Relate an idea to another."""
    _check_relation(editor, relation)
    for idea_id in (relation.idea_id, relation.other_id):
        require_record(editor, RecordRef("idea", str(idea_id)))
    editor.recorder.apply(_relation_name(relation), relation)
    if editor.recorder.is_empty:
        raise ConflictError(sentence("These two ideas are already related in this way."))
    return commit_edit(editor, HistoryAction.RELATION_ADDED, RecordRef("idea", str(relation.idea_id)))


def read_relation(editor: EditSession, relation: RelationState) -> Edited:
    """Return a relation with its version. Raises NotFoundError."""
    if editor.recorder.current(_relation_name(relation)) is None:
        raise NotFoundError(sentence("These two ideas are not related in this way."))
    return Edited(str(_relation_name(relation)), _relation_version(editor, relation), relation)


def relations_of(editor: EditSession, idea_id: int) -> tuple[Edited, ...]:
    """List the relations of an idea, each with its version."""
    return tuple(
        Edited(str(_relation_name(relation)), _relation_version(editor, relation), relation)
        for relation in ideas.relations_of(editor.edit, idea_id)
    )


def change_relation(editor: EditSession, relation: RelationState, version: int, type_id: int) -> Edited:
    """Change the type of a relation if it still has this version."""
    after = RelationState(relation.idea_id, type_id, relation.other_id)
    _check_relation(editor, after)
    _check_version(editor, relation, Edited(str(_relation_name(after)), version, after))
    if after == relation:
        return read_relation(editor, relation)
    if editor.recorder.current(_relation_name(after)) is not None:
        raise ConflictError(sentence("These two ideas are already related in this way."))
    editor.recorder.apply(_relation_name(relation), None)
    editor.recorder.apply(_relation_name(after), after)
    entry = editor.commit(HistoryAction.IDEA_EDITED, RecordRef("idea", str(relation.idea_id)))
    return Edited(str(_relation_name(after)), entry, after)


def unrelate(editor: EditSession, relation: RelationState, version: int | None) -> Edited:
    """Remove a relation; with a version, only if the relation still has it."""
    if version is not None:
        _check_version(editor, relation, Edited(str(_relation_name(relation)), version, None))
    editor.recorder.apply(_relation_name(relation), None)
    if editor.recorder.is_empty:
        raise NotFoundError(sentence("These two ideas are not related in this way."))
    return commit_edit(editor, HistoryAction.RELATION_REMOVED, RecordRef("idea", str(relation.idea_id)))


# --- helpers ----------------------------------------------------------------------------------------------------------


def _relation_name(relation: RelationState) -> RecordRef:
    return RecordRef("relation", ideas.relation_id(relation))


def _check_relation(editor: EditSession, relation: RelationState) -> None:
    """Check the ideas and the type of a relation. Raises InputError."""
    if relation.idea_id == relation.other_id:
        raise InputError.of("other_id", sentence("An idea cannot be related to itself."))
    if editor.edit.catalogue.item_by_id(ListName.RELATIONS, relation.type_id) is None:
        raise InputError.of(
            "type_id",
            sentence("`%(parameter)s` is not a relation: /api/get-list.php?type=RIC lists them.", parameter="type_id"),
        )


def _check_version(editor: EditSession, relation: RelationState, proposed: Edited) -> None:
    """Check that a relation still exists and has the version of `proposed`.

    Raises NotFoundError if there is no such relation, ConflictError with both states.
    """
    sides = sorted(ideas.both_sides(editor.edit, relation), key=ideas.relation_id)
    there = [editor.recorder.current(_relation_name(side)) for side in sides]
    newest = _relation_version(editor, relation)
    if newest != proposed.version:
        raise version_conflict(_current_relation(editor, relation, newest), proposed)
    if None in there:
        raise NotFoundError(sentence("These two ideas are not related in this way."))


def _current_relation(editor: EditSession, relation: RelationState, newest: int) -> Edited:
    """Return the relation if it exists; otherwise, the relation that replaced it in the newest change."""
    candidates = [
        candidate
        for candidate in ideas.relations_of(editor.edit, relation.idea_id)
        if candidate.other_id == relation.other_id
    ]
    if relation in candidates:
        return Edited(str(_relation_name(relation)), newest, relation)
    for candidate in candidates:
        if _relation_version(editor, candidate) == newest:
            return Edited(str(_relation_name(candidate)), newest, candidate)
    return Edited(str(_relation_name(relation)), newest, None)


def _relation_version(editor: EditSession, relation: RelationState) -> int:
    sides = ideas.both_sides(editor.edit, relation)
    return max(version_of(editor.edit.connection, _relation_name(side)) for side in sides)
