"""Kinds of letters: by them it is known of most words, before they are compared, that they are not near to a text."""

from functools import cache, lru_cache
from itertools import combinations, groupby
from math import inf
from typing import Final

from abhidhan.domain.text.keys import LETTERS_WITH_SOUND
from abhidhan.domain.text.letter_costs import CONFUSED, COSTS, VOWELS, WHOLE, cost_of_missing, cost_of_typing
from abhidhan.domain.text.letter_units import LETTERS_A_PIECE, LONGEST, NO_LETTERS, SIGNS, pieces_of

REMEMBERED: Final = 4096  # words whose kinds are kept at hand
INHERENT: Final = frozenset("অə")
"""The inherent vowel, which is not written."""


def may_be_near(asked: str, stored: str, farthest: float) -> bool:
    """Say whether letters may be so near to those of a word of the same script; if not, they surely are not."""
    is_long = LETTERS_A_PIECE * max(len(asked), len(stored)) > LONGEST
    if is_long or farthest >= WHOLE:
        return True
    return _kinds_of(asked, farthest) == _kinds_of(stored, farthest)


@lru_cache(maxsize=REMEMBERED)
def _kinds_of(letters: str, farthest: float) -> tuple[str, ...]:
    """Return the kinds of letters in their order, none twice running: what is so near has the same.

    It may be typed with letters of the same kinds for those meant, with some left out or put in that are of no kind,
    and with a letter typed twice.
    """
    kinds = _kinds(farthest)
    of_pieces = [kinds.get(piece, piece) for piece in pieces_of(letters)]
    return tuple([kind for kind, _ in groupby(filter(None, of_pieces))])


@cache
def _kinds(farthest: float) -> dict[str, str]:
    """Return the kind of each letter: those are of one kind that lead to each other by steps of no more than that.

    It is named by one of them. Of none are letters that may be left out or put in, the inherent vowel, which is not
    written, and all that lead to them.
    """
    compared = (
        LETTERS_WITH_SOUND | VOWELS | COSTS.easily_missed.keys() | {letter for pair in CONFUSED for letter in pair}
    )
    may_be_missed = {letter for letter in compared if cost_of_missing(letter, inf) <= farthest} | INHERENT
    kinds = {letter: "" if letter in may_be_missed else letter for letter in compared}
    for one, other in combinations(sorted(compared), 2):
        if cost_of_typing(one, other) <= farthest and kinds[one] != kinds[other]:
            kept, given_up = sorted((kinds[one], kinds[other]))
            kinds = {letter: kept if kind == given_up else kind for letter, kind in kinds.items()}
    return kinds | {sign: kinds[vowel] for sign, vowel in SIGNS.items()} | dict.fromkeys(NO_LETTERS, "")
