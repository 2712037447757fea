"""What each letter costs that is typed for another, left out or put in: the table `typing.toml`."""

import re
from functools import lru_cache
from typing import Final

import msgspec

from abhidhan.domain.text.keys import sound_of_letter
from abhidhan.domain.text.tables import read_table

REMEMBERED: Final = 4096  # pairs of letters whose costs are kept at hand


class Typing(msgspec.Struct, frozen=True):
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
    roman: dict[str, dict[str, float]]


COSTS: Final = read_table("typing", Typing)

WHOLE: Final = min(COSTS.another, COSTS.left_out, COSTS.put_in, COSTS.exchanged)
"""The least that it costs to type a letter that has nothing to do with the one that is meant."""

VOWELS: Final = frozenset("অআইঈউঊঋএঐওঔə")
"""The vowels by their letters, and the inherent one."""

_LETTER_PAIR: Final = re.compile("[ক-হৰৱঅ-ঔং-ঃৎ]়?")
CONFUSED: Final = {
    pair: cost
    for letters, cost in COSTS.confused.items()
    for one, other in [_LETTER_PAIR.findall(letters)]
    for pair in ((one, other), (other, one))
}
"""What two letters cost that people mix up more often than their sounds would say."""


def cost_of_missing(unit: str, cost: float) -> float:
    """Return what it costs that a letter is missing, or there without need: less than `cost` where that is easy."""
    return COSTS.easily_missed.get("অ" if unit[0] == "ə" else unit, cost)


@lru_cache(maxsize=REMEMBERED)
def cost_of_typing(typed: str, unit: str) -> float:
    """Return the cost of one letter typed instead of another."""
    one, other = ("অ" if each[0] == "ə" else each for each in (typed, unit))
    if one == other:
        return 0.0
    if (one, other) in CONFUSED:
        return CONFUSED[one, other]
    sound, other_sound = sound_of_letter(one), sound_of_letter(other)
    if sound and sound == other_sound:
        return COSTS.same_sound
    if sound and sound.casefold() == other_sound.casefold():
        return COSTS.aspiration
    if one in VOWELS and other in VOWELS:
        return COSTS.vowel
    return COSTS.another
