"""Words without a recording, and the recordings of words and examples."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from sqlalchemy import Integer, Text, bindparam, func, literal_column, select

from abhidhan.platform.database.compiled_queries import CompiledQuery, chunks, in_list, list_params, per_list_size
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.recordings import Audio, read_audio, recording_address
from abhidhan.records.submissions import Status
from abhidhan.schema import language, recording, word
from abhidhan.schema.dictionary import WITH_AUDIO, WITHOUT_AUDIO

_OF_LANGUAGE = word.c.language_id == bindparam("language", type_=Integer)
UNRECORDED_WORDS = CompiledQuery(
    select(word.c.id)
    .where(_OF_LANGUAGE, WITHOUT_AUDIO)
    .order_by(word.c.rarity, word.c.sort_key, word.c.id)
    .limit(bindparam("limit", type_=Integer))
    .offset(bindparam("offset", type_=Integer))
)
_WORDS = CompiledQuery(select(language.c.words).where(language.c.id == bindparam("language", type_=Integer)))
RECORDED_WORD_COUNT = CompiledQuery(select(func.count()).select_from(word).where(_OF_LANGUAGE, WITH_AUDIO))
_SPELLED = per_list_size(
    lambda size: select(word.c.text, word.c.audio).where(
        word.c.language_id == bindparam("language", type_=Integer),
        in_list(word.c.text, "text", size),
        word.c.audio.is_not(None),
    )
)
_EXAMPLES = per_list_size(
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


def words_without_audio(reader: ReadConnection, language_id: int, limit: int, offset: int) -> tuple[int, ...]:
    """List one page of the words of a language that have no recording, most common first."""
    return tuple(row[0] for row in reader.rows(UNRECORDED_WORDS, language=language_id, limit=limit, offset=offset))


def count_without_audio(reader: ReadConnection, language_id: int) -> int:
    """Count the words of a language without a recording, by subtracting the recorded ones, which are fewer."""
    (words,), (recorded,) = (reader.rows(query, language=language_id)[0] for query in (_WORDS, RECORDED_WORD_COUNT))
    return int(words - recorded)


def audio_of_words(
    reader: ReadConnection, texts: Mapping[int, Sequence[str]]
) -> Mapping[int, Mapping[str, Sequence[Audio]]]:
    """Return the approved recordings of words by language and spelling."""
    audio_by_language: dict[int, dict[str, Sequence[Audio]]] = {language_id: {} for language_id in texts}
    for language_id, spellings in texts.items():
        for batch in chunks(sorted({*spellings})):
            rows = reader.rows(_SPELLED(len(batch)), language=language_id, **list_params("text", batch))
            audio_by_language[language_id] |= {text: read_audio(audio) for text, audio in rows}
    return audio_by_language


def audio_of_examples(reader: ReadConnection, idea_ids: Sequence[int]) -> Mapping[int, Mapping[str, Sequence[Audio]]]:
    """Return the approved recordings of the examples of ideas, by idea and text."""
    audio_by_idea: dict[int, dict[str, list[Audio]]] = defaultdict(lambda: defaultdict(list))
    for batch in chunks(idea_ids):
        for idea_id, spoken, number, *details in reader.rows(_EXAMPLES(len(batch)), **list_params("id", batch)):
            audio_by_idea[idea_id][spoken].append(Audio(recording_address(number), *details))
    return audio_by_idea
