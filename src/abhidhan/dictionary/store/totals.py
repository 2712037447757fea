"""Counts of the records of each kind."""

from sqlalchemy import func, select

from abhidhan import schema
from abhidhan.platform.database.compiled_queries import Query
from abhidhan.platform.database.reader import Reader

_COUNTS = {
    name: Query(select(func.count()).select_from(table))
    for name, table in (
        ("ideas", schema.idea),
        ("words", schema.word),
        ("senses", schema.sense),
        ("definitions", schema.definition),
        ("examples", schema.example),
        ("relations", schema.idea_relation),
        ("phrases", schema.phrase),
        ("card_sets", schema.card_set),
        ("cards", schema.card),
        ("sources", schema.source),
    )
}


def count_records(reader: Reader) -> dict[str, int]:
    """Count the records of each kind, by its name. A relation and its inverse count as two."""
    return {name: int(reader.rows(query)[0][0]) for name, query in _COUNTS.items()}
