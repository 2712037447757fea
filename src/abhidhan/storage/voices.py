"""Voices: the words that nobody has recorded, and the recordings of examples."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from sqlalchemy import Integer, Text, bindparam, func, literal_column, select

from abhidhan.domain.audio import Audio, read_audio
from abhidhan.domain.languages import Language
from abhidhan.domain.recordings import recording_address
from abhidhan.domain.submissions import Status
from abhidhan.domain.voices import WordToSay, commonest_words
from abhidhan.storage.engine.queries import Query, by_size, chunks, in_list, padded
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.schema import recording, word

MOST_RANKED: Final = 50_000
"""So many words of a language are put in order at once, by the alphabet: more than people record in years."""

MOST_KEPT: Final = 20
"""So many languages are kept in order at a time."""

_SILENT = (word.c.language_id == bindparam("language", type_=Integer), word.c.audio.is_(None))
_WORDS = Query(
    select(word.c.id, word.c.exact_key, word.c.frequency)
    .where(*_SILENT)
    .order_by(word.c.sort_key, word.c.text)
    .limit(bindparam("limit", type_=Integer))
)
_COUNT = Query(select(func.count()).select_from(word).where(*_SILENT))
_SPELLED = by_size(
    lambda size: select(word.c.text, word.c.audio).where(
        word.c.language_id == bindparam("language", type_=Integer),
        in_list(word.c.text, "text", size),
        word.c.audio.is_not(None),
    )
)
_EXAMPLES = by_size(
    lambda size: (
        select(
            recording.c.idea_id, recording.c.spoken, recording.c.id, recording.c.speaker, recording.c.place,
            recording.c.licence, recording.c.milliseconds,
        )
        .where(
            in_list(recording.c.idea_id, "id", size),
            recording.c.status == literal_column(f"'{Status.APPROVED}'", Text),
        )
        .order_by(recording.c.idea_id, recording.c.id)
    )
)  # fmt: skip


class _Ranking(NamedTuple):
    """The words of a language that nobody has recorded, in their order; and how many there are."""

    order: tuple[int, ...]
    total: int


def words_without_voice(reader: Reader, language: Language, limit: int, offset: int) -> tuple[tuple[int, ...], int]:
    """List a page of the words of a language that nobody has recorded, the commonest first; and count all of them."""
    kept = reader.kept(_none_yet)
    found = kept.get(language.id)
    if found is None:
        if len(kept) >= MOST_KEPT:
            kept.clear()
        found = kept[language.id] = _rank(reader, language)
    return found.order[offset : offset + limit], found.total


def _none_yet(_: Reader, _before: dict[int, _Ranking] | None) -> dict[int, _Ranking]:
    return {}


def _rank(reader: Reader, language: Language) -> _Ranking:
    rows = reader.rows(_WORDS, language=language.id, limit=MOST_RANKED)
    order = commonest_words(map(WordToSay._make, rows), language.code)
    total = int(reader.rows(_COUNT, language=language.id)[0][0]) if len(order) == MOST_RANKED else len(order)
    return _Ranking(order, total)


def audio_of_words(reader: Reader, texts: Mapping[int, Sequence[str]]) -> Mapping[int, Mapping[str, Sequence[Audio]]]:
    """Read the approved recordings of words, given by their languages and spellings."""
    found: dict[int, dict[str, Sequence[Audio]]] = {language_id: {} for language_id in texts}
    for language_id, wanted in texts.items():
        for some in chunks(sorted({*wanted})):
            rows = reader.rows(_SPELLED(len(some)), language=language_id, **padded("text", some))
            found[language_id] |= {text: read_audio(audio) for text, audio in rows}
    return found


def audio_of_examples(reader: Reader, idea_ids: Sequence[int]) -> Mapping[int, Mapping[str, Sequence[Audio]]]:
    """Read the approved recordings of the examples of ideas, by the text of the example."""
    found: dict[int, dict[str, list[Audio]]] = defaultdict(lambda: defaultdict(list))
    for some in chunks(idea_ids):
        for idea_id, spoken, number, *told in reader.rows(_EXAMPLES(len(some)), **padded("id", some)):
            found[idea_id][spoken].append(Audio(recording_address(number), *told))
    return found
