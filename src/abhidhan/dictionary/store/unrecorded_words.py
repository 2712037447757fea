"""Words without a recording, and the recordings of words and examples."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from sqlalchemy import Integer, Text, bindparam, func, literal_column, select

from abhidhan.platform.database.compiled_queries import CompiledQuery, chunks, in_list, list_params, per_list_size
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.recordings import Audio, decode_audio, recording_path
from abhidhan.records.submissions import Status
from abhidhan.schema import language, recording, word
from abhidhan.schema.dictionary import WITH_AUDIO, WITHOUT_AUDIO

_HAS_LANGUAGE = word.c.language_id == bindparam("language", type_=Integer)
UNRECORDED_WORDS = CompiledQuery(
    select(word.c.id)
    .where(_HAS_LANGUAGE, WITHOUT_AUDIO)
    .order_by(word.c.rarity, word.c.sort_key, word.c.id)
    .limit(bindparam("limit", type_=Integer))
    .offset(bindparam("offset", type_=Integer))
)
_WORD_COUNT = CompiledQuery(select(language.c.words).where(language.c.id == bindparam("language", type_=Integer)))
RECORDED_WORD_COUNT = CompiledQuery(select(func.count()).select_from(word).where(_HAS_LANGUAGE, WITH_AUDIO))
_AUDIO_BY_TEXT = per_list_size(
    lambda size: select(word.c.text, word.c.audio).where(
        word.c.language_id == bindparam("language", type_=Integer),
        in_list(word.c.text, "text", size),
        word.c.audio.is_not(None),
    )
)
_EXAMPLE_AUDIO = per_list_size(
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


def load_unrecorded_words(connection: ReadConnection, language_id: int, limit: int, offset: int) -> tuple[int, ...]:
    """List one page of the words of a language that have no recording, most common first."""
    return tuple(row[0] for row in connection.rows(UNRECORDED_WORDS, language=language_id, limit=limit, offset=offset))


def count_unrecorded_words(connection: ReadConnection, language_id: int) -> int:
    """Count the words of a language without a recording, by subtracting the recorded ones, which are fewer."""
    (words,), (recorded,) = (
        connection.rows(query, language=language_id)[0] for query in (_WORD_COUNT, RECORDED_WORD_COUNT)
    )
    return int(words - recorded)


def load_word_audio(
    connection: ReadConnection, texts: Mapping[int, Sequence[str]]
) -> Mapping[int, Mapping[str, Sequence[Audio]]]:
    """Return the approved recordings of words by language and spelling."""
    audio_by_language: dict[int, dict[str, Sequence[Audio]]] = {language_id: {} for language_id in texts}
    for language_id, spellings in texts.items():
        for batch in chunks(sorted({*spellings})):
            rows = connection.rows(_AUDIO_BY_TEXT(len(batch)), language=language_id, **list_params("text", batch))
            audio_by_language[language_id] |= {text: decode_audio(audio) for text, audio in rows}
    return audio_by_language


def load_example_audio(
    connection: ReadConnection, idea_ids: Sequence[int]
) -> Mapping[int, Mapping[str, Sequence[Audio]]]:
    """Return the approved recordings of the examples of ideas, by idea and text."""
    audio_by_idea: dict[int, dict[str, list[Audio]]] = defaultdict(lambda: defaultdict(list))
    for batch in chunks(idea_ids):
        for idea_id, spoken, number, *details in connection.rows(
            _EXAMPLE_AUDIO(len(batch)), **list_params("id", batch)
        ):
            audio_by_idea[idea_id][spoken].append(Audio(recording_path(number), *details))
    return audio_by_idea
