"""Steps of a pending look-up: words by the sure strategies, the query as a whole, and its hyphenated parts."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from abhidhan.dictionary.model.cascade import Match, StrategyName
from abhidhan.dictionary.model.field_selection import FieldSelection
from abhidhan.dictionary.model.guess_scoring import KeyMatch, sort_by_cost
from abhidhan.dictionary.model.headwords import PossibleHeadwords, has_several_words, parse_headwords
from abhidhan.dictionary.model.query import MAX_QUERY_WORDS
from abhidhan.dictionary.model.word_json import EncodedWord
from abhidhan.dictionary.service.alternatives_offered import MAX_SUGGESTIONS
from abhidhan.dictionary.service.strategies.batch import MAX_ENTRIES, LookupBatch, MatchSet
from abhidhan.dictionary.service.strategies.inflected import filter_verbs, find_forms_by_rule
from abhidhan.dictionary.service.strategies.other_spelling import find_other_spellings
from abhidhan.dictionary.service.strategies.registry import PHRASE_STRATEGIES, SURE_STRATEGIES, Strategy
from abhidhan.dictionary.service.strategies.same_sound import find_same_sound
from abhidhan.dictionary.service.strategies.table_forms import may_be_form_by_rule
from abhidhan.dictionary.store import word_rows
from abhidhan.dictionary.store.fuzzy_candidates import find_near_words
from abhidhan.dictionary.store.keyed_words import find_existing_keys
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import InputError, sentence
from abhidhan.records.languages import ALL_LANGUAGES, ENGLISH
from assamese.keys import exact_key
from assamese.normalization import Script, detect_script, split_query, split_words
from assamese.phrase_variants import list_articles
from assamese.signs import correct_signs, remove_homograph_number, split_at_hyphens

NO_MATCH: Final = MatchSet(Match.NONE, [])


class PendingLookup(NamedTuple):
    """Look-up in progress: the words of the query, the matches of each so far, and the remaining strategies."""

    query: str
    texts: tuple[str, ...]
    language_id: int
    strategies: tuple[Strategy, ...] = SURE_STRATEGIES
    matches: Mapping[str, MatchSet] = {}
    words: Mapping[int, EncodedWord] = {}
    """Matching words that are already loaded, by ID."""
    selection: FieldSelection | None = None
    """The selected fields of words; None: all."""
    headwords: PossibleHeadwords | None = None
    """Parts of the query that may be headwords besides its words; None once they have been looked up."""
    whole_query: str = ""
    """The whole query, if it may be a headword of several words but matches none exactly."""


def begin_lookup(
    query: str, language_id: int = ALL_LANGUAGES, selection: FieldSelection | None = None
) -> PendingLookup:
    """Split a query into its words. Raises InputError for more than `MAX_QUERY_WORDS`."""
    texts = split_query(query)
    if len(texts) > MAX_QUERY_WORDS:
        raise InputError.of(
            "w",
            sentence(
                "`%(parameter)s` has %(value)s words; at most %(most_query_words)s can be looked up at once.",
                parameter="w",
                value=len(texts),
                most_query_words=MAX_QUERY_WORDS,
            ),
        )
    return PendingLookup(query, texts, language_id, selection=selection, headwords=parse_headwords(query, texts))


def load_exact(connection: ReadConnection, text: str, pending: PendingLookup) -> tuple[list[EncodedWord], bool]:
    """Load the words with the exact spelling of a text; return also whether it may be a form of other words.

    Unlike the same-spelling strategy, this loads whole entries in the same statement.
    """
    loaded = word_rows.load_words_by_key(
        connection, exact_key(text), pending.language_id, limit=MAX_ENTRIES, selection=pending.selection
    )
    return loaded.words, loaded.is_form or may_be_form_by_rule(connection, text, pending.language_id)


def match_exact(
    connection: ReadConnection, text: str, pending: PendingLookup, words: dict[int, EncodedWord]
) -> MatchSet:
    """Match the words with the exact spelling of a text, and add them to `words`."""
    loaded, may_be_form = load_exact(connection, text, pending)
    words |= {word.id: word for word in loaded}
    key = exact_key(text)
    hits = [KeyMatch(key, word.id, word.language_id, word.word) for word in loaded]
    return MatchSet(Match.EXACT, hits, may_be_form=may_be_form)


def match_first(
    connection: ReadConnection,
    strategies: Sequence[Strategy],
    text: str,
    pending: PendingLookup,
    words: dict[int, EncodedWord],
) -> MatchSet:
    """Try the strategies for a text until one matches, and add loaded words to `words`."""
    may_be_form = True
    for strategy in strategies:
        if strategy.name is StrategyName.SAME_SPELLING:
            exact = match_exact(connection, text, pending, words)
            if exact.hits:
                return exact
            may_be_form = exact.may_be_form
        elif may_be_form or strategy.name is not StrategyName.TABLE_FORM:
            hits = strategy.find(connection, LookupBatch([text], pending.language_id)).get(text)
            if hits:
                in_order = sort_by_cost(text, hits) if strategy.name is StrategyName.OTHER_SPELLING else hits
                return MatchSet(strategy.lookup_match, in_order)
    return NO_MATCH


def match_texts(connection: ReadConnection, texts: Sequence[str], pending: PendingLookup) -> Mapping[str, MatchSet]:
    """Match texts other than the query's words by the sure strategies; a text without a match gets NO_MATCH."""
    return {text: match_first(connection, SURE_STRATEGIES, text, pending, {}) for text in texts}


