"""Loading of words (one row per spelling and language) and of senses, which link words to ideas."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from operator import attrgetter, itemgetter
from typing import NamedTuple, cast

from sqlalchemy import bindparam, func, select

from abhidhan.dictionary.store.indexes.near_keys import derive_word_forms
from abhidhan.exchange.store.loading.differences import UNSAVED_ID
from abhidhan.exchange.store.loading.load_context import REBUILD_THRESHOLD_WORDS, Load
from abhidhan.platform.database.compiled_queries import Row, SqlValue, in_list, per_list_size
from abhidhan.records.change_feed import Followed
from abhidhan.records.id_bitmap import IdSet
from abhidhan.records.import_records import ConflictPolicy, LocatedRecord
from abhidhan.records.kinds.word import WORD_DETAIL_COLUMNS, NewWord
from abhidhan.records.recordings import NO_AUDIO
from abhidhan.schema import sense, word
from assamese.word_frequency import find_word_rarity

Spelling = tuple[int, str]
"""A language's ID and a text, which identify a word."""

FILLABLE_COLUMNS = WORD_DETAIL_COLUMNS
"""Columns of a stored word without a value that a record may fill."""


_COMPUTED_COLUMNS = ("id", "exact_key", "loose_key", "sound_key", "sort_key", "rule_roman")
"""Columns that are computed, not read from records."""

_FILE_COLUMNS = ("language_id", "text", *FILLABLE_COLUMNS)
_TIME_COLUMNS = ("created", "updated")
_order_columns = itemgetter(
    *(
        (*_COMPUTED_COLUMNS, *_FILE_COLUMNS, *_TIME_COLUMNS, "audio", "rarity").index(column.name)
        for column in word.columns
    )
)
_file_values = attrgetter(*_FILE_COLUMNS)
_fillable_values = attrgetter(*FILLABLE_COLUMNS)
_NO_DETAILS = (None,) * len(FILLABLE_COLUMNS)
"""The values of a word without any details, as most words of large files."""

_STORED_WORDS = per_list_size(
    lambda size: select(
        word.c.id, word.c.language_id, word.c.text, word.c.sort_key, *(word.c[name] for name in FILLABLE_COLUMNS)
    ).where(word.c.language_id == bindparam("language_id"), in_list(word.c.text, "text", size))
)


class StoredWord(NamedTuple):
    """A stored word; `was_filled` is true if a record has filled a missing value of it."""

    id: int
    sort_key: bytes
    is_new: bool
    was_filled: bool = False


LocatedWord = tuple[LocatedRecord, NewWord]


def load_words(load: Load, records: Iterable[LocatedWord]) -> dict[Spelling, StoredWord]:
    """Store words, or fill values that stored ones lack; return the stored word of each spelling."""
    by_spelling: dict[Spelling, list[LocatedWord]] = defaultdict(list)
    for located, new_word in records:
        by_spelling[new_word.language_id, new_word.text].append((located, new_word))
    stored_rows = _read_stored_words(load, by_spelling)
    stored = {spelling: StoredWord(row[0], row[3], is_new=False) for spelling, row in stored_rows.items()}
    stored |= _insert_words(
        load, [words[0][1] for spelling, words in by_spelling.items() if spelling not in stored_rows]
    )
    for spelling, words in by_spelling.items():
        stored_row = stored_rows.get(spelling)
        fill_records = [
            record for record in (words if stored_row else words[1:]) if _fillable_values(record[1]) != _NO_DETAILS
        ]
        if fill_records and _fill_word(
            load, stored[spelling].id, stored_row[4:] if stored_row else _fillable_values(words[0][1]), fill_records
        ):
            stored[spelling] = stored[spelling]._replace(was_filled=True)
            load.changes.words.add(stored[spelling].id)
    _stage_forms(load, by_spelling, stored)
    return stored


def _read_stored_words(load: Load, spellings: Iterable[Spelling]) -> dict[Spelling, Row]:
    texts: dict[int, list[str]] = defaultdict(list)
    for language_id, text in spellings:
        texts[language_id].append(text)
    return {
        (row[1], row[2]): row
        for language_id, of_language in texts.items()
        for row in load.bulk.rows_for_values(_STORED_WORDS, "text", of_language, language_id=language_id)
    }


