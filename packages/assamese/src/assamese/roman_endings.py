"""Distance of typed text, in Roman or Assamese letters, from the inflected forms of an Assamese word."""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final, NamedTuple

from assamese.inflection import find_irregular_forms, find_verb_stems, noun_endings
from assamese.keys import loose_key, sound_of_letter
from assamese.normalization import Script, detect_script
from assamese.paradigms import RULES
from assamese.spelling_distance import (
    MAX_DISTANCE,
    distance,
    indic_prefix_distances,
    iter_respellings,
    prefix_distances,
    roman_letters,
    roman_spellings,
    split_indic_units,
)
from assamese.weighted_distance import COSTS, VOWELS, prefix_costs

_INDIC: Final = frozenset({Script.EASTERN_NAGARI, Script.DEVANAGARI})

CACHE_SIZE: Final = 256
ENDING_CACHE_SIZE: Final = 4096
MAX_ENDING_DISTANCE: Final = 0.65
"""The distance, in letters, below which a text may stand for an ending."""

MISSPELLING_COST: Final = 0.25
"""The cost, in letters, of a misspelled form in Assamese letters, so that হাটবোৰৰ is a form of হাট, not of হাত."""

BY_EAR_COST: Final = 0.15
"""The cost of an ending spelled by ear, as is common: কৰিলু for কৰিলোঁ, কৰিসে for কৰিছে."""

KIN_COST: Final = 0.5
"""The cost of an ending of kin terms, which few words take: ভায়েক is a form of ভাই, but পাথৰৰ hardly of পাঠ."""

NEGATION_COST: Final = 0.05
"""The cost of a negation: `nakhai` is a form of খায়."""

_VOWELS: Final = VOWELS | frozenset("aeiou")

Letters = str | tuple[str, ...]
"""A typed text: Roman letters, or Indic units."""

WrittenEndings = dict[str, list[tuple[tuple[str, ...], float]]]
"""Endings in Indic units with their costs, grouped by consonants."""


class TypedEndings(NamedTuple):
    """A layer of endings of one kind: their Roman spellings with costs, and the possible lengths of both."""

    endings: tuple[str, ...]
    costs: dict[str, float]
    lengths: tuple[int, ...]
    written_lengths: tuple[int, ...]


@lru_cache(maxsize=CACHE_SIZE)
def form_distance(typed: str, word: str) -> float:
    """Return the distance, in letters, of a text from the nearest form of an Assamese word, regular or irregular."""
    spelled = [(typed, 0.0), *iter_respellings(typed, word)]
    by_endings = min(cost + _distance_by_endings(text, word) for text, cost in spelled)
    return min(by_endings, irregular_form_distance(typed, word))


def irregular_form_distance(typed: str, word: str) -> float:
    """Return the distance of a text from the nearest irregular form of an Assamese word: `tur` from তোৰ, of তই."""
    forms = find_irregular_forms(loose_key(word, "as"))
    return min((distance(typed, form) for form in forms), default=MAX_DISTANCE)


def _distance_by_endings(typed: str, word: str) -> float:
    letters = _split_typed(typed)
    of_noun = _least_cost(_prefix_distances(letters, word), find_noun_ends(letters))
    of_verb = (
        cost + _least_cost(_prefix_distances(form, stem.text), find_verb_ends(form, stem.endings))
        for stem in find_verb_stems(word, RULES.verbal_nouns.get(word, ""))
        for form, cost in _affirmative_forms(letters)
    )
    least = min((of_noun, *of_verb))
    return least if isinstance(letters, str) else min(distance(typed, word), least + MISSPELLING_COST)


def _split_typed(typed: str) -> Letters:
    return split_indic_units(typed) if detect_script(typed) in _INDIC else roman_letters(typed)


def _prefix_distances(letters: Letters, word: str) -> list[float]:
    if isinstance(letters, str):
        return prefix_distances(letters, word)
    return indic_prefix_distances(letters, word)


def _affirmative_forms(letters: Letters) -> Iterator[tuple[Letters, float]]:
    """Yield a form of a verb, then the forms that it may negate, with costs: আহে for নাহে, খায় for নাখায়."""
    yield letters, 0.0
    if letters[:1] in {"n", ("ন",)} and letters[1:2] and letters[1] in _VOWELS:
        yield from ((letters[negation:], NEGATION_COST) for negation in (1, 2))


def _least_cost(beginnings: list[float], ends: dict[int, float]) -> float:
    return min((beginnings[end] + cost for end, cost in ends.items()), default=MAX_DISTANCE)


