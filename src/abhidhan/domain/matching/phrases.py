"""Phrases: which of those that share something with a query are worth comparing, and which are alike enough."""

from collections.abc import Mapping, Sequence
from math import log
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz

from abhidhan.domain.indexing import of_meaning, of_sound
from abhidhan.domain.matching.query import LEAST_SHARE, WAYS_TO_READ, sound_keys
from abhidhan.domain.orthography import Orthographies
from abhidhan.domain.phrases import Phrase
from abhidhan.domain.text.normal import exact_key


class StoredPhrase(NamedTuple):
    """A phrase with the sound key that is stored with it."""

    phrase: Phrase
    sound_key: str


POSTINGS: Final = 3_000
"""How many (piece, phrase) pairs one comparison reads at most."""

MOST_KEYS: Final = 64
"""Under so many keys a word of a query may stand: there are 32 ways to read Roman letters."""

PhraseIds: TypeAlias = NDArray[np.int64]
"""IDs of phrases."""

COMPARED: Final = 10
"""How many phrases are compared in full of those that share the most, and as many of those that sound most alike."""

ALIKE_ENOUGH: Final = 0.65
"""From this similarity on a phrase is told; at 0.8 a person would say "the same"."""


def word_keys(word: str, orthographies: Orthographies) -> list[str]:
    """List the keys under which phrases are found that have a word in their text, by its sound, or in their meaning."""
    sounds = {sound for of_one in sound_keys(word, orthographies, WAYS_TO_READ).values() for sound in of_one}
    exact = exact_key(word)
    keys = {of_sound(sound) for sound in sounds if len(sound) * LEAST_SHARE >= len(exact)} | {of_meaning(exact)}
    return sorted(keys)[:MOST_KEYS]


def rarest(counts: Mapping[str, int], limit: int = POSTINGS) -> list[str]:
    """Choose pieces to look up, the rarest first, while they stand in no more than `most` phrases in all.

    The rarest is always chosen, and pieces that stand in no phrase never. Rare pieces cost little, so those of a word
    that is not in the phrase meant leave room for those of its other words.
    """
    known = sorted((count, gram) for gram, count in counts.items() if count)
    chosen = [gram for _, gram in known[:1]]
    left = limit - sum(count for count, _ in known[:1])
    for count, gram in known[1:]:
        if count > left:
            break
        chosen.append(gram)
        left -= count
    return chosen


def sharing_most(postings: Mapping[str, PhraseIds], counts: Mapping[str, int], limit: int = COMPARED) -> list[int]:
    """Choose the phrases that share the most with a query, rare pieces counting more; `postings` are IDs by piece."""
    if not postings:
        return []
    weights = [log(1 + POSTINGS / counts[gram]) for gram in postings]
    lengths = [len(ids) for ids in postings.values()]
    phrases, place = np.unique(np.concatenate([*postings.values()]), return_inverse=True)
    shared = np.bincount(place, np.repeat(weights, lengths))
    # Only those that may be among the first are sorted, which of two thousand are a dozen.
    least = np.partition(shared, -limit)[-limit] if len(shared) > limit else 0.0
    first = np.flatnonzero(shared >= least)
    # Of those that share as much, the one with the lowest ID comes first: `phrases` are in the order of their IDs.
    most = first[np.argsort(-shared[first], kind="stable")][:limit]
    return [int(phrase_id) for phrase_id in phrases[most]]


def worth_comparing(phrases: Sequence[StoredPhrase], sound: str, limit: int = COMPARED) -> list[Phrase]:
    """Choose what to compare in full: the first `most`, and the `most` whose sound key is most like `sound`."""
    by_sound = sorted(phrases, key=lambda each: (-fuzz.ratio(each.sound_key, sound), each.phrase.id))
    chosen = {each.phrase.id: each.phrase for each in (*phrases[:limit], *by_sound[:limit])}
    return list(chosen.values())


def alike_enough(degrees: Mapping[Phrase, float]) -> list[Phrase]:
    """Order phrases by their similarity, the most alike first, and leave out those that are not alike enough."""
    alike = [phrase for phrase, degree in degrees.items() if degree >= ALIKE_ENOUGH]
    return sorted(alike, key=lambda phrase: (-degrees[phrase], phrase.text, phrase.id))
