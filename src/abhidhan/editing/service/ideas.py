"""Ideas and their relations: add, confirm, delete, relate and merge them."""

import msgspec

from abhidhan.editing.service.editor import (
    Edited,
    EditSession,
    build_version_conflict,
    commit_edit,
    detach_recordings,
    move_recordings,
    require_record,
)
from abhidhan.editing.service.words import delete_sense
from abhidhan.editing.store.history import find_version
from abhidhan.editing.store.records import cards, contributions, ideas, words
from abhidhan.records.errors import ConflictError, InputError, NotFoundError, sentence
from abhidhan.records.history import ConfirmationState, HistoryAction, IdeaState, PhotoState, RecordRef, RelationState
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.submission_payloads import IdeaData


def add_idea(session: EditSession, data: IdeaData) -> Edited:
    """Add an idea without words."""
    state = session.validator.create_idea(data)
    session.validator.raise_problems()
    return commit_edit(session, HistoryAction.IDEA_CREATED, session.recorder.create("idea", state))


def delete_idea(session: EditSession, ref: RecordRef) -> None:
    """Delete an idea, and the words that have no other sense. Raises ConflictError if it has photos."""
    if contributions.read_photos_of_idea(session.context, ref.number):
        raise ConflictError(sentence("This idea has photos: merge it into another idea instead."))
    for sense_id in words.read_senses_of_idea(session.context, ref.number):
        delete_sense(session, RecordRef("sense", sense_id))
    for relation in ideas.read_relations(session.context, ref.number):
        session.recorder.apply(RecordRef("relation", ideas.format_relation_id(relation)), None)
    for card_id, card in cards.read_cards_of_idea(session.context, ref.number).items():
        session.recorder.apply(RecordRef("card", card_id), msgspec.structs.replace(card, idea_id=None))
    session.recorder.apply(RecordRef("confirmation", ref.id), None)
    detach_recordings(session, ref)
    session.recorder.apply(ref, None)


def merge(session: EditSession, target_id: int, merged_id: int) -> Edited:
    """Merge the idea `merged_id` into `target_id`."""
    if target_id == merged_id:
        raise InputError.of("into", sentence("An idea cannot be merged into itself."))
    merge_records(session, target_id, merged_id)
    return commit_edit(session, HistoryAction.IDEAS_MERGED, RecordRef("idea", str(target_id)))


def merge_records(session: EditSession, target_id: int, merged_id: int) -> None:
    """Merge two ideas without writing a history entry."""
    target_ref, merged_ref = RecordRef("idea", str(target_id)), RecordRef("idea", str(merged_id))
    target_state, merged_state = require_record(session, target_ref), require_record(session, merged_ref)
    _move_links(session, target_id, merged_id)
    _move_relations(session, target_id, merged_id)
    move_recordings(session, merged_ref, target_ref)
    # A confirmation of the remaining idea stays; that of the other does not apply to the merged content.
    session.recorder.apply(RecordRef("confirmation", merged_ref.id), None)
    session.recorder.apply(merged_ref, None)
    if isinstance(target_state, IdeaState) and isinstance(merged_state, IdeaState):
        session.recorder.apply(target_ref, _merge_states(target_state, merged_state))


def _merge_states(target_state: IdeaState, merged_state: IdeaState) -> IdeaState:
    return msgspec.structs.replace(
        target_state,
        pos_id=target_state.pos_id or merged_state.pos_id,
        gender_id=target_state.gender_id or merged_state.gender_id,
        licence=target_state.licence or merged_state.licence,
        glyph=target_state.glyph or merged_state.glyph,
        contexts=tuple(sorted({*target_state.contexts, *merged_state.contexts})),
        definitions=tuple(dict.fromkeys((*target_state.definitions, *merged_state.definitions))),
        examples=tuple(dict.fromkeys((*target_state.examples, *merged_state.examples))),
        aliases=tuple(sorted({*target_state.aliases, *merged_state.aliases, *_list_import_keys(merged_state)})),
    )


def _list_import_keys(state: IdeaState) -> tuple[tuple[int, str], ...]:
    """Return the source and key by which import files refer to an idea, if it has them."""
    named = state.source_id is not None and state.external_key is not None
    return ((state.source_id or 0, state.external_key or ""),) if named else ()


def _move_links(session: EditSession, target_id: int, merged_id: int) -> None:
    """Move the words, flashcards and photos of one idea to another."""
    target_word_ids = {
        kept_sense.word_id for kept_sense in words.read_senses_of_idea(session.context, target_id).values()
    }
    for sense_id, sense in words.read_senses_of_idea(session.context, merged_id).items():
        moved = (
            None if sense.word_id in target_word_ids else msgspec.structs.replace(sense, idea_id=target_id, rank=None)
        )
        session.recorder.apply(RecordRef("sense", sense_id), moved)
    for card_id, card in cards.read_cards_of_idea(session.context, merged_id).items():
        session.recorder.apply(RecordRef("card", card_id), msgspec.structs.replace(card, idea_id=target_id))
    for photo_id, photo in contributions.read_photos_of_idea(session.context, merged_id).items():
        session.recorder.apply(RecordRef("photo", photo_id), _assign_to_idea(photo, target_id))


def _assign_to_idea(photo: PhotoState, idea_id: int) -> PhotoState:
    return msgspec.structs.replace(photo, idea_id=idea_id)


def _move_relations(session: EditSession, target_id: int, merged_id: int) -> None:
    for relation in ideas.read_relations(session.context, merged_id):
        session.recorder.apply(RecordRef("relation", ideas.format_relation_id(relation)), None)
        moved = RelationState(target_id, relation.type_id, relation.other_id)
        if moved.other_id != target_id:
            session.recorder.apply(RecordRef("relation", ideas.format_relation_id(moved)), moved)


