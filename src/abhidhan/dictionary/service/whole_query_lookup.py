"""Steps of a pending look-up: words by the sure strategies, the query as a whole, and its hyphenated parts."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from abhidhan.dictionary.model.cascade import Match, StrategyName
from abhidhan.dictionary.model.field_selection import FieldSelection
from abhidhan.dictionary.model.guess_scoring import KeyMatch, sort_by_cost
from abhidhan.dictionary.model.headwords import Headwords, has_several_words, read_headwords
from abhidhan.dictionary.model.query import MAX_QUERY_WORDS
from abhidhan.dictionary.model.word_json import EncodedWord
from abhidhan.dictionary.service.alternatives_offered import MAX_SUGGESTIONS
from abhidhan.dictionary.service.strategies.batch import MAX_ENTRIES, LookupBatch, MatchSet
from abhidhan.dictionary.service.strategies.inflected import filter_verbs, find_forms_by_rule
from abhidhan.dictionary.service.strategies.other_spelling import find_other_spellings
from abhidhan.dictionary.service.strategies.registry import PHRASES, SURE, Strategy
from abhidhan.dictionary.service.strategies.same_sound import find_same_sound
from abhidhan.dictionary.service.strategies.table_forms import may_be_made_by_rule
from abhidhan.dictionary.store import word_rows
from abhidhan.dictionary.store.fuzzy_candidates import near_words
from abhidhan.dictionary.store.keyed_words import find_existing_keys
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import InputError, sentence
from abhidhan.records.languages import ALL_LANGUAGES, ENGLISH
from assamese.keys import exact_key
from assamese.normalization import Script, query_words, script_of, words_of
from assamese.phrase_variants import articles_of
from assamese.signs import parts_between_hyphens, read_signs, without_number

NO_MATCH: Final = MatchSet(Match.NONE, [])


class PendingLookup(NamedTuple):
    """Look-up in progress: the words of the query, the matches of each so far, and the remaining strategies."""

    query: str
    texts: tuple[str, ...]
    language_id: int
    strategies: tuple[Strategy, ...] = SURE
    matches: Mapping[str, MatchSet] = {}
    words: Mapping[int, EncodedWord] = {}
    """Matching words that are already loaded, by ID."""
    selection: FieldSelection | None = None
    """The selected fields of words; None: all."""
    headwords: Headwords | None = None
    """Parts of the query that may be headwords besides its words; None once they have been looked up."""
    whole: str = ""
    """The whole query, if it may be a headword of several words but matches none exactly."""


def begin_lookup(
    query: str, language_id: int = ALL_LANGUAGES, selection: FieldSelection | None = None
) -> PendingLookup:
    """Split a query into its words. Raises InputError for more than `MAX_QUERY_WORDS`."""
    texts = query_words(query)
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
    return PendingLookup(query, texts, language_id, selection=selection, headwords=read_headwords(query, texts))


def load_exact(reader: ReadConnection, text: str, pending: PendingLookup) -> tuple[list[EncodedWord], bool]:
    """Load the words with the exact spelling of a text; return also whether it may be a form of other words.

    Unlike the same-spelling strategy, this loads whole entries in the same statement.
    """
    loaded = word_rows.load_words_by_key(
        reader, exact_key(text), pending.language_id, limit=MAX_ENTRIES, selection=pending.selection
    )
    return loaded.words, loaded.is_form or may_be_made_by_rule(reader, text, pending.language_id)


def match_exact(reader: ReadConnection, text: str, pending: PendingLookup, words: dict[int, EncodedWord]) -> MatchSet:
    """Match the words with the exact spelling of a text, and add them to `words`."""
    loaded, may_be_form = load_exact(reader, text, pending)
    words |= {word.id: word for word in loaded}
    key = exact_key(text)
    hits = [KeyMatch(key, word.id, word.language_id, word.word) for word in loaded]
    return MatchSet(Match.EXACT, hits, may_be_form=may_be_form)


def match_first(
    reader: ReadConnection,
    strategies: Sequence[Strategy],
    text: str,
    pending: PendingLookup,
    words: dict[int, EncodedWord],
) -> MatchSet:
    """Try the strategies for a text until one matches, and add loaded words to `words`."""
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
                in_order = sort_by_cost(text, hits) if strategy.name is StrategyName.OTHER_SPELLING else hits
                return MatchSet(strategy.lookup_match, in_order)
    return NO_MATCH


def match_texts(reader: ReadConnection, texts: Sequence[str], pending: PendingLookup) -> Mapping[str, MatchSet]:
    """Match texts other than the query's words by the sure strategies; a text without a match gets NO_MATCH."""
    return {text: match_first(reader, SURE, text, pending, {}) for text in texts}


