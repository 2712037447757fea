"""Parts of speech of words: those of their ideas, each with the word's place in the alphabet."""

from collections.abc import Iterable

from sqlalchemy import select

from abhidhan.storage.engine.queries import Row
from abhidhan.storage.indexes.derived import DerivedTable, Source
from abhidhan.storage.schema import idea, sense, word, word_pos


def derive(senses: Iterable[Row]) -> Iterable[Row]:
    """List where words stand: (language's ID, part of speech's ID, sort key, text, word's ID) of every sense."""
    return senses


PARTS_OF_SPEECH = DerivedTable(
    word_pos,
    "word_id",
    word,
    Source(
        select(word.c.language_id, idea.c.pos_id, word.c.sort_key, word.c.text, word.c.id)
        .select_from(word.join(sense, sense.c.word_id == word.c.id).join(idea, idea.c.id == sense.c.idea_id))
        .where(idea.c.pos_id.is_not(None)),
        word.c.id,
    ),
    derive,
)
