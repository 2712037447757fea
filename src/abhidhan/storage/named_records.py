"""Records by the names that files have for them, for making the dictionary what a file is."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy import Connection, Table, select, update

from abhidhan.storage.dump.choice import LOCAL
from abhidhan.storage.schema import card_set, idea, idea_alias, phrase, sense, source, word

TABLES: Final[dict[str, Table]] = {"idea": idea, "phrase": phrase, "card_set": card_set, "word": word, "sense": sense}
_LOCAL: Final = re.compile(r"(?:idea|phrase|set)-(\d{1,9})(?:-\d{1,12})?")


def id_of(connection: Connection, kind: str, source_code: str, key: str) -> int | None:
    """Find the ID of an idea, a phrase or a set of flashcards; None when there is none of this name."""
    table = TABLES[kind]
    named = (
        select(table.c.id)
        .join(source, source.c.id == table.c.source_id)
        .where(source.c.code == source_code, table.c.external_key == key)
    )
    found = connection.execute(named).scalar()
    if found is None and kind == "idea":
        found = _merged(connection, source_code, key)
    if found is None and source_code == LOCAL.code:
        found = _written_here(connection, table, key)
    return found


def _merged(connection: Connection, source_code: str, key: str) -> int | None:
    return connection.execute(
        select(idea_alias.c.idea_id)
        .join(source, source.c.id == idea_alias.c.source_id)
        .where(source.c.code == source_code, idea_alias.c.external_key == key)
    ).scalar()


def _written_here(connection: Connection, table: Table, key: str) -> int | None:
    number = _LOCAL.fullmatch(key)
    if number is None:
        return None
    nameless = table.c.source_id.is_(None) | table.c.external_key.is_(None)
    return connection.execute(select(table.c.id).where(table.c.id == int(number[1]), nameless)).scalar()


def set_times(connection: Connection, kind: str, record_id: int, times: dict[str, int | None]) -> None:
    """Write the times that a file tells of a record."""
    told: dict[str, Any] = {name: at for name, at in times.items() if at is not None}
    if told:
        table = TABLES[kind]
        connection.execute(update(table).where(table.c.id == record_id).values(told))


@contextmanager
def undone_by_conflicts(connection: Connection) -> Iterator[None]:
    """Take back what was done within, if it ends in an error; the transaction around it goes on."""
    with connection.begin_nested():
        yield
