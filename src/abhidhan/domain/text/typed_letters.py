"""Letters that somebody typed beside those of words in the same script: the cheapest way to turn one into the other."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, pairwise, repeat
from math import inf
from typing import Final

from abhidhan.domain.text.letter_costs import COSTS, cost_of_missing, cost_of_typing
from abhidhan.domain.text.letter_units import LONGEST

INHERENT: Final = "ə"

MOST_TYPED: Final = 64  # texts that are compared with words, and what their letters cost


def between(typed: tuple[str, ...], word: tuple[str, ...], farthest: float = inf) -> list[float]:
    """Find the cheapest way to turn the letters of a word into each beginning of those typed, the last being all.

    Where no way costs less than `farthest`, no more is told than that.
    """
    asked = _typed(typed[:LONGEST])
    before, row, last = [inf], asked.of_nothing, ""
    for unit in word[:LONGEST]:
        before, row, last = row, asked.behind(unit, row, last, before), unit
        # Two neighbours that are exchanged are reckoned from the row before.
        if farthest < inf and min(row) >= farthest <= min(before):
            break
    return row


class _Typed:
    """Letters that somebody typed, and what each costs beside a letter of a word, which many words have."""

    def __init__(self, letters: tuple[str, ...]) -> None:
        put_in = [cost_of_missing(letter, COSTS.put_in) for letter in letters]
        self._letters = letters
        before = zip(("", *letters), ("", "", *letters), strict=False)
        self._extra = [
            COSTS.typed_twice if letter == last or (letter == last_but_one and last == INHERENT) else cost
            for letter, (last, last_but_one), cost in zip(letters, before, put_in, strict=False)
        ]
        self._neighbours = {pair for pair in pairwise(letters) if len({*pair}) > 1}
        self._instead: dict[str, tuple[float, ...]] = {}
        self.of_nothing = [0.0, *accumulate(put_in)]
        """What each beginning costs that is typed for no letter."""

    def behind(self, unit: str, row: list[float], last: str, before: list[float]) -> list[float]:
        """Return what each beginning costs with one more letter of the word, behind its last and the one before."""
        left_out = cost_of_missing(unit, COSTS.left_out)
        instead_of_it = self._instead.get(unit) or self._costs_instead_of(unit)
        exchanged = self._exchanged(unit, last, before) if (unit, last) in self._neighbours else repeat(inf)
        cost = row[0] + left_out
        grown = [cost]
        for beside, missed, extra, instead, swapped in zip(
            row, row[1:], self._extra, instead_of_it, exchanged, strict=False
        ):
            cost += extra
            if missed + left_out < cost:  # noqa: PLR1730  # to call `min` would be half of all this
                cost = missed + left_out
            if beside + instead < cost:  # noqa: PLR1730  # as above
                cost = beside + instead
            if swapped < cost:  # noqa: PLR1730  # as above
                cost = swapped
            grown.append(cost)
        return grown

    def _exchanged(self, unit: str, last: str, before: list[float]) -> Iterator[float]:
        """Yield what each beginning costs that ends with the last two letters of the word the other way round."""
        for place, pair in enumerate(zip(("", *self._letters), self._letters, strict=False)):
            yield before[place - 1] + COSTS.exchanged if pair == (unit, last) else inf

    def _costs_instead_of(self, unit: str) -> tuple[float, ...]:
        self._instead[unit] = costs = tuple(cost_of_typing(letter, unit) for letter in self._letters)
        return costs


@lru_cache(maxsize=MOST_TYPED)
def _typed(letters: tuple[str, ...]) -> _Typed:
    return _Typed(letters)
