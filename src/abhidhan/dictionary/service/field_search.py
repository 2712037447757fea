"""Searches as users type them: words, patterns with wildcards, and fields (`pos:noun`), alone or combined."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from abhidhan.dictionary.model.cascade import FoundWord, SearchMatch, score
from abhidhan.dictionary.model.field_queries import (
    SIGNS,
    FieldQuery,
    Pattern,
    Signs,
    is_pattern,
    read_fields,
    read_pattern,
    without_final_marks,
)
from abhidhan.dictionary.model.field_selection import ALL, FieldParams, Selection
from abhidhan.dictionary.service import search
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.field_resolution import NOBODY_HAS, Translate, read_named_fields
from abhidhan.dictionary.service.lookup_lists import (
    ALL_LANGUAGES_PARAM,
    LanguageParam,
    find_language_id,
    read_word_fields,
)
from abhidhan.dictionary.service.wildcard_search import find_fitting
from abhidhan.dictionary.store import totals, word_filters, words
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.dictionary.store.word_filters import WordChoice
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import InputError, sentence
from abhidhan.records.languages import ALL_LANGUAGES
from assamese.keys import exact_key

WORDS_AT_ONCE: Final = 1024
"""Maximum number of words of a list that one statement checks."""

MOST_LOOKED_AT: Final = 32 * WORDS_AT_ONCE
"""Maximum number of words checked for one list, where no index applies."""


class SearchRequest(NamedTuple):
    """Parameters of a search request; `text` contains words and fields."""

    text: str
    language: LanguageParam = ALL_LANGUAGES_PARAM
    limit: int = 20
    fuzzy: bool = True
    wildcards: Signs = Signs.NOWHERE


class Asked(NamedTuple):
    """Resolved search parameters; `text` contains words and fields."""

    text: str
    language_id: int
    fuzzy: bool
    limit: int
    wildcards: Signs
    selection: Selection | None = None


class Found(NamedTuple):
    """Result of a search. `is_complete` is None for a search by words alone, which lists the best matches."""

    words: Sequence[FoundWord]
    is_complete: bool | None = None


NOTHING: Final = Found((), is_complete=True)


async def search_words(dictionary: Dictionary, request: SearchRequest, fields: FieldParams = ALL) -> Found:
    """Search words by all strategies, fields and wildcard patterns. Raises InputError, UnavailableError."""
    if not has_pattern(request.text, request.wildcards):
        return await dictionary.read_in_thread(_search_as_asked, request, fields, dictionary.translate)
    async with dictionary.wildcard_queue.turn():
        return await dictionary.read_in_thread(_search_as_asked, request, fields, dictionary.translate)


def _search_as_asked(reader: Reader, request: SearchRequest, fields: FieldParams, translate: Translate) -> Found:
    language_id, selection = find_language_id(reader, request.language), read_word_fields(reader, fields)
    asked = Asked(request.text, language_id, request.fuzzy, request.limit, request.wildcards, selection)
    return find(reader, asked, translate)


def find(reader: Reader, asked: Asked, translate: Translate) -> Found:
    """Search by words, fields or a pattern. Raises InputError."""
    query = _read_query(asked.text, asked.wildcards)
    fields = read_named_fields(reader, query, translate)
    pattern = _read_pattern(asked, query)
    named = {asked.language_id, fields.language_id or ALL_LANGUAGES} - {ALL_LANGUAGES}
    if len(named) > 1 or NOBODY_HAS in named:
        # No word is in two languages.
        return NOTHING
    language_id = next(iter(named), ALL_LANGUAGES)
    if pattern is not None and not pattern.says_nothing:
        asked = asked._replace(text=query.words, language_id=language_id)
        return _find_fitting(reader, asked, pattern, fields.choice)
    if pattern is not None or not query.words:
        return _list(reader, asked, fields.choice, language_id)
    return Found(_search(reader, asked, query.words, fields.choice, language_id))


def has_pattern(text: str, wildcards: Signs) -> bool:
    """Return whether a query has wildcards, which may require comparing many words."""
    return is_pattern(_read_query(text, wildcards).words, wildcards)


def asks_for_more_than_a_word(text: str) -> bool:
    """Return whether a text typed on a page has fields or wildcards."""
    query = read_fields(text)
    return bool(query.fields) or is_pattern(query.words, Signs.AS_TYPED)


def _read_query(text: str, wildcards: Signs) -> FieldQuery:
    query = read_fields(text)
    return query._replace(words=without_final_marks(query.words)) if wildcards is Signs.AS_TYPED else query


def _read_pattern(asked: Asked, query: FieldQuery) -> Pattern | None:
    """Parse the words of a query as a pattern, or return None if they are not one.

    Raises InputError for a pattern that matches all words, unless there are fields.
    """
    if not is_pattern(query.words, asked.wildcards):
        return None
    pattern = read_pattern(query.words)
    if pattern.says_nothing and not query.fields:
        raise InputError.of("q", sentence("This would match every word. Add at least one letter next to the asterisk."))
    return pattern


def _search(reader: Reader, asked: Asked, text: str, choice: WordChoice, language_id: int) -> Sequence[FoundWord]:
    return search.search(
        reader,
        text,
        language_id or None,
        fuzzy=asked.fuzzy,
        limit=asked.limit,
        selection=asked.selection,
        chosen=choice,
    )


def _find_fitting(reader: Reader, asked: Asked, pattern: Pattern, choice: WordChoice) -> Found:
    """Find headwords that contain the wildcard signs literally, then those that match the pattern."""
    hits = words.find(reader, KeyColumn.EXACT, [exact_key(asked.text)], asked.language_id, limit=asked.limit)
    kept = word_filters.keep(reader, choice, [hit.word_id for hit in hits])
    exact = (SearchMatch.EXACT, score(SearchMatch.EXACT, 1.0))
    found = {hit.word_id: exact for hit in hits if hit.word_id in kept}
    fitting, is_complete = find_fitting(reader, pattern, asked.language_id, choice, asked.limit)
    typed = sum(sign not in SIGNS for sign in asked.text)
    for each in fitting:
        share = typed / (len(each.loose) or 1)
        found.setdefault(each.id, (SearchMatch.WILDCARD, score(SearchMatch.WILDCARD, share)))
    first = dict(islice(found.items(), asked.limit))
    return Found(search.gather(reader, first, asked.selection), is_complete)


# --- lists by fields alone --------------------------------------------------------------------------------------------


def _list(reader: Reader, asked: Asked, choice: WordChoice, language_id: int) -> Found:
    """List the words that match the fields, by language, then alphabetically."""
    listed = word_filters.few(reader, choice, language_id, asked.limit)
    is_complete = True
    if listed is None:
        listed, is_complete = _look_through(reader, choice, language_id, asked.limit)
    place = (SearchMatch.FIELD, score(SearchMatch.FIELD, 1.0))
    return Found(search.gather(reader, dict.fromkeys(listed[: asked.limit], place), asked.selection), is_complete)


def _look_through(reader: Reader, choice: WordChoice, language_id: int, limit: int) -> tuple[list[int], bool]:
    """Scan the words of each language in alphabetical order; return also whether the scan was complete."""
    counts = totals.word_counts(reader)
    of_languages = [language_id] if language_id else sorted(each for each, number in counts.items() if number)
    found: list[int] = []
    looked_at = 0
    for some in (some for each in of_languages for some in _in_alphabetical_order(reader, choice, each, limit)):
        kept = frozenset(some) if choice.is_in_order else word_filters.keep(reader, choice, some)
        found += (word_id for word_id in some if word_id in kept)
        looked_at += len(some)
        if len(found) >= limit:
            break
        if looked_at >= MOST_LOOKED_AT:
            return found, False
    return found, True


def _in_alphabetical_order(reader: Reader, choice: WordChoice, language_id: int, limit: int) -> Iterator[list[int]]:
    """Yield the words of a language in batches; only those of one part of speech if `choice` is in index order."""
    size = min(limit, WORDS_AT_ONCE) if choice.is_in_order else WORDS_AT_ONCE
    last = ""
    while True:
        # The last word of a batch begins the next one, in which it is not repeated.
        stretch = word_filters.from_word_on(reader, language_id, last)
        places = word_filters.in_order(reader, choice, stretch, size + 1)
        yield [place.word_id for place in places if place.text != last]
        if len(places) <= size:
            return
        last = places[-1].text
