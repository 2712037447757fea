"""Words of phrases: the keys of the words that stand in their texts and in their meanings."""

from collections.abc import Iterable, Iterator

from sqlalchemy import select

from abhidhan.domain.indexing import phrase_word_keys
from abhidhan.storage.engine.queries import Row
from abhidhan.storage.indexes.derived import DerivedTable, Source
from abhidhan.storage.schema import language, phrase, phrase_word


def derive(phrases: Iterable[Row]) -> Iterator[tuple[str, int]]:
    """List the keys of phrases, given as (ID, code of its language, text, meaning): each as (key, phrase's ID)."""
    for phrase_id, code, text, meaning in phrases:
        for key in phrase_word_keys(text, code, meaning):
            yield key, phrase_id


PHRASE_WORDS = DerivedTable(
    phrase_word,
    "phrase_id",
    phrase,
    Source(
        select(phrase.c.id, language.c.code, phrase.c.text, phrase.c.meaning).join(
            language, language.c.id == phrase.c.language_id
        ),
        phrase.c.id,
    ),
    derive,
)
