"""Searches as users type them: words, patterns with wildcards, and fields (`pos:noun`), alone or combined."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from abhidhan.dictionary.model.cascade import FoundWord, SearchMatch, score
from abhidhan.dictionary.model.field_queries import (
    WILDCARDS,
    FieldQuery,
    Pattern,
    WildcardMode,
    is_pattern,
    read_fields,
    read_pattern,
    without_final_marks,
)
from abhidhan.dictionary.model.field_selection import ALL_FIELDS, FieldParams, FieldSelection
from abhidhan.dictionary.service import search
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.field_resolution import NO_RECORD_ID, Translate, resolve_fields
from abhidhan.dictionary.service.lookup_lists import (
    ALL_LANGUAGES_PARAM,
    LanguageParam,
    find_language_id,
    read_word_fields,
)
from abhidhan.dictionary.service.wildcard_search import find_matching
from abhidhan.dictionary.store import totals, word_filters, words
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.dictionary.store.word_filters import WordFilter
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import InputError, sentence
from abhidhan.records.languages import ALL_LANGUAGES
from assamese.keys import exact_key

BATCH_SIZE: Final = 1024
"""Maximum number of words of a list that one statement checks."""

MAX_SCANNED_WORDS: Final = 32 * BATCH_SIZE
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
    reader: ReadConnection, request: SearchRequest, fields: FieldParams, translate: Translate
) -> SearchResult:
    language_id, selection = find_language_id(reader, request.language), read_word_fields(reader, fields)
    params = SearchParams(request.text, language_id, request.fuzzy, request.limit, request.wildcards, selection)
    return find(reader, params, translate)


def find(reader: ReadConnection, params: SearchParams, translate: Translate) -> SearchResult:
    """Search by words, fields or a pattern. Raises InputError."""
    query = _read_query(params.text, params.wildcards)
    fields = resolve_fields(reader, query, translate)
    pattern = _read_pattern(params, query)
    language_ids = {params.language_id, fields.language_id or ALL_LANGUAGES} - {ALL_LANGUAGES}
    if len(language_ids) > 1 or NO_RECORD_ID in language_ids:
        # No word is in two languages.
        return EMPTY_RESULT
    language_id = next(iter(language_ids), ALL_LANGUAGES)
    if pattern is not None and not pattern.matches_all:
        params = params._replace(text=query.words, language_id=language_id)
        return _find_matching(reader, params, pattern, fields.word_filter)
    if pattern is not None or not query.words:
        return _list_by_fields(reader, params, fields.word_filter, language_id)
    return SearchResult(_search(reader, params, query.words, fields.word_filter, language_id))


def has_pattern(text: str, wildcards: WildcardMode) -> bool:
    """Return whether a query has wildcards, which may require comparing many words."""
    return is_pattern(_read_query(text, wildcards).words, wildcards)


def has_fields_or_wildcards(text: str) -> bool:
    """Return whether a text typed on a page has fields or wildcards."""
    query = read_fields(text)
    return bool(query.fields) or is_pattern(query.words, WildcardMode.AS_TYPED)


def _read_query(text: str, wildcards: WildcardMode) -> FieldQuery:
    query = read_fields(text)
    return query._replace(words=without_final_marks(query.words)) if wildcards is WildcardMode.AS_TYPED else query


def _read_pattern(params: SearchParams, query: FieldQuery) -> Pattern | None:
    """Parse the words of a query as a pattern, or return None if they are not one.

    Raises InputError for a pattern that matches all words, unless there are fields.
    """
    if not is_pattern(query.words, params.wildcards):
        return None
    pattern = read_pattern(query.words)
    if pattern.matches_all and not query.fields:
        raise InputError.of("q", sentence("This would match every word. Add at least one letter next to the asterisk."))
    return pattern


def _search(
    reader: ReadConnection, params: SearchParams, text: str, word_filter: WordFilter, language_id: int
) -> Sequence[FoundWord]:
    return search.search(
        reader,
        text,
        language_id or None,
        fuzzy=params.fuzzy,
        limit=params.limit,
        selection=params.selection,
        word_filter=word_filter,
    )


def _find_matching(
    reader: ReadConnection, params: SearchParams, pattern: Pattern, word_filter: WordFilter
) -> SearchResult:
    """Find headwords that contain the wildcard signs literally, then those that match the pattern."""
    hits = words.find(reader, KeyColumn.EXACT, [exact_key(params.text)], params.language_id, limit=params.limit)
    allowed_ids = word_filters.filter_ids(reader, word_filter, [hit.word_id for hit in hits])
    exact = (SearchMatch.EXACT, score(SearchMatch.EXACT, 1.0))
    results = {hit.word_id: exact for hit in hits if hit.word_id in allowed_ids}
    candidates, is_complete = find_matching(reader, pattern, params.language_id, word_filter, params.limit)
    typed = sum(sign not in WILDCARDS for sign in params.text)
    for candidate in candidates:
        share = typed / (len(candidate.loose) or 1)
        results.setdefault(candidate.id, (SearchMatch.WILDCARD, score(SearchMatch.WILDCARD, share)))
    first = dict(islice(results.items(), params.limit))
    return SearchResult(search.load_found_words(reader, first, params.selection), is_complete)


# --- lists by fields alone --------------------------------------------------------------------------------------------


def _list_by_fields(
    reader: ReadConnection, params: SearchParams, word_filter: WordFilter, language_id: int
) -> SearchResult:
    """List the words that match the fields, by language, then alphabetically."""
    word_ids = word_filters.list_if_few(reader, word_filter, language_id, params.limit)
    is_complete = True
    if word_ids is None:
        word_ids, is_complete = _scan_words(reader, word_filter, language_id, params.limit)
    match_score = (SearchMatch.FIELD, score(SearchMatch.FIELD, 1.0))
    return SearchResult(
        search.load_found_words(reader, dict.fromkeys(word_ids[: params.limit], match_score), params.selection),
        is_complete,
    )


def _scan_words(
    reader: ReadConnection, word_filter: WordFilter, language_id: int, limit: int
) -> tuple[list[int], bool]:
    """Scan the words of each language in alphabetical order; return also whether the scan was complete."""
    counts = totals.word_counts(reader)
    language_ids = [language_id] if language_id else sorted(language for language, number in counts.items() if number)
    matches: list[int] = []
    scanned = 0
    for batch in (
        batch for language in language_ids for batch in _in_alphabetical_order(reader, word_filter, language, limit)
    ):
        allowed_ids = (
            frozenset(batch) if word_filter.is_in_order else word_filters.filter_ids(reader, word_filter, batch)
        )
        matches += (word_id for word_id in batch if word_id in allowed_ids)
        scanned += len(batch)
        if len(matches) >= limit:
            break
        if scanned >= MAX_SCANNED_WORDS:
            return matches, False
    return matches, True


def _in_alphabetical_order(
    reader: ReadConnection, word_filter: WordFilter, language_id: int, limit: int
) -> Iterator[list[int]]:
    """Yield the words of a language in batches; only those of one part of speech if `word_filter` is in index order."""
    size = min(limit, BATCH_SIZE) if word_filter.is_in_order else BATCH_SIZE
    last = ""
    while True:
        # The last word of a batch begins the next one, in which it is not repeated.
        key_range = word_filters.range_from(reader, language_id, last)
        rows = word_filters.list_in_order(reader, word_filter, key_range, size + 1)
        yield [row.word_id for row in rows if row.text != last]
        if len(rows) <= size:
            return
        last = rows[-1].text
