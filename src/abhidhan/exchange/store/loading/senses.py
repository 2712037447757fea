"""Loading senses: the links of words to ideas, numbered after those that a word has."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import cast

from sqlalchemy import func, select

from abhidhan.exchange.store.loading.differences import NOT_STORED
from abhidhan.exchange.store.loading.load_context import Load
from abhidhan.exchange.store.loading.words import Spelling, StoredWord
from abhidhan.platform.database.compiled_queries import Row, Value, by_size, in_list
from abhidhan.records.change_feed import Followed
from abhidhan.records.id_bitmap import IdSet
from abhidhan.records.import_records import NewWord, Placed
from abhidhan.schema import sense

Linked = tuple[Placed, int, int, NewWord]
"""Where a record stands, the ID of its idea, that of its source, and a word of it."""

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
    """Link words to ideas, or fill what links that are there lack. Return the ideas that have more now.

    New words of an idea stand behind those of their language that it has, in the order in which they are given; a rank
    that a file gives counts under an idea that is new.
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
    """Give new links their places; only ideas that were there before have other words."""
    ranks = Counter({row[:2]: row[2] for row in load.bulk.rows_among(_LAST_RANKS, "idea", sorted(known_ideas))})
    for (_, idea_id), new in made.items():
        of_language = idea_id, new.language_id
        if new.rank is None or idea_id <= load.last_idea_before:
            new.rank = ranks[of_language] + 1
        ranks[of_language] = max(ranks[of_language], new.rank)


class _NewSense:
    """A link of a word to an idea that is not there yet. Another record of the file may fill what it lacks."""

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
