"""Look up each word of a query by the first sure strategy that matches, or by the best guess.

Queries whose words all match exactly are answered on the event loop; others are finished in a thread.
"""

from collections.abc import Collection, Sequence
from typing import Final

import msgspec

from abhidhan.dictionary.model.cascade import Match, QueryWord
from abhidhan.dictionary.model.completions import MAX_LIST_SIZE
from abhidhan.dictionary.model.field_selection import ALL_FIELDS, FieldParams, FieldSelection, select_fields
from abhidhan.dictionary.model.guess_scoring import KeyMatch
from abhidhan.dictionary.model.phrases import SimilarPhrase
from abhidhan.dictionary.model.query import MAX_QUERY_WORDS
from abhidhan.dictionary.model.word_json import EncodedWord, EncodedWords
from abhidhan.dictionary.service.alternatives_offered import suggest_alternatives
from abhidhan.dictionary.service.analysis import analyze_entries
from abhidhan.dictionary.service.completions import gloss_words_by_id, suggest, suggest_by_language
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.lookup_lists import (
    ALL_LANGUAGES_PARAM,
    LanguageParam,
    find_language_id,
    resolve_word_fields,
)
from abhidhan.dictionary.service.phrases import find_same_proverbs, may_be_phrase
from abhidhan.dictionary.service.strategies.batch import LookupBatch, MatchSet
from abhidhan.dictionary.service.strategies.guess import guess
from abhidhan.dictionary.service.strategies.registry import SURE_STRATEGIES, Strategy
from abhidhan.dictionary.service.strategies.stubs import prefer_described_entries
from abhidhan.dictionary.service.whole_query_lookup import (
    NO_MATCH,
    PendingLookup,
    begin_lookup,
    drop_articles,
    guess_whole_query,
    load_exact,
    look_up_headwords,
    match_first,
    retry_without_marks,
    split_hyphenated,
)
from abhidhan.dictionary.store import word_rows, words
from abhidhan.dictionary.store.word_rows import LoadOptions
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import InputError, sentence
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.records.words import DetailedSuggestion
from assamese.normalization import split_query

EVENT_LOOP_WORD_LIMIT: Final = 3
"""Maximum number of words looked up on the event loop, which takes about a millisecond."""

MAX_REQUEST_WORDS: Final = 200
"""Maximum number of words in all queries of a request; unknown words then take about a second."""

MIN_GUESS_LENGTH: Final = 4
"""Minimum number of letters of a text that begins no headword, for guessing the words meant."""

QUERY_BATCH_SIZE: Final = 10
"""Number of queries looked up per thread job; an unknown word takes several milliseconds."""


class LookupResult(msgspec.Struct, frozen=True):
    """Result of a look-up: the language, an item for each word, the licences of the data, and matching proverbs."""

    language_id: int
    items: tuple[QueryWord, ...]
    licences: str
    phrases: tuple[SimilarPhrase, ...] = ()


async def look_up_query(
    dictionary: Dictionary, query: str, language: LanguageParam = ALL_LANGUAGES_PARAM, fields: FieldParams = ALL_FIELDS
) -> LookupResult:
    """Look up each word of a query: exact matches on the event loop, the rest in a thread. Raises InputError."""
    result = await dictionary.read(_answer_exact, query, language, fields)
    if isinstance(result, LookupResult):
        return result
    # Exact matches have been answered above: only here can a word be missing.
    finished = await dictionary.read_in_thread(_answer_pending, result)
    if dictionary.missing_words is not None and not finished.phrases:
        dictionary.missing_words.count([(item.queryword, item.match) for item in finished.items])
    return finished


async def look_up_queries(
    dictionary: Dictionary,
    queries: Sequence[str],
    language: LanguageParam = ALL_LANGUAGES_PARAM,
    fields: FieldParams = ALL_FIELDS,
) -> list[LookupResult]:
    """Look up several queries, each like `look_up_query`. Raises InputError.

    Each batch reads its own snapshot, so that other requests that wait for a thread get one in between.
    """
    counts = [len(split_query(query)) for query in queries]
    if max(counts, default=0) > MAX_QUERY_WORDS or sum(counts) > MAX_REQUEST_WORDS:
        raise InputError.of(
            "words",
            sentence(
                "`%(parameter)s` has too many words: at most %(most)s in each text, and %(in_all)s in total.",
                parameter="words",
                most=MAX_QUERY_WORDS,
                in_all=MAX_REQUEST_WORDS,
            ),
        )
    unique_queries = list(dict.fromkeys(queries))
    results: list[LookupResult] = []
    for start in range(0, len(unique_queries), QUERY_BATCH_SIZE):
        batch = unique_queries[start : start + QUERY_BATCH_SIZE]
        results += await dictionary.read_in_thread(_answer_batch, batch, language, fields)
    by_query = dict(zip(unique_queries, results, strict=True))
    return [by_query[query] for query in queries]