MAX_HEADWORD_WORDS: Final = 3
"""Maximum number of words of a query that is guessed as a headword of several words."""

MatchesByText = Mapping[str, MatchSet]


def look_up_headwords(
    connection: ReadConnection, pending: PendingLookup, headwords: PossibleHeadwords
) -> PendingLookup:
    """Look up the whole query, and its parts with their punctuation, as headwords, such as `100%`.

    The words without punctuation are looked up as well. This is the first step; one statement selects the known
    spellings.
    """
    words = {**pending.words}
    candidates = headwords.list_candidates()
    existing_keys = find_existing_keys(connection, [*map(exact_key, candidates)], pending.language_id)
    tried = {
        text: match_exact(connection, text, pending, words) for text in candidates if exact_key(text) in existing_keys
    }
    exact = {text: matches for text, matches in tried.items() if matches.hits}
    if _is_infinitive(connection, headwords, exact):
        verb = {text: exact.get(text, NO_MATCH) for text in headwords.choose_texts_after_to(exact)}
        return pending._replace(texts=tuple(verb), matches=verb, words=words, headwords=None)
    matches = {text: exact.get(text, NO_MATCH) for text in headwords.choose_texts(exact)}
    if headwords.whole and matches.keys().isdisjoint(headwords.whole):
        whole = headwords.whole[-1]
        may_be_form = whole in tried or may_be_form_by_rule(connection, whole, pending.language_id)
        matches = _match_whole_inexactly(connection, pending, whole, may_be_form=may_be_form) | matches
        if whole not in matches:
            matches = _insert_phrases(connection, pending, matches)
            pending = pending._replace(whole_query=whole)
    return pending._replace(texts=tuple(matches), matches=matches, words=words, headwords=None)


def _is_infinitive(connection: ReadConnection, headwords: PossibleHeadwords, exact: MatchesByText) -> bool:
    """Return whether a query begins with "to" and an English verb."""
    verb = exact.get(headwords.find_verb_after_to(exact))
    english_ids = [hit.word_id for hit in verb.hits if hit.language_id == ENGLISH] if verb else []
    return bool(english_ids) and bool(filter_verbs(connection, english_ids))


def _match_whole_inexactly(
    connection: ReadConnection, pending: PendingLookup, whole: str, *, may_be_form: bool
) -> dict[str, MatchSet]:
    """Look up the whole query as a form or a loose spelling of a headword of several words."""
    for strategy in (*(SURE_STRATEGIES[1:] if may_be_form else SURE_STRATEGIES[2:]), *PHRASE_STRATEGIES):
        matches = match_first(connection, [strategy], whole, pending, {})
        if multiword := _filter_multiword(matches.hits):
            return {whole: matches._replace(hits=multiword)}
    return {}


MAX_PHRASE_WORDS: Final = 4
"""Maximum number of words of an English phrase that is searched within a longer query."""


def _insert_phrases(connection: ReadConnection, pending: PendingLookup, matches: MatchesByText) -> dict[str, MatchSet]:
    """Add the English headwords of several words that occur in a query, each before its first word."""
    texts = split_words(pending.query)
    if pending.language_id not in {ALL_LANGUAGES, ENGLISH} or detect_script(pending.query) is not Script.LATIN:
        return {**matches}
    runs = {
        " ".join(texts[start : start + length]): texts[start]
        for start in range(len(texts) - 1)
        for length in range(min(MAX_PHRASE_WORDS, len(texts) - start), 1, -1)
        if length < len(texts)
    }
    hits = find_other_spellings(connection, LookupBatch([*runs], ENGLISH))
    extended: dict[str, MatchSet] = {}
    for text, match in matches.items():
        for run in [run for run, first in runs.items() if first == text]:
            if phrases := _filter_multiword(hits.get(run, ())):
                is_exact = exact_key(phrases[0].text) == exact_key(run)
                extended[run] = MatchSet(Match.EXACT if is_exact else Match.LOOSE, phrases)
                break
        extended[text] = match
    return extended


