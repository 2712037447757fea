"""Transliteration of passages between Assamese and Roman letters, choosing among the readings of each word."""

import re
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache

import msgspec

from assamese.joint_ngram import Hypothesis
from assamese.keys import loose_key
from assamese.normalization import Script, detect_script, nfc
from assamese.reading_choice import ScoredReading, choose_readings
from assamese.roman_candidates import propose_spellings
from assamese.romanize import Scheme, read_roman, romanize
from assamese.transliteration_model import default_transliterator, normalize_assamese

MAX_TO_ROMAN_LENGTH = 5_000
MAX_TO_ASSAMESE_LENGTH = 500
"""Maximum length of a text in characters; lower to Assamese, which needs a search for each word."""

MAX_ALTERNATIVES = 5

FORM_WEIGHT = 1.5
"""The weight of an inflected form of a word in the dictionary, relative to 1 for the word itself.

Newspapers also have কৰো for the correct কৰোঁ, which only the inflection table of কৰা can decide.
"""

MAX_MODEL_WORDS = 60
"""Maximum number of different words that the model romanizes (9 ms each); a text with more is romanized by rule."""

WORD_CACHE_SIZE = 1_024
"""Number of words whose readings are cached (7 kB each), since clients send the same words while a user types."""

_ROMAN_WORD = re.compile(r"[^\W\d_]+(?:[.'’ʼ`~]+[^\W\d_]+)*['’ʼ`~]*")
"""A word in Roman letters; dots separate syllables, and quotes and tildes belong to Xobdo's scheme."""

UNSCORED_STEP = 1.0
"""Log probability step (nats) between consecutive readings that the model does not score."""

_ASSAMESE_WORD = re.compile("[\u0980-\u09e3\u09f0\u09f1\u200c\u200d]+(?:['’‘ʼ][\u0980-\u09e3\u09f0\u09f1]+)*")

_LACKS_APOSTROPHE = re.compile("^(ন?[ক-হৰৱ])(?=[বলমৰ])")
"""The start of words that may have an apostrophe, which the model lacks: ক’ব, নহ’ল, ল’ৰাটো."""

_WORD = re.compile(f"{_ASSAMESE_WORD.pattern}|{_ROMAN_WORD.pattern}")


class Direction(StrEnum):
    """The direction of a transliteration."""

    TO_ROMAN = "assamese-to-roman"
    TO_ASSAMESE = "roman-to-assamese"


class Alternatives(msgspec.Struct, frozen=True):
    """A word in Roman letters, and the other possible readings in Assamese."""

    word: str
    candidates: tuple[str, ...]


class Transliteration(msgspec.Struct, frozen=True):
    """A text and its transliteration."""

    input: str
    output: str
    direction: Direction
    scheme: Scheme
    alternatives: tuple[Alternatives, ...]


def detect_direction(text: str) -> Direction:
    """Return the direction for a text: to Assamese if most of its letters are Latin, else to Roman letters."""
    return Direction.TO_ASSAMESE if detect_script(text) is Script.LATIN else Direction.TO_ROMAN


def to_roman(text: str, scheme: Scheme) -> Transliteration:
    """Romanize an Assamese text; other scripts and punctuation are unchanged."""
    written = _romanize_informally(nfc(text)) if scheme is Scheme.PLAIN else text
    return Transliteration(text, romanize(written, scheme), Direction.TO_ROMAN, scheme, ())


def _romanize_informally(text: str) -> str:
    """Replace Assamese words by their informal Roman spellings; words that the model cannot spell stay."""
    words = set(_ASSAMESE_WORD.findall(text))
    if len(words) > MAX_MODEL_WORDS:
        return text
    spellings = {word: _informal_spelling(word) for word in words}
    return _ASSAMESE_WORD.sub(lambda word: spellings[word.group()], text)


@lru_cache(WORD_CACHE_SIZE)
def _informal_spelling(word: str) -> str:
    # The training data have no word with the letter ঋ (the model writes itu for ঋতু), but thousands with its sound.
    return next(iter(default_transliterator().to_roman(word.replace("ঋ", "ৰি"))), word)


def find_roman_words(text: str, scheme: Scheme) -> tuple[str, ...]:
    """Return the Roman words of a text that are not spelled by the scheme, each once, in order."""
    words = _WORD.findall(read_roman(nfc(text), scheme))
    return tuple(dict.fromkeys(word for word in words if detect_script(word) is Script.LATIN))