async def suggest_headwords(
    dictionary: Dictionary,
    text: str,
    language: LanguageParam = ALL_LANGUAGES_PARAM,
    *,
    limit: int,
    preferred_languages: str = "",
) -> tuple[str, ...]:
    """Suggest headwords for a text being typed, those in `preferred_languages` before others.

    Raises InputError.
    """
    if preferred_languages:
        return await dictionary.read_in_thread(suggest_by_language, text, language, limit, preferred_languages)
    # Completion lists of all languages are read in tenths of a millisecond; other words take many.
    read = dictionary.read if language.is_all and limit <= MAX_LIST_SIZE else dictionary.read_in_thread
    headwords = await read(suggest, text, language, limit)
    return headwords or await dictionary.read_in_thread(_guess_headwords, text, language, limit)


async def guess_with_glosses(
    dictionary: Dictionary, text: str, language: LanguageParam, limit: int, preferred_languages: str
) -> tuple[DetailedSuggestion, ...]:
    """Guess the words meant by a text that begins no headword, each with a gloss. Raises InputError."""
    return await dictionary.read_in_thread(_guess_glosses, text, language, limit, preferred_languages)


def _guess_headwords(connection: ReadConnection, text: str, language: LanguageParam, limit: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys(hit.text for hit in _guess_words(connection, text, language)))[:limit]


def _guess_glosses(
    connection: ReadConnection, text: str, language: LanguageParam, limit: int, preferred_languages: str
) -> tuple[DetailedSuggestion, ...]:
    return gloss_words_by_id(
        connection, [hit.word_id for hit in _guess_words(connection, text, language)][:limit], preferred_languages
    )


def _guess_words(connection: ReadConnection, text: str, language: LanguageParam) -> Sequence[KeyMatch]:
    """Find the words that a single word is a form or a near spelling of: `bujiba` (বুজিবা) is a form of বুজা."""
    texts = split_query(text)
    if len(texts) != 1 or len(text) < MIN_GUESS_LENGTH:
        return ()
    return guess(connection, LookupBatch(texts, find_language_id(connection, language))).matches.hits


def _answer_batch(
    connection: ReadConnection, queries: list[str], language: LanguageParam, fields: FieldParams
) -> list[LookupResult]:
    results = (_answer_exact(connection, query, language, fields) for query in queries)
    return [result if isinstance(result, LookupResult) else _answer_pending(connection, result) for result in results]


def _answer_exact(
    connection: ReadConnection, query: str, language: LanguageParam, fields: FieldParams
) -> LookupResult | PendingLookup:
    """Answer a query whose words all match exactly; return a pending look-up otherwise. Raises InputError."""
    language_id = find_language_id(connection, language)
    selection = resolve_word_fields(connection, fields)
    if may_be_phrase(query):
        return begin_lookup(query, language_id, selection)
    items = look_up_exact(connection, query, language_id, selection)
    return (
        items if isinstance(items, PendingLookup) else LookupResult(language_id, items, connection.catalogue.licences)
    )


def _answer_pending(connection: ReadConnection, pending: PendingLookup) -> LookupResult:
    """Finish a pending look-up, and find proverbs that match its query."""
    items = finish_lookup(connection, pending)
    sayings = find_same_proverbs(connection, pending.query, pending.language_id) if may_be_phrase(pending.query) else ()
    return LookupResult(pending.language_id, items, connection.catalogue.licences, sayings)


def look_up(
    connection: ReadConnection, query: str, language_id: int = ALL_LANGUAGES, selection: FieldSelection | None = None
) -> tuple[QueryWord, ...]:
    """Look up each word of a query, after the whole query if it is a headword of several words.

    Raises InputError for more than `MAX_QUERY_WORDS` words.
    """
    return finish_lookup(connection, begin_lookup(query, language_id, selection))


