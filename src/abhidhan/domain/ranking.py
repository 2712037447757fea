"""Ranking: which candidates are near enough to what was asked, and in which order they are answered."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from math import log
from sys import maxsize
from typing import Final, NamedTuple

import msgspec
from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from abhidhan.domain import lookup
from abhidhan.domain.languages import ALL_LANGUAGES, ASSAMESE
from abhidhan.domain.orthography import ByOrthography, Orthographies
from abhidhan.domain.phrases import Phrase
from abhidhan.domain.text.closeness import distance, distance_of_beginning
from abhidhan.domain.text.keys import exact_key, roman_sound_keys
from abhidhan.domain.text.normal import Script, script_of
from abhidhan.domain.words import Suggestion, Word

MOST_CHARACTERS: Final = 200
"""Longer text is nobody's word: only so much of it is looked at."""

SLIPS: Final = ((6, 1.0), (maxsize, 2.0))
"""Below so many letters a spelling may have so many slips and still be the word that was meant."""

SLIPS_IN_SOUND: Final = ((5, 0.0), (9, 1.0), (maxsize, 2.0))
"""The same for sound keys, which have no inherent vowels: four of their letters may be a whole other word."""

SURE_START_BELOW: Final = 3
"""A word of fewer letters must begin as the query does: with one slip it could be any other."""

HEARD: Final = 0.5
"""How far a word that only sounds like the query stands behind one that is spelled like it, in slips."""

OTHER_START: Final = 0.5
"""What another first letter costs beside the slip itself: people rarely miss the first."""

LEAST_SHARE: Final = 3
"""A key must have the third part of the letters that it is made from: `k`, of `qqqq`, begins half the dictionary."""

FAR: Final = float("inf")

TYPED_FREELY: Final = 0.8
TYPED_FREELY_A_LETTER: Final = 0.05
"""So far, and for each letter typed so much farther, a word may be from the Roman letters typed for it."""

BEGUN_FREELY: Final = 0.25
"""The same for the beginning of what was typed, as a form of the word."""

MIXED_UP: Final = 0.75
"""Up to so far a word, however short, is one that may have been meant."""

FOREIGN: Final = 0.5
"""How far a word of another language stands behind an Assamese one that is as close, in letters."""

COMPARED_LETTER_BY_LETTER: Final = 60
"""So many words, those with the fewest slips, are put in order by what exactly was typed."""


class SearchMatch(StrEnum):
    """How a search found a word, best first."""

    EXACT = "exact"
    LOOSE = "loose"
    INFLECTED = "inflected"
    PHONETIC = "phonetic"
    PREFIX = "prefix"
    FUZZY = "fuzzy"
    DEFINITION = "definition"


SCORES: Final[Mapping[SearchMatch, tuple[float, float]]] = {
    SearchMatch.EXACT: (0.95, 1.0),
    SearchMatch.LOOSE: (0.87, 0.94),
    SearchMatch.INFLECTED: (0.81, 0.86),
    SearchMatch.PHONETIC: (0.75, 0.8),
    SearchMatch.PREFIX: (0.55, 0.74),
    SearchMatch.FUZZY: (0.35, 0.54),
    SearchMatch.DEFINITION: (0.15, 0.34),
}
"""The scores of each class, from its least close word to its closest."""


class FoundWord(Word, frozen=True):
    """A word that a search found: WORD, how it was found, and a score from 0 to 1."""

    match: SearchMatch
    score: float


class Asked(msgspec.Struct, frozen=True):
    """What is asked for, as the keys that it may stand under, by the language that folds its letters so.

    `roman` are the sound keys that it has as a Roman spelling of an Indic word, likeliest first.
    """

    text: str
    exact: str
    loose: ByOrthography[str]
    sounds: ByOrthography[frozenset[str]]
    roman: tuple[str, ...]

    def loose_keys(self) -> tuple[str, ...]:
        """List the loose keys, each once."""
        return tuple(sorted({key for key in self.loose.values() if key}))

    def sound_keys(self) -> tuple[str, ...]:
        """List the sound keys, each once."""
        return tuple(sorted({key for keys in self.sounds.values() for key in keys if key}))

    def beginnings(self, keys: Iterable[str]) -> tuple[str, ...]:
        """Choose the keys that say enough to look for words that begin with them."""
        return tuple(key for key in keys if len(key) * LEAST_SHARE >= len(self.exact))


class Candidate(NamedTuple):
    """A word that may be near, with the keys that tell how near it is."""

    word_id: int
    language_id: int
    text: str
    loose_key: str
    sound_key: str


class Near(NamedTuple):
    """A word that is near enough: by how many slips, and what another first letter adds to its distance."""

    candidate: Candidate
    slips: float
    other_start: float


