"""Phrases (proverbs and idioms, fokora-jojona), and their similarity to a query."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log
from typing import Final, NamedTuple, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz

from abhidhan.dictionary.model.query import MAX_LETTERS_PER_KEY_LETTER, MAX_ROMAN_READINGS, make_sound_keys
from abhidhan.records.local_texts import LocalText, main_text
from abhidhan.records.lookup_lists import Named
from abhidhan.records.orthography import Orthographies
from abhidhan.records.recordings import Audio
from assamese.normalization import exact_key
from assamese.search_keys import build_meaning_index_key, build_sound_index_key


class Phrase(msgspec.Struct, frozen=True):
    """Stored proverb or idiom. `licence` is that of the contribution, if stated."""

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
        """The meaning in English, or else in the first language that has one."""
        return main_text(self.meanings)


class WordOfPhrase(msgspec.Struct, frozen=True):
    """Headword that occurs in a phrase, maybe as an inflected form, with the IDs of its ideas."""

    id: int
    word: str
    idea_ids: tuple[int, ...]


class PhraseWord(msgspec.Struct, frozen=True):
    """Word of a phrase, with the headwords that it is or may be a form of."""

    text: str
    entries: tuple[WordOfPhrase, ...]


class ListedPhrase(msgspec.Struct, frozen=True):
    """Phrase with its words.

    `meaning` is that in English, or else the first of `meanings`. `roman_generated` indicates that `roman` is generated
    by rule.
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
    """Phrase found for a query: `similarity` is from 0 to 1, `exact` is true for equal exact keys.

    `meaning` is that in English, or else the first of `meanings`. `roman_generated` indicates that `roman` is generated
    by rule.
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


class PhraseCandidate(NamedTuple):
    """Fields of a phrase that are compared with a query: ID, text and stored sound key."""

    id: int
    text: str
    sound_key: str


MAX_POSTINGS: Final = 3_000
"""Maximum number of (n-gram, phrase) pairs that one comparison reads."""

MAX_KEYS_PER_WORD: Final = 64
"""Maximum number of keys for a word of a query; Roman letters have up to 32 readings."""

PhraseIds: TypeAlias = NDArray[np.int64]
"""Array of phrase IDs."""

MAX_COMPARED_PHRASES: Final = 10
"""Number of phrases compared in full that share the most n-grams; as many with the most similar sound are added."""

MIN_SIMILARITY: Final = 0.65
"""Minimum similarity of a result; at 0.8 or more, a reader would call two phrases the same."""


def list_phrase_keys(word: str, orthographies: Orthographies) -> list[str]:
    """List the index keys of phrases with a word: those of its sound (for texts) and its spelling (for meanings)."""
    sounds = {
        sound
        for sounds_of_key in make_sound_keys(word, orthographies, MAX_ROMAN_READINGS).values.values()
        for sound in sounds_of_key
    }
    exact = exact_key(word)
    keys = {
        build_sound_index_key(sound) for sound in sounds if len(sound) * MAX_LETTERS_PER_KEY_LETTER >= len(exact)
    } | {build_meaning_index_key(exact)}
    return sorted(keys)[:MAX_KEYS_PER_WORD]


def choose_rare_grams(counts: Mapping[str, int], limit: int = MAX_POSTINGS) -> list[str]:
    """Choose n-grams to look up, rarest first, as long as they occur in no more than `limit` phrases in total.

    The rarest n-gram is always chosen; n-grams that occur in no phrase never are. The rare n-grams of an unmatched word
    have few phrases, and so leave room for the n-grams of other words.
    """
    by_count = sorted((count, gram) for gram, count in counts.items() if count)
    chosen = [gram for _, gram in by_count[:1]]
    remaining = limit - sum(count for count, _ in by_count[:1])
    for count, gram in by_count[1:]:
        if count > remaining:
            break
        chosen.append(gram)
        remaining -= count
    return chosen


def rank_by_shared_grams(
    postings: Mapping[str, PhraseIds], counts: Mapping[str, int], limit: int = MAX_COMPARED_PHRASES
) -> list[int]:
    """Return the phrases that share the most n-grams with a query, weighted by rarity; `postings` are IDs by n-gram."""
    if not postings:
        return []
    weights = [_gram_weight(counts[gram]) for gram in postings]
    lengths = [len(ids) for ids in postings.values()]
    phrases, positions = np.unique(np.concatenate([*postings.values()]), return_inverse=True)
    shared = np.bincount(positions, np.repeat(weights, lengths))
    # Only candidates for the first places are sorted: a dozen of two thousand.
    threshold = np.partition(shared, -limit)[-limit] if len(shared) > limit else 0.0
    first = np.flatnonzero(shared >= threshold)
    # Ties are ordered by ID, as `phrases` is sorted.
    top = first[np.argsort(-shared[first], kind="stable")][:limit]
    return [int(phrase_id) for phrase_id in phrases[top]]


def _gram_weight(count: int) -> float:
    return log(1 + MAX_POSTINGS / count)


class PhraseIndex:
    """In-memory index of the phrases of one language, equivalent to the stored n-grams."""

    def __init__(self, phrases: Iterable[tuple[PhraseCandidate, str, Iterable[str]]]) -> None:
        """Index phrases, each with its exact key and its n-grams."""
        self._by_id: dict[int, PhraseCandidate] = {}
        self._by_exact_key: defaultdict[str, list[int]] = defaultdict(list)
        self._by_gram: defaultdict[str, list[int]] = defaultdict(list)
        for phrase, exact, grams in phrases:
            self._by_id[phrase.id] = phrase
            self._by_exact_key[exact].append(phrase.id)
            for gram in grams:
                self._by_gram[gram].append(phrase.id)

    def find_candidates(self, exact: str, grams: Iterable[str]) -> list[PhraseCandidate]:
        """Return the phrases with an exact key, then those that share the most n-grams (see `rank_by_shared_grams`)."""
        counts = {gram: len(self._by_gram[gram]) for gram in grams if gram in self._by_gram}
        shared: defaultdict[int, float] = defaultdict(float)
        for gram in sorted(choose_rare_grams(counts)):
            weight = _gram_weight(counts[gram])
            for phrase_id in self._by_gram[gram]:
                shared[phrase_id] += weight
        # Ties are ordered by ID, as in `rank_by_shared_grams`.
        top = sorted(sorted(shared), key=shared.__getitem__, reverse=True)[:MAX_COMPARED_PHRASES]
        return [self._by_id[phrase_id] for phrase_id in dict.fromkeys((*self._by_exact_key.get(exact, ()), *top))]


def shortlist(
    phrases: Sequence[PhraseCandidate], get_sound_key: Callable[[], str], limit: int = MAX_COMPARED_PHRASES
) -> list[PhraseCandidate]:
    """Return the phrases to compare in full: the first `limit`, and the `limit` with the most similar sound key."""
    if len(phrases) <= limit:
        return [*phrases]
    sound_key = get_sound_key()
    by_sound = sorted(phrases, key=lambda phrase: (-fuzz.ratio(phrase.sound_key, sound_key), phrase.id))
    return [*dict.fromkeys((*phrases[:limit], *by_sound[:limit]))]


def sort_by_similarity(similarities: Mapping[PhraseCandidate, float]) -> list[PhraseCandidate]:
    """Sort phrases by similarity, highest first, and drop those below `MIN_SIMILARITY`."""
    results = [phrase for phrase, degree in similarities.items() if degree >= MIN_SIMILARITY]
    return sorted(results, key=lambda phrase: (-similarities[phrase], phrase.text, phrase.id))
