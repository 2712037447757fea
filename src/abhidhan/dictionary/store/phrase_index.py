"""In-memory indexes of the phrases of a small collection, to rule out most queries of several words."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Final, NamedTuple

from sqlalchemy import Integer, bindparam, literal, select

from abhidhan.dictionary.model.phrase_matching import PhraseIndex, PhraseSound
from abhidhan.platform.database.compiled_queries import Query, Row
from abhidhan.platform.database.reader import Reader
from abhidhan.schema import language, phrase
from assamese.phrase_similarity import phrase_grams

MOST_HELD: Final = 1_000
"""The maximum number of phrases in memory, which take a sixth of a second to index, and 3 MB.

For more phrases, the stored pieces are read.
"""


class _Held(NamedTuple):
    rows: list[Row]
    by_language: dict[int, PhraseIndex]


_IS_ONE_MORE = Query(
    select(phrase.c.id).order_by(phrase.c.id).limit(literal(1)).offset(bindparam("phrases", type_=Integer))
)

_PHRASES = Query(
    select(phrase.c.language_id, language.c.code, phrase.c.exact_key, phrase.c.id, phrase.c.text, phrase.c.sound_key)
    .join(language, language.c.id == phrase.c.language_id)
    .order_by(phrase.c.id)
)


def phrase_indexes(reader: Reader) -> dict[int, PhraseIndex] | None:
    """Return the current indexes by language ID, or None for more than MOST_HELD phrases."""
    found = reader.kept(_hold)
    return None if found is None else found.by_language


def _hold(reader: Reader, before: _Held | None) -> _Held | None:
    """Read the phrases, and rebuild the indexes only if a phrase has changed."""
    if reader.rows(_IS_ONE_MORE, phrases=MOST_HELD):
        return None
    rows = reader.rows(_PHRASES)
    if before is not None and before.rows == rows:
        return before
    by_language: defaultdict[int, list[Row]] = defaultdict(list)
    for language_id, *phrase_of_it in rows:
        by_language[language_id].append(tuple(phrase_of_it))
    return _Held(rows, {language_id: _index(of_language) for language_id, of_language in by_language.items()})


def _index(phrases: Iterable[Row]) -> PhraseIndex:
    return PhraseIndex(
        (PhraseSound(phrase_id, text, sound), exact, phrase_grams(text, code))
        for code, exact, phrase_id, text, sound in phrases
    )
