"""Words of phrases: the keys of the words that stand in their texts and in their meanings in every language."""

from collections.abc import Iterable, Iterator

from sqlalchemy import select

from abhidhan.domain.indexing import phrase_word_keys
from abhidhan.domain.local_texts import local_texts
from abhidhan.storage.engine.queries import Row
from abhidhan.storage.indexes.derived import DerivedTable, Source
from abhidhan.storage.schema import language, phrase, phrase_word


def derive(phrases: Iterable[Row]) -> Iterator[tuple[str, int]]:
    """List the keys of phrases, each as (key, phrase's ID).

    They are given as (ID, code of its language, text, meaning in English, other meanings).
    """
    for phrase_id, code, text, meaning, meanings in phrases:
        told = [each.text for each in local_texts(meaning, meanings)]
        for key in phrase_word_keys(text, code, told):
            yield key, phrase_id


PHRASE_WORDS = DerivedTable(
    phrase_word,
    "phrase_id",
    phrase,
    Source(
        select(phrase.c.id, language.c.code, phrase.c.text, phrase.c.meaning, phrase.c.meanings).join(
            language, language.c.id == phrase.c.language_id
        ),
        phrase.c.id,
    ),
    derive,
)
