"""Look-ups and suggestions as the addresses ask for them: on the event loop, or in a thread where that takes longer."""

from collections.abc import Sequence
from typing import Final

import msgspec

from abhidhan.domain.matching.cascade import QueryWord
from abhidhan.domain.matching.completions import LISTED
from abhidhan.domain.phrases import SimilarPhrase
from abhidhan.domain.selection import ALL, Choice
from abhidhan.services.dictionary import lookup, phrases
from abhidhan.services.dictionary.completions import suggest, suggest_first
from abhidhan.services.dictionary.dictionary import Dictionary
from abhidhan.services.dictionary.lists import ALL_LANGUAGES_PARAM, LanguageParam, language_id_of
from abhidhan.services.dictionary.lookup import Begun
from abhidhan.services.dictionary.selection import read_selection_of_words
from abhidhan.storage.engine.reader import Reader

BATCH_SIZE: Final = 10
"""How many queries one turn of a thread looks up: each takes several milliseconds if no word is spelled so."""


class LookupResult(msgspec.Struct, frozen=True):
    """The result of a look-up: the language, an item for each word, the licences of the data, and matching sayings."""

    language_id: int
    items: tuple[QueryWord, ...]
    licences: str
    phrases: tuple[SimilarPhrase, ...] = ()


async def look_up(
    dictionary: Dictionary, query: str, language: LanguageParam = ALL_LANGUAGES_PARAM, choice: Choice = ALL
) -> LookupResult:
    """Look up each word of a query: on the event loop what is spelled so, the rest in a thread. Raises InputError."""
    begun = await dictionary.read(look_up_exact, query, language, choice)
    if isinstance(begun, LookupResult):
        return begun
    # What is found as it is spelled has been answered above: only here can a word be missing.
    found = await dictionary.read_in_thread(finish_lookup, begun)
    if dictionary.missing_words is not None and not found.phrases:
        dictionary.missing_words.note([(each.queryword, each.match) for each in found.items])
    return found


async def look_up_each(
    dictionary: Dictionary,
    queries: Sequence[str],
    language: LanguageParam = ALL_LANGUAGES_PARAM,
    choice: Choice = ALL,
) -> list[LookupResult]:
    """Look up several queries, each as `look_up` does. Raises InputError.

    Each batch sees the data of its own moment, so that others who wait for a thread get one.
    """
    lookup.check_queries(queries)
    different = list(dict.fromkeys(queries))
    found: list[LookupResult] = []
    for start in range(0, len(different), BATCH_SIZE):
        batch = different[start : start + BATCH_SIZE]
        found += await dictionary.read_in_thread(_look_up_batch, batch, language, choice)
    of_query = dict(zip(different, found, strict=True))
    return [of_query[query] for query in queries]


async def suggest_headwords(
    dictionary: Dictionary,
    text: str,
    language: LanguageParam = ALL_LANGUAGES_PARAM,
    *,
    limit: int,
    first: str = "",
) -> tuple[str, ...]:
    """Suggest headwords as someone types, those of the languages that `first` names before others.

    Raises InputError.
    """
    if first:
        return await dictionary.read_in_thread(suggest_first, text, language, limit, first)
    # Lists of all languages are read in tenths of a millisecond; what they do not name takes many.
    run = dictionary.read if language.is_every and limit <= LISTED else dictionary.read_in_thread
    return await run(suggest, text, language, limit)


def look_up_exact(reader: Reader, query: str, language: LanguageParam, choice: Choice) -> LookupResult | Begun:
    """Look up what is there as it is spelled, or begin what takes longer, as a saying does. Raises InputError."""
    language_id = language_id_of(reader, language)
    selection = read_selection_of_words(reader, choice)
    if phrases.may_be_one(query):
        return lookup.begin(query, language_id, selection)
    items = lookup.look_up_quickly(reader, query, language_id, selection)
    return items if isinstance(items, Begun) else LookupResult(language_id, items, reader.catalogue.licences)


def finish_lookup(reader: Reader, begun: Begun) -> LookupResult:
    """Finish a look-up that has begun."""
    items = lookup.look_up_the_rest(reader, begun)
    sayings = phrases.find_same(reader, begun.query, begun.language_id)
    return LookupResult(begun.language_id, items, reader.catalogue.licences, sayings)


def _look_up_batch(reader: Reader, queries: list[str], language: LanguageParam, choice: Choice) -> list[LookupResult]:
    begun = (look_up_exact(reader, query, language, choice) for query in queries)
    return [each if isinstance(each, LookupResult) else finish_lookup(reader, each) for each in begun]
