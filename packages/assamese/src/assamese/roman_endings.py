"""Distances between typed inflected forms, in Roman or Assamese letters, and Assamese words by their endings."""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final, NamedTuple

from assamese.inflection import endings_of_nouns, listed_forms_of, stems_of_verb
from assamese.keys import loose_key, sound_of_letter
from assamese.normalization import Script, script_of
from assamese.paradigms import RULES
from assamese.spelling_distance import (
    FARTHEST,
    distance,
    distances_of_beginnings,
    distances_of_written_beginnings,
    respelled,
    roman_letters,
    spelled_in_roman,
    written_letters,
)
from assamese.weighted_distance import COSTS, VOWELS, between

_INDIC: Final = frozenset({Script.EASTERN_NAGARI, Script.DEVANAGARI})

REMEMBERED: Final = 256
REMEMBERED_ENDINGS: Final = 4096
FREELY: Final = 0.65
"""The distance, in letters, below which a text may stand for an ending."""

MISSPELLED: Final = 0.25
"""The cost, in letters, of a misspelled form in Assamese letters: হাটবোৰৰ is a form of হাট, rather than হাত."""

AS_HEARD: Final = 0.15
"""The cost of an ending written by ear, a common spelling: কৰিলু for কৰিলোঁ, কৰিসে for কৰিছে."""

OF_KIN: Final = 0.5
"""The cost of an ending of kin, which few words take: ভায়েক is a form of ভাই, but পাথৰৰ hardly of পাঠ."""

NEGATED: Final = 0.05
"""The cost of a negation: `nakhai` is a form of খায়."""

_VOWELS: Final = VOWELS | frozenset("aeiou")

Letters = str | tuple[str, ...]
"""A typed text: Roman letters, or Indic units."""

Written = dict[str, list[tuple[tuple[str, ...], float]]]
"""Endings in Indic units with their costs, grouped by consonants."""


class Layer(NamedTuple):
    """The typed spellings of endings of one kind, with their costs and lengths."""

    endings: tuple[str, ...]
    costs: dict[str, float]
    lengths: tuple[int, ...]
    written_lengths: tuple[int, ...]


@lru_cache(maxsize=REMEMBERED)
def distance_of_form(typed: str, word: str) -> float:
    """Return the distance, in letters, of a text from the nearest form of an Assamese word, regular or irregular."""
    spelled = [(typed, 0.0), *respelled(typed, word)]
    by_endings = min(cost + _distance_by_endings(text, word) for text, cost in spelled)
    return min(by_endings, distance_of_listed(typed, word))


def distance_of_listed(typed: str, word: str) -> float:
    """Return the distance of a text from the nearest irregular form of an Assamese word: `tur` from তোৰ, of তই."""
    forms = listed_forms_of(loose_key(word, "as"))
    return min((distance(typed, form) for form in forms), default=FARTHEST)


def _distance_by_endings(typed: str, word: str) -> float:
    letters = _letters(typed)
    of_noun = _least(_beginnings(letters, word), ends_of_noun(letters))
    of_verb = (
        cost + _least(_beginnings(form, stem.text), ends_of_verb(form, stem.endings))
        for stem in stems_of_verb(word, RULES.verbal_nouns.get(word, ""))
        for form, cost in _affirmed(letters)
    )
    far = min((of_noun, *of_verb))
    return far if isinstance(letters, str) else min(distance(typed, word), far + MISSPELLED)


def _letters(typed: str) -> Letters:
    return written_letters(typed) if script_of(typed) in _INDIC else roman_letters(typed)


def _beginnings(letters: Letters, word: str) -> list[float]:
    if isinstance(letters, str):
        return distances_of_beginnings(letters, word)
    return distances_of_written_beginnings(letters, word)


def _affirmed(letters: Letters) -> Iterator[tuple[Letters, float]]:
    """Yield a form of a verb, then the forms that it may negate: আহে for নাহে, খায় for নাখায়."""
    yield letters, 0.0
    if letters[:1] in {"n", ("ন",)} and letters[1:2] and letters[1] in _VOWELS:
        yield from ((letters[negation:], NEGATED) for negation in (1, 2))


