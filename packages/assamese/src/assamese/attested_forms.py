"""Attested forms: those that the inflection tables leave out as uncertain, and that counted running text has.

`paradigms` lists a form only where it is certain of every such word. Further classifiers, cases of words that are no
nouns, and particles (`as.attested` in `tables/paradigms.toml`) are certain of no word, but a form that newspapers
write (`word_frequency`) exists.
"""

from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import Final

from assamese.conjugation import negated
from assamese.inflection import LEAST_STEM, listed_forms_of
from assamese.keys import exact_key, loose_key
from assamese.paradigms import RULES, case_forms
from assamese.word_frequency import COUNTED, UNKNOWN, band

_ENDINGS: Final = RULES.attested
_VERBAL_NOUN: Final = "া"
_ANY_NOUN: Final = "ক"
"""A noun to which the endings of numbers are put, to see what they are with their cases."""


def attested_forms(word: str, known: Collection[str] = ()) -> Iterator[str]:
    """List the forms of an Assamese word that running text has, without the word itself and the forms `known`.

    A word that running text has neither itself nor in a form has none; nor has one of several words.
    """
    text = exact_key(word)
    if len(text) < LEAST_STEM or " " in text or not _is_attested(text):
        return
    known = {text, *known}
    candidates = [*listed_forms_of(loose_key(text, COUNTED)), *_cases(text)]
    candidates += [text + ending for ending in _endings_of_number()]
    candidates += _cases(negated(text)) if text.endswith(_VERBAL_NOUN) else []
    found = _attested(candidates, known)
    # A particle behind a form is rarer than the form without it.
    bases = [*found, *(form for form in known if _is_attested(form))]
    said = _attested((base + particle for base in bases for particle in _ENDINGS.particles), {*known, *found})
    yield from (*found, *said)


def _attested(candidates: Iterable[str], known: Collection[str]) -> list[str]:
    return [form for form in dict.fromkeys(candidates) if form not in known and _is_attested(form)]


def _is_attested(form: str) -> bool:
    return band(form, COUNTED) != UNKNOWN


def _cases(text: str) -> list[str]:
    """List a text with the endings of cases, those of its shape and the rarer ones; of "", none."""
    if not text:
        return []
    forms = (form for _, form in case_forms(text) if " " not in form)
    return list(dict.fromkeys([text, *forms, *(text + ending for ending in _ENDINGS.cases)]))


@cache
def _endings_of_number() -> tuple[str, ...]:
    """List the endings of number, each alone and with those of cases."""
    forms = (form for number in _ENDINGS.numbers for form in _cases(_ANY_NOUN + number))
    return tuple(dict.fromkeys(form.removeprefix(_ANY_NOUN) for form in forms))