def confirm(session: EditSession, idea_id: int) -> None:
    """Confirm an idea, unless it is already confirmed. Raises NotFoundError.

    A later edit does not remove the confirmation, as editors may confirm too and have read the idea. The history has
    the times of both, so readers can see what was written after the confirmation. Merging or deleting an idea removes
    its confirmation; undo restores it.
    """
    ref = RecordRef("idea", str(idea_id))
    require_record(session, ref)
    confirmation = RecordRef("confirmation", ref.id)
    if session.recorder.get_current(confirmation) is None:
        session.recorder.apply(confirmation, ConfirmationState(session.now))
        session.commit(HistoryAction.APPROVED, ref)


def relate(session: EditSession, relation: RelationState) -> Edited:
    """Relate an idea to another."""
    _check_relation(session, relation)
    for idea_id in (relation.idea_id, relation.other_id):
        require_record(session, RecordRef("idea", str(idea_id)))
    session.recorder.apply(_build_relation_ref(relation), relation)
    if session.recorder.is_empty:
        raise ConflictError(sentence("These two ideas are already related in this way."))
    return commit_edit(session, HistoryAction.RELATION_ADDED, RecordRef("idea", str(relation.idea_id)))


def read_relation(session: EditSession, relation: RelationState) -> Edited:
    """Return a relation with its version. Raises NotFoundError."""
    if session.recorder.get_current(_build_relation_ref(relation)) is None:
        raise NotFoundError(sentence("These two ideas are not related in this way."))
    return Edited(str(_build_relation_ref(relation)), _find_relation_version(session, relation), relation)


def list_relations(session: EditSession, idea_id: int) -> tuple[Edited, ...]:
    """List the relations of an idea, each with its version."""
    return tuple(
        Edited(str(_build_relation_ref(relation)), _find_relation_version(session, relation), relation)
        for relation in ideas.read_relations(session.context, idea_id)
    )


def change_relation(session: EditSession, relation: RelationState, version: int, type_id: int) -> Edited:
    """Change the type of a relation if it still has this version."""
    after = RelationState(relation.idea_id, type_id, relation.other_id)
    _check_relation(session, after)
    _check_version(session, relation, Edited(str(_build_relation_ref(after)), version, after))
    if after == relation:
        return read_relation(session, relation)
    if session.recorder.get_current(_build_relation_ref(after)) is not None:
        raise ConflictError(sentence("These two ideas are already related in this way."))
    session.recorder.apply(_build_relation_ref(relation), None)
    session.recorder.apply(_build_relation_ref(after), after)
    entry = session.commit(HistoryAction.IDEA_EDITED, RecordRef("idea", str(relation.idea_id)))
    return Edited(str(_build_relation_ref(after)), entry, after)


def unrelate(session: EditSession, relation: RelationState, version: int | None) -> Edited:
    """Remove a relation; with a version, only if the relation still has it."""
    if version is not None:
        _check_version(session, relation, Edited(str(_build_relation_ref(relation)), version, None))
    session.recorder.apply(_build_relation_ref(relation), None)
    if session.recorder.is_empty:
        raise NotFoundError(sentence("These two ideas are not related in this way."))
    return commit_edit(session, HistoryAction.RELATION_REMOVED, RecordRef("idea", str(relation.idea_id)))


# --- helpers ----------------------------------------------------------------------------------------------------------


def _build_relation_ref(relation: RelationState) -> RecordRef:
    return RecordRef("relation", ideas.format_relation_id(relation))


def _check_relation(session: EditSession, relation: RelationState) -> None:
    """Check the ideas and the type of a relation. Raises InputError."""
    if relation.idea_id == relation.other_id:
        raise InputError.of("other_id", sentence("An idea cannot be related to itself."))
    if session.context.catalogue.find_item_by_id(ListName.RELATIONS, relation.type_id) is None:
        raise InputError.of(
            "type_id",
            sentence("`%(parameter)s` is not a relation: /api/get-list.php?type=RIC lists them.", parameter="type_id"),
        )


def _check_version(session: EditSession, relation: RelationState, proposed: Edited) -> None:
    """Check that a relation still exists and has the version of `proposed`.

    Raises NotFoundError if there is no such relation, ConflictError with both states.
    """
    sides = sorted(ideas.list_both_sides(session.context, relation), key=ideas.format_relation_id)
    current_sides = [session.recorder.get_current(_build_relation_ref(side)) for side in sides]
    newest = _find_relation_version(session, relation)
    if newest != proposed.version:
        raise build_version_conflict(_find_current_relation(session, relation, newest), proposed)
    if None in current_sides:
        raise NotFoundError(sentence("These two ideas are not related in this way."))


def _find_current_relation(session: EditSession, relation: RelationState, newest: int) -> Edited:
    """Return the relation if it exists; otherwise, the relation that replaced it in the newest change."""
    candidates = [
        candidate
        for candidate in ideas.read_relations(session.context, relation.idea_id)
        if candidate.other_id == relation.other_id
    ]
    if relation in candidates:
        return Edited(str(_build_relation_ref(relation)), newest, relation)
    for candidate in candidates:
        if _find_relation_version(session, candidate) == newest:
            return Edited(str(_build_relation_ref(candidate)), newest, candidate)
    return Edited(str(_build_relation_ref(relation)), newest, None)


def _find_relation_version(session: EditSession, relation: RelationState) -> int:
    sides = ideas.list_both_sides(session.context, relation)
    return max(find_version(session.context.connection, _build_relation_ref(side)) for side in sides)