def drop_articles(matches: MatchesByText) -> dict[str, MatchSet]:
    """Drop English articles before an English word (`the house`)."""
    articles = list_articles("en")
    superfluous = {
        text
        for text, following in pairwise(matches)
        if exact_key(text) in articles and any(hit.language_id == ENGLISH for hit in matches[following].hits[:1])
    }
    return {text: match_set for text, match_set in matches.items() if text not in superfluous}


def guess_whole_query(connection: ReadConnection, pending: PendingLookup) -> PendingLookup:
    """Guess the headword of several words that a short query means: by sound, as a form, or as a misspelling.

    The last two apply only if a word has no match; otherwise the query means its words.
    """
    whole, word_matches = pending.whole_query, pending.matches
    if not whole or len(word_matches) > MAX_HEADWORD_WORDS:
        return pending
    batch = LookupBatch([whole], pending.language_id)
    # This also applies if all words match: `cut of` may mean cut off.
    sounding = find_same_sound(connection, batch) if detect_script(whole) is Script.LATIN else {}
    if multiword := _filter_multiword(sounding.get(whole, ())):
        return pending._replace(
            matches={whole: MatchSet(Match.PHONETIC, sort_by_cost(whole, multiword)), **word_matches}
        )
    if all(match_set.hits for match_set in word_matches.values()):
        return pending
    if multiword := _filter_multiword(find_forms_by_rule(connection, batch).get(whole, ())):
        return pending._replace(matches={whole: MatchSet(Match.INFLECTED, multiword), **word_matches})
    near = tuple(_filter_multiword(find_near_words(connection, whole, pending.language_id or None))[:MAX_SUGGESTIONS])
    return pending._replace(matches={whole: MatchSet(Match.NONE, [], near), **word_matches}) if near else pending


def _filter_multiword(hits: Iterable[KeyMatch]) -> list[KeyMatch]:
    return [hit for hit in hits if has_several_words(hit.text)]


def retry_without_marks(connection: ReadConnection, pending: PendingLookup) -> PendingLookup:
    """Retry texts without a match after removing signs of typography and homograph numbers."""
    old_matches = pending.matches
    readings = {text: correct_signs(text) for text, each in old_matches.items() if not each.hits}
    plain_texts = {text: remove_homograph_number(each) for text, each in readings.items()}
    variants = dict.fromkeys(each for text in readings for each in (readings[text], plain_texts[text]) if each != text)
    if not variants:
        return pending
    matches = {**old_matches, **match_texts(connection, [*variants], pending)}
    new_matches = {
        text: matches[each] if matches[each].hits else matches[plain_texts[text]] for text, each in readings.items()
    }
    return pending._replace(matches={**old_matches, **new_matches})


def split_hyphenated(connection: ReadConnection, pending: PendingLookup) -> PendingLookup:
    """Replace hyphenated English words without a match by their parts, if one of the parts matches.

    A text near a headword of several words is kept, before its parts.
    """
    old_matches = pending.matches
    parts = {text: split_at_hyphens(text) for text, match_set in old_matches.items() if not match_set.hits}
    all_parts = dict.fromkeys(part for text_parts in parts.values() for part in text_parts)
    if not all_parts:
        return pending
    matches = match_texts(connection, [*all_parts], pending)
    replacements: dict[str, MatchesByText] = {}
    for text, text_parts in parts.items():
        if any(matches[part].hits for part in text_parts):
            near_headwords = (
                {text: old_matches[text]} if any(has_several_words(hit.text) for hit in old_matches[text].near) else {}
            )
            replacements[text] = {**near_headwords, **{part: matches[part] for part in text_parts}}
    by_key: dict[str, tuple[str, MatchSet]] = {}
    for text, match_set in old_matches.items():
        for part_text, part_matches in replacements.get(text, {text: match_set}).items():
            by_key.setdefault(exact_key(part_text), (part_text, part_matches))
    return pending._replace(matches=dict(by_key.values()))
