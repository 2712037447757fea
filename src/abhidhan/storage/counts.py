"""Counts of the records of each kind."""

from sqlalchemy import func, select

from abhidhan.storage import tables
from abhidhan.storage.database import Reader
from abhidhan.storage.queries import Query

_COUNTS = {
    name: Query(select(func.count()).select_from(table))
    for name, table in (
        ("ideas", tables.idea),
        ("words", tables.word),
        ("senses", tables.sense),
        ("definitions", tables.definition),
        ("examples", tables.example),
        ("relations", tables.idea_relation),
        ("phrases", tables.phrase),
        ("card_sets", tables.card_set),
        ("cards", tables.card),
        ("sources", tables.source),
    )
}


def count_records(reader: Reader) -> dict[str, int]:
    """Count the records of each kind, by its name. A relation and its inverse count as two."""
    return {name: int(reader.rows(query)[0][0]) for name, query in _COUNTS.items()}
