"""Loading words: one row for each spelling in a language, with its keys."""

from collections import defaultdict
from collections.abc import Iterable
from operator import attrgetter, itemgetter
from typing import NamedTuple

from sqlalchemy import bindparam, select

from abhidhan.dictionary.store.indexes.near_keys import derive_word_forms
from abhidhan.exchange.store.loading.load_context import FEW_NEW_WORDS, Load
from abhidhan.platform.database.compiled_queries import Row, Value, by_size, in_list
from abhidhan.records.audio_links import NO_AUDIO
from abhidhan.records.import_records import Placed, Policy
from abhidhan.records.kinds.word import DETAIL_COLUMNS, NewWord
from abhidhan.schema import word
from assamese.word_frequency import rarity_of_word

Spelling = tuple[int, str]
"""A language's ID and a text: what makes a word one and the same."""

FILLED = DETAIL_COLUMNS
"""Columns that a record may fill when the stored word lacks them."""


_MADE = ("id", "exact_key", "loose_key", "sound_key", "sort_key", "rule_roman")
"""Columns that no record gives."""

_GIVEN = ("language_id", "text", *FILLED)
_TIMES = ("created", "updated")
_in_order = itemgetter(*((*_MADE, *_GIVEN, *_TIMES, "audio", "rarity").index(column.name) for column in word.columns))
_given_columns = attrgetter(*_GIVEN)
_filled_columns = attrgetter(*FILLED)
_NOTHING = (None,) * len(FILLED)
"""What most words of great files tell besides their spelling."""

_KNOWN = by_size(
    lambda size: select(
        word.c.id, word.c.language_id, word.c.text, word.c.sort_key, *(word.c[name] for name in FILLED)
    ).where(word.c.language_id == bindparam("language_id"), in_list(word.c.text, "text", size))
)


class StoredWord(NamedTuple):
    """A word as it stands in the database now; `has_more`: a record has filled something that it lacked."""

    id: int
    sort_key: bytes
    is_new: bool
    has_more: bool = False


PlacedWord = tuple[Placed, NewWord]


def load_words(load: Load, given: Iterable[PlacedWord]) -> dict[Spelling, StoredWord]:
    """Store words, or fill what the stored ones lack. Tells where each spelling stands."""
    by_spelling: dict[Spelling, list[PlacedWord]] = defaultdict(list)
    for placed, one in given:
        by_spelling[one.language_id, one.text].append((placed, one))
    known = _known_words(load, by_spelling)
    stored = {spelling: StoredWord(row[0], row[3], is_new=False) for spelling, row in known.items()}
    stored |= _insert(load, [words[0][1] for spelling, words in by_spelling.items() if spelling not in known])
    for spelling, words in by_spelling.items():
        there = known.get(spelling)
        telling = [each for each in (words if there else words[1:]) if _filled_columns(each[1]) != _NOTHING]
        if telling and _fill(load, stored[spelling].id, there[4:] if there else _filled_columns(words[0][1]), telling):
            stored[spelling] = stored[spelling]._replace(has_more=True)
            load.touched.words.add(stored[spelling].id)
    _stage_forms(load, by_spelling, stored)
    return stored


def _known_words(load: Load, spellings: Iterable[Spelling]) -> dict[Spelling, Row]:
    texts: dict[int, list[str]] = defaultdict(list)
    for language_id, text in spellings:
        texts[language_id].append(text)
    return {
        (row[1], row[2]): row
        for language_id, of_language in texts.items()
        for row in load.bulk.rows_among(_KNOWN, "text", of_language, language_id=language_id)
    }


def _insert(load: Load, words: list[NewWord]) -> dict[Spelling, StoredWord]:
    rows: list[tuple[Value, ...]] = []
    stored = {}
    made = load.keys.make([(one.text, one.language) for one in words])
    for one, keys in zip(words, made, strict=True):
        word_id = load.word_ids.take()
        exact_key, _, sound_key, sort_key, _ = keys
        values = (
            word_id,
            *keys,
            *_given_columns(one),
            load.moment(one.created),
            load.moment(one.updated),
            NO_AUDIO,
            rarity_of_word(exact_key, one.frequency, one.language),
        )
        rows.append(_in_order(values))
        load.accelerated.note(one.text, exact_key, sound_key)
        stored[one.language_id, one.text] = StoredWord(word_id, sort_key, is_new=True)
        if load.differences is not None:
            load.differences.note_new("word", word_id)
        load.new_words[one.language_id] += 1
    if len(load.new_word_ids) <= FEW_NEW_WORDS:
        load.new_word_ids += (stored[one.language_id, one.text].id for one in words)
    load.bulk.insert(word, rows)
    load.counts["word"] += len(rows)
    return stored


def _fill(load: Load, word_id: int, values: tuple[Value, ...], words: list[PlacedWord]) -> bool:
    """Take from each of the records of a word, in their order, what it still lacks; tell whether that was anything."""
    known = dict(zip(FILLED, values, strict=True))
    there = {name: value for name, value in known.items() if value is not None}
    given: dict[str, Value] = {}
    for placed, one in words:
        told = dict(zip(FILLED, _filled_columns(one), strict=True))
        load.note_differences(placed, word, word_id, given | there, told)
        given = {name: value for name, value in told.items() if value is not None} | given
    if not given:
        return False
    _keep_with_its_source(load.policy, known, given)
    return load.fill(word, word_id, known, given)


def _keep_with_its_source(policy: Policy, known: dict[str, Value], given: dict[str, Value]) -> None:
    """Let a frequency and its source be filled together or not at all: nobody else has found the figure."""
    if known["frequency"] is None:
        known["frequency_source"] = None if "frequency" in given else known["frequency_source"]
    elif policy is not Policy.REPLACE:
        given.pop("frequency_source", None)


def _stage_forms(load: Load, given: dict[Spelling, list[PlacedWord]], stored: dict[Spelling, StoredWord]) -> None:
    forms = [
        (form, stored[spelling].id, "") for spelling, words in given.items() for _, one in words for form in one.forms
    ]
    load.stage_forms([*derive_word_forms(forms)])
