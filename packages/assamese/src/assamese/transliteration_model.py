"""The trained transliteration model: Roman to Assamese and Assamese to Roman, ranked.

Twenty readings of a word have to be ranked in a millisecond. To check whether an uncounted word is an inflected form or
a compound, it is split in two and compared with lists; look-ups apply the rules for inflection and compounds, which
take a hundred times as long.
"""

from __future__ import annotations

import math
import re
import struct
import sys
import unicodedata
from array import array
from bisect import bisect_left
from functools import cache
from heapq import nlargest
from importlib.resources import files
from operator import mul
from typing import TYPE_CHECKING, Final
from zlib import crc32

import msgspec

from assamese.inflection import noun_endings
from assamese.joint_ngram import FIRST_UNIT, Hypothesis, JointUnit, NgramModel, Transducer
from assamese.letters import is_well_formed, split_written_units
from assamese.loanwords import MAX_SPELLINGS, rank_romanizations
from assamese.word_frequency import BANDS_PER_DOUBLING, COUNTED_LANGUAGE, UNKNOWN_BAND, look_up_band

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

MAGIC: Final = b"ABHITRL2"
"""The first bytes of a model file."""
MAX_SEARCH_CANDIDATES: Final = 40
"""Number of candidates of the search, including ill-formed ones."""
MAX_RESCORED_CANDIDATES: Final = 24
"""Number of well-formed candidates that are ranked in full."""
ROMAN_BEAM: Final = 8
"""Beam width towards Roman letters, which has fewer alternatives."""
MAX_WORD_LENGTH: Final = 40
"""Maximum number of letters of a word."""

BANDS_PER_NAT: Final = BANDS_PER_DOUBLING / math.log(2)
"""Number of frequency bands in a factor of e."""

_MODEL_FILE: Final = "transliteration.bin"
_NOT_ROMAN: Final = re.compile("[^a-z]+")
_IGNORED_MARKS: Final = re.compile("['’‘ʼ\u200c\u200d]+")


class FeatureWeights(msgspec.Struct, frozen=True):
    """The weights of the features of a candidate in its score; those of log probabilities are per nat."""

    either: float = 1.0
    """The spelling pair under either model: the logarithm of the sum of both probabilities."""
    typed: float = 0.0
    """The log probability of the pair under the model of many people's spellings."""
    observed: float = 0.0
    """The log probability of the pair under the model trained only on collected pairs."""
    letters: float = 0.0
    """The log probability of the Assamese word under the model of Assamese words."""
    attested: float = 0.0
    """1 if the word is in a list of words from the web."""
    common: float = 0.0
    """1 if the word is in a list of frequent words."""
    dictionary: float = 0.0
    """1, or a degree from 0 to 1, if the caller's dictionary has the word."""
    counted: float = 0.0
    """1 if the word occurs in newspapers."""
    frequency: float = 0.0
    """The frequency of the word in newspapers."""
    composed: float = 0.0
    """1 if the parts of the word, but not the word itself, occur in newspapers."""
    frequency_of_parts: float = 0.0
    """The frequency of the parts in newspapers."""


class ModelHeader(msgspec.Struct, frozen=True):
    """The header of a model file; sizes are in bytes, in the order of the tables."""

    pairs: list[tuple[str, str]]
    loan_pairs: list[tuple[str, str]]
    letters: list[str]
    orders: tuple[int, int, int, int]
    sizes: tuple[int, int, int, int, int, int, int]
    observed_prior: float
    weights: FeatureWeights


class WordSet:
    """A set of words stored as sorted 32-bit checksums, with a false positive rate of about 1 in 40,000."""

    def __init__(self, checksums: bytes) -> None:
        """Load sorted little-endian checksums (see `word_checksum`)."""
        self._checksums = array("I")
        self._checksums.frombytes(checksums)
        if sys.byteorder == "big":
            self._checksums.byteswap()

    def __contains__(self, word: str) -> bool:
        """Return whether the word is almost certainly in the set."""
        number = word_checksum(word)
        at = bisect_left(self._checksums, number)
        return at < len(self._checksums) and self._checksums[at] == number


def word_checksum(word: str) -> int:
    """Return the number that represents a word in a `WordSet`."""
    return crc32(word.encode())


def no_dictionary(_word: str) -> bool:
    """Return False: the default for callers without a dictionary."""
    return False


