"""Look-ups in progress: the words of a query, and the cascade of sure strategies that is tried for each."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from abhidhan.dictionary.model.cascade import Match, StrategyName
from abhidhan.dictionary.model.field_selection import Selection
from abhidhan.dictionary.model.guess_scoring import FoundKey, closest_first
from abhidhan.dictionary.model.headwords import Headwords, read_headwords
from abhidhan.dictionary.model.query import MOST_QUERY_WORDS
from abhidhan.dictionary.model.word_json import EncodedWord
from abhidhan.dictionary.service.strategies.batch import MAX_ENTRIES, LookupBatch, MatchSet
from abhidhan.dictionary.service.strategies.registry import SURE, Strategy
from abhidhan.dictionary.service.strategies.table_forms import may_be_made_by_rule
from abhidhan.dictionary.store import word_rows
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import InputError, sentence
from abhidhan.records.languages import ALL_LANGUAGES
from assamese.keys import exact_key
from assamese.normalization import query_words

NOTHING: Final = MatchSet(Match.NONE, [])


class PendingLookup(NamedTuple):
    """A look-up in progress: the words of the query, the matches of each so far, and the strategies still to try."""

    query: str
    texts: tuple[str, ...]
    language_id: int
    strategies: tuple[Strategy, ...] = SURE
    found: Mapping[str, MatchSet] = {}
    words: Mapping[int, EncodedWord] = {}
    """The matching words that have been loaded already, by ID."""
    selection: Selection | None = None
    """The selected fields of words; None: all."""
    headwords: Headwords | None = None
    """The parts of the query that may be headwords besides its words; None once they have been looked up."""
    whole: str = ""
    """The whole query, if it may be a headword of several words, but has the spelling of none."""


def begin_lookup(query: str, language_id: int = ALL_LANGUAGES, selection: Selection | None = None) -> PendingLookup:
    """Split a query into its words. Raises InputError for more than MOST_QUERY_WORDS."""
    texts = query_words(query)
    if len(texts) > MOST_QUERY_WORDS:
        raise InputError.of(
            "w",
            sentence(
                "`%(parameter)s` has %(value)s words; at most %(most_query_words)s can be looked up at once.",
                parameter="w",
                value=len(texts),
                most_query_words=MOST_QUERY_WORDS,
            ),
        )
    return PendingLookup(query, texts, language_id, selection=selection, headwords=read_headwords(query, texts))


def load_exact(reader: Reader, text: str, pending: PendingLookup) -> tuple[list[EncodedWord], bool]:
    """Load the words with the exact spelling of a text; return also whether the text may be a form of other words.

    Unlike the strategy for the same spelling it reads the whole entries, by the same statement.
    """
    loaded = word_rows.load_words_by_key(
        reader, exact_key(text), pending.language_id, limit=MAX_ENTRIES, selection=pending.selection
    )
    return loaded.words, loaded.is_form or may_be_made_by_rule(reader, text, pending.language_id)


def match_exact(reader: Reader, text: str, pending: PendingLookup, words: dict[int, EncodedWord]) -> MatchSet:
    """Match the words with the exact spelling of a text, and add them to `words`."""
    loaded, may_be_form = load_exact(reader, text, pending)
    words |= {word.id: word for word in loaded}
    key = exact_key(text)
    hits = [FoundKey(key, word.id, word.language_id, word.word) for word in loaded]
    return MatchSet(Match.EXACT, hits, may_be_form=may_be_form)


def match_first(
    reader: Reader, strategies: Sequence[Strategy], text: str, pending: PendingLookup, words: dict[int, EncodedWord]
) -> MatchSet:
    """Try the strategies for a text until one finds a word. Words that are loaded are added to `words`."""
    may_be_form = True
    for strategy in strategies:
        if strategy.name is StrategyName.SAME_SPELLING:
            exact = match_exact(reader, text, pending, words)
            if exact.hits:
                return exact
            may_be_form = exact.may_be_form
        elif may_be_form or strategy.name is not StrategyName.TABLE_FORM:
            hits = strategy.find(reader, LookupBatch([text], pending.language_id)).get(text)
            if hits:
                in_order = closest_first(text, hits) if strategy.name is StrategyName.OTHER_SPELLING else hits
                return MatchSet(strategy.lookup_match, in_order)
    return NOTHING


def match_surely(reader: Reader, texts: Sequence[str], pending: PendingLookup) -> Mapping[str, MatchSet]:
    """Match other texts than those of the query by the sure strategies; a text without a match gets NOTHING."""
    return {text: match_first(reader, SURE, text, pending, {}) for text in texts}
