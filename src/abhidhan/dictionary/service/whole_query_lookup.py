"""Pending look-ups: words by the sure strategies, and the query as a whole or by its hyphenated parts."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from abhidhan.dictionary.model.cascade import Match, StrategyName
from abhidhan.dictionary.model.field_selection import Selection
from abhidhan.dictionary.model.guess_scoring import FoundKey, closest_first
from abhidhan.dictionary.model.headwords import Headwords, has_several_words, read_headwords
from abhidhan.dictionary.model.query import MOST_QUERY_WORDS
from abhidhan.dictionary.model.word_json import EncodedWord
from abhidhan.dictionary.service.alternatives_offered import MOST_SUGGESTIONS
from abhidhan.dictionary.service.strategies.batch import MAX_ENTRIES, LookupBatch, MatchSet
from abhidhan.dictionary.service.strategies.inflected import find_forms_by_rule, known_verbs
from abhidhan.dictionary.service.strategies.other_spelling import find_other_spellings
from abhidhan.dictionary.service.strategies.registry import PHRASES, SURE, Strategy
from abhidhan.dictionary.service.strategies.same_sound import find_same_sound
from abhidhan.dictionary.service.strategies.table_forms import may_be_made_by_rule
from abhidhan.dictionary.store import word_rows
from abhidhan.dictionary.store.fuzzy_candidates import near_words
from abhidhan.dictionary.store.keyed_words import known_keys
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import InputError, sentence
from abhidhan.records.languages import ALL_LANGUAGES, ENGLISH
from assamese.keys import exact_key
from assamese.normalization import Script, query_words, script_of, words_of
from assamese.phrase_variants import articles_of
from assamese.signs import parts_between_hyphens, read_signs, without_number

NOTHING: Final = MatchSet(Match.NONE, [])


class PendingLookup(NamedTuple):
    """Look-up in progress: the words of the query, the matches of each so far, and the remaining strategies."""

    query: str
    texts: tuple[str, ...]
    language_id: int
    strategies: tuple[Strategy, ...] = SURE
    found: Mapping[str, MatchSet] = {}
    words: Mapping[int, EncodedWord] = {}
    """Matching words that are already loaded, by ID."""
    selection: Selection | None = None
    """The selected fields of words; None: all."""
    headwords: Headwords | None = None
    """Parts of the query that may be headwords besides its words; None once they have been looked up."""
    whole: str = ""
    """The whole query, if it may be a headword of several words but matches none exactly."""


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
    """Load the words with the exact spelling of a text; return also whether it may be a form of other words.

    Unlike the same-spelling strategy, this loads whole entries in the same statement.
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
                in_order = closest_first(text, hits) if strategy.name is StrategyName.OTHER_SPELLING else hits
                return MatchSet(strategy.lookup_match, in_order)
    return NOTHING


def match_surely(reader: Reader, texts: Sequence[str], pending: PendingLookup) -> Mapping[str, MatchSet]:
    """Match texts other than the query's words by the sure strategies; a text without a match gets NOTHING."""
    return {text: match_first(reader, SURE, text, pending, {}) for text in texts}


MOST_WORDS_OF_HEADWORD: Final = 3
"""Maximum number of words of a query that is guessed as a headword of several words."""

MatchesByText = Mapping[str, MatchSet]


def look_up_headwords(reader: Reader, pending: PendingLookup, headwords: Headwords) -> PendingLookup:
    """Look up the query and its unmodified parts as headwords, such as one of several words, or `100%`.

    The words without punctuation are looked up as well. This is the first step; one statement selects the known
    spellings.
    """
    words = {**pending.words}
    candidates = headwords.candidates()
    known = known_keys(reader, [*map(exact_key, candidates)], pending.language_id)
    tried = {text: match_exact(reader, text, pending, words) for text in candidates if exact_key(text) in known}
    exact = {text: found for text, found in tried.items() if found.hits}
    if _is_infinitive(reader, headwords, exact):
        verb = {text: exact.get(text, NOTHING) for text in headwords.texts_behind_to(exact)}
        return pending._replace(texts=tuple(verb), found=verb, words=words, headwords=None)
    found = {text: exact.get(text, NOTHING) for text in headwords.texts(exact)}
    if headwords.whole and found.keys().isdisjoint(headwords.whole):
        whole = headwords.whole[-1]
        may_be_form = whole in tried or may_be_made_by_rule(reader, whole, pending.language_id)
        found = _look_up_whole_otherwise(reader, pending, whole, may_be_form=may_be_form) | found
        if whole not in found:
            found = _with_phrases_within(reader, pending, found)
            pending = pending._replace(whole=whole)
    return pending._replace(texts=tuple(found), found=found, words=words, headwords=None)


def _is_infinitive(reader: Reader, headwords: Headwords, exact: MatchesByText) -> bool:
    """Return whether a query begins with "to" and an English verb."""
    verb = exact.get(headwords.verb_behind_to(exact))
    of_english = [hit.word_id for hit in verb.hits if hit.language_id == ENGLISH] if verb else []
    return bool(of_english) and bool(known_verbs(reader, of_english))


