"""Counts of the records of each kind, and of the words of each language."""

from sqlalchemy import func, select

from abhidhan import schema
from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.schema import language

_COUNT_QUERIES = {
    name: CompiledQuery(select(func.count()).select_from(table))
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


def count_records(connection: ReadConnection) -> dict[str, int]:
    """Return the number of records by kind. A relation and its inverse count as two."""
    return {name: int(connection.rows(query)[0][0]) for name, query in _COUNT_QUERIES.items()}


def count_card_sets(connection: ReadConnection) -> int:
    """Count the sets of flashcards."""
    return int(connection.rows(_COUNT_QUERIES["card_sets"])[0][0])


_WORD_COUNTS = CompiledQuery(select(language.c.id, language.c.words))


def count_words_by_language(connection: ReadConnection) -> dict[int, int]:
    """Return the number of words by language ID."""
    return {row[0]: row[1] for row in connection.rows(_WORD_COUNTS)}


def count_words(connection: ReadConnection, language_id: int) -> int:
    """Return the number of words of a language, or of all."""
    counts = count_words_by_language(connection)
    return sum(counts.values()) if language_id == ALL_LANGUAGES else counts.get(language_id, 0)
