"""Words without a recording, and the recordings of words and examples."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from sqlalchemy import Integer, Text, bindparam, func, literal_column, select

from abhidhan.platform.database.compiled_queries import Query, by_size, chunks, in_list, padded
from abhidhan.platform.database.reader import Reader
from abhidhan.records.recordings import Audio, read_audio, recording_address
from abhidhan.records.submissions import Status
from abhidhan.schema import language, recording, word
from abhidhan.schema.dictionary import HEARD, SILENT

_OF_LANGUAGE = word.c.language_id == bindparam("language", type_=Integer)
SILENT_WORDS = Query(
    select(word.c.id)
    .where(_OF_LANGUAGE, SILENT)
    .order_by(word.c.rarity, word.c.sort_key, word.c.id)
    .limit(bindparam("limit", type_=Integer))
    .offset(bindparam("offset", type_=Integer))
)
_WORDS = Query(select(language.c.words).where(language.c.id == bindparam("language", type_=Integer)))
HEARD_WORDS = Query(select(func.count()).select_from(word).where(_OF_LANGUAGE, HEARD))
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


def words_without_voice(reader: Reader, language_id: int, limit: int, offset: int) -> tuple[int, ...]:
    """List one page of the words of a language without a recording, most common first, as a range of an index."""
    return tuple(row[0] for row in reader.rows(SILENT_WORDS, language=language_id, limit=limit, offset=offset))


def count_without_voice(reader: Reader, language_id: int) -> int:
    """Count the words of a language without a recording, by subtraction, as fewer words have one."""
    (words,), (heard,) = (reader.rows(query, language=language_id)[0] for query in (_WORDS, HEARD_WORDS))
    return int(words - heard)


def audio_of_words(reader: Reader, texts: Mapping[int, Sequence[str]]) -> Mapping[int, Mapping[str, Sequence[Audio]]]:
    """Return the approved recordings of words by language and spelling."""
    found: dict[int, dict[str, Sequence[Audio]]] = {language_id: {} for language_id in texts}
    for language_id, wanted in texts.items():
        for some in chunks(sorted({*wanted})):
            rows = reader.rows(_SPELLED(len(some)), language=language_id, **padded("text", some))
            found[language_id] |= {text: read_audio(audio) for text, audio in rows}
    return found


def audio_of_examples(reader: Reader, idea_ids: Sequence[int]) -> Mapping[int, Mapping[str, Sequence[Audio]]]:
    """Return the approved recordings of the examples of ideas, by idea and text."""
    found: dict[int, dict[str, list[Audio]]] = defaultdict(lambda: defaultdict(list))
    for some in chunks(idea_ids):
        for idea_id, spoken, number, *told in reader.rows(_EXAMPLES(len(some)), **padded("id", some)):
            found[idea_id][spoken].append(Audio(recording_address(number), *told))
    return found
