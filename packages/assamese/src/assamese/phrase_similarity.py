"""How alike two phrases are: in old or new spelling, with a word changed or moved, in Roman letters."""

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
SHORT: Final = 12  # consonants up to which a phrase is indexed by runs of three too, having so few of four
WORD_GRAM: Final = 3  # consonants from which on a word alone is a gram
REMEMBERED: Final = 2048  # phrases whose sound is kept at hand: all of a dictionary that has few, and as many queries
REMEMBERED_WORDS: Final = 4096  # words whose sound is kept at hand: phrases share many
MOST_WORDS: Final = 60  # of a phrase are compared one by one
ALIKE_WORDS: Final = 0.6  # below it two words are not the same word
ENOUGH_CONSONANTS: Final = 6  # from which on a part of a phrase is evidence
LEAST_OF_A_PART: Final = 0.8  # what finding a very small part of the phrase can give
SHARE_OF_SOUNDS: Final = 0.6  # the rest is that of the consonants alone, for Roman vowels are written as people like
SOUNDS_THE_SAME: Final = 0.99  # another spelling with the same sounds
SPELLED_THE_SAME: Final = 0.8  # as a whole, what is spelled the same sounds at least so much the same
ROUNDED: Final = 1e-6  # the rounding error of sums of degrees

Scale: TypeAlias = tuple[tuple[float, float], ...]
"""Pairs of degrees, interpolated linearly."""

SAID: Final[Scale] = ((0.0, 0.0), (0.65, 0.65), (0.7, 0.8), (0.85, 0.9), (1.0, 1.0))
"""Degrees and what a person says of them. No two proverbs of different sense share more than 0.57; one word of four
exchanged leaves 0.7 and more."""

FEW_WORDS: Final = 3
SAID_OF_FEW: Final[Scale] = ((0.0, 0.0), (0.65, 0.65), (0.75, 0.8), (0.85, 0.9), (1.0, 1.0))
"""The same for a query of up to three words: with one of them exchanged it is another sentence."""

_SKELETON: Final = str.maketrans("xBNJ", "sbnj", "aeiou")
_BROAD: Final = str.maketrans("xBN", "sbn")


class Heard(NamedTuple):
    """A phrase as it is compared: the sound of each word, of all together, and their consonants."""

    words: tuple[str, ...]
    sound: str
    skeleton: str


def phrase_grams(text: str, language: str) -> frozenset[str]:
    """List the index grams of a phrase: runs of four consonants (of three too if it is short), and whole words.

    Made from the sound key without vowels and without the difference of চ ছ from শ ষ স and of ব from ভ, so that a Roman
    query for an Assamese phrase has the same grams. A phrase of fewer consonants is its own gram.
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
    """Say how alike two phrases are, 0 to 1: 1 is the same loose spelling, 0.8 and more what a person calls the same.

    The best of three views counts: all sounds in order; word by word, for a word moved; the shorter within the longer,
    for one who remembers only the beginning. A similarity below `least` may be returned as 0, which is faster.
    """
    heard, stored = _heard(query, language), _heard(phrase, language)
    if not heard.sound or not stored.sound:
        return 1.0 if _same_spelling(query, phrase, language) else 0.0
    as_a_whole = _as_a_whole(heard, stored)
    # What is spelled the same sounds the same but for where words part: to spell all others takes a third of the time.
    if as_a_whole >= SPELLED_THE_SAME and _same_spelling(query, phrase, language):
        return 1.0
    scale = SAID if len(heard.words) > FEW_WORDS else SAID_OF_FEW
    lowest = _of_view(least, scale)
    view = max(as_a_whole, _word_by_word(heard, stored, lowest), _within(heard, stored, lowest))
    return min(SOUNDS_THE_SAME, _on_scale(view, scale)) if view >= lowest else 0.0


@cache
def _of_view(said: float, scale: Scale) -> float:
    """Return the degree of a view that corresponds to a similarity, less the rounding error."""
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
    """Average the share of each phrase that the other has too, word by word, long words counting more.

    Return 0 below `least`. The shorter phrase is searched first, so that few words are compared if it is not found.
    """
    shorter, longer = (heard, stored) if len(heard.words) <= len(stored.words) else (stored, heard)
    share = _found_in(shorter, longer, 2 * least - 1)
    if share < 2 * least - 1:
        return 0.0
    return (share + _found_in(longer, shorter, 2 * least - share)) / 2


def _found_in(heard: Heard, stored: Heard, least: float) -> float:
    """Return the share of the words of one phrase that the other has, or 0 as soon as it must be below `least`."""
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
    """Find the shorter phrase in the longer; a short one proves less. Return 0 below `least`."""
    shorter, longer = (heard, stored) if _length(heard) <= _length(stored) else (stored, heard)
    enough = sqrt(min(1.0, len(shorter.skeleton) / ENOUGH_CONSONANTS))
    proof = LEAST_OF_A_PART + (1 - LEAST_OF_A_PART) * (len(shorter.sound) / len(longer.sound))
    if enough * proof <= least:
        return 0.0
    cutoff = 100 * sqrt(least / (enough * proof))
    share: float = fuzz.partial_ratio(shorter.sound, longer.sound, score_cutoff=cutoff) / 100
    return share**2 * enough * proof


def _length(phrase: Heard) -> tuple[int, int]:
    """Return how long a phrase is; of two that sound as long, the one with fewer consonants is the shorter."""
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