def to_assamese(text: str, scheme: Scheme, readings: Mapping[str, tuple[ScoredReading, ...]]) -> Transliteration:
    """Transliterate a text to Assamese by the most probable combination of readings of its Roman words.

    Words that are spelled by a letter scheme are converted by that scheme.
    """
    text = nfc(text)
    unread_text = read_roman(text, scheme)
    passages = _split_passages(unread_text)
    choices = [[readings.get(word) or (ScoredReading(word, 0.0),) for word in passage] for passage in passages]
    chosen = [reading for passage in choices for reading in choose_readings(passage)]
    chosen_pairs = set(zip([word for passage in passages for word in passage], chosen, strict=True))
    following = iter(chosen)
    output = _WORD.sub(lambda _word: next(following), unread_text)
    alternatives = tuple(
        Alternatives(
            word, tuple(other.text for other in options if (word, other.text) not in chosen_pairs)[:MAX_ALTERNATIVES]
        )
        for word, options in readings.items()
    )
    return Transliteration(text, output, Direction.TO_ASSAMESE, scheme, alternatives)


def _split_passages(text: str) -> list[list[str]]:
    """Split a text into passages of words that are separated only by spaces."""
    passages: list[list[str]] = []
    end = -1
    for match in _WORD.finditer(text):
        if end < 0 or not text[end : match.start()].isspace():
            passages.append([])
        passages[-1].append(match.group())
        end = match.end()
    return passages


class WordCandidates:
    """The model's candidates for a Roman word, which `rank_readings` ranks by the words of the dictionary."""

    def __init__(self, word: str) -> None:
        """Search for the candidates of the word."""
        self._word = word
        self._hypotheses = _hypotheses(word)
        self.keys = frozenset(loose_key(hypothesis.target, "as") for hypothesis in self._hypotheses)
        """The loose keys of the candidates, for looking them up in the dictionary; the model omits apostrophes."""
        best_readings = default_transliterator().rank(self._hypotheses, MAX_ALTERNATIVES)
        self.possible_forms = frozenset(
            spelled for reading in best_readings for spelled in (reading, _LACKS_APOSTROPHE.sub(r"\1’", reading))
        )
        """The model's likeliest readings, each with and without an apostrophe (ক’ব, ল’ৰাটো), to be checked as forms."""

    def rank_readings(
        self,
        spellings: Mapping[str, Sequence[str]],
        similar_words: Sequence[str] = (),
        forms: Sequence[str] = (),
    ) -> tuple[ScoredReading, ...]:
        """Rank the readings, in the spelling of the dictionary; `spellings` are its words by their loose keys.

        `forms` are those of `possible_forms` that are forms of its words. `similar_words`, other dictionary words with
        a similar sound, are ranked among the model's own candidates, or last if the model cannot read the word so.
        A word without candidates is read by the letter table.
        """
        hypotheses = default_transliterator().search_with_words(self._word, similar_words, self._hypotheses)
        dictionary_words = {**_group_by_loose_key(similar_words), **spellings}
        form_letters = {normalize_assamese(form) for form in forms}

        def in_dictionary(word: str) -> float:
            return (
                FORM_WEIGHT
                if normalize_assamese(word) in form_letters
                else float(loose_key(word, "as") in dictionary_words)
            )

        by_model = default_transliterator().score(hypotheses, MAX_ALTERNATIVES + 1, in_dictionary=in_dictionary)
        scored_words = by_model or [
            (-UNSCORED_STEP * rank, word) for rank, word in enumerate(propose_spellings(self._word))
        ]
        lowest_score = min((score for score, _ in scored_words), default=0.0) - UNSCORED_STEP
        by_table = _group_by_loose_key(forms)
        spelled = {
            key: (*dictionary_words.get(key, ()), *by_table.get(key, ()))
            for key in dictionary_words.keys() | by_table.keys()
        }
        written = (
            ScoredReading(form, score) for score, word in scored_words for form in _dictionary_spellings(word, spelled)
        )
        unique: dict[str, ScoredReading] = {}
        for choice in (*written, *(ScoredReading(word, lowest_score) for word in similar_words)):
            unique.setdefault(choice.text, choice)
        return tuple(unique.values())[: MAX_ALTERNATIVES + 1]


def _group_by_loose_key(texts: Sequence[str]) -> dict[str, list[str]]:
    by_key: dict[str, list[str]] = {}
    for text in texts:
        by_key.setdefault(loose_key(text, "as"), []).append(text)
    return by_key


def _dictionary_spellings(word: str, spellings: Mapping[str, Collection[str]]) -> list[str]:
    """Return the dictionary's spellings of a word, its own first, or only the word if it is not in the dictionary."""
    spelled = spellings.get(loose_key(word, "as"), ())
    return [word, *spelled] if word in spelled or not spelled else [*spelled]


@lru_cache(WORD_CACHE_SIZE)
def _hypotheses(word: str) -> tuple[Hypothesis, ...]:
    return tuple(default_transliterator().search(word))