def _least(beginnings: list[float], ends: dict[int, float]) -> float:
    return min((beginnings[end] + cost for end, cost in ends.items()), default=FARTHEST)


@lru_cache(maxsize=REMEMBERED)
def ends_of_noun(typed: Letters) -> dict[int, float]:
    """Map each position where the noun of a form may end to the cost of the endings after it."""
    ends = {len(typed): 0.0}
    *others, of_kin = _layers_of_nouns()
    for layer in others:
        _cut(typed, layer, ends)
    _cut(typed, of_kin, ends, dear=OF_KIN)
    return ends


@lru_cache(maxsize=REMEMBERED)
def ends_of_verb(typed: Letters, endings: tuple[str, ...]) -> dict[int, float]:
    """Map each position where the verb stem of a form may end to the cost of the endings after it."""
    ends: dict[int, float] = {len(typed): 0.0} if "" in endings else {}
    _cut(typed, _layer(endings), ends, {len(typed): 0.0})
    return ends


def _cut(
    typed: Letters, layer: Layer, ends: dict[int, float], before: dict[int, float] | None = None, dear: float = 0.0
) -> None:
    """Add the positions where a word may end before an ending of a layer, at an extra cost of `dear`."""
    for end, cost in list((ends if before is None else before).items()):
        for length in layer.lengths if isinstance(typed, str) else layer.written_lengths:
            own = _cost(typed[max(0, end - length) : end], layer) if length < end else None
            if own is not None:
                far = cost + own + dear
                ends[end - length] = min(ends.get(end - length, far), far)


def _cost(ending: Letters, layer: Layer) -> float | None:
    """Return the cost of a text as an ending of a layer, or None."""
    return layer.costs.get(ending) if isinstance(ending, str) else _cost_of_written(ending, layer.endings)


@lru_cache(maxsize=REMEMBERED_ENDINGS)
def _cost_of_written(ending: tuple[str, ...], endings: tuple[str, ...]) -> float | None:
    alike = _written(endings).get(_consonants(ending), ())
    near = ((each, cost) for each, cost in alike if abs(len(each) - len(ending)) <= 1)
    least = min((between(ending, each)[-1] + cost for each, cost in near), default=FREELY)
    return least if least < FREELY else None


def _consonants(letters: tuple[str, ...]) -> str:
    """Return the sounds of the consonants of Indic letters, aspirated or not."""
    return "".join([sound_of_letter(letter).casefold() for letter in letters if letter[0] not in VOWELS])


@cache
def _layers_of_nouns() -> tuple[Layer, ...]:
    """Return the layers of noun endings, from the last in the word."""
    return tuple(map(_layer, endings_of_nouns()))


@cache
def _layer(endings: tuple[str, ...]) -> Layer:
    costs: dict[str, float] = defaultdict(lambda: FREELY)
    for ending in endings:
        for spelling, cost in spelled_in_roman(ending, FREELY).items():
            if spelling:
                costs[spelling] = min(costs[spelling], cost)
    most = max(len(units) for alike in _written(endings).values() for units, _ in alike)
    lengths = tuple(sorted({len(spelling) for spelling in costs}))
    return Layer(endings, dict(costs), lengths, tuple(range(1, most + 1)))


@cache
def _written(endings: tuple[str, ...]) -> Written:
    """Group endings by their consonants, with and without their final inherent vowel."""
    written: Written = defaultdict(list)
    for ending in filter(None, endings):
        units = written_letters(ending)
        written[_consonants(units)].append((units, 0.0))
        if len(units) > 1 and units[-1][0] == "ə":
            written[_consonants(units)].append((units[:-1], 0.0))
        for heard in map(written_letters, _by_ear(ending)):
            written[_consonants(heard)].append((heard, AS_HEARD))
    return dict(written)


def _by_ear(ending: str) -> list[str]:
    """Return the spellings of an ending by ear that differ from its own: ছু, সোঁ and সু for ছোঁ."""
    spelled = [ending]
    for letters, heard in COSTS.endings_by_ear.items():
        spelled += [each.replace(letters, heard) for each in spelled if letters in each]
    return spelled[1:]