MAX_HEADWORD_WORDS: Final = 3
"""Maximum number of words of a query that is guessed as a headword of several words."""

MatchesByText = Mapping[str, MatchSet]


def look_up_headwords(reader: ReadConnection, pending: PendingLookup, headwords: Headwords) -> PendingLookup:
    """Look up the whole query, and its parts with their punctuation, as headwords, such as `100%`.

    The words without punctuation are looked up as well. This is the first step; one statement selects the known
    spellings.
    """
    words = {**pending.words}
    candidates = headwords.candidates()
    existing_keys = find_existing_keys(reader, [*map(exact_key, candidates)], pending.language_id)
    tried = {text: match_exact(reader, text, pending, words) for text in candidates if exact_key(text) in existing_keys}
    exact = {text: matches for text, matches in tried.items() if matches.hits}
    if _is_infinitive(reader, headwords, exact):
        verb = {text: exact.get(text, NO_MATCH) for text in headwords.texts_after_to(exact)}
        return pending._replace(texts=tuple(verb), matches=verb, words=words, headwords=None)
    matches = {text: exact.get(text, NO_MATCH) for text in headwords.texts(exact)}
    if headwords.whole and matches.keys().isdisjoint(headwords.whole):
        whole = headwords.whole[-1]
        may_be_form = whole in tried or may_be_made_by_rule(reader, whole, pending.language_id)
        matches = _match_whole_inexactly(reader, pending, whole, may_be_form=may_be_form) | matches
        if whole not in matches:
            matches = _insert_phrases(reader, pending, matches)
            pending = pending._replace(whole=whole)
    return pending._replace(texts=tuple(matches), matches=matches, words=words, headwords=None)


def _is_infinitive(reader: ReadConnection, headwords: Headwords, exact: MatchesByText) -> bool:
    """Return whether a query begins with "to" and an English verb."""
    verb = exact.get(headwords.verb_after_to(exact))
    english_ids = [hit.word_id for hit in verb.hits if hit.language_id == ENGLISH] if verb else []
    return bool(english_ids) and bool(filter_verbs(reader, english_ids))


def _match_whole_inexactly(
    reader: ReadConnection, pending: PendingLookup, whole: str, *, may_be_form: bool
) -> dict[str, MatchSet]:
    """Look up the whole query as a form or a loose spelling of a headword of several words."""
    for strategy in (*(SURE[1:] if may_be_form else SURE[2:]), *PHRASES):
        matches = match_first(reader, [strategy], whole, pending, {})
        if multiword := _multiword_hits(matches.hits):
            return {whole: matches._replace(hits=multiword)}
    return {}


MAX_PHRASE_WORDS: Final = 4
"""Maximum number of words of an English phrase that is searched within a longer query."""


def _insert_phrases(reader: ReadConnection, pending: PendingLookup, matches: MatchesByText) -> dict[str, MatchSet]:
    """Add the English headwords of several words that occur in a query, each before its first word."""
    texts = words_of(pending.query)
    if pending.language_id not in {ALL_LANGUAGES, ENGLISH} or script_of(pending.query) is not Script.LATIN:
        return {**matches}
    runs = {
        " ".join(texts[start : start + length]): texts[start]
        for start in range(len(texts) - 1)
        for length in range(min(MAX_PHRASE_WORDS, len(texts) - start), 1, -1)
        if length < len(texts)
    }
    hits = find_other_spellings(reader, LookupBatch([*runs], ENGLISH))
    extended: dict[str, MatchSet] = {}
    for text, match in matches.items():
        for run in [run for run, first in runs.items() if first == text]:
            if phrases := _multiword_hits(hits.get(run, ())):
                is_exact = exact_key(phrases[0].text) == exact_key(run)
                extended[run] = MatchSet(Match.EXACT if is_exact else Match.LOOSE, phrases)
                break
        extended[text] = match
    return extended