class Transliterator:
    """Ranked transliteration of single words in both directions, by the model of a file."""

    def __init__(self, content: bytes) -> None:
        """Load a model file. Raises ValueError for any other content."""
        if not content.startswith(MAGIC):
            raise ValueError("This is not a transliteration model of this version.")
        (header_size,) = struct.unpack_from("<I", content, len(MAGIC))
        at = len(MAGIC) + 4
        self._header = header = msgspec.json.decode(content[at : at + header_size], type=ModelHeader)
        tables: list[memoryview] = []
        at += header_size
        for size in header.sizes:
            tables.append(memoryview(content)[at : at + size])
            at += size
        self._typed_model, self._observed_model, self._letter_model, loans = (
            NgramModel(order, table) for order, table in zip(header.orders, tables[:4], strict=True)
        )
        self._attested_words, self._common_words, self._english_words = (WordSet(bytes(table)) for table in tables[4:])
        self._letter_numbers = {letter: FIRST_UNIT + at for at, letter in enumerate(header.letters)}
        self._into_assamese = Transducer([JointUnit(*pair) for pair in header.pairs], self._typed_model)
        self._into_roman = Transducer(
            [JointUnit(*reversed(pair)) for pair in header.pairs], self._observed_model, ROMAN_BEAM
        )
        self._loans_into_roman = Transducer(
            [JointUnit(*reversed(pair)) for pair in header.loan_pairs], loans, ROMAN_BEAM
        )

    def to_assamese(
        self, roman: str, limit: int = 6, *, in_dictionary: Callable[[str], float] = no_dictionary
    ) -> tuple[str, ...]:
        """Return well-formed Assamese words (NFC) that the Roman word may stand for, best first.

        Words with a positive `in_dictionary` are preferred by a trained weight, but need not come first. Case, accents
        and all characters except letters are ignored; the result is empty if no letter remains.
        """
        return self.rank(self.search(roman), limit, in_dictionary=in_dictionary)

    def rank(
        self, candidates: Iterable[Hypothesis], limit: int, *, in_dictionary: Callable[[str], float] = no_dictionary
    ) -> tuple[str, ...]:
        """Return at most `limit` of the candidates from `search`, best first."""
        return tuple(word for _, word in self.score(candidates, limit, in_dictionary=in_dictionary))

    def score(
        self, candidates: Iterable[Hypothesis], limit: int, *, in_dictionary: Callable[[str], float] = no_dictionary
    ) -> list[tuple[float, str]]:
        """Return at most `limit` candidates with their scores (nats, up to a constant), best first."""
        weights = msgspec.structs.astuple(self._header.weights)
        return nlargest(
            limit,
            [
                (sum(map(mul, weights, self.compute_features(candidate, in_dictionary))), candidate.target)
                for candidate in candidates
            ],
        )

    def to_roman(self, word: str, limit: int = 1) -> tuple[str, ...]:
        """Return the likely informal spellings of an Assamese word in Roman letters, best first.

        The result is empty if the word contains anything but Assamese letters and signs.
        """
        pieces = split_written_units(normalize_assamese(word))
        if not 0 < len(pieces) <= MAX_WORD_LENGTH:
            return ()
        native = self._into_roman.find_best(pieces, MAX_SPELLINGS)
        loan = self._loans_into_roman.find_best(pieces, MAX_SPELLINGS)
        return tuple(rank_romanizations(native, loan, self._english_words.__contains__)[:limit])

    def search(self, roman: str) -> list[Hypothesis]:
        """Return the well-formed candidates of a Roman word from the search, before ranking."""
        letters = normalize_roman(roman)
        if not 0 < len(letters) <= MAX_WORD_LENGTH:
            return []
        hypotheses = self._into_assamese.find_best(letters, MAX_SEARCH_CANDIDATES)
        return [hypothesis for hypothesis in hypotheses if is_well_formed(hypothesis.target)][:MAX_RESCORED_CANDIDATES]

    def search_with_words(
        self, roman: str, words: Collection[str], hypotheses: Iterable[Hypothesis] | None = None
    ) -> list[Hypothesis]:
        """Return the candidates of `search` (`hypotheses`, if given), and those of `words` that fit the Roman word."""
        free = self.search(roman) if hypotheses is None else hypotheses
        return list({hypothesis.target: hypothesis for hypothesis in (*self.match_words(roman, words), *free)}.values())

    def match_words(self, roman: str, words: Collection[str]) -> list[Hypothesis]:
        """Return as candidates those of the Assamese words that the Roman word may stand for, before ranking.

        The free search may miss them as too unlikely. Words with anything but Assamese letters are ignored.
        """
        letters = normalize_roman(roman)
        candidate_words = {letters_of: None for word in words if is_well_formed(letters_of := normalize_assamese(word))}
        if not candidate_words or not 0 < len(letters) <= MAX_WORD_LENGTH:
            return []
        return self._into_assamese.match_targets(letters, candidate_words.keys())

    def compute_features(self, candidate: Hypothesis, in_dictionary: Callable[[str], float]) -> tuple[float, ...]:
        """Return the values of a candidate's features, in the order of `FeatureWeights`."""
        word = candidate.target
        word_band = look_up_band(word, COUNTED_LANGUAGE)
        parts_band = find_parts_band(word) if word_band == UNKNOWN_BAND else UNKNOWN_BAND
        observed = self._observed_model.score(candidate.units)
        spelled = self._letter_model.score(tuple(self._letter_numbers.get(u, 0) for u in split_written_units(word)))
        return (
            log_add(candidate.score, observed + self._header.observed_prior),
            candidate.score,
            observed,
            spelled,
            float(word in self._attested_words),
            float(word in self._common_words),
            float(in_dictionary(word)),
            float(word_band != UNKNOWN_BAND),
            word_band / BANDS_PER_NAT,
            float(parts_band != UNKNOWN_BAND),
            parts_band / BANDS_PER_NAT,
        )