def _look_up_whole_otherwise(
    reader: Reader, pending: PendingLookup, whole: str, *, may_be_form: bool
) -> dict[str, MatchSet]:
    """Look up the whole query as a form or a loose spelling of a headword of several words."""
    for strategy in (*(SURE[1:] if may_be_form else SURE[2:]), *PHRASES):
        found = match_first(reader, [strategy], whole, pending, {})
        if several := _of_several_words(found.hits):
            return {whole: found._replace(hits=several)}
    return {}


LONGEST_PHRASE: Final = 4
"""Maximum number of words of an English phrase that is searched within a longer query."""


def _with_phrases_within(reader: Reader, pending: PendingLookup, found: MatchesByText) -> dict[str, MatchSet]:
    """Add the English headwords of several words that occur in a query, each before its first word."""
    texts = words_of(pending.query)
    if pending.language_id not in {ALL_LANGUAGES, ENGLISH} or script_of(pending.query) is not Script.LATIN:
        return {**found}
    runs = {
        " ".join(texts[start : start + length]): texts[start]
        for start in range(len(texts) - 1)
        for length in range(min(LONGEST_PHRASE, len(texts) - start), 1, -1)
        if length < len(texts)
    }
    hits = find_other_spellings(reader, LookupBatch([*runs], ENGLISH))
    within: dict[str, MatchSet] = {}
    for text, match in found.items():
        for run in [run for run, first in runs.items() if first == text]:
            if phrases := _of_several_words(hits.get(run, ())):
                is_exact = exact_key(phrases[0].text) == exact_key(run)
                within[run] = MatchSet(Match.EXACT if is_exact else Match.LOOSE, phrases)
                break
        within[text] = match
    return within


def leave_out_articles(found: MatchesByText) -> dict[str, MatchSet]:
    """Drop English articles before an English word (`the house`)."""
    articles = articles_of("en")
    superfluous = {
        text
        for text, following in pairwise(found)
        if exact_key(text) in articles and any(hit.language_id == ENGLISH for hit in found[following].hits[:1])
    }
    return {text: each for text, each in found.items() if text not in superfluous}


def guess_whole(reader: Reader, pending: PendingLookup) -> PendingLookup:
    """Guess a query of a few words as a headword of several words, by sound, as a form, or misspelled.

    The last two apply only if a word has no match; otherwise the query means its words.
    """
    whole, of_words = pending.whole, pending.found
    if not whole or len(of_words) > MOST_WORDS_OF_HEADWORD:
        return pending
    batch = LookupBatch([whole], pending.language_id)
    # This also applies if all words match: `cut of` may mean cut off.
    sounding = find_same_sound(reader, batch) if script_of(whole) is Script.LATIN else {}
    if several := _of_several_words(sounding.get(whole, ())):
        return pending._replace(found={whole: MatchSet(Match.PHONETIC, closest_first(whole, several)), **of_words})
    if all(each.hits for each in of_words.values()):
        return pending
    if several := _of_several_words(find_forms_by_rule(reader, batch).get(whole, ())):
        return pending._replace(found={whole: MatchSet(Match.INFLECTED, several), **of_words})
    near = tuple(_of_several_words(near_words(reader, whole, pending.language_id or None))[:MOST_SUGGESTIONS])
    return pending._replace(found={whole: MatchSet(Match.NONE, [], near), **of_words}) if near else pending


def _of_several_words(hits: Iterable[FoundKey]) -> list[FoundKey]:
    return [hit for hit in hits if has_several_words(hit.text)]


def look_up_without_marks(reader: Reader, pending: PendingLookup) -> PendingLookup:
    """Retry texts without a match after removing signs of typography and homograph numbers."""
    found = pending.found
    read = {text: read_signs(text) for text, each in found.items() if not each.hits}
    bare = {text: without_number(each) for text, each in read.items()}
    others = dict.fromkeys(each for text in read for each in (read[text], bare[text]) if each != text)
    if not others:
        return pending
    matches = {**found, **match_surely(reader, [*others], pending)}
    again = {text: matches[each] if matches[each].hits else matches[bare[text]] for text, each in read.items()}
    return pending._replace(found={**found, **again})


def split_hyphenated(reader: Reader, pending: PendingLookup) -> PendingLookup:
    """Replace hyphenated English words without a match by their parts, if one of the parts matches.

    A text that is near a headword of several words stays, before its parts.
    """
    found = pending.found
    parts = {text: parts_between_hyphens(text) for text, each in found.items() if not each.hits}
    every_part = dict.fromkeys(part for of_text in parts.values() for part in of_text)
    if not every_part:
        return pending
    matches = match_surely(reader, [*every_part], pending)
    instead: dict[str, MatchesByText] = {}
    for text, of_text in parts.items():
        if any(matches[part].hits for part in of_text):
            nearly = {text: found[text]} if any(has_several_words(hit.text) for hit in found[text].near) else {}
            instead[text] = {**nearly, **{part: matches[part] for part in of_text}}
    once: dict[str, tuple[str, MatchSet]] = {}
    for text, each in found.items():
        for own, of_own in instead.get(text, {text: each}).items():
            once.setdefault(exact_key(own), (own, of_own))
    return pending._replace(found=dict(once.values()))
