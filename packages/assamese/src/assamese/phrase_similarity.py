"""Similarity of phrases, across old and new spelling, Roman letters, and changed or moved words."""

from functools import cache, lru_cache
from itertools import pairwise
from math import sqrt
from typing import Final, NamedTuple, TypeAlias

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel
from rapidfuzz.process import extractOne

from assamese.keys import loose_key, roman_sound, sound_key
from assamese.normalization import words_of

GRAM: Final = 4  # consonants
SHORT: Final = 12  # consonants; shorter phrases are also indexed by runs of three, because they have few of four
WORD_GRAM: Final = 3  # minimum number of consonants of a word that is a gram of its own
REMEMBERED: Final = 2048  # phrases whose sound is cached: all phrases of a small dictionary, and recent queries
REMEMBERED_WORDS: Final = 4096  # words whose sound is cached: phrases share many
MOST_WORDS: Final = 60  # maximum number of words of a phrase that are compared one by one
ALIKE_WORDS: Final = 0.6  # minimum similarity of two words that count as the same
ENOUGH_CONSONANTS: Final = 6  # consonants from which on a part of a phrase is full evidence
LEAST_OF_A_PART: Final = 0.8  # maximum similarity from matching a very small part of the phrase
SHARE_OF_SOUNDS: Final = 0.6  # weight of all sounds; the rest is for consonants alone, since Roman vowels vary
SOUNDS_THE_SAME: Final = 0.99  # similarity of another spelling with the same sounds
SPELLED_THE_SAME: Final = 0.8  # minimum similarity of the sounds of two phrases with the same spelling
ROUNDED: Final = 1e-6  # rounding error of sums of similarities

Scale: TypeAlias = tuple[tuple[float, float], ...]
"""Pairs of values between which a scale is interpolated linearly."""

SAID: Final[Scale] = ((0.0, 0.0), (0.65, 0.65), (0.7, 0.8), (0.85, 0.9), (1.0, 1.0))
"""Computed similarities and the corresponding human judgements. No two proverbs with different senses reach more than
0.57; replacing one word of four leaves 0.7 or more."""

FEW_WORDS: Final = 3
SAID_OF_FEW: Final[Scale] = ((0.0, 0.0), (0.65, 0.65), (0.75, 0.8), (0.85, 0.9), (1.0, 1.0))
"""The scale for queries of up to three words, in which replacing one word makes a different sentence."""

_SKELETON: Final = str.maketrans("xBNJ", "sbnj", "aeiou")
_BROAD: Final = str.maketrans("xBN", "sbn")


class Heard(NamedTuple):
    """The sounds of a phrase for comparison: of each word, of all together, and their consonants."""

    words: tuple[str, ...]
    sound: str
    skeleton: str


def phrase_grams(text: str, language: str) -> frozenset[str]:
    """Return the index grams of a phrase: runs of four consonants (also of three if it is short), and whole words.

    They are computed from the sound key without vowels, with চ ছ merged into শ ষ স and ভ into ব, so that a Roman query
    for an Assamese phrase has the same grams. A phrase with fewer consonants is its own gram.
    """
    heard = _heard(text, language)
    skeleton = heard.skeleton
    grams = _runs(skeleton, GRAM)
    if len(skeleton) <= SHORT:
        grams |= _runs(skeleton, GRAM - 1)
    words = (word.translate(_SKELETON) for word in heard.words)
    grams.update(f"={word}" for word in words if len(word) >= WORD_GRAM)
    return frozenset(grams or {f"={skeleton or heard.sound}"}) - {"="}


def _runs(skeleton: str, length: int) -> set[str]:
    return {skeleton[place : place + length] for place in range(len(skeleton) - length + 1)}


def similarity(query: str, phrase: str, language: str, least: float = 0.0) -> float:
    """Return the similarity of two phrases from 0 to 1: 1 is the same loose spelling, 0.8 or more the same phrase.

    The best of three measures counts: all sounds in order; word by word, for moved words; the shorter phrase within the
    longer, for a partly remembered one. A similarity below `least` may be returned as 0, which is faster.
    """
    heard, stored = _heard(query, language), _heard(phrase, language)
    if not heard.sound or not stored.sound:
        return 1.0 if _same_spelling(query, phrase, language) else 0.0
    as_a_whole = _as_a_whole(heard, stored)
    # Phrases with the same spelling also sound alike: checking the spelling of all others takes a third of the time.
    if as_a_whole >= SPELLED_THE_SAME and _same_spelling(query, phrase, language):
        return 1.0
    scale = SAID if len(heard.words) > FEW_WORDS else SAID_OF_FEW
    lowest = _of_view(least, scale)
    view = max(as_a_whole, _word_by_word(heard, stored, lowest), _within(heard, stored, lowest))
    return min(SOUNDS_THE_SAME, _on_scale(view, scale)) if view >= lowest else 0.0


