"""Random selection of a word or a phrase with a meaning; each of them can be selected."""

from collections.abc import Callable, Collection, Iterator
from itertools import islice
from random import Random
from typing import Final

from abhidhan.dictionary.service.lookup_lists import LanguageParam, find_language_id
from abhidhan.dictionary.store import random_rows, word_rows
from abhidhan.dictionary.store.idea_details import Tables
from abhidhan.dictionary.store.random_rows import Bounds
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import NotFoundError, sentence
from abhidhan.records.words import Word

AT_ONCE: Final = 64
"""Number of consecutive IDs per batch; one of them is picked at random, so that gaps do not favour the next record."""

FEW_STRETCHES: Final = 64
"""Maximum number of batches searched for a word with an example; a large dictionary may have none in a language."""

NOTHING_TOLD: Final = sentence("No word has a meaning yet.")


def draw_word(reader: Reader, language: LanguageParam, lot: Random) -> Word:
    """Pick a random word of a language, or of any. Raises InputError; NotFoundError if no word has a meaning."""
    word_id = draw_word_id(reader, find_language_id(reader, language), lot)
    found = word_rows.gather(reader, [word_id]) if word_id is not None else []
    if not found:
        raise NotFoundError(NOTHING_TOLD)
    return found[0]


def draw_word_id(tables: Tables, language_id: int, lot: Random, without: Collection[int] = ()) -> int | None:
    """Pick a random word with a meaning that is not in `without`; return None if there is none."""
    return _draw_word_id(tables, language_id, lot, without, random_rows.ideas_that_tell, None)


def draw_word_in_use(tables: Tables, language_id: int, lot: Random, without: Collection[int] = ()) -> int | None:
    """Pick a random word with an example from FEW_STRETCHES batches of ideas; return None if they have none."""
    return _draw_word_id(tables, language_id, lot, without, random_rows.ideas_shown_in_use, FEW_STRETCHES)


def _draw_word_id(  # noqa: PLR0913, PLR0917  # each is an option of the selection
    tables: Tables,
    language_id: int,
    lot: Random,
    without: Collection[int],
    choose: Callable[[Tables, list[int]], list[int]],
    stretches: int | None,
) -> int | None:
    def read(start: int, limit: int) -> list[int]:
        return random_rows.ideas_from(tables, language_id, start, limit)

    for ideas in islice(_stretches(read, random_rows.bounds_of_ideas(tables, language_id), lot), stretches):
        chosen = choose(tables, ideas)
        for idea_id in lot.sample(chosen, len(chosen)):
            words = [each for each in random_rows.words_under(tables, idea_id, language_id) if each not in without]
            if words:
                return lot.choice(words)
    return None


def draw_phrase_id(tables: Tables, language_id: int, lot: Random, without: Collection[int] = ()) -> int | None:
    """Pick a random phrase with a meaning that is not in `without`; return None if there is none."""

    def read(start: int, limit: int) -> list[int]:
        return random_rows.phrases_from(tables, start, limit)

    for some in _stretches(read, random_rows.bounds_of_phrases(tables), lot):
        found = [each for each in random_rows.phrases_with_meaning(tables, some, language_id) if each not in without]
        if found:
            return lot.choice(found)
    return None


def _stretches(read: Callable[[int, int], list[int]], bounds: Bounds | None, lot: Random) -> Iterator[list[int]]:
    """Yield all IDs once in batches, from a random one to the last, then from the first."""
    ids = _once_round(read, bounds, lot) if bounds else iter(())
    while some := list(islice(ids, AT_ONCE)):
        yield some


def _once_round(read: Callable[[int, int], list[int]], bounds: Bounds, lot: Random) -> Iterator[int]:
    start = lot.randint(*bounds)
    for low, high in ((start, bounds.last), (bounds.first, start - 1)):
        place = low
        while found := [each for each in read(place, AT_ONCE) if each <= high]:
            yield from found
            place = found[-1] + 1
