"""Phrases: proverbs and idioms (fokora-jojona), and which of them are alike enough to a query."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log
from typing import Final, NamedTuple, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz

from abhidhan.dictionary.model.query import LEAST_SHARE, WAYS_TO_READ, sound_keys
from abhidhan.records.local_texts import LocalText, main_text
from abhidhan.records.lookup_lists import Named
from abhidhan.records.orthography import Orthographies
from abhidhan.records.recordings import Audio
from assamese.normalization import exact_key
from assamese.search_keys import of_meaning, of_sound


class Phrase(msgspec.Struct, frozen=True):
    """A proverb or idiom as it is stored. `licence` is that under which somebody has given it, if it was stated."""

    id: int
    language_id: int
    text: str
    roman: str | None
    roman_generated: bool
    meanings: tuple[LocalText, ...]
    category_id: int | None
    licence: str | None = None
    source_id: int | None = None
    audio: Sequence[Audio] = ()

    @property
    def meaning(self) -> str | None:
        """Its meaning in English, or else in the first language that has one."""
        return main_text(self.meanings)


class WordOfPhrase(msgspec.Struct, frozen=True):
    """A word of the dictionary that stands in a phrase, maybe as another form, and the IDs of its ideas."""

    id: int
    word: str
    idea_ids: tuple[int, ...]


class PhraseWord(msgspec.Struct, frozen=True):
    """A word as it stands in a phrase, and the words of the dictionary that it is or may be a form of."""

    text: str
    entries: tuple[WordOfPhrase, ...]


class ListedPhrase(msgspec.Struct, frozen=True):
    """A phrase with its words.

    `meaning` is that in English, or else the first of `meanings`. `roman_generated` says that `roman` is made by rule.
    """

    id: int
    phrase: str
    roman: str | None
    roman_generated: bool
    language_id: int
    meaning: str | None
    meanings: tuple[LocalText, ...]
    category: Named | None
    words: tuple[PhraseWord, ...]
    licence: str | None = None
    audio: Sequence[Audio] = ()


class SimilarPhrase(msgspec.Struct, frozen=True):
    """A phrase found for a query: `similarity` from 0 to 1, `exact` when the exact keys are the same.

    `meaning` is that in English, or else the first of `meanings`. `roman_generated` says that `roman` is made by rule.
    """

    id: int
    phrase: str
    roman: str | None
    roman_generated: bool
    language_id: int
    meaning: str | None
    meanings: tuple[LocalText, ...]
    category: Named | None
    similarity: float
    exact: bool
    licence: str | None = None
    audio: Sequence[Audio] = ()


class PhraseSound(NamedTuple):
    """The fields of a phrase that are compared with a query: ID, text and stored sound key."""

    id: int
    text: str
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
    sounds = {sound for of_one in sound_keys(word, orthographies, WAYS_TO_READ).values.values() for sound in of_one}
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
    weights = [_weight(counts[gram]) for gram in postings]
    lengths = [len(ids) for ids in postings.values()]
    phrases, place = np.unique(np.concatenate([*postings.values()]), return_inverse=True)
    shared = np.bincount(place, np.repeat(weights, lengths))
    # Only those that may be among the first are sorted, which of two thousand are a dozen.
    least = np.partition(shared, -limit)[-limit] if len(shared) > limit else 0.0
    first = np.flatnonzero(shared >= least)
    # Of those that share as much, the one with the lowest ID comes first: `phrases` are in the order of their IDs.
    most = first[np.argsort(-shared[first], kind="stable")][:limit]
    return [int(phrase_id) for phrase_id in phrases[most]]


def _weight(count: int) -> float:
    return log(1 + POSTINGS / count)


class PhraseIndex:
    """An in-memory index of the phrases of one language, equivalent to the stored pieces."""

    def __init__(self, phrases: Iterable[tuple[PhraseSound, str, Iterable[str]]]) -> None:
        """Index phrases, each with its exact key and its pieces."""
        self._by_id: dict[int, PhraseSound] = {}
        self._by_exact_key: defaultdict[str, list[int]] = defaultdict(list)
        self._by_gram: defaultdict[str, list[int]] = defaultdict(list)
        for one, exact, grams in phrases:
            self._by_id[one.id] = one
            self._by_exact_key[exact].append(one.id)
            for gram in grams:
                self._by_gram[gram].append(one.id)

    def choose(self, exact: str, grams: Iterable[str], limit: int = COMPARED) -> list[PhraseSound]:
        """Return the phrases with an exact key, then those that share the most pieces (see `sharing_most`)."""
        counts = {gram: len(self._by_gram[gram]) for gram in grams if gram in self._by_gram}
        shared: defaultdict[int, float] = defaultdict(float)
        for gram in sorted(rarest(counts)):
            weight = _weight(counts[gram])
            for phrase_id in self._by_gram[gram]:
                shared[phrase_id] += weight
        # Equal shares are ordered by ID, as in `sharing_most`.
        most = sorted(sorted(shared), key=shared.__getitem__, reverse=True)[:limit]
        return [self._by_id[phrase_id] for phrase_id in dict.fromkeys((*self._by_exact_key.get(exact, ()), *most))]


def worth_comparing(
    phrases: Sequence[PhraseSound], sound: Callable[[], str], limit: int = COMPARED
) -> list[PhraseSound]:
    """Choose what to compare in full: the first `limit`, and the `limit` whose sound key is most like `sound`."""
    if len(phrases) <= limit:
        return [*phrases]
    heard = sound()
    by_sound = sorted(phrases, key=lambda each: (-fuzz.ratio(each.sound_key, heard), each.id))
    return [*dict.fromkeys((*phrases[:limit], *by_sound[:limit]))]


def alike_enough(degrees: Mapping[PhraseSound, float]) -> list[PhraseSound]:
    """Order phrases by their similarity, the most alike first, and leave out those that are not alike enough."""
    alike = [phrase for phrase, degree in degrees.items() if degree >= ALIKE_ENOUGH]
    return sorted(alike, key=lambda phrase: (-degrees[phrase], phrase.text, phrase.id))
