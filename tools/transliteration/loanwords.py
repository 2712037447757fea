"""English words and names among the pairs: what the model of loanwords learns from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assamese.joint_ngram import Pair
from tools.transliteration.alignment import align, closeness
from tools.transliteration.corpus import Part, part_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from tools.transliteration.corpus import Spelling

    Units = tuple[Pair, ...]

LEAST_CLOSENESS: Final = -6.3
"""English words whose Assamese is less like them than this are translations, not loanwords."""
SHARE_OF_NAMES: Final = 2
"""How often the words that Assamese itself has are counted, where a pair of Bengali is counted once."""

_LOAN_UNITS: Final = frozenset(
    {
        *(Pair("a", vowel) for vowel in ("ে", "এ")),
        *(Pair(vowel, "া") for vowel in ("e", "u")),
        *(Pair(vowel, "াই") for vowel in ("i", "y")),
        *(Pair(vowel, "ি") for vowel in ("ee", "ea")),
        *(Pair("c", letter) for letter in ("ক", "ছ")),
        Pair("oo", "ু"),
        Pair("ck", "ক"),
    }
)
"""Spellings that only English has."""
_BENGALI_ENDINGS: Final = ("েৰ", "কে", "দেৰ", "গুলি", "গুলো", "টা", "টাৰ", "টি", "ও", "য়ে", "য়", "তে", "ছে", "ছেন")


def is_loan(pair: Spelling, units: Units) -> bool:
    """Say whether a pair of a neighbour is a word of English or a name, without an ending of that language."""
    return any(unit in _LOAN_UNITS for unit in units) and not pair.native.endswith(_BENGALI_ENDINGS)


def unlike_translations(pairs: Iterable[Spelling], weights: Mapping[Pair, float]) -> list[Units]:
    """Return the aligned pairs of English words that are loanwords: whose Assamese is like them."""
    return [units for _, units in _aligned(pairs, weights) if closeness(units, weights) >= LEAST_CLOSENESS]


def loan_material(
    collected: Iterable[Spelling],
    names: Iterable[Units],
    neighbours: Iterable[Spelling],
    english: Container[str],
    weights: Mapping[Pair, float],
) -> list[Units]:
    """Return what the model of loanwords learns: nothing whose Assamese word is kept out of training.

    Of the collected pairs it is the English words, of the neighbours' also what is spelled as only English is.
    """
    english_pairs = [pair for pair in collected if part_of(pair.native) == Part.TRAIN and pair.roman in english]
    of_neighbours = [pair for pair in neighbours if part_of(pair.native) == Part.TRAIN]
    return [
        *(units for units in names for _ in range(SHARE_OF_NAMES)),
        *unlike_translations(english_pairs, weights),
        *(
            units
            for pair, units in _aligned(of_neighbours, weights)
            if is_loan(pair, units) or (pair.roman in english and closeness(units, weights) >= LEAST_CLOSENESS)
        ),
    ]


def _aligned(pairs: Iterable[Spelling], weights: Mapping[Pair, float]) -> Iterator[tuple[Spelling, Units]]:
    return ((pair, units) for pair in pairs if (units := align(pair, weights)))
