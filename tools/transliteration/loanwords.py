"""Training data of the loanword model: English words and names among the pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assamese.joint_ngram import JointUnit
from tools.transliteration.alignment import align, closeness
from tools.transliteration.corpus import DataSplit, split_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from tools.transliteration.corpus import RomanSpelling

    Units = tuple[JointUnit, ...]

MIN_CLOSENESS: Final = -6.3
"""Minimum closeness of an English word and its Assamese: below this, it is a translation, not a loanword."""
NAME_WEIGHT: Final = 2
"""Number of times that each Assamese word is counted; a Bengali pair is counted once."""

_LOAN_UNITS: Final = frozenset(
    {
        *(JointUnit("a", vowel) for vowel in ("ে", "এ")),
        *(JointUnit(vowel, "া") for vowel in ("e", "u")),
        *(JointUnit(vowel, "াই") for vowel in ("i", "y")),
        *(JointUnit(vowel, "ি") for vowel in ("ee", "ea")),
        *(JointUnit("c", letter) for letter in ("ক", "ছ")),
        JointUnit("oo", "ু"),
        JointUnit("ck", "ক"),
    }
)
"""Units that occur only in English words."""
_BENGALI_ENDINGS: Final = ("েৰ", "কে", "দেৰ", "গুলি", "গুলো", "টা", "টাৰ", "টি", "ও", "য়ে", "য়", "তে", "ছে", "ছেন")


def is_loan(pair: RomanSpelling, units: Units) -> bool:
    """Return whether a Bengali pair is an English word or a name without a Bengali ending."""
    return any(unit in _LOAN_UNITS for unit in units) and not pair.native.endswith(_BENGALI_ENDINGS)


def select_loanwords(pairs: Iterable[RomanSpelling], weights: Mapping[JointUnit, float]) -> list[Units]:
    """Return the aligned pairs that are loanwords: their Assamese resembles the English word, unlike a translation."""
    return [units for _, units in _align_pairs(pairs, weights) if closeness(units, weights) >= MIN_CLOSENESS]


def build_loan_data(
    collected: Iterable[RomanSpelling],
    names: Iterable[Units],
    bengali: Iterable[RomanSpelling],
    english: Container[str],
    weights: Mapping[JointUnit, float],
) -> list[Units]:
    """Return the training data of the loanword model, only from the training part.

    It has the English words of the collected pairs, and of the Bengali pairs also those with English spellings.
    """
    english_pairs = [pair for pair in collected if split_of(pair.native) == DataSplit.TRAIN and pair.roman in english]
    of_neighbours = [pair for pair in bengali if split_of(pair.native) == DataSplit.TRAIN]
    return [
        *(units for units in names for _ in range(NAME_WEIGHT)),
        *select_loanwords(english_pairs, weights),
        *(
            units
            for pair, units in _align_pairs(of_neighbours, weights)
            if is_loan(pair, units) or (pair.roman in english and closeness(units, weights) >= MIN_CLOSENESS)
        ),
    ]


def _align_pairs(
    pairs: Iterable[RomanSpelling], weights: Mapping[JointUnit, float]
) -> Iterator[tuple[RomanSpelling, Units]]:
    return ((pair, units) for pair in pairs if (units := align(pair, weights)))