def look_up_exact(
    connection: ReadConnection, query: str, language_id: int = ALL_LANGUAGES, selection: FieldSelection | None = None
) -> tuple[QueryWord, ...] | PendingLookup:
    """Look up a few words by the sure strategies, in tenths of a millisecond, or return a pending look-up.

    The look-up stays pending if a word has no match, or if an entry is a stub, which may hide other words. Raises
    InputError.
    """
    pending, strategies = begin_lookup(query, language_id, selection), SURE_STRATEGIES
    if len(pending.texts) > EVENT_LOOP_WORD_LIMIT:
        return pending
    if len(pending.texts) == 1 and pending.headwords is None:
        # The most common query: one word with an exact match is answered without the preparation for several.
        (text,) = pending.texts
        exact, may_be_form = load_exact(connection, text, pending)
        if exact and _has_stub(connection, exact, selection):
            return pending
        if exact:
            return (
                _build_query_word(connection, pending, text, MatchSet(Match.EXACT, [], may_be_form=may_be_form), exact),
            )
        pending, strategies = (
            pending._replace(matches={text: NO_MATCH}),
            SURE_STRATEGIES[1:] if may_be_form else SURE_STRATEGIES[2:],
        )
    pending = _try_strategies(connection, pending, strategies)._replace(strategies=())
    has_all = all(matches.hits for matches in pending.matches.values())
    if has_all and not _has_stub(connection, pending.words.values(), selection):
        return _build_answer(connection, pending)
    return pending


def _has_stub(connection: ReadConnection, entries: Collection[EncodedWord], selection: FieldSelection | None) -> bool:
    """Return whether one of the entries is a stub; words with a description would rank above it."""
    possible = [word.id for word in entries if word.is_stub]
    # A selection may leave out the fields that describe a word.
    return bool(possible) and (selection is None or bool(words.find_stubs(connection, possible)))


def finish_lookup(connection: ReadConnection, pending: PendingLookup) -> tuple[QueryWord, ...]:
    """Try the remaining strategies, guess the words without a match, and build the answer."""
    pending = _try_strategies(connection, pending, pending.strategies)
    pending = guess_whole_query(connection, retry_without_marks(connection, pending))
    pending = _guess_unmatched(connection, pending)
    pending = _guess_unmatched(connection, split_hyphenated(connection, pending))
    reranked = {
        text: matches._replace(hits=prefer_described_entries(connection, text, matches.hits, pending.language_id))
        for text, matches in pending.matches.items()
        if matches.match is Match.EXACT and _may_have_stub(pending, matches)
    }
    return _build_answer(connection, pending._replace(matches={**pending.matches, **reranked}))


def _may_have_stub(pending: PendingLookup, matches: MatchSet) -> bool:
    """Return whether one of the exact entries may be a stub, judging by the words already loaded."""
    if pending.selection is not None:
        return True
    return any(word is None or word.is_stub for word in map(pending.words.get, (hit.word_id for hit in matches.hits)))


def _try_strategies(
    connection: ReadConnection, pending: PendingLookup, strategies: tuple[Strategy, ...]
) -> PendingLookup:
    """Try the strategies for each text until one matches."""
    if pending.headwords is not None:
        pending, strategies = look_up_headwords(connection, pending, pending.headwords), strategies[1:]
    loaded = {**pending.words}
    matches = {**pending.matches}
    for text in pending.texts:
        # Each text is looked up alone, so that its answer does not depend on the others.
        if matches.setdefault(text, NO_MATCH) is NO_MATCH:
            matches[text] = match_first(connection, strategies, text, pending, loaded)
    return pending._replace(matches=matches, words=loaded)


def _guess_unmatched(connection: ReadConnection, pending: PendingLookup) -> PendingLookup:
    """Guess the words meant by each text without a match."""
    texts = (text for text, matches in pending.matches.items() if matches is NO_MATCH)
    guessed = {text: guess(connection, LookupBatch([text], pending.language_id)).matches for text in texts}
    return pending._replace(matches={**pending.matches, **guessed})


def _build_answer(connection: ReadConnection, pending: PendingLookup) -> tuple[QueryWord, ...]:
    """Load the matching words that are not loaded yet, and build the answer for each text."""
    pending = pending._replace(matches=drop_articles(pending.matches))
    word_ids = dict.fromkeys(hit.word_id for match_set in pending.matches.values() for hit in match_set.hits)
    not_loaded = [word_id for word_id in word_ids if word_id not in pending.words]
    loaded = word_rows.load_encoded_words(connection, not_loaded, LoadOptions(pending.selection))
    by_id = {**pending.words, **{word.id: word for word in loaded}}
    items = []
    for text, matches in pending.matches.items():
        entries = [by_id[hit.word_id] for hit in matches.hits if hit.word_id in by_id]
        items.append(_build_query_word(connection, pending, text, matches, entries))
    return tuple(items)


def _build_query_word(
    connection: ReadConnection, pending: PendingLookup, text: str, matches: MatchSet, entries: Sequence[EncodedWord]
) -> QueryWord:
    offered = suggest_alternatives(connection, text, matches, entries, pending.language_id)
    encoded = EncodedWords(entries)
    selected = encoded if pending.selection is None else select_fields(encoded, pending.selection)
    analysis = analyze_entries(connection, text, matches.hits) if matches.match is Match.INFLECTED else None
    return QueryWord(text, matches.match, selected, offered, analysis)
