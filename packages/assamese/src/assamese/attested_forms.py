"""Attested forms: those that the inflection tables omit as uncertain but that occur in running text.

`paradigms` generates a form only if it is certain for every word of its kind. Further classifiers, cases of words
other than nouns, and particles (`as.attested` in `tables/paradigms.toml`) are never certain, but a form that occurs in
newspapers (`word_frequency`) exists.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from assamese.conjugation import negated
from assamese.inflection import irregular_forms_of
from assamese.keys import exact_key, loose_key
from assamese.paradigms import RULES, case_forms
from assamese.word_frequency import COUNTED_LANGUAGE, UNKNOWN_BAND, band

MIN_LETTERS: Final = 2
"""The minimum number of letters, without vowel signs, of a word to which endings are added."""

_ENDINGS: Final = RULES.attested
_VERBAL_NOUN: Final = "া"
_GENITIVE: Final = "ৰ"
_TWO_SIGNS: Final = re.compile("[া-ৌ]{2}")
"""Two consecutive vowel signs, which occur in newspapers only as misprints."""


def attested_forms(word: str, known_forms: Iterable[str] = ()) -> Iterator[str]:
    """Yield the forms of an Assamese word that occur in running text, except the word itself and `known_forms`.

    Yields nothing for a word that does not occur in running text, or a headword of several words.
    """
    text = exact_key(word)
    if not text or " " in text or not _is_attested(text):
        return
    known_forms = dict.fromkeys([text, *known_forms])
    candidates = [*irregular_forms_of(loose_key(text, COUNTED_LANGUAGE))]
    if _takes_any_ending(text):
        candidates += _cases(text)
        candidates += [form for number in _ENDINGS.numbers for form in _cases_of_number(text + number)]
        candidates += _cases(negated(text)) if text.endswith(_VERBAL_NOUN) else []
    attested = _attested(candidates, known_forms)
    # A form with a particle is rarer than the form without it.
    bases = [form for form in (*known_forms, *attested) if _takes_any_ending(form) and _is_attested(form)]
    with_particles = _attested(
        (base + particle for base in bases for particle in _ENDINGS.particles), {*known_forms, *attested}
    )
    yield from (*attested, *with_particles)


def _takes_any_ending(text: str) -> bool:
    """Return whether a word is long enough: a form of a shorter one mostly belongs to another word (মাটিলৈ to মাটি)."""
    return sum(map(str.isalpha, text)) >= MIN_LETTERS


def _attested(candidates: Iterable[str], known_forms: Collection[str]) -> list[str]:
    forms = (form for form in dict.fromkeys(candidates) if form not in known_forms and not _TWO_SIGNS.search(form))
    return [form for form in forms if _is_attested(form)]


def _is_attested(form: str) -> bool:
    return band(form, COUNTED_LANGUAGE) != UNKNOWN_BAND


def _cases(text: str) -> list[str]:
    """Return a text with each case ending: regular ones for its spelling, and rarer ones; an empty list for ""."""
    if not text:
        return []
    forms = (form for _, form in case_forms(text) if " " not in form)
    return list(dict.fromkeys([text, *forms, *(text + ending for ending in _ENDINGS.cases)]))


def _cases_of_number(text: str) -> list[str]:
    """Return all cases of a word with a number ending if its bare form or genitive is attested."""
    return _cases(text) if _is_attested(text) or _is_attested(text + _GENITIVE) else []
