"""Romanization of English words and foreign names, which people spell as in English.

চকলেট is typed chocolate, not sokolet as it sounds. Loanwords have a joint model of their own and a list of English
words. A word counts as a loanword to the degree that this model explains it and its spellings are English.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from assamese.joint_ngram import Hypothesis

MAX_SPELLINGS: Final = 12
"""Maximum number of spellings from each of the two models."""

EVIDENCE_WEIGHT: Final = 0.5
"""The weight of the log-likelihood ratio; it is low because the models, trained on few words, are overconfident."""

EVIDENCE_THRESHOLD: Final = 5.0
"""The log-likelihood ratio (nats) at which a word is as likely a loanword as a native word."""

ENGLISH_EVIDENCE: Final = 6.0
"""The log-odds (nats) that a word gains as a loanword if all its loanword spellings are English words."""

ENGLISH_BONUS: Final = 4.0
"""The bonus (nats) of a spelling that is an English word."""


def rank_romanizations(
    native: Sequence[Hypothesis], loan: Sequence[Hypothesis], is_english: Callable[[str], bool]
) -> list[str]:
    """Rank the Roman spellings of a word, best first.

    `native` and `loan` are its spellings under the models of native words and of loanwords. `is_english` returns
    whether a spelling is an English word.
    """
    native_scores, loan_scores = (
        {hypothesis.target: hypothesis.score for hypothesis in spellings} for spellings in (native, loan)
    )
    if not native_scores or not loan_scores:
        return [*native_scores]
    english_share = sum(share for spelling, share in _to_probabilities(loan_scores).items() if is_english(spelling))
    evidence = _log_sum_exp(loan_scores.values()) - _log_sum_exp(native_scores.values()) - EVIDENCE_THRESHOLD
    loan_probability = 1 / (1 + math.exp(-EVIDENCE_WEIGHT * evidence - ENGLISH_EVIDENCE * english_share))
    english_first = {spelling: score + ENGLISH_BONUS * is_english(spelling) for spelling, score in loan_scores.items()}
    native_shares, loan_shares = _to_probabilities(native_scores), _to_probabilities(english_first)
    mixed = {
        spelling: (1 - loan_probability) * native_shares.get(spelling, 0.0)
        + loan_probability * loan_shares.get(spelling, 0.0)
        for spelling in native_shares | loan_shares
    }
    return sorted(mixed, key=lambda spelling: -mixed[spelling])


def _to_probabilities(scores: Mapping[str, float]) -> dict[str, float]:
    total = _log_sum_exp(scores.values())
    return {spelling: math.exp(score - total) for spelling, score in scores.items()}


def _log_sum_exp(scores: Iterable[float]) -> float:
    """Return the natural logarithm of the sum of probabilities, given their logarithms."""
    scores = list(scores)
    highest = max(scores)
    return highest + math.log(sum(math.exp(score - highest) for score in scores))
