"""Endings as people type them: where, in Roman letters, the Assamese word of an inflected form may end."""

from collections import defaultdict
from functools import cache, lru_cache
from typing import Final, NamedTuple

from abhidhan.domain.text.closeness import (
    FARTHEST,
    distance,
    distances_of_beginnings,
    roman_letters,
    spelled_in_roman,
)
from abhidhan.domain.text.inflection import endings_of_nouns, endings_of_verbs, listed_forms_of
from abhidhan.domain.text.keys import loose_key
from abhidhan.domain.text.normal import Script, script_of

REMEMBERED: Final = 256
FREELY: Final = 0.4
"""So far, in letters, what is typed for an ending may be from it."""


class Layer(NamedTuple):
    """What people type for endings of one kind: how far each spelling is from the ending, and how long they are."""

    costs: dict[str, float]
    lengths: tuple[int, ...]


def distance_of_form(typed: str, word: str) -> float:
    """Return how far a text is, in letters, from the nearest form of an Assamese word: by its endings, or listed."""
    listed = (distance(typed, form) for form in listed_forms_of(loose_key(word, "as")))
    return min((_distance_by_endings(typed, word), *listed))


def _distance_by_endings(typed: str, word: str) -> float:
    if script_of(typed) is not Script.LATIN:
        return distance(typed, word)
    letters = roman_letters(typed)
    far = _least(distances_of_beginnings(letters, word), ends_of_noun(letters))
    stem = _stem_of_verb(word)
    return min(far, _least(distances_of_beginnings(letters, stem), ends_of_verb(letters))) if stem else far


def _least(beginnings: list[float], ends: dict[int, float]) -> float:
    return min((beginnings[end] + cost for end, cost in ends.items()), default=FARTHEST)


def _stem_of_verb(verbal_noun: str) -> str:
    """Return what the endings of verbs follow: কৰ of কৰা, খা of খোৱা; nothing where a word is no verbal noun."""
    if verbal_noun.endswith("োৱা"):
        return verbal_noun.removesuffix("োৱা") + "া"
    return verbal_noun.removesuffix("া") if verbal_noun.endswith("া") else ""


@lru_cache(maxsize=REMEMBERED)
def ends_of_noun(typed: str) -> dict[int, float]:
    """Return after how many letters of a form its noun may end, and how far what follows is from endings."""
    ends = {len(typed): 0.0}
    for layer in _layers_of_nouns():
        _cut(typed, layer, ends)
    return ends


@lru_cache(maxsize=REMEMBERED)
def ends_of_verb(typed: str) -> dict[int, float]:
    """Return after how many letters of a form the stem of its verb may end, and how far the rest is from endings."""
    ends: dict[int, float] = {}
    _cut(typed, _layer_of_verbs(), ends, {len(typed): 0.0})
    return ends


def _cut(typed: str, layer: Layer, ends: dict[int, float], before: dict[int, float] | None = None) -> None:
    """Add where a word may end before the endings of a layer, to where it may without them."""
    for end, cost in list((ends if before is None else before).items()):
        for length in layer.lengths:
            own = layer.costs.get(typed[max(0, end - length) : end]) if length < end else None
            if own is not None:
                ends[end - length] = min(ends.get(end - length, FREELY + cost + own), cost + own)


@cache
def _layers_of_nouns() -> tuple[Layer, ...]:
    """Make the layers of nouns, the last endings first."""
    return tuple(map(_layer, endings_of_nouns()))


@cache
def _layer_of_verbs() -> Layer:
    return _layer(endings_of_verbs())


def _layer(endings: tuple[str, ...]) -> Layer:
    costs: dict[str, float] = defaultdict(lambda: FREELY)
    for ending in endings:
        for spelling, cost in spelled_in_roman(ending, FREELY).items():
            if spelling:
                costs[spelling] = min(costs[spelling], cost)
    return Layer(dict(costs), tuple(sorted({len(spelling) for spelling in costs})))
