"""Writing one script's text in the other: which way, the words to be read, and the choice among readings."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache

import msgspec

from abhidhan.domain.text.keys import loose_key
from abhidhan.domain.text.normal import Script, nfc, script_of
from abhidhan.domain.text.romanize import Scheme, romanize
from abhidhan.domain.text.transducer import Hypothesis
from abhidhan.domain.text.transliterate import candidates
from abhidhan.domain.text.transliterator import shipped

LONGEST_TO_ROMAN = 5_000
LONGEST_TO_ASSAMESE = 500
"""How many characters are read at once: reading Roman letters is a search, writing them is mostly a table."""

MOST_ALTERNATIVES = 5

MOST_WORDS_BY_MODEL = 60
"""So many different words at most are written as people type them (2 ms each); a longer passage is written by rule."""

REMEMBERED = 1_024
"""Words whose readings a worker keeps at hand (7 kB each): people type on, and ask for the same words again."""

_ROMAN_WORD = re.compile(r"[^\W\d_]+(?:[.'’ʼ`~]+[^\W\d_]+)*['’ʼ`~]*")
"""A word in Roman letters: dots within it part syllables, quotes and tildes belong to Xobdo's scheme."""

_ASSAMESE_WORD = re.compile("[\u0980-\u09e3\u09f0\u09f1\u200c\u200d]+(?:['’‘ʼ][\u0980-\u09e3\u09f0\u09f1]+)*")


class Direction(StrEnum):
    """Which way a text is written over."""

    TO_ROMAN = "assamese-to-roman"
    TO_ASSAMESE = "roman-to-assamese"


class Alternatives(msgspec.Struct, frozen=True):
    """A word in Roman letters, and other ways to write it in Assamese than the one chosen."""

    word: str
    candidates: tuple[str, ...]


class Transliteration(msgspec.Struct, frozen=True):
    """A text and the same text written in the other script."""

    input: str
    output: str
    direction: Direction
    scheme: Scheme
    alternatives: tuple[Alternatives, ...]


def direction_of(text: str) -> Direction:
    """Choose the direction: the other script than that of most letters."""
    return Direction.TO_ASSAMESE if script_of(text) is Script.LATIN else Direction.TO_ROMAN


def to_roman(text: str, scheme: Scheme) -> Transliteration:
    """Write an Assamese text in Roman letters; other scripts and punctuation pass through."""
    written = _as_people_type(nfc(text)) if scheme is Scheme.PLAIN else text
    return Transliteration(text, romanize(written, scheme), Direction.TO_ROMAN, scheme, ())


def _as_people_type(text: str) -> str:
    """Write the words of a text as the model learnt that people write them; those it does not know stay."""
    words = set(_ASSAMESE_WORD.findall(text))
    if len(words) > MOST_WORDS_BY_MODEL:
        return text
    typed = {word: _typed(word) for word in words}
    return _ASSAMESE_WORD.sub(lambda word: typed[word.group()], text)


@lru_cache(REMEMBERED)
def _typed(word: str) -> str:
    # The model has met the letter ঋ in no word (it writes itu for ঋতু), and its sound in thousands.
    return next(iter(shipped().to_roman(word.replace("ঋ", "ৰি"))), word)


def roman_words(text: str) -> tuple[str, ...]:
    """List the words in Roman letters that a text holds, each once, in order."""
    return tuple(dict.fromkeys(match.group() for match in _roman_words(nfc(text))))


def to_assamese(text: str, scheme: Scheme, readings: Mapping[str, tuple[str, ...]]) -> Transliteration:
    """Write a text in Assamese letters by the first reading of each of its Roman words."""

    def first_reading(match: re.Match[str]) -> str:
        word = match.group()
        return next(iter(readings.get(word, ())), word) if script_of(word) is Script.LATIN else word

    alternatives = tuple(
        Alternatives(word, tuple(others[1 : MOST_ALTERNATIVES + 1])) for word, others in readings.items()
    )
    output = _ROMAN_WORD.sub(first_reading, nfc(text))
    return Transliteration(text, output, Direction.TO_ASSAMESE, scheme, alternatives)


class Reading:
    """A Roman word being read: what the model finds for it, to be ranked once it is known what the dictionary has."""

    def __init__(self, word: str) -> None:
        """Search for what the word may stand for."""
        self._word = word
        self._found = _found(word)
        self.keys = frozenset(loose_key(hypothesis.target, "as") for hypothesis in self._found)
        """The loose keys under which the dictionary may have what was found: the model knows no apostrophes."""

    def ranked(self, spellings: Mapping[str, Sequence[str]], sounding_alike: Iterable[str] = ()) -> tuple[str, ...]:
        """Order the readings, as the dictionary spells them: `spellings` are its words by their loose keys.

        Its other words that sound like the word come last; what the model cannot read is read by the letter table.
        """
        by_model = shipped().ranked(
            self._found, MOST_ALTERNATIVES + 1, in_dictionary=lambda word: loose_key(word, "as") in spellings
        )
        written = (form for word in by_model or candidates(self._word) for form in _as_spelled(word, spellings))
        return tuple(dict.fromkeys([*written, *sounding_alike]))[: MOST_ALTERNATIVES + 1]


def _as_spelled(word: str, spellings: Mapping[str, Collection[str]]) -> list[str]:
    """Return a word in the dictionary's spellings, its own first; a word that is not there as it is."""
    known = spellings.get(loose_key(word, "as"), ())
    return [word, *known] if word in known or not known else [*known]


@lru_cache(REMEMBERED)
def _found(word: str) -> tuple[Hypothesis, ...]:
    return tuple(shipped().found(word))


def _roman_words(text: str) -> Iterator[re.Match[str]]:
    return (match for match in _ROMAN_WORD.finditer(text) if script_of(match.group()) is Script.LATIN)
