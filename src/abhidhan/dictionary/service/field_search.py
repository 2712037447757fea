"""Searches as users type them: words, patterns with wildcards, and fields (`pos:noun`), alone or combined."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from abhidhan.dictionary.model.cascade import FoundWord, SearchMatch, compute_score
from abhidhan.dictionary.model.field_queries import (
    WILDCARDS,
    FieldQuery,
    WildcardMode,
    WildcardPattern,
    has_wildcards,
    parse_fields,
    parse_pattern,
    strip_question_marks,
)
from abhidhan.dictionary.model.field_selection import ALL_FIELDS, FieldParams, FieldSelection
from abhidhan.dictionary.service import search
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.field_resolution import NONEXISTENT_ID, Translate, resolve_fields
from abhidhan.dictionary.service.lookup_lists import (
    ALL_LANGUAGES_PARAM,
    LanguageParam,
    find_language_id,
    resolve_word_fields,
)
from abhidhan.dictionary.service.wildcard_search import find_pattern_matches
from abhidhan.dictionary.store import totals, word_filters, words
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.dictionary.store.word_filters import WordFilter
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import InputError, sentence
from abhidhan.records.languages import ALL_LANGUAGES
from assamese.keys import exact_key

SCAN_BATCH_SIZE: Final = 1024
"""Maximum number of words of a list that one statement checks."""

MAX_SCANNED_WORDS: Final = 32 * SCAN_BATCH_SIZE
"""Maximum number of words checked for one list, where no index applies."""


class SearchRequest(NamedTuple):
    """Parameters of a search request; `text` contains words and fields."""

    text: str
    language: LanguageParam = ALL_LANGUAGES_PARAM
    limit: int = 20
    fuzzy: bool = True
    wildcards: WildcardMode = WildcardMode.NOWHERE


class SearchParams(NamedTuple):
    """Resolved search parameters; `text` contains words and fields."""

    text: str
    language_id: int
    fuzzy: bool
    limit: int
    wildcards: WildcardMode
    selection: FieldSelection | None = None


class SearchResult(NamedTuple):
    """Result of a search. `is_complete` is None for a search by words alone, which lists the best matches."""

    words: Sequence[FoundWord]
    is_complete: bool | None = None


EMPTY_RESULT: Final = SearchResult((), is_complete=True)


async def search_words(
    dictionary: Dictionary, request: SearchRequest, fields: FieldParams = ALL_FIELDS
) -> SearchResult:
    """Search words by all strategies, fields and wildcard patterns. Raises InputError, UnavailableError."""
    if not has_pattern(request.text, request.wildcards):
        return await dictionary.read_in_thread(_resolve_and_search, request, fields, dictionary.translate)
    async with dictionary.wildcard_queue.turn():
        return await dictionary.read_in_thread(_resolve_and_search, request, fields, dictionary.translate)


def _resolve_and_search(
    connection: ReadConnection, request: SearchRequest, fields: FieldParams, translate: Translate
) -> SearchResult:
    language_id, selection = find_language_id(connection, request.language), resolve_word_fields(connection, fields)
    params = SearchParams(request.text, language_id, request.fuzzy, request.limit, request.wildcards, selection)
    return search_by_params(connection, params, translate)


def search_by_params(connection: ReadConnection, params: SearchParams, translate: Translate) -> SearchResult:
    """Search by words, fields or a pattern. Raises InputError."""
    query = _read_query(params.text, params.wildcards)
    fields = resolve_fields(connection, query, translate)
    pattern = _read_pattern(params, query)
    language_ids = {params.language_id, fields.language_id or ALL_LANGUAGES} - {ALL_LANGUAGES}
    if len(language_ids) > 1 or NONEXISTENT_ID in language_ids:
        # No word is in two languages.
        return EMPTY_RESULT
    language_id = next(iter(language_ids), ALL_LANGUAGES)
    if pattern is not None and not pattern.matches_all:
        params = params._replace(text=query.words, language_id=language_id)
        return _search_by_pattern(connection, params, pattern, fields.word_filter)
    if pattern is not None or not query.words:
        return _list_by_fields(connection, params, fields.word_filter, language_id)
    return SearchResult(_search_by_words(connection, params, query.words, fields.word_filter, language_id))


def has_pattern(text: str, wildcards: WildcardMode) -> bool:
    """Return whether a query has wildcards, which may require comparing many words."""
    return has_wildcards(_read_query(text, wildcards).words, wildcards)


def has_fields_or_wildcards(text: str) -> bool:
    """Return whether a text typed on a page has fields or wildcards."""
    query = parse_fields(text)
    return bool(query.fields) or has_wildcards(query.words, WildcardMode.EXCEPT_PUNCTUATION)


def _read_query(text: str, wildcards: WildcardMode) -> FieldQuery:
    query = parse_fields(text)
    return (
        query._replace(words=strip_question_marks(query.words))
        if wildcards is WildcardMode.EXCEPT_PUNCTUATION
        else query
    )


def _read_pattern(params: SearchParams, query: FieldQuery) -> WildcardPattern | None:
    """Parse the words of a query as a pattern, or return None if they are not one.

    Raises InputError for a pattern that matches all words, unless there are fields.
    """
    if not has_wildcards(query.words, params.wildcards):
        return None
    pattern = parse_pattern(query.words)
    if pattern.matches_all and not query.fields:
        raise InputError.of("q", sentence("This would match every word. Add at least one letter next to the asterisk."))
    return pattern


def _search_by_words(
    connection: ReadConnection, params: SearchParams, text: str, word_filter: WordFilter, language_id: int
) -> Sequence[FoundWord]:
    return search.search(
        connection,
        text,
        language_id or None,
        fuzzy=params.fuzzy,
        limit=params.limit,
        selection=params.selection,
        word_filter=word_filter,
    )


def _search_by_pattern(
    connection: ReadConnection, params: SearchParams, pattern: WildcardPattern, word_filter: WordFilter
) -> SearchResult:
    """Find headwords that contain the wildcard signs literally, then those that match the pattern."""
    hits = words.find_by_key(
        connection, KeyColumn.EXACT, [exact_key(params.text)], params.language_id, limit=params.limit
    )
    allowed_ids = word_filters.filter_ids(connection, word_filter, [hit.word_id for hit in hits])
    exact = (SearchMatch.EXACT, compute_score(SearchMatch.EXACT, 1.0))
    results = {hit.word_id: exact for hit in hits if hit.word_id in allowed_ids}
    candidates, is_complete = find_pattern_matches(connection, pattern, params.language_id, word_filter, params.limit)
    typed = sum(sign not in WILDCARDS for sign in params.text)
    for candidate in candidates:
        share = typed / (len(candidate.loose_key) or 1)
        results.setdefault(candidate.id, (SearchMatch.WILDCARD, compute_score(SearchMatch.WILDCARD, share)))
    top_results = dict(islice(results.items(), params.limit))
    return SearchResult(search.load_found_words(connection, top_results, params.selection), is_complete)


# --- lists by fields alone --------------------------------------------------------------------------------------------


def _list_by_fields(
    connection: ReadConnection, params: SearchParams, word_filter: WordFilter, language_id: int
) -> SearchResult:
    """List the words that match the fields, by language, then alphabetically."""
    word_ids = word_filters.list_by_ideas(connection, word_filter, language_id, params.limit)
    is_complete = True
    if word_ids is None:
        word_ids, is_complete = _scan_words(connection, word_filter, language_id, params.limit)
    match_score = (SearchMatch.FIELD, compute_score(SearchMatch.FIELD, 1.0))
    return SearchResult(
        search.load_found_words(connection, dict.fromkeys(word_ids[: params.limit], match_score), params.selection),
        is_complete,
    )


def _scan_words(
    connection: ReadConnection, word_filter: WordFilter, language_id: int, limit: int
) -> tuple[list[int], bool]:
    """Scan the words of each language in alphabetical order; return also whether the scan was complete."""
    counts = totals.count_words_by_language(connection)
    language_ids = [language_id] if language_id else sorted(language for language, number in counts.items() if number)
    matches: list[int] = []
    scanned = 0
    for batch in (
        batch
        for language in language_ids
        for batch in _iter_alphabetical_batches(connection, word_filter, language, limit)
    ):
        allowed_ids = (
            frozenset(batch)
            if word_filter.has_ordered_index
            else word_filters.filter_ids(connection, word_filter, batch)
        )
        matches += (word_id for word_id in batch if word_id in allowed_ids)
        scanned += len(batch)
        if len(matches) >= limit:
            break
        if scanned >= MAX_SCANNED_WORDS:
            return matches, False
    return matches, True


def _iter_alphabetical_batches(
    connection: ReadConnection, word_filter: WordFilter, language_id: int, limit: int
) -> Iterator[list[int]]:
    """Yield the words of a language in batches; only those of one part of speech if `word_filter` is in index order."""
    size = min(limit, SCAN_BATCH_SIZE) if word_filter.has_ordered_index else SCAN_BATCH_SIZE
    last = ""
    while True:
        # The last word of a batch begins the next one, in which it is not repeated.
        key_range = word_filters.build_range_from(connection, language_id, last)
        rows = word_filters.list_alphabetically(connection, word_filter, key_range, size + 1)
        yield [row.word_id for row in rows if row.text != last]
        if len(rows) <= size:
            return
        last = rows[-1].text
