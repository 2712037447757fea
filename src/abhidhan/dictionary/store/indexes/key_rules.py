"""The rules by which the stored keys were made, as the database notes them."""

from sqlalchemy import Connection, delete, insert, select

from abhidhan import schema
from abhidhan.dictionary.store.idea_details import Tables
from abhidhan.platform.database.compiled_queries import Query
from assamese.search_keys import key_rules

_RULES = Query(select(schema.key_rules.c.rules))


def stored_rules(reader: Tables) -> str | None:
    """Return the name of the rules by which the stored keys were made; None when that was never noted."""
    rows = reader.rows(_RULES)
    return str(rows[0][0]) if rows else None


def note_rules(connection: Connection) -> None:
    """Note that every stored key was made by today's rules."""
    connection.execute(delete(schema.key_rules))
    connection.execute(insert(schema.key_rules).values(id=1, rules=key_rules()))


def note_rules_if_empty(connection: Connection) -> None:
    """Note today's rules in a database that has no words yet."""
    if connection.execute(select(schema.word.c.id).limit(1)).first() is None:
        note_rules(connection)