class Completion(NamedTuple):
    """A word one of whose keys begins with what was typed; `lag` puts one way of finding behind another, in letters."""

    word_id: int
    language_id: int
    text: str
    key: str
    typed: str
    lag: float


def clean(text: str, most: int = MOST_CHARACTERS) -> str:
    """Leave out what no database can hold (lone surrogates, NUL), and all beyond `most` characters."""
    return text[:most].encode("utf-8", "ignore").decode().replace("\0", "")


def ask(text: str, orthographies: Orthographies) -> Asked:
    """Make the keys of a query under each way of writing."""
    cleaned = clean(text)
    return Asked(
        text=cleaned,
        exact=exact_key(cleaned),
        loose=lookup.loose_keys(cleaned, orthographies),
        sounds=lookup.sound_keys(cleaned, orthographies),
        roman=roman_sound_keys(cleaned),
    )


def score(match: SearchMatch, closeness: float) -> float:
    """Place a word found in a class, and so close there (0 to 1), on the scale of all classes."""
    low, high = SCORES[match]
    return round(low + (high - low) * min(max(closeness, 0.0), 1.0), 4)


def likeness(one: str, other: str) -> float:
    """Tell how alike two spellings are, from 0 to 1."""
    return OSA.normalized_similarity(one, other)


def how_far(asked: str, text: str, language_id: int) -> float:
    """Tell how far a word is from what was typed, in letters; Assamese words, which most people mean, stand nearer."""
    return distance(asked, text) + (0.0 if language_id == ASSAMESE else FOREIGN)


def may_be_typed_for(asked: str, text: str) -> bool:
    """Say whether a word that shares a sound key with Roman letters is one that a person may have typed so.

    A sound key leaves out inherent vowels, so that very different words may share one.
    """
    if script_of(asked) is not Script.LATIN or script_of(text) is Script.LATIN:
        return True
    return distance(asked, text) <= TYPED_FREELY + TYPED_FREELY_A_LETTER * len(asked)


def may_begin_as(asked: str, text: str) -> bool:
    """Say whether Roman letters may be a form of a word: whether they begin as people type it."""
    if script_of(asked) is not Script.LATIN or script_of(text) is Script.LATIN:
        return True
    return distance_of_beginning(asked, text) <= BEGUN_FREELY


def nearest(asked: Asked, candidates: Iterable[Candidate], language_id: int = ALL_LANGUAGES) -> list[Near]:
    """Order the candidates that are near enough, nearest first.

    Words of the language asked for stand before all others. Then: what a person who typed this may have meant, by
    likely confusions of letters; a spelling more alike, the language's ID, the order of code points.
    """
    found = (near for candidate in candidates if (near := _near(asked, candidate)) is not None)
    fewest = sorted(found, key=lambda near: (_is_foreign(near, language_id), near.slips, near.candidate.text))

    def order(near: Near) -> tuple[bool, float, float, int, str]:
        _, language, text, loose_key, _ = near.candidate
        far = how_far(asked.text, text, language) + near.other_start
        unlike = -likeness(asked.loose.of(language, asked.exact), loose_key)
        return (_is_foreign(near, language_id), far, unlike, language, text)

    first = sorted(fewest[:COMPARED_LETTER_BY_LETTER], key=order)
    return [*first, *fewest[COMPARED_LETTER_BY_LETTER:]]


def _is_foreign(near: Near, language_id: int) -> bool:
    return language_id not in {ALL_LANGUAGES, near.candidate.language_id}


def suggestions(nears: Iterable[Near], most: int) -> tuple[Suggestion, ...]:
    """Show the first of the near words as answers do, each spelling once."""
    once: dict[str, Candidate] = {}
    for near in nears:
        once.setdefault(near.candidate.text, near.candidate)
    return tuple(Suggestion(word.text, word.language_id, word.word_id) for word in list(once.values())[:most])


def one_slip_away(key: str, letters: str) -> frozenset[str]:
    """List the keys that are one letter more, less or other than `key`, or have two neighbours exchanged."""
    cuts = [(key[:place], key[place:]) for place in range(len(key) + 1)]
    fewer = {start + end[1:] for start, end in cuts if end}
    exchanged = {start + end[1] + end[0] + end[2:] for start, end in cuts if len(end) > 1}
    more = {start + letter + end for start, end in cuts for letter in letters}
    other = {start + letter + end[1:] for start, end in cuts if end for letter in letters}
    return frozenset(fewer | exchanged | more | other) - {"", key}


def by_letters_to_type(completions: Iterable[Completion]) -> list[Completion]:
    """Order words that begin with what was typed: first those with the fewest letters still to type, then Assamese."""

    def place(each: Completion) -> tuple[float, bool, int, int, str]:
        return letters_to_type(each), each.language_id != ASSAMESE, len(each.text), each.language_id, each.text

    return sorted(completions, key=place)


