"""Alternative readings of texts without a match: a word with marks of its page, or hyphenated words."""

from collections.abc import Callable, Mapping, Sequence

from abhidhan.domain.languages import ENGLISH
from abhidhan.domain.matching.headwords import Headwords, has_several_words
from abhidhan.domain.text.keys import exact_key
from abhidhan.domain.text.signs import parts_between_hyphens, read_signs, without_number
from abhidhan.services.dictionary.strategies.batch import MatchSet
from abhidhan.services.dictionary.strategies.inflected import known_verbs
from abhidhan.storage.engine.reader import Reader

Find = Callable[[Sequence[str]], Mapping[str, MatchSet]]
"""Looks texts up by the sure strategies; the result has an item for each text."""

ByText = Mapping[str, MatchSet]


def look_up_without_marks(found: ByText, find: Find) -> ByText:
    """Look up texts without a match again, without page marks or a homograph number."""
    read = {text: read_signs(text) for text, each in found.items() if not each.hits}
    bare = {text: without_number(each) for text, each in read.items()}
    wanted = dict.fromkeys(each for text in read for each in (read[text], bare[text]) if each != text)
    if not wanted:
        return found
    looked_up = {**found, **find([*wanted])}
    read_again = {
        text: looked_up[each] if looked_up[each].hits else looked_up[bare[text]] for text, each in read.items()
    }
    return {**found, **read_again}


def split_hyphenated(found: ByText, find: Find) -> ByText:
    """Replace hyphenated English words without a match by their parts, if one of them is found.

    A text that is close to a headword of several words is kept before its parts.
    """
    parts = {text: parts_between_hyphens(text) for text, each in found.items() if not each.hits}
    wanted = dict.fromkeys(part for of_text in parts.values() for part in of_text)
    if not wanted:
        return found
    looked_up = find([*wanted])
    instead = {}
    for text, of_text in parts.items():
        if any(looked_up[part].hits for part in of_text):
            nearly = {text: found[text]} if any(has_several_words(hit.text) for hit in found[text].near) else {}
            instead[text] = {**nearly, **{part: looked_up[part] for part in of_text}}
    return _replaced(found, instead)


def _replaced(found: ByText, instead: Mapping[str, ByText]) -> ByText:
    """Replace texts by their alternatives, and remove repeated spellings."""
    once: dict[str, tuple[str, MatchSet]] = {}
    for text, each in found.items():
        for own, of_own in instead.get(text, {text: each}).items():
            once.setdefault(exact_key(own), (own, of_own))
    return dict(once.values())


def is_infinitive(reader: Reader, headwords: Headwords, spelled: ByText) -> bool:
    """Return whether a query begins with "to" and an English verb."""
    verb = spelled.get(headwords.verb_behind_to(spelled))
    of_english = [hit.word_id for hit in verb.hits if hit.language_id == ENGLISH] if verb else []
    return bool(of_english) and bool(known_verbs(reader, of_english))
