"""Choose among the readings of the words of a passage by word frequency, collocation and agreement.

`tables/word_pairs.bin` stores how much more often two words are neighbours than by chance; `tools/make_word_pairs.py`
computes it from counts of neighbouring words in newspapers.
"""

import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import product
from math import log
from typing import Final, NamedTuple

import msgspec

from assamese.normalization import exact_key
from assamese.tables import read_table
from assamese.transliteration_model import normalize_assamese
from assamese.word_frequency import BANDS_PER_DOUBLING, COUNTED_LANGUAGE, checksum, look_up_band, unpack_numbers

ATTRACTION_WEIGHT: Final = 0.8
"""Weight of a nat of `attraction` between neighbouring words."""

FREQUENCY_WEIGHT: Final = 0.15
"""Weight of word frequency in a passage, in addition to its weight for a single word: words in texts are common."""

AGREEMENT_BONUS: Final = 3.5
"""Bonus (nats) if the last word has a verb ending that agrees with the subject before it."""

NATS_PER_BAND: Final = log(2) / BANDS_PER_DOUBLING


class PersonAgreement(msgspec.Struct, frozen=True):
    """Subject pronouns and the verb endings that agree with them."""

    subjects: tuple[str, ...]
    endings: tuple[str, ...]


class AgreementTable(msgspec.Struct, frozen=True):
    """The table of subject-verb agreement."""

    persons: tuple[PersonAgreement, ...]


class ScoredReading(NamedTuple):
    """A reading of a word with its log probability (nats, up to a constant for the word)."""

    text: str
    score: float


class _Path(NamedTuple):
    """The best reading of the words of a passage so far, for one choice of its last word."""

    score: float
    texts: tuple[str, ...]
    endings: tuple[str, ...]
    """The verb endings that agree with the last subject; empty before the first subject."""


_ENDINGS_BY_SUBJECT: Final = {
    subject: person.endings for person in read_table("agreement", AgreementTable).persons for subject in person.subjects
}


def choose_readings(passage: Sequence[Sequence[ScoredReading]]) -> tuple[str, ...]:
    """Return the most probable combination of readings for the words of a passage.

    `passage` has the possible readings of each word, at least one, best first. A single word gets its first reading.
    """
    if len(passage) == 1:
        return (passage[0][0].text,)
    paths = [_Path(0.0, (), ())]
    for choices in passage:
        paths = list(_extend_paths(paths, choices))
    return max(paths, key=_score_with_agreement).texts


def _extend_paths(paths: Sequence[_Path], choices: Sequence[ScoredReading]) -> Iterator[_Path]:
    """Extend the paths by each reading of the next word; yield the best path for each reading and last subject."""
    best: dict[tuple[str, tuple[str, ...]], _Path] = {}
    for choice, path in product(choices, paths):
        longer = _append_choice(path, choice)
        rival = best.get((choice.text, longer.endings))
        if rival is None or rival.score < longer.score:
            best[choice.text, longer.endings] = longer
    yield from best.values()


def _append_choice(path: _Path, choice: ScoredReading) -> _Path:
    frequency_score = FREQUENCY_WEIGHT * NATS_PER_BAND * look_up_band(exact_key(choice.text), COUNTED_LANGUAGE)
    attraction_score = ATTRACTION_WEIGHT * _attraction(path.texts[-1], choice.text) if path.texts else 0.0
    return _Path(
        path.score + choice.score + frequency_score + attraction_score,
        (*path.texts, choice.text),
        _ENDINGS_BY_SUBJECT.get(choice.text, path.endings),
    )


def _attraction(before: str, after: str) -> float:
    return attraction(normalize_assamese(before), normalize_assamese(after))


def _score_with_agreement(path: _Path) -> float:
    return path.score + (AGREEMENT_BONUS if path.endings and path.texts[-1].endswith(path.endings) else 0.0)


ATTRACTION_STEPS: Final = 16
"""Number of units in which a nat of attraction is stored."""

MAX_ATTRACTION_STEPS: Final = 255

_WORD_PAIRS_FILE: Final = "word_pairs.bin"


def attraction(before: str, after: str) -> float:
    """Return how much likelier `after` is directly after `before` than elsewhere, in nats up to 16; 0 if unknown.

    The words are spelled as in the transliteration model: NFC, ৰ for the Bengali র, no apostrophes.
    """
    table = _load_word_pairs()
    key = checksum(format_pair(before, after))
    at = bisect_left(table, key)
    difference = table[at] ^ key if at < len(table) else MAX_ATTRACTION_STEPS + 1
    return difference / ATTRACTION_STEPS if difference <= MAX_ATTRACTION_STEPS else 0.0


def format_pair(before: str, after: str) -> str:
    """Return the text whose checksum is the key of two words in the table."""
    return f"{before} {after}"


@cache
def _load_word_pairs() -> "array[int]":
    """Load the table on first use: 0.5 MB of sorted numbers, each a pair's checksum and its `attraction`."""
    return unpack_numbers(files("assamese.tables").joinpath(_WORD_PAIRS_FILE).read_bytes())


def pack_word_pairs(attractions: dict[tuple[str, str], float]) -> bytes:
    """Encode the table of word pairs in the format that `_load_word_pairs` reads."""
    numbers = array(
        "Q",
        sorted(
            checksum(format_pair(*words)) | min(MAX_ATTRACTION_STEPS, round(nats * ATTRACTION_STEPS))
            for words, nats in attractions.items()
            if nats > 0
        ),
    )
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()