def letters_to_type(completion: Completion) -> float:
    """Tell how far a completion is from what was typed, in letters."""
    return len(completion.key) - len(completion.typed) + completion.lag


def _near(asked: Asked, candidate: Candidate) -> Near | None:
    loose = asked.loose.of(candidate.language_id, asked.exact)
    sounds = asked.sounds.of(candidate.language_id, frozenset())
    same_start = loose[:1] == candidate.loose_key[:1] or any(key[:1] == candidate.sound_key[:1] for key in sounds)
    if not same_start and len(loose) < SURE_START_BELOW:
        return None
    slips = min(_spelled(loose, candidate.loose_key), _heard(sounds, candidate.sound_key) + HEARD)
    if slips == FAR and _is_a_confusion(asked, sounds, candidate):
        slips = 1 + HEARD
    if slips == FAR:
        return None
    other_start = 0.0 if same_start else OTHER_START
    slips += other_start
    return Near(candidate, slips, other_start)


def _is_a_confusion(asked: Asked, sounds: Iterable[str], candidate: Candidate) -> bool:
    """Say whether a word with at most one other sound is one that people mix up with what was typed."""
    nearly = any(OSA.distance(sound, candidate.sound_key, score_cutoff=1) <= 1 for sound in sounds)
    return nearly and distance(asked.text, candidate.text, MIXED_UP + 0.01) <= MIXED_UP


def _spelled(asked: str, key: str) -> float:
    return _slips(asked, key, _allowed(SLIPS, min(len(asked), len(key))))


def _heard(asked: Iterable[str], key: str) -> float:
    return min((_slips(each, key, _allowed(SLIPS_IN_SOUND, min(len(each), len(key)))) for each in asked), default=FAR)


def _allowed(table: Sequence[tuple[int, float]], letters: int) -> float:
    return next(slips for below, slips in table if letters < below)


def _slips(one: str, other: str, allowed: float) -> float:
    distance = OSA.distance(one, other, score_cutoff=int(allowed))
    return distance if distance <= allowed else FAR


# --- phrases --------------------------------------------------------------------------------------------------------


class StoredPhrase(NamedTuple):
    """A phrase with the sound key that is stored with it."""

    phrase: Phrase
    sound_key: str


POSTINGS: Final = 3_000
"""How many (piece, phrase) pairs one comparison reads at most."""

COMPARED: Final = 10
"""How many phrases are compared in full of those that share the most, and as many of those that sound most alike."""

ALIKE_ENOUGH: Final = 0.65
"""From this similarity on a phrase is told; at 0.8 a person would say "the same"."""


def rarest(counts: Mapping[str, int], most: int = POSTINGS) -> list[str]:
    """Choose pieces to look up, the rarest first, while they stand in no more than `most` phrases in all.

    The rarest is always chosen, and pieces that stand in no phrase never. Rare pieces cost little, so those of a word
    that is not in the phrase meant leave room for those of its other words.
    """
    known = sorted((count, gram) for gram, count in counts.items() if count)
    chosen = [gram for _, gram in known[:1]]
    left = most - sum(count for count, _ in known[:1])
    for count, gram in known[1:]:
        if count > left:
            break
        chosen.append(gram)
        left -= count
    return chosen


def sharing_most(postings: Iterable[tuple[str, int]], counts: Mapping[str, int], most: int = COMPARED) -> list[int]:
    """Choose the phrases that share the most with a query, rare pieces counting more; `postings` are (piece, ID)."""
    weights = {gram: log(1 + POSTINGS / count) for gram, count in counts.items() if count}
    shared: dict[int, float] = defaultdict(float)
    for gram, phrase_id in postings:
        shared[phrase_id] += weights[gram]
    return sorted(shared, key=lambda phrase_id: (-shared[phrase_id], phrase_id))[:most]


def worth_comparing(phrases: Sequence[StoredPhrase], sound: str, most: int = COMPARED) -> list[Phrase]:
    """Choose what to compare in full: the first `most`, and the `most` whose sound key is most like `sound`."""
    by_sound = sorted(phrases, key=lambda each: (-fuzz.ratio(each.sound_key, sound), each.phrase.id))
    chosen = {each.phrase.id: each.phrase for each in (*phrases[:most], *by_sound[:most])}
    return list(chosen.values())


def alike_enough(degrees: Mapping[Phrase, float]) -> list[Phrase]:
    """Order phrases by their similarity, the most alike first, and leave out those that are not alike enough."""
    alike = [phrase for phrase, degree in degrees.items() if degree >= ALIKE_ENOUGH]
    return sorted(alike, key=lambda phrase: (-degrees[phrase], phrase.text, phrase.id))
