"""Weighted edit distance between letters of the same script, by the costs of the table `typing.toml`.

The table has the costs of substituting, omitting and inserting letters.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import accumulate, combinations, groupby, pairwise, repeat
from math import inf
from typing import Final

import msgspec

from assamese.keys import LETTERS_WITH_SOUND, sound_of_letter
from assamese.letters import JOINING_MARKS, MAX_COMPARED_LETTERS, MAX_PIECE_LETTERS, VOWEL_OF_SIGN, split_pieces
from assamese.tables import read_table

CACHE_SIZE: Final = 4096  # pairs of letters, or words
TYPED_CACHE_SIZE: Final = 64  # cached texts that are compared with words


class EditCosts(msgspec.Struct, frozen=True):
    """The table of costs."""

    another: float
    left_out: float
    put_in: float
    typed_twice: float
    same_sound: float
    aspiration: float
    vowel: float
    exchanged: float
    confused: dict[str, float]
    easily_missed: dict[str, float]
    heard_alike: dict[str, dict[str, float]]
    endings_by_ear: dict[str, str]
    roman: dict[str, dict[str, float]]


COSTS: Final = read_table("typing", EditCosts)

MIN_UNRELATED_COST: Final = min(COSTS.another, COSTS.left_out, COSTS.put_in, COSTS.exchanged)
"""The minimum cost of an edit that involves an unrelated letter."""

INHERENT_VOWEL: Final = "ə"
"""The unit for the inherent vowel, which is not written."""

VOWELS: Final = frozenset("অআইঈউঊঋএঐওঔə")
"""The vowel letters and the inherent vowel."""

_LETTER_PAIR: Final = re.compile("[ক-হৰৱঅ-ঔং-ঃৎ]়?")
CONFUSION_COSTS: Final = {
    pair: cost
    for letters, cost in COSTS.confused.items()
    for one, other in [_LETTER_PAIR.findall(letters)]
    for pair in ((one, other), (other, one))
}
"""The substitution costs of letters that are confused more often than their sounds suggest."""


def omission_cost(unit: str, cost: float) -> float:
    """Return the cost of an omitted or inserted letter: `cost`, or less for letters that are easily missed."""
    return COSTS.easily_missed.get("অ" if unit[0] == "ə" else unit, cost)


@lru_cache(maxsize=CACHE_SIZE)
def substitution_cost(typed: str, unit: str) -> float:
    """Return the cost of typing the letter `typed` instead of `unit`."""
    one, other = ("অ" if each[0] == "ə" else each for each in (typed, unit))
    if one == other:
        return 0.0
    if (one, other) in CONFUSION_COSTS:
        return CONFUSION_COSTS[one, other]
    sound, other_sound = sound_of_letter(one), sound_of_letter(other)
    if sound and sound == other_sound:
        return COSTS.same_sound
    if sound and sound.casefold() == other_sound.casefold():
        return COSTS.aspiration
    if one in VOWELS and other in VOWELS:
        return COSTS.vowel
    return COSTS.another


# --- the distance -----------------------------------------------------------------------------------------------------


def prefix_costs(typed: tuple[str, ...], word: tuple[str, ...], max_cost: float = inf) -> list[float]:
    """Return the minimum cost of turning a word into each prefix of the typed letters, from the empty one to all.

    If no cost can be less than `max_cost`, the search stops early and returns costs of at least `max_cost`.
    """
    letters = _typed_letters(typed[:MAX_COMPARED_LETTERS])
    before, row, last = [inf], letters.insertion_costs, ""
    for unit in word[:MAX_COMPARED_LETTERS]:
        before, row, last = row, letters.next_row(unit, row, last, before), unit
        # Transpositions are computed from the row before.
        if max_cost < inf and min(row) >= max_cost <= min(before):
            break
    return row


class _TypedLetters:
    """Typed letters with their edit costs; substitution costs are cached by the letter of the word."""

    def __init__(self, letters: tuple[str, ...]) -> None:
        put_in = [omission_cost(letter, COSTS.put_in) for letter in letters]
        self._letters = letters
        before = zip(("", *letters), ("", "", *letters), strict=False)
        self._single_insertion_costs = [
            COSTS.typed_twice if letter == last or (letter == last_but_one and last == INHERENT_VOWEL) else cost
            for letter, (last, last_but_one), cost in zip(letters, before, put_in, strict=False)
        ]
        self._adjacent_pairs = {pair for pair in pairwise(letters) if len({*pair}) > 1}
        self._substitution_cache: dict[str, tuple[float, ...]] = {}
        self.insertion_costs = [0.0, *accumulate(put_in)]
        """The cost of each prefix if all its letters are insertions."""

    def next_row(self, unit: str, row: list[float], last: str, before: list[float]) -> list[float]:
        """Return the row of prefix costs after one more letter of the word; `before` is the row before `row`."""
        left_out = omission_cost(unit, COSTS.left_out)
        substitution_costs = self._substitution_cache.get(unit) or self._substitution_costs(unit)
        transposition_costs = (
            self._transposition_costs(unit, last, before) if (unit, last) in self._adjacent_pairs else repeat(inf)
        )
        cost = row[0] + left_out
        costs = [cost]
        for diagonal, missed, extra, instead, swapped in zip(
            row, row[1:], self._single_insertion_costs, substitution_costs, transposition_costs, strict=False
        ):
            cost += extra
            if missed + left_out < cost:  # noqa: PLR1730  # calling `min` would take half of the time here
                cost = missed + left_out
            if diagonal + instead < cost:  # noqa: PLR1730  # as above
                cost = diagonal + instead
            if swapped < cost:  # noqa: PLR1730  # as above
                cost = swapped
            costs.append(cost)
        return costs

    def _transposition_costs(self, unit: str, last: str, before: list[float]) -> Iterator[float]:
        """Yield the cost of each prefix that ends with the last two letters of the word transposed."""
        for index, pair in enumerate(zip(("", *self._letters), self._letters, strict=False)):
            yield before[index - 1] + COSTS.exchanged if pair == (unit, last) else inf

    def _substitution_costs(self, unit: str) -> tuple[float, ...]:
        self._substitution_cache[unit] = costs = tuple(substitution_cost(letter, unit) for letter in self._letters)
        return costs


_typed_letters: Final = lru_cache(maxsize=TYPED_CACHE_SIZE)(_TypedLetters)


# --- quick rejection of distant words ---------------------------------------------------------------------------------


def may_be_near(typed: str, stored: str, max_distance: float) -> bool:
    """Return False if the kinds of letters prove that two texts of one script are farther apart than `max_distance`."""
    is_long = MAX_PIECE_LETTERS * max(len(typed), len(stored)) > MAX_COMPARED_LETTERS
    if is_long or max_distance >= MIN_UNRELATED_COST:
        return True
    return _class_sequence(typed, max_distance) == _class_sequence(stored, max_distance)


@lru_cache(maxsize=CACHE_SIZE)
def _class_sequence(letters: str, max_distance: float) -> tuple[str, ...]:
    """Return the kinds of letters in order, without repeats; they are equal for texts within the distance.

    Such texts differ only by letters of the same kind, by omitted or inserted letters without a kind, and by letters
    typed twice.
    """
    kinds = _letter_classes(max_distance)
    of_pieces = [kinds.get(piece, piece) for piece in split_pieces(letters)]
    return tuple([kind for kind, _ in groupby(filter(None, of_pieces))])


@cache
def _letter_classes(max_distance: float) -> dict[str, str]:
    """Map each letter to its kind: letters connected by substitutions that cost at most `max_distance` are of one kind.

    A kind is named after one of its letters. The kind is "" for letters that may be omitted or inserted at that cost,
    for the inherent vowel, which is not written, and for all letters connected with them.
    """
    compared = (
        LETTERS_WITH_SOUND
        | VOWELS
        | COSTS.easily_missed.keys()
        | {letter for pair in CONFUSION_COSTS for letter in pair}
    )
    may_be_missed = {letter for letter in compared if omission_cost(letter, inf) <= max_distance} | {
        "অ",
        INHERENT_VOWEL,
    }
    kinds = {letter: "" if letter in may_be_missed else letter for letter in compared}
    for one, other in combinations(sorted(compared), 2):
        if substitution_cost(one, other) <= max_distance and kinds[one] != kinds[other]:
            merged, replaced = sorted((kinds[one], kinds[other]))
            kinds = {letter: merged if kind == replaced else kind for letter, kind in kinds.items()}
    return kinds | {sign: kinds[vowel] for sign, vowel in VOWEL_OF_SIGN.items()} | dict.fromkeys(JOINING_MARKS, "")
