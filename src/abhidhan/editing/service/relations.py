"""Relations of ideas: adding, reading, changing and taking away. A relation has one version, from whichever idea."""

from abhidhan.editing.service.editor import Edited, Editor, clash, edited, existing
from abhidhan.editing.store.history import version_of
from abhidhan.editing.store.records import ideas
from abhidhan.records.errors import ConflictError, InputError, NotFoundError, sentence
from abhidhan.records.history import Action, RecordName, RelationState
from abhidhan.records.lookup_lists import ListName


def relate(editor: Editor, relation: RelationState) -> Edited:
    """Relate an idea to another."""
    _check(editor, relation)
    for idea_id in (relation.idea_id, relation.other_id):
        existing(editor, RecordName("idea", str(idea_id)))
    editor.ledger.put(_name(relation), relation)
    if editor.ledger.is_empty:
        raise ConflictError(sentence("These two ideas are already related in this way."))
    return edited(editor, Action.RELATION_ADDED, RecordName("idea", str(relation.idea_id)))


def read(editor: Editor, relation: RelationState) -> Edited:
    """Read a relation, with its version."""
    if editor.ledger.current(_name(relation)) is None:
        raise NotFoundError(sentence("These two ideas are not related in this way."))
    return Edited(str(_name(relation)), _version(editor, relation), relation)


def of_idea(editor: Editor, idea_id: int) -> tuple[Edited, ...]:
    """List the relations of an idea, each with its version."""
    return tuple(
        Edited(str(_name(relation)), _version(editor, relation), relation)
        for relation in ideas.relations_of(editor.edit, idea_id)
    )


def change(editor: Editor, relation: RelationState, version: int, type_id: int) -> Edited:
    """Change the type of a relation of a version."""
    after = RelationState(relation.idea_id, type_id, relation.other_id)
    _check(editor, after)
    _hold(editor, relation, Edited(str(_name(after)), version, after))
    if after == relation:
        return read(editor, relation)
    if editor.ledger.current(_name(after)) is not None:
        raise ConflictError(sentence("These two ideas are already related in this way."))
    editor.ledger.put(_name(relation), None)
    editor.ledger.put(_name(after), after)
    entry = editor.entry(Action.IDEA_EDITED, RecordName("idea", str(relation.idea_id)))
    return Edited(str(_name(after)), entry, after)


def unrelate(editor: Editor, relation: RelationState, version: int | None) -> Edited:
    """Take a relation away; where a version is named, only that."""
    if version is not None:
        _hold(editor, relation, Edited(str(_name(relation)), version, None))
    editor.ledger.put(_name(relation), None)
    if editor.ledger.is_empty:
        raise NotFoundError(sentence("These two ideas are not related in this way."))
    return edited(editor, Action.RELATION_REMOVED, RecordName("idea", str(relation.idea_id)))


# --- the steps --------------------------------------------------------------------------------------------------------


def _name(relation: RelationState) -> RecordName:
    return RecordName("relation", ideas.relation_id(relation))


def _check(editor: Editor, relation: RelationState) -> None:
    """Make sure that there can be such a relation. Raises InputError."""
    if relation.idea_id == relation.other_id:
        raise InputError.of("other_id", sentence("An idea cannot be related to itself."))
    if editor.edit.catalogue.item_of_id(ListName.RELATIONS, relation.type_id) is None:
        raise InputError.of(
            "type_id",
            sentence("`%(parameter)s` is not a relation: /api/get-list.php?type=RIC lists them.", parameter="type_id"),
        )


def _hold(editor: Editor, relation: RelationState, proposed: Edited) -> None:
    """Make sure that a relation is what somebody has read, and let nobody else change it until the edit ends.

    Raises NotFoundError where there never was one, ConflictError with both states.
    """
    sides = sorted(ideas.both_sides(editor.edit, relation), key=ideas.relation_id)
    there = [editor.ledger.current(_name(side)) for side in sides]
    newest = _version(editor, relation)
    if newest != proposed.version:
        raise clash(_now(editor, relation, newest), proposed)
    if None in there:
        raise NotFoundError(sentence("These two ideas are not related in this way."))


def _now(editor: Editor, relation: RelationState, newest: int) -> Edited:
    """Return what stands between two ideas: the relation itself, or what the newest change has made of it."""
    found = [each for each in ideas.relations_of(editor.edit, relation.idea_id) if each.other_id == relation.other_id]
    if relation in found:
        return Edited(str(_name(relation)), newest, relation)
    for each in found:
        if _version(editor, each) == newest:
            return Edited(str(_name(each)), newest, each)
    return Edited(str(_name(relation)), newest, None)


def _version(editor: Editor, relation: RelationState) -> int:
    sides = ideas.both_sides(editor.edit, relation)
    return max(version_of(editor.edit.connection, _name(side)) for side in sides)
