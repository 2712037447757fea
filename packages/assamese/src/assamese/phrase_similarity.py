"""Similarity of phrases in any spelling or in Roman letters, with changed or moved words."""

from functools import cache, lru_cache
from itertools import pairwise
from math import sqrt
from typing import Final, NamedTuple, TypeAlias

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel
from rapidfuzz.process import extractOne

from assamese.keys import loose_key, roman_sound, sound_key
from assamese.normalization import split_words

GRAM_LENGTH: Final = 4  # consonants
SHORT_PHRASE_CONSONANTS: Final = (
    12  # consonants; shorter phrases are also indexed by runs of three, because they have few of four
)
MIN_WORD_GRAM_LENGTH: Final = 3  # minimum number of consonants of a word that is a gram of its own
PHRASE_CACHE_SIZE: Final = 2048  # phrases whose sound is cached: all phrases of a small dictionary, and recent queries
WORD_CACHE_SIZE: Final = 4096  # words whose sound is cached: phrases share many
MAX_WORDS: Final = 60  # maximum number of words of a phrase that are compared one by one
WORD_SIMILARITY_THRESHOLD: Final = 0.6  # minimum similarity of two words that count as the same
FULL_EVIDENCE_CONSONANTS: Final = 6  # minimum number of consonants of a part of a phrase that counts fully
MAX_SMALL_PART_SIMILARITY: Final = 0.8  # maximum similarity from matching a very small part of the phrase
SOUND_WEIGHT: Final = 0.6  # weight of all sounds; the rest is for consonants alone, since Roman vowels vary
SAME_SOUND_SIMILARITY: Final = 0.99  # similarity of another spelling with the same sounds
SAME_SPELLING_THRESHOLD: Final = 0.8  # minimum similarity of the sounds of two phrases with the same spelling
ROUNDING_ERROR: Final = 1e-6  # rounding error of sums of similarities

Scale: TypeAlias = tuple[tuple[float, float], ...]
"""Pairs of values between which a scale is interpolated linearly."""

JUDGEMENT_SCALE: Final[Scale] = ((0.0, 0.0), (0.65, 0.65), (0.7, 0.8), (0.85, 0.9), (1.0, 1.0))
"""Computed similarities and the corresponding human judgements. No two proverbs with different senses reach more than
0.57; replacing one word of four leaves 0.7 or more."""

SHORT_QUERY_WORDS: Final = 3
SHORT_QUERY_SCALE: Final[Scale] = ((0.0, 0.0), (0.65, 0.65), (0.75, 0.8), (0.85, 0.9), (1.0, 1.0))
"""The scale for queries of up to three words, in which replacing one word makes a different sentence."""

_TO_SKELETON: Final = str.maketrans("xBNJ", "sbnj", "aeiou")
_TO_BROAD_SOUNDS: Final = str.maketrans("xBN", "sbn")


class PhraseSounds(NamedTuple):
    """The sounds of a phrase for comparison: of each word, of all together, and their consonants."""

    words: tuple[str, ...]
    sound: str
    skeleton: str


def phrase_grams(text: str, language: str) -> frozenset[str]:
    """Return the index grams of a phrase: runs of four consonants, also of three if it is short, and whole words.

    They are computed from the sound key without vowels, with চ ছ merged into শ ষ স and ভ into ব, so that a Roman query
    for an Assamese phrase has the same grams. A phrase with fewer consonants is its own gram.
    """
    sounds = _phrase_sounds(text, language)
    skeleton = sounds.skeleton
    grams = _consonant_runs(skeleton, GRAM_LENGTH)
    if len(skeleton) <= SHORT_PHRASE_CONSONANTS:
        grams |= _consonant_runs(skeleton, GRAM_LENGTH - 1)
    words = (word.translate(_TO_SKELETON) for word in sounds.words)
    grams.update(f"={word}" for word in words if len(word) >= MIN_WORD_GRAM_LENGTH)
    return frozenset(grams or {f"={skeleton or sounds.sound}"}) - {"="}


def _consonant_runs(skeleton: str, length: int) -> set[str]:
    return {skeleton[start : start + length] for start in range(len(skeleton) - length + 1)}


def similarity(query: str, phrase: str, language: str, threshold: float = 0.0) -> float:
    """Return the similarity of two phrases from 0 to 1: 1 is the same loose spelling, 0.8 or more the same phrase.

    The best of three measures counts: all sounds in order; word by word, for moved words; the shorter phrase within the
    longer, for a partly remembered one. A similarity below `threshold` may be returned as 0, which is faster.
    """
    typed, stored = _phrase_sounds(query, language), _phrase_sounds(phrase, language)
    if not typed.sound or not stored.sound:
        return 1.0 if _has_same_spelling(query, phrase, language) else 0.0
    whole = _whole_similarity(typed, stored)
    # Phrases with the same spelling also sound alike: checking the spelling of all others takes a third of the time.
    if whole >= SAME_SPELLING_THRESHOLD and _has_same_spelling(query, phrase, language):
        return 1.0
    scale = JUDGEMENT_SCALE if len(typed.words) > SHORT_QUERY_WORDS else SHORT_QUERY_SCALE
    lowest = _inverse_scale(threshold, scale)
    best = max(whole, _word_similarity(typed, stored, lowest), _partial_similarity(typed, stored, lowest))
    return min(SAME_SOUND_SIMILARITY, _interpolate(best, scale)) if best >= lowest else 0.0


