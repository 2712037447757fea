"""Attested forms: those that the inflection tables leave out as uncertain, and that counted running text has.

`paradigms` lists a form only where it is certain of every such word. Further classifiers, cases of words that are no
nouns, and particles (`as.attested` in `tables/paradigms.toml`) are certain of no word, but a form that newspapers
write (`word_frequency`) exists.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from assamese.conjugation import negated
from assamese.inflection import listed_forms_of
from assamese.keys import exact_key, loose_key
from assamese.paradigms import RULES, case_forms
from assamese.word_frequency import COUNTED, UNKNOWN, band

LEAST_LETTERS: Final = 2
"""Consonants and vowels, without vowel signs."""

_ENDINGS: Final = RULES.attested
_VERBAL_NOUN: Final = "া"
_GENITIVE: Final = "ৰ"
_TWO_SIGNS: Final = re.compile("[া-ৌ]{2}")
"""Two vowel signs, which no word has: where newspapers write them, they slip."""


def attested_forms(word: str, known: Iterable[str] = ()) -> Iterator[str]:
    """List the forms of an Assamese word that running text has, without the word itself and the forms `known`.

    A word that running text has neither itself nor in a form has none; nor has one of several words.
    """
    text = exact_key(word)
    if not text or " " in text or not _is_attested(text):
        return
    known = dict.fromkeys([text, *known])
    candidates = [*listed_forms_of(loose_key(text, COUNTED))]
    if _takes_any_ending(text):
        candidates += _cases(text)
        candidates += [form for number in _ENDINGS.numbers for form in _cases_of_number(text + number)]
        candidates += _cases(negated(text)) if text.endswith(_VERBAL_NOUN) else []
    found = _attested(candidates, known)
    # A particle behind a form is rarer than the form without it.
    bases = [form for form in (*known, *found) if _takes_any_ending(form) and _is_attested(form)]
    said = _attested((base + particle for base in bases for particle in _ENDINGS.particles), {*known, *found})
    yield from (*found, *said)


def _takes_any_ending(text: str) -> bool:
    """Return whether a text has two letters: of shorter words most such forms are of others (মাটিলৈ of মাটি, not মা)."""
    return sum(map(str.isalpha, text)) >= LEAST_LETTERS


def _attested(candidates: Iterable[str], known: Collection[str]) -> list[str]:
    forms = (form for form in dict.fromkeys(candidates) if form not in known and not _TWO_SIGNS.search(form))
    return [form for form in forms if _is_attested(form)]


def _is_attested(form: str) -> bool:
    return band(form, COUNTED) != UNKNOWN


def _cases(text: str) -> list[str]:
    """List a text with the endings of cases, those of its shape and the rarer ones; of "", none."""
    if not text:
        return []
    forms = (form for _, form in case_forms(text) if " " not in form)
    return list(dict.fromkeys([text, *forms, *(text + ending for ending in _ENDINGS.cases)]))


def _cases_of_number(text: str) -> list[str]:
    """List a word with an ending of number in all cases, if running text has it bare or in the genitive."""
    return _cases(text) if _is_attested(text) or _is_attested(text + _GENITIVE) else []
