"""Languages: how many words each has."""

from sqlalchemy import select

from abhidhan.platform.database.compiled_queries import Query
from abhidhan.platform.database.reader import Reader
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.schema import language

_WORD_COUNTS = Query(select(language.c.id, language.c.words))


def word_counts(reader: Reader) -> dict[int, int]:
    """Return how many words each language has, by its ID."""
    return {row[0]: row[1] for row in reader.rows(_WORD_COUNTS)}


def count_words(reader: Reader, language_id: int) -> int:
    """Return how many words a language has, or all languages together."""
    counts = word_counts(reader)
    return sum(counts.values()) if language_id == ALL_LANGUAGES else counts.get(language_id, 0)