@cache
def _of_view(said: float, scale: Scale) -> float:
    """Return the measure that corresponds to a similarity on a scale, less the rounding error."""
    return max(0.0, _on_scale(said, tuple((said, degree) for degree, said in scale)) - ROUNDED)


def _on_scale(value: float, scale: Scale) -> float:
    for (low, low_there), (high, high_there) in pairwise(scale):
        if value <= high:
            return low_there + (high_there - low_there) * (value - low) / (high - low)
    return value


def _same_spelling(query: str, phrase: str, language: str) -> bool:
    spelling = _spelling(query, language)
    return spelling != "" and spelling == _spelling(phrase, language)


def _as_a_whole(heard: Heard, stored: Heard) -> float:
    sounds = Indel.normalized_similarity(heard.sound, stored.sound)
    consonants = Indel.normalized_similarity(heard.skeleton, stored.skeleton)
    return SHARE_OF_SOUNDS * sounds + (1 - SHARE_OF_SOUNDS) * consonants


def _word_by_word(heard: Heard, stored: Heard, least: float) -> float:
    """Return the mean share of each phrase that occurs in the other, word by word, weighted by length.

    Returns 0 below `least`. The shorter phrase is searched first, so that few words are compared if it is not found.
    """
    shorter, longer = (heard, stored) if len(heard.words) <= len(stored.words) else (stored, heard)
    share = _found_in(shorter, longer, 2 * least - 1)
    if share < 2 * least - 1:
        return 0.0
    return (share + _found_in(longer, shorter, 2 * least - share)) / 2


def _found_in(heard: Heard, stored: Heard, least: float) -> float:
    """Return the share of the words of one phrase that occur in the other, or 0 if it is below `least`."""
    total = left = len(heard.sound)
    found = 0.0
    for word in heard.words[:MOST_WORDS]:
        best = extractOne(word, stored.words, scorer=Indel.normalized_similarity, score_cutoff=ALIKE_WORDS)
        share: float = best[1] if best else 0.0
        found += share * len(word)
        left -= len(word)
        if found + left < least * total:
            return 0.0
    return found / total


def _within(heard: Heard, stored: Heard, least: float) -> float:
    """Return how well the shorter phrase is found in the longer, or 0 below `least`; a short one counts less."""
    shorter, longer = (heard, stored) if _length(heard) <= _length(stored) else (stored, heard)
    enough = sqrt(min(1.0, len(shorter.skeleton) / ENOUGH_CONSONANTS))
    proof = LEAST_OF_A_PART + (1 - LEAST_OF_A_PART) * (len(shorter.sound) / len(longer.sound))
    if enough * proof <= least:
        return 0.0
    cutoff = 100 * sqrt(least / (enough * proof))
    share: float = fuzz.partial_ratio(shorter.sound, longer.sound, score_cutoff=cutoff) / 100
    return share**2 * enough * proof


def _length(phrase: Heard) -> tuple[int, int]:
    """Return the length of a phrase for comparison: its sounds, then its consonants."""
    return len(phrase.sound), len(phrase.skeleton)


@lru_cache(maxsize=REMEMBERED)
def _spelling(text: str, language: str) -> str:
    return "".join(loose_key(word, language) for word in words_of(text))


@lru_cache(maxsize=REMEMBERED)
def _heard(text: str, language: str) -> Heard:
    words = tuple(filter(None, (_word_sound(word, language) for word in words_of(text))))
    sound = "".join(words)
    return Heard(words, sound, sound.translate(_SKELETON))


@lru_cache(maxsize=REMEMBERED_WORDS)
def _word_sound(word: str, language: str) -> str:
    sound = roman_sound(word) if word.isascii() else sound_key(word, language)
    return sound.translate(_BROAD)