@lru_cache(maxsize=CACHE_SIZE)
def find_noun_ends(typed: Letters) -> dict[int, float]:
    """Map each position where the noun of a form may end to the cost of the endings after it."""
    ends = {len(typed): 0.0}
    *other_layers, kin_layer = _build_noun_layers()
    for layer in other_layers:
        _strip_layer(typed, layer, ends)
    _strip_layer(typed, kin_layer, ends, extra_cost=KIN_COST)
    return ends


@lru_cache(maxsize=CACHE_SIZE)
def find_verb_ends(typed: Letters, endings: tuple[str, ...]) -> dict[int, float]:
    """Map each position where the verb stem of a form may end to the cost of the endings after it."""
    ends: dict[int, float] = {len(typed): 0.0} if "" in endings else {}
    _strip_layer(typed, _build_layer(endings), ends, {len(typed): 0.0})
    return ends


def _strip_layer(
    typed: Letters,
    layer: TypedEndings,
    ends: dict[int, float],
    before: dict[int, float] | None = None,
    extra_cost: float = 0.0,
) -> None:
    """Add to `ends` the positions where a word may end before an ending of a layer, with their costs."""
    for end, cost in list((ends if before is None else before).items()):
        for length in layer.lengths if isinstance(typed, str) else layer.written_lengths:
            ending_cost = _ending_cost(typed[max(0, end - length) : end], layer) if length < end else None
            if ending_cost is not None:
                total_cost = cost + ending_cost + extra_cost
                ends[end - length] = min(ends.get(end - length, total_cost), total_cost)


def _ending_cost(ending: Letters, layer: TypedEndings) -> float | None:
    """Return the cost of a text as an ending of a layer, or None."""
    return layer.costs.get(ending) if isinstance(ending, str) else _written_ending_cost(ending, layer.endings)


@lru_cache(maxsize=ENDING_CACHE_SIZE)
def _written_ending_cost(ending: tuple[str, ...], endings: tuple[str, ...]) -> float | None:
    alike = _group_by_consonants(endings).get(_consonants(ending), ())
    near = ((units, cost) for units, cost in alike if abs(len(units) - len(ending)) <= 1)
    least = min((prefix_costs(ending, units)[-1] + cost for units, cost in near), default=MAX_ENDING_DISTANCE)
    return least if least < MAX_ENDING_DISTANCE else None


def _consonants(letters: tuple[str, ...]) -> str:
    """Return the sounds of the consonants of Indic letters, without the difference of aspiration."""
    return "".join([sound_of_letter(letter).casefold() for letter in letters if letter[0] not in VOWELS])


@cache
def _build_noun_layers() -> tuple[TypedEndings, ...]:
    """Return the layers of noun endings, the last in the word first."""
    return tuple(map(_build_layer, noun_endings()))


@cache
def _build_layer(endings: tuple[str, ...]) -> TypedEndings:
    costs: dict[str, float] = defaultdict(lambda: MAX_ENDING_DISTANCE)
    for ending in endings:
        for spelling, cost in roman_spellings(ending, MAX_ENDING_DISTANCE).items():
            if spelling:
                costs[spelling] = min(costs[spelling], cost)
    max_length = max(len(units) for alike in _group_by_consonants(endings).values() for units, _ in alike)
    lengths = tuple(sorted({len(spelling) for spelling in costs}))
    return TypedEndings(endings, dict(costs), lengths, tuple(range(1, max_length + 1)))


@cache
def _group_by_consonants(endings: tuple[str, ...]) -> WrittenEndings:
    """Group the spellings of endings by consonants, with and without a final inherent vowel, and by ear."""
    written: WrittenEndings = defaultdict(list)
    for ending in filter(None, endings):
        units = split_indic_units(ending)
        written[_consonants(units)].append((units, 0.0))
        if len(units) > 1 and units[-1][0] == "ə":
            written[_consonants(units)].append((units[:-1], 0.0))
        for variant in map(split_indic_units, _spell_by_ear(ending)):
            written[_consonants(variant)].append((variant, BY_EAR_COST))
    return dict(written)


def _spell_by_ear(ending: str) -> list[str]:
    """Return the spellings of an ending by ear that differ from its own: ছু, সোঁ and সু for ছোঁ."""
    spelled = [ending]
    for letters, replacement in COSTS.endings_by_ear.items():
        spelled += [spelling.replace(letters, replacement) for spelling in spelled if letters in spelling]
    return spelled[1:]