def _insert_words(load: Load, words: list[NewWord]) -> dict[Spelling, StoredWord]:
    rows: list[tuple[SqlValue, ...]] = []
    stored = {}
    all_keys = load.keys.finish_batch([(new_word.text, new_word.language) for new_word in words])
    for new_word, keys in zip(words, all_keys, strict=True):
        word_id = load.word_ids.allocate()
        exact_key, _, sound_key, sort_key, _ = keys
        values = (
            word_id,
            *keys,
            *_file_values(new_word),
            load.time_or_now(new_word.created),
            load.time_or_now(new_word.updated),
            NO_AUDIO,
            find_word_rarity(exact_key, new_word.frequency, new_word.language),
        )
        rows.append(_order_columns(values))
        load.loaded_words.add(new_word.text, exact_key, sound_key)
        stored[new_word.language_id, new_word.text] = StoredWord(word_id, sort_key, is_new=True)
        if load.differences is not None:
            load.differences.note_new("word", word_id)
        load.new_word_counts[new_word.language_id] += 1
    if len(load.new_word_ids) <= REBUILD_THRESHOLD_WORDS:
        load.new_word_ids += (stored[new_word.language_id, new_word.text].id for new_word in words)
    load.bulk.insert(word, rows)
    load.counts["word"] += len(rows)
    return stored


def _fill_word(load: Load, word_id: int, values: tuple[SqlValue, ...], words: list[LocatedWord]) -> bool:
    """Fill a word's missing values from each of its records in order; return whether it has changed."""
    stored = dict(zip(FILLABLE_COLUMNS, values, strict=True))
    stored_values = {name: value for name, value in stored.items() if value is not None}
    file_values: dict[str, SqlValue] = {}
    for located, new_word in words:
        fields = dict(zip(FILLABLE_COLUMNS, _fillable_values(new_word), strict=True))
        load.note_differences(located, word, word_id, file_values | stored_values, fields)
        file_values = {name: value for name, value in fields.items() if value is not None} | file_values
    if not file_values:
        return False
    _pair_frequency_with_source(load.policy, stored, file_values)
    return load.fill_row(word, word_id, stored, file_values)


def _pair_frequency_with_source(
    policy: ConflictPolicy, stored: dict[str, SqlValue], file_values: dict[str, SqlValue]
) -> None:
    """Ensure that a frequency and its source are filled together, or neither of them."""
    if stored["frequency"] is None:
        stored["frequency_source"] = None if "frequency" in file_values else stored["frequency_source"]
    elif policy is not ConflictPolicy.REPLACE:
        file_values.pop("frequency_source", None)


def _stage_forms(
    load: Load, by_spelling: dict[Spelling, list[LocatedWord]], stored: dict[Spelling, StoredWord]
) -> None:
    forms = [
        (form, stored[spelling].id, "")
        for spelling, words in by_spelling.items()
        for _, new_word in words
        for form in new_word.forms
    ]
    load.stage_forms([*derive_word_forms(forms)])


# --- senses -----------------------------------------------------------------------------------------------------------


IdeaLink = tuple[LocatedRecord, int, int, NewWord]
"""A record's location, its idea's ID, its source's ID, and one of its words."""

_STORED_SENSES = per_list_size(
    lambda size: select(
        sense.c.word_id,
        sense.c.idea_id,
        sense.c.id,
        sense.c.position,
        sense.c.reference,
        sense.c.note,
        sense.c.source_id,
    ).where(in_list(sense.c.word_id, "word", size))
)

_LAST_RANKS = per_list_size(
    lambda size: (
        select(sense.c.idea_id, sense.c.language_id, func.max(sense.c.rank))
        .where(in_list(sense.c.idea_id, "idea", size))
        .group_by(sense.c.idea_id, sense.c.language_id)
    )
)


