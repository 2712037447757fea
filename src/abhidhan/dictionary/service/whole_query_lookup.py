"""Look up a query otherwise than word by word: as headwords of several words, without marks, by hyphenated parts."""

from collections.abc import Iterable, Mapping
from typing import Final

from abhidhan.dictionary.model.cascade import Match
from abhidhan.dictionary.model.guess_scoring import FoundKey, closest_first
from abhidhan.dictionary.model.headwords import Headwords, has_several_words
from abhidhan.dictionary.service.alternatives_offered import MOST_SUGGESTIONS
from abhidhan.dictionary.service.pending_lookup import NOTHING, PendingLookup, match_exact, match_first, match_surely
from abhidhan.dictionary.service.strategies.batch import LookupBatch, MatchSet
from abhidhan.dictionary.service.strategies.inflected import find_forms_by_rule, known_verbs
from abhidhan.dictionary.service.strategies.registry import SURE
from abhidhan.dictionary.service.strategies.same_sound import find_same_sound
from abhidhan.dictionary.service.strategies.table_forms import may_be_made_by_rule
from abhidhan.dictionary.store.fuzzy_candidates import near_words
from abhidhan.dictionary.store.known_keys import known_keys
from abhidhan.platform.database.reader import Reader
from abhidhan.records.languages import ENGLISH
from assamese.keys import exact_key
from assamese.normalization import Script, script_of
from assamese.signs import parts_between_hyphens, read_signs, without_number

MOST_WORDS_OF_HEADWORD: Final = 3
"""The maximum number of words of a query that is guessed as a headword of several words."""

MatchesByText = Mapping[str, MatchSet]


def look_up_headwords(reader: Reader, pending: PendingLookup, headwords: Headwords) -> PendingLookup:
    """Look up the query itself and its parts as they came, as headwords: one of several words, or `100%`.

    The words without punctuation are looked up as well; this is the first step. One statement selects known spellings.
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
    for strategy in SURE[1:] if may_be_form else SURE[2:]:
        found = match_first(reader, [strategy], whole, pending, {})
        if several := _of_several_words(found.hits):
            return {whole: found._replace(hits=several)}
    return {}


def guess_whole(reader: Reader, pending: PendingLookup) -> PendingLookup:
    """Guess a whole query of a few words as a headword of several, by its sound, as a form of it, or misspelled.

    The last two only if one of its words has no match: otherwise the words are what was meant.
    """
    whole, of_words = pending.whole, pending.found
    if not whole or len(of_words) > MOST_WORDS_OF_HEADWORD:
        return pending
    batch = LookupBatch([whole], pending.language_id)
    # Also of words that sound like none: `cut of` may be cut off.
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
    """Look up texts without a match again, without the marks of a page or a homograph number."""
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
    """Replace hyphenated English words without a match by their parts, if one of them has a match.

    A text that is close to a headword of several words is kept before its parts.
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
