"""Loading of phrases (proverbs and idioms), with the grams by which similar ones are found."""

from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import bindparam, select

from abhidhan.dictionary.store.indexes.phrase_words import PHRASE_GRAMS
from abhidhan.exchange.store.loading import own_keys
from abhidhan.exchange.store.loading.load_context import Load
from abhidhan.platform.database.compiled_queries import Row, Value, by_size, in_list
from abhidhan.records.change_feed import Followed
from abhidhan.records.import_records import NewPhrase, Placed
from abhidhan.records.kinds.fields import columns
from abhidhan.records.kinds.phrase import PHRASE
from abhidhan.records.local_texts import encode_texts
from abhidhan.records.recordings import NO_AUDIO
from abhidhan.schema import phrase
from assamese.search_keys import phrase_keys

FILLED = tuple(name for name in columns(PHRASE) if name != "text")
"""Columns that a record may fill if the stored phrase lacks them."""

_COLUMNS = (phrase.c.id, *(phrase.c[name] for name in FILLED), phrase.c.text, phrase.c.source_id)

_KNOWN_BY_KEY = by_size(
    lambda size: select(phrase.c.external_key, *_COLUMNS).where(
        phrase.c.source_id == bindparam("source_id"), in_list(phrase.c.external_key, "key", size)
    )
)
_KNOWN_BY_TEXT = by_size(
    lambda size: select(phrase.c.text, *_COLUMNS).where(
        phrase.c.language_id == bindparam("language_id"), in_list(phrase.c.text, "text", size)
    )
)


def load_phrases(load: Load, batch: Sequence[tuple[Placed, NewPhrase]]) -> None:
    """Store phrases, or fill stored ones; within a batch, source and key are unique, and so are texts."""
    phrases = [one for _, one in batch]
    known = _known_phrases(load, phrases)
    rows: list[tuple[Value, ...]] = []
    grams: list[tuple[Value, ...]] = []
    filled: list[int] = []
    for index, one in enumerate(phrases):
        if index in known:
            _, phrase_id, *there, text, source_id = known[index]
            values = dict(zip(FILLED, there, strict=True))
            given = {name: getattr(one, name) for name in FILLED} | {"meanings": encode_texts(one.meanings)}
            load.note_differences(
                batch[index][0],
                phrase,
                phrase_id,
                values | {"text": text},
                given | {"text": one.text},
                is_own=load.is_own(source_id),
            )
            load.note_seen("phrase", phrase_id)
            if load.fill(phrase, phrase_id, values, given):
                load.touched.phrases.add(phrase_id)
                filled.append(phrase_id)
            continue
        if load.removed.has_phrase(load.source_in_history(one.source_id), one.key):
            placed = batch[index][0]
            load.withhold(placed.file, placed.line, f"The proverb {one.key} was deleted here since.")
            continue
        phrase_id = load.phrase_ids.take()
        load.note_seen("phrase", phrase_id, is_new=True)
        row, pieces = _new_row(one, phrase_id, load.moment(one.added))
        load.touched.phrases.add(phrase_id)
        rows.append(row)
        grams.extend((one.language_id, piece, phrase_id) for piece in pieces)
    load.bulk.insert(phrase, rows)
    PHRASE_GRAMS.stage(load.bulk, grams)
    load.counts["phrase"] += len(rows)
    load.touched.others.change(Followed.PHRASE, filled)
    load.note_known(len(known), len(filled))


def _new_row(one: NewPhrase, phrase_id: int, added: int) -> tuple[tuple[Value, ...], frozenset[str]]:
    keys = phrase_keys(one.text, one.language)
    row = (
        phrase_id,
        one.language_id,
        one.text,
        keys.exact_key,
        keys.sound_key,
        keys.sort_key,
        one.roman,
        keys.rule_roman,
        one.meaning,
        one.category_id,
        one.source_id,
        one.key,
        added,
        one.licence,
        NO_AUDIO,
        encode_texts(one.meanings),
    )
    return row, keys.grams


def _known_phrases(load: Load, phrases: Sequence[NewPhrase]) -> dict[int, Row]:
    """Return the stored phrases by key, else by text, keyed by the index in `phrases`."""
    keys: dict[int, list[str]] = defaultdict(list)
    texts: dict[int, list[str]] = defaultdict(list)
    for one in phrases:
        keys[one.source_id].append(one.key)
        texts[one.language_id].append(one.text)
    by_key = {
        (source_id, row[0]): row
        for source_id, of_source in keys.items()
        for row in load.bulk.rows_among(_KNOWN_BY_KEY, "key", of_source, source_id=source_id)
    }
    by_text = {
        (language_id, row[0]): row
        for language_id, of_language in texts.items()
        for row in load.bulk.rows_among(_KNOWN_BY_TEXT, "text", of_language, language_id=language_id)
    }
    written_here = own_keys.known_phrases(load, phrases)
    return {
        index: row
        for index, one in enumerate(phrases)
        if (
            row := by_key.get((one.source_id, one.key))
            or written_here.get(index)
            or by_text.get((one.language_id, one.text))
        )
    }