def log_add(first: float, second: float) -> float:
    """Return the natural logarithm of the sum of two numbers, given their logarithms."""
    high, low = max(first, second), min(first, second)
    return high + math.log1p(math.exp(low - high))


def normalize_roman(text: str) -> str:
    """Return the letters a to z of a text, case and accents removed."""
    return _NOT_ROMAN.sub("", unicodedata.normalize("NFKD", text).lower())


def normalize_assamese(text: str) -> str:
    """Return a word in the spelling of the model: NFC, ৰ for the Bengali র, no apostrophes, no joiners."""
    return _IGNORED_MARKS.sub("", unicodedata.normalize("NFC", text).replace("র", "ৰ"))


@cache
def default_transliterator() -> Transliterator:
    """Return the model in this package, which is loaded once."""
    return Transliterator(files("assamese.tables").joinpath(_MODEL_FILE).read_bytes())


MIN_STEM_LENGTH: Final = 2
"""Minimum number of characters of a word before an ending."""

MIN_PART_LENGTH: Final = 3
"""Minimum number of characters of each part of a compound: two letters are nearly always attested."""

_SIGNS: Final = frozenset("ািীুূৃেৈোৌ্ঁংঃ\u09bc")
"""Signs that cannot begin a word."""


def find_parts_band(word: str) -> int:
    """Return the frequency band of the parts of an Assamese word, or `UNKNOWN_BAND` if it cannot be split.

    For an inflected form it is the band of the stem, for a compound that of the rarer word. Words are spelled as in
    the transliteration model.
    """
    form_band = compound_band = UNKNOWN_BAND
    for end in range(len(word) - 1, MIN_STEM_LENGTH - 1, -1):
        stem_band = look_up_band(word[:end], COUNTED_LANGUAGE)
        if stem_band == UNKNOWN_BAND:
            continue
        rest = word[end:]
        if rest in _build_noun_endings():
            form_band = max(form_band, stem_band)
        elif min(len(rest), end) >= MIN_PART_LENGTH and rest[0] not in _SIGNS:
            compound_band = max(compound_band, min(stem_band, look_up_band(rest, COUNTED_LANGUAGE)))
    return form_band or compound_band


@cache
def _build_noun_endings() -> frozenset[str]:
    """Return the endings of nouns: classifier or plural with case, and case with particle, each part optional."""
    particles, cases, classifiers, _kin = noun_endings()
    before_case = {classifier + case for classifier in ("", *classifiers) for case in ("", *cases)}
    with_particle = {case + particle for case in ("", *cases) for particle in particles}
    return frozenset(before_case | with_particle) - {""}