def drop_articles(matches: MatchesByText) -> dict[str, MatchSet]:
    """Drop English articles before an English word (`the house`)."""
    articles = articles_of("en")
    superfluous = {
        text
        for text, following in pairwise(matches)
        if exact_key(text) in articles and any(hit.language_id == ENGLISH for hit in matches[following].hits[:1])
    }
    return {text: match_set for text, match_set in matches.items() if text not in superfluous}


def guess_whole(reader: ReadConnection, pending: PendingLookup) -> PendingLookup:
    """Guess the headword of several words that a short query means: by sound, as a form, or as a misspelling.

    The last two apply only if a word has no match; otherwise the query means its words.
    """
    whole, word_matches = pending.whole, pending.matches
    if not whole or len(word_matches) > MAX_HEADWORD_WORDS:
        return pending
    batch = LookupBatch([whole], pending.language_id)
    # This also applies if all words match: `cut of` may mean cut off.
    sounding = find_same_sound(reader, batch) if script_of(whole) is Script.LATIN else {}
    if multiword := _multiword_hits(sounding.get(whole, ())):
        return pending._replace(
            matches={whole: MatchSet(Match.PHONETIC, sort_by_cost(whole, multiword)), **word_matches}
        )
    if all(match_set.hits for match_set in word_matches.values()):
        return pending
    if multiword := _multiword_hits(find_forms_by_rule(reader, batch).get(whole, ())):
        return pending._replace(matches={whole: MatchSet(Match.INFLECTED, multiword), **word_matches})
    near = tuple(_multiword_hits(near_words(reader, whole, pending.language_id or None))[:MAX_SUGGESTIONS])
    return pending._replace(matches={whole: MatchSet(Match.NONE, [], near), **word_matches}) if near else pending


def _multiword_hits(hits: Iterable[KeyMatch]) -> list[KeyMatch]:
    return [hit for hit in hits if has_several_words(hit.text)]


def retry_without_marks(reader: ReadConnection, pending: PendingLookup) -> PendingLookup:
    """Retry texts without a match after removing signs of typography and homograph numbers."""
    old_matches = pending.matches
    readings = {text: read_signs(text) for text, each in old_matches.items() if not each.hits}
    bare = {text: without_number(each) for text, each in readings.items()}
    variants = dict.fromkeys(each for text in readings for each in (readings[text], bare[text]) if each != text)
    if not variants:
        return pending
    matches = {**old_matches, **match_texts(reader, [*variants], pending)}
    new_matches = {
        text: matches[each] if matches[each].hits else matches[bare[text]] for text, each in readings.items()
    }
    return pending._replace(matches={**old_matches, **new_matches})


def split_hyphenated(reader: ReadConnection, pending: PendingLookup) -> PendingLookup:
    """Replace hyphenated English words without a match by their parts, if one of the parts matches.

    A text near a headword of several words is kept, before its parts.
    """
    old_matches = pending.matches
    parts = {text: parts_between_hyphens(text) for text, match_set in old_matches.items() if not match_set.hits}
    all_parts = dict.fromkeys(part for text_parts in parts.values() for part in text_parts)
    if not all_parts:
        return pending
    matches = match_texts(reader, [*all_parts], pending)
    replacements: dict[str, MatchesByText] = {}
    for text, text_parts in parts.items():
        if any(matches[part].hits for part in text_parts):
            nearly = (
                {text: old_matches[text]} if any(has_several_words(hit.text) for hit in old_matches[text].near) else {}
            )
            replacements[text] = {**nearly, **{part: matches[part] for part in text_parts}}
    by_key: dict[str, tuple[str, MatchSet]] = {}
    for text, match_set in old_matches.items():
        for part_text, part_matches in replacements.get(text, {text: match_set}).items():
            by_key.setdefault(exact_key(part_text), (part_text, part_matches))
    return pending._replace(matches=dict(by_key.values()))