def load_senses(
    load: Load, links: Iterable[IdeaLink], words: dict[Spelling, StoredWord], existing_idea_ids: Iterable[int]
) -> set[int]:
    """Link words to ideas, or fill existing links; return the ideas that have gained values.

    New words of an idea are ranked after its other words of the same language, in the order of the file. Ranks in a
    file apply only to new ideas.
    """
    stored_word_ids = [stored.id for stored in words.values() if not stored.is_new]
    stored_senses: dict[tuple[int, int], Row] = {}
    positions: defaultdict[int, int] = defaultdict(int)
    for row in load.bulk.rows_for_values(_STORED_SENSES, "word", stored_word_ids):
        stored_senses[row[:2]] = row
        positions[row[0]] = max(positions[row[0]], row[3])
    new_senses: dict[tuple[int, int], _NewSense] = {}
    filled: set[int] = set()
    changed = IdSet()
    order = load.differences.order if load.differences is not None else None
    for located, idea_id, source_id, new_word in links:
        word_id = words[new_word.language_id, new_word.text].id
        name = (word_id, idea_id)
        if order is not None:
            order.note_link(word_id, idea_id, new_word.language_id, rank=new_word.rank, position=new_word.position)
        if name in stored_senses:
            old = stored_senses[name]
            old_remarks: dict[str, SqlValue] = {"reference": old[4], "note": old[5]}
            remarks: dict[str, SqlValue] = {"reference": new_word.reference, "note": new_word.note}
            load.note_differences(located, sense, old[2], old_remarks, remarks, is_own=load.is_own_source(old[6]))
            if load.fill_row(sense, old[2], old_remarks, remarks):
                filled.add(idea_id)
                changed.add(word_id)
        elif name in new_senses:
            new_senses[name].fill(load, located, new_word)
        else:
            position = new_word.position or positions[word_id] + 1
            positions[word_id] = max(position, positions[word_id])
            new_senses[name] = _NewSense(new_word, position, new_word.source_id or source_id)
    _assign_ranks(load, new_senses, {idea_id for _, idea_id in new_senses}.intersection(existing_idea_ids))
    load.bulk.insert(sense, [new.build_row(*name, load.now) for name, new in new_senses.items()])
    load.counts[sense.name] += len(new_senses)
    changed.update({word_id for word_id, _ in new_senses}.intersection(stored_word_ids))
    load.changes.other_records.add_changed(Followed.WORD, changed)
    return filled | {idea_id for _, idea_id in new_senses}


def _assign_ranks(load: Load, new_senses: dict[tuple[int, int], "_NewSense"], existing_idea_ids: set[int]) -> None:
    """Assign a rank to each new link, after the stored links of its idea and language."""
    ranks = Counter(
        {row[:2]: row[2] for row in load.bulk.rows_for_values(_LAST_RANKS, "idea", sorted(existing_idea_ids))}
    )
    for (_, idea_id), new in new_senses.items():
        of_language = idea_id, new.language_id
        if new.rank is None or idea_id <= load.last_existing_idea_id:
            new.rank = ranks[of_language] + 1
        ranks[of_language] = max(ranks[of_language], new.rank)


class _NewSense:
    """A new link of a word to an idea; later records of the batch may fill its missing values."""

    __slots__ = ("added", "language_id", "licence", "note", "position", "rank", "reference", "source_id")

    def __init__(self, record: NewWord, position: int, source_id: int) -> None:
        self.language_id = record.language_id
        self.position = position
        self.rank = record.rank
        self.reference = record.reference
        self.note = record.note
        self.source_id = source_id
        self.added = record.added
        self.licence = record.licence

    def fill(self, load: Load, located: LocatedRecord, record: NewWord) -> None:
        stored: dict[str, SqlValue] = {"reference": self.reference, "note": self.note}
        remarks: dict[str, SqlValue] = {"reference": record.reference, "note": record.note}
        load.note_differences(located, sense, UNSAVED_ID, stored, remarks)
        changes = load.values_to_write(stored, remarks)
        self.reference = cast("str | None", changes.get("reference", self.reference))
        self.note = cast("str | None", changes.get("note", self.note))

    def build_row(self, word_id: int, idea_id: int, now: int) -> tuple[SqlValue, ...]:
        return (
            word_id,
            self.language_id,
            idea_id,
            self.position,
            self.rank,
            self.reference,
            self.note,
            self.source_id,
            now if self.added is None else self.added,
            self.licence,
        )
