"""Read and write ideas in an edit, with contexts, definitions, examples, relations and derived rows."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Table, delete, insert, select, update

from abhidhan.dictionary.store.indexes import definition_words
from abhidhan.dictionary.store.indexes.parts_of_speech import PARTS_OF_SPEECH
from abhidhan.editing.store.records.edit_context import EditContext
from abhidhan.platform.database.bulk import BulkTransaction
from abhidhan.platform.database.compiled_queries import dialect_insert
from abhidhan.records.history import ConfirmationState, IdeaState, RelationState
from abhidhan.records.kinds.fields import list_columns
from abhidhan.records.kinds.idea import IDEA_ROW_FIELDS
from abhidhan.schema import confirmation, definition, example, idea, idea_alias, idea_context, idea_relation, sense

_IDEA_FIELDS = (*list_columns(IDEA_ROW_FIELDS), "source_id", "external_key", "licence")


def read_idea(context: EditContext, record_id: str) -> IdeaState | None:
    """Return the current state of an idea, or None."""
    idea_id = int(record_id)
    row = context.connection.execute(select(idea).where(idea.c.id == idea_id)).one_or_none()
    if row is None:
        return None
    contexts = select(idea_context.c.context_id).where(idea_context.c.idea_id == idea_id)
    definitions = select(definition.c.language_id, definition.c.text).where(definition.c.idea_id == idea_id)
    examples = select(example.c.language_id, example.c.text, example.c.translation).where(example.c.idea_id == idea_id)
    aliases = select(idea_alias.c.source_id, idea_alias.c.external_key).where(idea_alias.c.idea_id == idea_id)
    in_order = aliases.order_by(idea_alias.c.source_id, idea_alias.c.external_key)
    return IdeaState(
        **{name: getattr(row, name) for name in _IDEA_FIELDS},
        created=row.created,
        contexts=tuple(context.connection.execute(contexts.order_by(idea_context.c.context_id)).scalars()),
        definitions=tuple(
            (one[0], one[1]) for one in context.connection.execute(definitions.order_by(definition.c.id))
        ),
        examples=tuple((one[0], one[1], one[2]) for one in context.connection.execute(examples.order_by(example.c.id))),
        aliases=tuple((one[0], one[1]) for one in context.connection.execute(in_order)),
    )


def idea_exists(context: EditContext, idea_id: int) -> bool:
    """Return whether the idea exists."""
    return context.connection.execute(select(idea.c.id).where(idea.c.id == idea_id)).first() is not None


def create_idea(context: EditContext, after: IdeaState, record_id: str | None) -> str:
    """Insert an idea; return its ID."""
    values = _build_idea_row(after) | {"created": after.created, "updated": context.now}
    idea_id = context.insert(idea, values, int(record_id) if record_id else None)
    _write_parts(context, idea_id, (), after)
    return str(idea_id)


def change_idea(context: EditContext, record_id: str, before: IdeaState, after: IdeaState) -> None:
    """Update an idea and its derived rows."""
    idea_id = int(record_id)
    context.connection.execute(
        update(idea).where(idea.c.id == idea_id).values(_build_idea_row(after) | {"updated": context.now})
    )
    if _get_parts(before) != _get_parts(after):
        _write_parts(context, idea_id, _remove_parts(context, idea_id), after)
    if before.pos_id != after.pos_id:
        words = select(sense.c.word_id).where(sense.c.idea_id == idea_id)
        PARTS_OF_SPEECH.update_rows(context.connection, context.connection.execute(words).scalars())


def delete_idea(context: EditContext, record_id: str) -> None:
    """Delete an idea that no record references."""
    idea_id = int(record_id)
    definition_words.replace_keys(BulkTransaction(context.connection), idea_id, _remove_parts(context, idea_id), ())
    context.connection.execute(delete(idea).where(idea.c.id == idea_id))


def _build_idea_row(state: IdeaState) -> dict[str, Any]:
    return {name: getattr(state, name) for name in _IDEA_FIELDS}


def _get_parts(state: IdeaState) -> tuple[object, ...]:
    return state.contexts, state.definitions, state.examples, state.aliases


def _write_parts(context: EditContext, idea_id: int, old_definitions: Sequence[str], state: IdeaState) -> None:
    """Insert the contexts, definitions, examples and aliases of an idea, which replace `old_definitions`."""
    rows_by_table: dict[Table, list[dict[str, Any]]] = {
        idea_context: [{"context_id": context_id} for context_id in state.contexts],
        definition: [{"language_id": language_id, "text": text} for language_id, text in state.definitions],
        example: [
            {"language_id": language_id, "text": text, "translation": translation}
            for language_id, text, translation in state.examples
        ],
        idea_alias: [{"source_id": source_id, "external_key": key} for source_id, key in state.aliases],
    }
    for table, rows in rows_by_table.items():
        if rows:
            context.connection.execute(insert(table), [{"idea_id": idea_id, **row} for row in rows])
    definition_words.replace_keys(
        BulkTransaction(context.connection), idea_id, old_definitions, (text for _, text in state.definitions)
    )


def _remove_parts(context: EditContext, idea_id: int) -> Sequence[str]:
    """Delete the contexts, definitions, examples and aliases of an idea; return the definitions."""
    for table in (idea_context, example, idea_alias):
        context.connection.execute(delete(table).where(table.c.idea_id == idea_id))
    statement = delete(definition).where(definition.c.idea_id == idea_id).returning(definition.c.text)
    return context.connection.execute(statement).scalars().all()


# --- relations ----------------------------------------------------------------------------------------------------


def format_relation_id(state: RelationState) -> str:
    """Return the ID of a relation, composed of its ideas and type."""
    return f"{state.idea_id}-{state.type_id}-{state.other_id}"


def read_relation(context: EditContext, record_id: str) -> RelationState | None:
    """Return a relation, or None."""
    state = RelationState(*map(int, record_id.split("-")))
    result = context.connection.execute(select(idea_relation.c.idea_id).where(*_match_relation(state)))
    return state if result.first() else None


def create_relation(context: EditContext, after: RelationState, _: str | None) -> str:
    """Insert a relation and its inverse; return its ID."""
    for side in list_both_sides(context, after):
        row = {"idea_id": side.idea_id, "type_id": side.type_id, "other_id": side.other_id}
        context.connection.execute(
            dialect_insert(context.connection, idea_relation).values(row).on_conflict_do_nothing()
        )
    return format_relation_id(after)


def change_relation(context: EditContext, record_id: str, before: RelationState, after: RelationState) -> None:
    """Replace a relation and its inverse by another."""
    del record_id
    for side in list_both_sides(context, before):
        context.connection.execute(delete(idea_relation).where(*_match_relation(side)))
    create_relation(context, after, None)


def delete_relation(context: EditContext, record_id: str) -> None:
    """Delete a relation and its inverse."""
    for side in list_both_sides(context, RelationState(*map(int, record_id.split("-")))):
        context.connection.execute(delete(idea_relation).where(*_match_relation(side)))


def list_both_sides(context: EditContext, state: RelationState) -> list[RelationState]:
    """Return a relation and, if it has one, its inverse."""
    inverse = context.find_inverse_relation(state.type_id)
    return [state] if inverse is None else [state, RelationState(state.other_id, inverse, state.idea_id)]


def _match_relation(state: RelationState) -> tuple[Any, ...]:
    return (
        idea_relation.c.idea_id == state.idea_id,
        idea_relation.c.type_id == state.type_id,
        idea_relation.c.other_id == state.other_id,
    )


def read_relations(context: EditContext, idea_id: int) -> list[RelationState]:
    """List the relations that start at an idea, without their inverses."""
    rows = context.connection.execute(
        select(idea_relation.c.idea_id, idea_relation.c.type_id, idea_relation.c.other_id)
        .where(idea_relation.c.idea_id == idea_id)
        .order_by(idea_relation.c.type_id, idea_relation.c.other_id)
    )
    return [RelationState(*row) for row in rows]


def read_confirmation(context: EditContext, record_id: str) -> ConfirmationState | None:
    """Return the confirmation of an idea by its ID, or None."""
    statement = select(confirmation.c.confirmed).where(confirmation.c.idea_id == int(record_id))
    confirmed = context.connection.execute(statement).scalar()
    return None if confirmed is None else ConfirmationState(confirmed)


def create_confirmation(context: EditContext, after: ConfirmationState, record_id: str | None) -> str:
    """Insert the confirmation of an idea; `record_id` is the ID of the idea."""
    if record_id is None:
        raise TypeError("a confirmation has the ID of its idea")
    values = {"idea_id": int(record_id), "confirmed": after.confirmed}
    context.connection.execute(insert(confirmation).values(values))
    return record_id


def change_confirmation(
    context: EditContext, record_id: str, before: ConfirmationState, after: ConfirmationState
) -> None:
    """Update the time of a confirmation, as undo may require."""
    del before
    statement = update(confirmation).where(confirmation.c.idea_id == int(record_id))
    context.connection.execute(statement.values(confirmed=after.confirmed))


def delete_confirmation(context: EditContext, record_id: str) -> None:
    """Delete the confirmation of an idea."""
    context.connection.execute(delete(confirmation).where(confirmation.c.idea_id == int(record_id)))
