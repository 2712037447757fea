"""Definition words: the exact keys of the words that stand in the definitions of an idea."""

from collections.abc import Iterable, Iterator

from sqlalchemy import select

from abhidhan.domain.indexing import definition_keys
from abhidhan.storage.engine.queries import Row
from abhidhan.storage.indexes.derived import DerivedTable, Source
from abhidhan.storage.schema import definition, definition_word, idea


def derive(definitions: Iterable[Row]) -> Iterator[tuple[str, int]]:
    """List the keys of definitions, which are given as (idea's ID, text): each as (key, idea's ID)."""
    for idea_id, text in definitions:
        for key in definition_keys(text):
            yield key, idea_id


DEFINITION_WORDS = DerivedTable(
    definition_word,
    "idea_id",
    idea,
    Source(select(definition.c.idea_id, definition.c.text), definition.c.idea_id),
    derive,
)
