"""Random selection of a word or a phrase that has a meaning."""

from collections.abc import Callable, Collection, Iterator
from itertools import islice
from random import Random
from typing import Final

from abhidhan.dictionary.service.lookup_lists import LanguageParam, find_language_id
from abhidhan.dictionary.store import random_rows, word_rows
from abhidhan.dictionary.store.idea_details import RowSource
from abhidhan.dictionary.store.random_rows import IdBounds
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import NotFoundError, sentence
from abhidhan.records.words import Word

BATCH_SIZE: Final = 64
"""Number of consecutive IDs per batch; one of them is picked at random, so that gaps do not favour the next record."""

MAX_BATCHES: Final = 64
"""Maximum number of batches searched for a word with an example; a large dictionary may have none in a language."""

NO_WORD_MESSAGE: Final = sentence("No word has a meaning yet.")


def draw_word(connection: ReadConnection, language: LanguageParam, rng: Random) -> Word:
    """Pick a random word of a language, or of any. Raises InputError; NotFoundError if no word has a meaning."""
    word_id = draw_word_id(connection, find_language_id(connection, language), rng)
    loaded = word_rows.load_words(connection, [word_id]) if word_id is not None else []
    if not loaded:
        raise NotFoundError(NO_WORD_MESSAGE)
    return loaded[0]


def draw_word_id(tables: RowSource, language_id: int, rng: Random, excluded: Collection[int] = ()) -> int | None:
    """Pick a random word with a meaning that is not in `excluded`; return None if there is none."""
    return _draw_word_id(tables, language_id, rng, excluded, random_rows.filter_described_ideas, None)


def draw_word_with_example(
    tables: RowSource, language_id: int, rng: Random, excluded: Collection[int] = ()
) -> int | None:
    """Pick a random word with an example; return None if `MAX_BATCHES` batches of ideas have none."""
    return _draw_word_id(tables, language_id, rng, excluded, random_rows.filter_ideas_with_examples, MAX_BATCHES)


def _draw_word_id(  # noqa: PLR0913, PLR0917  # each is an option of the selection
    tables: RowSource,
    language_id: int,
    rng: Random,
    excluded: Collection[int],
    select: Callable[[RowSource, list[int]], list[int]],
    max_batches: int | None,
) -> int | None:
    def load_ids(start: int, limit: int) -> list[int]:
        return random_rows.list_ideas_from(tables, language_id, start, limit)

    for ideas in islice(
        _iter_random_batches(load_ids, random_rows.find_idea_bounds(tables, language_id), rng), max_batches
    ):
        selected = select(tables, ideas)
        for idea_id in rng.sample(selected, len(selected)):
            words = [
                word_id
                for word_id in random_rows.list_words_of_idea(tables, idea_id, language_id)
                if word_id not in excluded
            ]
            if words:
                return rng.choice(words)
    return None


def draw_phrase_id(tables: RowSource, language_id: int, rng: Random, excluded: Collection[int] = ()) -> int | None:
    """Pick a random phrase with a meaning that is not in `excluded`; return None if there is none."""

    def load_ids(start: int, limit: int) -> list[int]:
        return random_rows.list_phrases_from(tables, start, limit)

    for batch in _iter_random_batches(load_ids, random_rows.find_phrase_bounds(tables), rng):
        phrase_ids = [
            phrase_id
            for phrase_id in random_rows.filter_phrases_with_meaning(tables, batch, language_id)
            if phrase_id not in excluded
        ]
        if phrase_ids:
            return rng.choice(phrase_ids)
    return None


def _iter_random_batches(
    load_ids: Callable[[int, int], list[int]], bounds: IdBounds | None, rng: Random
) -> Iterator[list[int]]:
    """Yield all IDs once in batches, from a random one to the last, then from the first."""
    ids = _cycle_ids(load_ids, bounds, rng) if bounds else iter(())
    while batch := list(islice(ids, BATCH_SIZE)):
        yield batch


def _cycle_ids(load_ids: Callable[[int, int], list[int]], bounds: IdBounds, rng: Random) -> Iterator[int]:
    start = rng.randint(*bounds)
    for low, high in ((start, bounds.last), (bounds.first, start - 1)):
        position = low
        while batch := [record_id for record_id in load_ids(position, BATCH_SIZE) if record_id <= high]:
            yield from batch
            position = batch[-1] + 1
