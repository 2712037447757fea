"""Attested forms: those that the inflection tables omit as uncertain but that occur in running text.

`paradigms` generates a form only if it is certain for every word of its kind. Further classifiers, cases of words
other than nouns, and particles (`as.attested` in `tables/paradigms.toml`) are never certain, but a form that occurs in
newspapers (`word_frequency`) exists.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from assamese.conjugation import negate_form
from assamese.inflection import find_irregular_forms
from assamese.keys import exact_key, loose_key
from assamese.paradigms import RULES, iter_case_forms
from assamese.word_frequency import COUNTED_LANGUAGE, UNKNOWN_BAND, look_up_band

MIN_LETTERS: Final = 2
"""The minimum number of letters, without vowel signs, of a word to which endings are added."""

_ATTESTED_ENDINGS: Final = RULES.attested
_VERBAL_NOUN: Final = "া"
_GENITIVE: Final = "ৰ"
_TWO_SIGNS: Final = re.compile("[া-ৌ]{2}")
"""Two consecutive vowel signs, which occur in newspapers only as misprints."""


def iter_attested_forms(word: str, known_forms: Iterable[str] = ()) -> Iterator[str]:
    """Yield the forms of an Assamese word that occur in running text, except the word itself and `known_forms`.

    Yields nothing for a word that does not occur in running text, or a headword of several words.
    """
    text = exact_key(word)
    if not text or " " in text or not _is_attested(text):
        return
    known_forms = dict.fromkeys([text, *known_forms])
    candidates = [*find_irregular_forms(loose_key(text, COUNTED_LANGUAGE))]
    if _takes_any_ending(text):
        candidates += _add_cases(text)
        candidates += [form for number in _ATTESTED_ENDINGS.numbers for form in _add_number_cases(text + number)]
        candidates += _add_cases(negate_form(text)) if text.endswith(_VERBAL_NOUN) else []
    attested = _filter_attested(candidates, known_forms)
    # A form with a particle is rarer than the form without it.
    bases = [form for form in (*known_forms, *attested) if _takes_any_ending(form) and _is_attested(form)]
    with_particles = _filter_attested(
        (base + particle for base in bases for particle in _ATTESTED_ENDINGS.particles), {*known_forms, *attested}
    )
    yield from (*attested, *with_particles)


def _takes_any_ending(text: str) -> bool:
    """Return whether a word is long enough: a form of a shorter one mostly belongs to another word (মাটিলৈ to মাটি)."""
    return sum(map(str.isalpha, text)) >= MIN_LETTERS


def _filter_attested(candidates: Iterable[str], known_forms: Collection[str]) -> list[str]:
    forms = (form for form in dict.fromkeys(candidates) if form not in known_forms and not _TWO_SIGNS.search(form))
    return [form for form in forms if _is_attested(form)]


def _is_attested(form: str) -> bool:
    return look_up_band(form, COUNTED_LANGUAGE) != UNKNOWN_BAND


def _add_cases(text: str) -> list[str]:
    """Return a text with each case ending: regular ones for its spelling, and rarer ones; an empty list for ""."""
    if not text:
        return []
    forms = (form for _, form in iter_case_forms(text) if " " not in form)
    return list(dict.fromkeys([text, *forms, *(text + ending for ending in _ATTESTED_ENDINGS.cases)]))


def _add_number_cases(text: str) -> list[str]:
    """Return all cases of a word with a number ending if its bare form or genitive is attested."""
    return _add_cases(text) if _is_attested(text) or _is_attested(text + _GENITIVE) else []
