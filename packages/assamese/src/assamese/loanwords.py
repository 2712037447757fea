"""Romanize English words and foreign names, which people spell as in English.

চকলেট is typed chocolate, not sokolet as it sounds. Loanwords have a joint model of their own and a list of English
words. A word counts as a loanword to the degree that this model explains it and its spellings are English.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from assamese.joint_ngram import Hypothesis

SPELLINGS: Final = 12
"""The number of spellings of either model that are compared."""

BELIEF: Final = 0.5
"""The weight of the log-likelihood ratio: the models are trained on few words and are overconfident."""

LEAST_EVIDENCE: Final = 5.0
"""The log-likelihood ratio (nats) at which a word is as likely a loanword as a native word."""

EVIDENCE_OF_ENGLISH: Final = 6.0
"""The log-odds (nats) that a word gains as a loanword if all its loanword spellings are English words."""

ENGLISH: Final = 4.0
"""The bonus (nats) of a spelling that is an English word."""


def romanizations(
    native: Sequence[Hypothesis], loan: Sequence[Hypothesis], is_english: Callable[[str], bool]
) -> list[str]:
    """Return the spellings of a word, best first.

    `native` and `loan` are its spellings under the models of native words and of loanwords. `is_english` returns
    whether a spelling is an English word.
    """
    by_sound, foreign = ({each.target: each.score for each in spellings} for spellings in (native, loan))
    if not by_sound or not foreign:
        return [*by_sound]
    spelled_so = sum(share for spelling, share in _shares(foreign).items() if is_english(spelling))
    evidence = _whole(foreign.values()) - _whole(by_sound.values()) - LEAST_EVIDENCE
    of_loan = 1 / (1 + math.exp(-BELIEF * evidence - EVIDENCE_OF_ENGLISH * spelled_so))
    english_first = {spelling: score + ENGLISH * is_english(spelling) for spelling, score in foreign.items()}
    shares, shares_of_loan = _shares(by_sound), _shares(english_first)
    mixed = {
        spelling: (1 - of_loan) * shares.get(spelling, 0.0) + of_loan * shares_of_loan.get(spelling, 0.0)
        for spelling in shares | shares_of_loan
    }
    return sorted(mixed, key=lambda spelling: -mixed[spelling])


def _shares(scores: Mapping[str, float]) -> dict[str, float]:
    whole = _whole(scores.values())
    return {spelling: math.exp(score - whole) for spelling, score in scores.items()}


def _whole(scores: Iterable[float]) -> float:
    """Return the natural logarithm of the sum of probabilities given by their logarithms."""
    scores = list(scores)
    highest = max(scores)
    return highest + math.log(sum(math.exp(score - highest) for score in scores))