@cache
def _inverse_scale(judged: float, scale: Scale) -> float:
    """Return the computed similarity that corresponds to a judgement on a scale, less the rounding error."""
    return max(0.0, _interpolate(judged, tuple((judged, degree) for degree, judged in scale)) - ROUNDING_ERROR)


def _interpolate(value: float, scale: Scale) -> float:
    for (low, low_there), (high, high_there) in pairwise(scale):
        if value <= high:
            return low_there + (high_there - low_there) * (value - low) / (high - low)
    return value


def _has_same_spelling(query: str, phrase: str, language: str) -> bool:
    spelling = _loose_spelling(query, language)
    return spelling != "" and spelling == _loose_spelling(phrase, language)


def _whole_similarity(typed: PhraseSounds, stored: PhraseSounds) -> float:
    sounds = Indel.normalized_similarity(typed.sound, stored.sound)
    consonants = Indel.normalized_similarity(typed.skeleton, stored.skeleton)
    return SOUND_WEIGHT * sounds + (1 - SOUND_WEIGHT) * consonants


def _word_similarity(typed: PhraseSounds, stored: PhraseSounds, threshold: float) -> float:
    """Return the mean of the shares of each phrase whose words occur in the other, weighted by length.

    Returns 0 below `threshold`. The words of the shorter phrase are compared first, since there are fewer.
    """
    shorter, longer = (typed, stored) if len(typed.words) <= len(stored.words) else (stored, typed)
    share = _shared_word_ratio(shorter, longer, 2 * threshold - 1)
    if share < 2 * threshold - 1:
        return 0.0
    return (share + _shared_word_ratio(longer, shorter, 2 * threshold - share)) / 2


def _shared_word_ratio(typed: PhraseSounds, stored: PhraseSounds, threshold: float) -> float:
    """Return the share of the words of one phrase that occur in the other, or 0 if it is below `threshold`."""
    total = remaining = len(typed.sound)
    matched = 0.0
    for word in typed.words[:MAX_WORDS]:
        best = extractOne(
            word, stored.words, scorer=Indel.normalized_similarity, score_cutoff=WORD_SIMILARITY_THRESHOLD
        )
        share: float = best[1] if best else 0.0
        matched += share * len(word)
        remaining -= len(word)
        if matched + remaining < threshold * total:
            return 0.0
    return matched / total


def _partial_similarity(typed: PhraseSounds, stored: PhraseSounds, threshold: float) -> float:
    """Return the similarity of the shorter phrase to a part of the longer, less if it is short; 0 below `threshold`."""
    shorter, longer = (typed, stored) if _length(typed) <= _length(stored) else (stored, typed)
    evidence = sqrt(min(1.0, len(shorter.skeleton) / FULL_EVIDENCE_CONSONANTS))
    coverage = MAX_SMALL_PART_SIMILARITY + (1 - MAX_SMALL_PART_SIMILARITY) * (len(shorter.sound) / len(longer.sound))
    if evidence * coverage <= threshold:
        return 0.0
    cutoff = 100 * sqrt(threshold / (evidence * coverage))
    share: float = fuzz.partial_ratio(shorter.sound, longer.sound, score_cutoff=cutoff) / 100
    return share**2 * evidence * coverage


def _length(phrase: PhraseSounds) -> tuple[int, int]:
    """Return the length of a phrase for comparison: its sounds, then its consonants."""
    return len(phrase.sound), len(phrase.skeleton)


@lru_cache(maxsize=PHRASE_CACHE_SIZE)
def _loose_spelling(text: str, language: str) -> str:
    return "".join(loose_key(word, language) for word in split_words(text))


@lru_cache(maxsize=PHRASE_CACHE_SIZE)
def _phrase_sounds(text: str, language: str) -> PhraseSounds:
    words = tuple(filter(None, (_word_sound(word, language) for word in split_words(text))))
    sound = "".join(words)
    return PhraseSounds(words, sound, sound.translate(_TO_SKELETON))


@lru_cache(maxsize=WORD_CACHE_SIZE)
def _word_sound(word: str, language: str) -> str:
    sound = roman_sound(word) if word.isascii() else sound_key(word, language)
    return sound.translate(_TO_BROAD_SOUNDS)
