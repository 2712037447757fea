"""Loading of words, one row with keys per spelling and language, and of senses, which link them to ideas."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from operator import attrgetter, itemgetter
from typing import NamedTuple, cast

from sqlalchemy import bindparam, func, select

from abhidhan.dictionary.store.indexes.near_keys import derive_word_forms
from abhidhan.exchange.store.loading.differences import NOT_STORED
from abhidhan.exchange.store.loading.load_context import FEW_NEW_WORDS, Load
from abhidhan.platform.database.compiled_queries import Row, Value, by_size, in_list
from abhidhan.records.change_feed import Followed
from abhidhan.records.id_bitmap import IdSet
from abhidhan.records.import_records import Placed, Policy
from abhidhan.records.kinds.word import DETAIL_COLUMNS, NewWord
from abhidhan.records.recordings import NO_AUDIO
from abhidhan.schema import sense, word
from assamese.word_frequency import rarity_of_word

Spelling = tuple[int, str]
"""A language's ID and a text, which identify a word."""

FILLED = DETAIL_COLUMNS
"""Columns that a record may fill if the stored word lacks them."""


_MADE = ("id", "exact_key", "loose_key", "sound_key", "sort_key", "rule_roman")
"""Columns that no record has."""

_GIVEN = ("language_id", "text", *FILLED)
_TIMES = ("created", "updated")
_in_order = itemgetter(*((*_MADE, *_GIVEN, *_TIMES, "audio", "rarity").index(column.name) for column in word.columns))
_given_columns = attrgetter(*_GIVEN)
_filled_columns = attrgetter(*FILLED)
_NOTHING = (None,) * len(FILLED)
"""The values of most words of large files, which have only a spelling."""

_KNOWN = by_size(
    lambda size: select(
        word.c.id, word.c.language_id, word.c.text, word.c.sort_key, *(word.c[name] for name in FILLED)
    ).where(word.c.language_id == bindparam("language_id"), in_list(word.c.text, "text", size))
)


class StoredWord(NamedTuple):
    """A stored word; `has_more` is true if a record has filled a value that it lacked."""

    id: int
    sort_key: bytes
    is_new: bool
    has_more: bool = False


PlacedWord = tuple[Placed, NewWord]


def load_words(load: Load, given: Iterable[PlacedWord]) -> dict[Spelling, StoredWord]:
    """Store words, or fill values that stored ones lack; return the stored word of each spelling."""
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
    """Fill a word's missing values from each of its records in order; return whether it has changed."""
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
    """Keep a frequency and its source together: fill both or neither."""
    if known["frequency"] is None:
        known["frequency_source"] = None if "frequency" in given else known["frequency_source"]
    elif policy is not Policy.REPLACE:
        given.pop("frequency_source", None)


def _stage_forms(load: Load, given: dict[Spelling, list[PlacedWord]], stored: dict[Spelling, StoredWord]) -> None:
    forms = [
        (form, stored[spelling].id, "") for spelling, words in given.items() for _, one in words for form in one.forms
    ]
    load.stage_forms([*derive_word_forms(forms)])


# --- senses, numbered after those that a word already has ------------------------------------------------------------


Linked = tuple[Placed, int, int, NewWord]
"""A record's location, its idea's ID, its source's ID, and one of its words."""

_KNOWN_SENSES = by_size(
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

_LAST_RANKS = by_size(
    lambda size: (
        select(sense.c.idea_id, sense.c.language_id, func.max(sense.c.rank))
        .where(in_list(sense.c.idea_id, "idea", size))
        .group_by(sense.c.idea_id, sense.c.language_id)
    )
)


def load_senses(
    load: Load, given: Iterable[Linked], words: dict[Spelling, StoredWord], known_ideas: Iterable[int]
) -> set[int]:
    """Link words to ideas, or fill existing links; return the ideas that have gained values.

    New words of an idea follow its other words of their language, in the order of the file. Ranks in a file apply only
    to
    new ideas.
    """
    known_words = [stored.id for stored in words.values() if not stored.is_new]
    there: dict[tuple[int, int], Row] = {}
    positions: defaultdict[int, int] = defaultdict(int)
    for row in load.bulk.rows_among(_KNOWN_SENSES, "word", known_words):
        there[row[:2]] = row
        positions[row[0]] = max(positions[row[0]], row[3])
    made: dict[tuple[int, int], _NewSense] = {}
    filled: set[int] = set()
    changed = IdSet()
    order = load.differences.order if load.differences is not None else None
    for placed, idea_id, source_id, one in given:
        word_id = words[one.language_id, one.text].id
        name = (word_id, idea_id)
        if order is not None:
            order.note(word_id, idea_id, one.language_id, rank=one.rank, position=one.position)
        if name in there:
            old = there[name]
            known: dict[str, Value] = {"reference": old[4], "note": old[5]}
            remarks: dict[str, Value] = {"reference": one.reference, "note": one.note}
            load.note_differences(placed, sense, old[2], known, remarks, is_own=load.is_own(old[6]))
            if load.fill(sense, old[2], known, remarks):
                filled.add(idea_id)
                changed.add(word_id)
        elif name in made:
            made[name].fill(load, placed, one)
        else:
            position = one.position or positions[word_id] + 1
            positions[word_id] = max(position, positions[word_id])
            made[name] = _NewSense(one, position, one.source_id or source_id)
    _rank(load, made, {idea_id for _, idea_id in made}.intersection(known_ideas))
    load.bulk.insert(sense, [new.row(*name, load.now) for name, new in made.items()])
    load.counts[sense.name] += len(made)
    changed.update({word_id for word_id, _ in made}.intersection(known_words))
    load.touched.others.change(Followed.WORD, changed)
    return filled | {idea_id for _, idea_id in made}


def _rank(load: Load, made: dict[tuple[int, int], "_NewSense"], known_ideas: set[int]) -> None:
    """Assign ranks to new links; only existing ideas have other words."""
    ranks = Counter({row[:2]: row[2] for row in load.bulk.rows_among(_LAST_RANKS, "idea", sorted(known_ideas))})
    for (_, idea_id), new in made.items():
        of_language = idea_id, new.language_id
        if new.rank is None or idea_id <= load.last_idea_before:
            new.rank = ranks[of_language] + 1
        ranks[of_language] = max(ranks[of_language], new.rank)


class _NewSense:
    """A new link of a word to an idea, which later records of the file may fill."""

    __slots__ = ("added", "language_id", "licence", "note", "position", "rank", "reference", "source_id")

    def __init__(self, given: NewWord, position: int, source_id: int) -> None:
        self.language_id = given.language_id
        self.position = position
        self.rank = given.rank
        self.reference = given.reference
        self.note = given.note
        self.source_id = source_id
        self.added = given.added
        self.licence = given.licence

    def fill(self, load: Load, placed: Placed, given: NewWord) -> None:
        known: dict[str, Value] = {"reference": self.reference, "note": self.note}
        remarks: dict[str, Value] = {"reference": given.reference, "note": given.note}
        load.note_differences(placed, sense, NOT_STORED, known, remarks)
        wanted = load.wanted(known, remarks)
        self.reference = cast("str | None", wanted.get("reference", self.reference))
        self.note = cast("str | None", wanted.get("note", self.note))

    def row(self, word_id: int, idea_id: int, now: int) -> tuple[Value, ...]:
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
