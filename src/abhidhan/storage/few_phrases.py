"""The phrases of a dictionary that has few, held in memory: most queries of several words are none of them."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Final, NamedTuple

from sqlalchemy import Integer, bindparam, literal, select

from abhidhan.domain.matching.phrases import PhraseIndex, PhraseSound
from abhidhan.domain.text.similarity import phrase_grams
from abhidhan.storage.engine.queries import Query, Row
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.schema import language, phrase

MOST_HELD: Final = 1_000
"""So many phrases are indexed in a sixth of a second, and take 3 MB. Of more, the pieces that are stored are read."""


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


def held(reader: Reader) -> dict[int, PhraseIndex] | None:
    """Return the phrases by their language's ID, as they are now; None where there are more than MOST_HELD."""
    found = reader.kept(_hold)
    return None if found is None else found.by_language


def _hold(reader: Reader, before: _Held | None) -> _Held | None:
    """Read the phrases. Most changes of the data change none: then they are not indexed anew."""
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
