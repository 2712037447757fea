"""Estimate the number of guesses that a password withstands, by the words, names, runs and years in it.

A password is split into the pieces that take the fewest guesses, as in zxcvbn (Wheeler, USENIX Security 2016). All
costs are decimal logarithms of the number of guesses.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Final, NamedTuple

MIN_STRENGTH: Final = 10.0
"""The minimum strength: 10^10 guesses, which take a fast machine 12 days at 10,000 password hashes per second."""

MAX_EXAMINED_LENGTH: Final = 40
"""Number of characters examined; further ones can only make a password stronger."""

_PARAGRAPHS: Final = (2.3, 3.2, 4.0)
"""The cost of a word by its paragraph in common_words.txt: very common words, names, other words."""

_OWN_WORD: Final = 0.5
_YEAR: Final = 2.0
_DATE: Final = 4.0
_RUN: Final = 1.5
_REPEATED: Final = 0.5
_VARIED: Final = 0.5
"""The additional cost of a word with capital letters or with digits for letters (p4ssw0rd)."""

_SEPARATOR: Final = 0.3
_DIGIT: Final = 1.0
_SIGN: Final = 1.3
_OTHER_LETTER: Final = 1.3
"""The cost of a non-Latin letter: an alphabet has some fifty, with uneven frequencies."""

_MIN_RUN_LENGTH: Final = 3
_FIGURES: Final = str.maketrans("013457@$!", "oieastasi")
_YEARS: Final = re.compile(r"(?:19|20)\d\d", re.ASCII)
_DATES: Final = re.compile(
    r"(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:(?:19|20)?\d\d)?|(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])",
    re.ASCII,
)
_ROWS: Final = (
    *("qwertyuiop", "asdfghjkl", "zxcvbnm", "1234567890", "qazwsxedcrfvtgbyhnujmikolp", "1qaz2wsx3edc4rfv5tgb6yhn7ujm"),
    *("1q2w3e4r5t6y7u8i9o0p", "147258369", "741852963", "789456123", "159753", "159357"),
)
"""Keys in keyboard order, by rows and columns, and of the number pad."""


class _GuessModel(NamedTuple):
    """The cost of each common word, and of each pair of letters."""

    words: Mapping[str, float]
    letters: Mapping[str, float]
    longest: int


def is_easily_guessed(password: str, personal_names: Iterable[str] = ()) -> bool:
    """Return whether a password is too weak. `personal_names` are names of the user and the site."""
    return guesses(password, personal_names) < MIN_STRENGTH


def guesses(password: str, personal_names: Iterable[str] = ()) -> float:
    """Return the decimal logarithm of the number of guesses that a password withstands."""
    normalized = unicodedata.normalize("NFC", password)[:MAX_EXAMINED_LENGTH]
    text = "".join(character if len(character.lower()) != 1 else character.lower() for character in normalized)
    personal_words = {
        part
        for name in personal_names
        for part in (name.lower(), *re.split(r"\W+|_", name.lower()))
        if len(part) > 2  # noqa: PLR2004
    }
    cheapest = [0.0] * (len(text) + 1)
    for end in range(1, len(text) + 1):
        cheapest[end] = cheapest[end - 1] + _cost_of_letter(text, end - 1)
        for start, cost in _pieces(normalized, text, end, personal_words):
            cheapest[end] = min(cheapest[end], cheapest[start] + cost)
    return cheapest[-1]


def _pieces(normalized: str, text: str, end: int, personal_words: set[str]) -> Iterator[tuple[int, float]]:
    """Yield the start and the cost of each word, date, run or repetition that ends at `end`."""
    model = _guess_model()
    for start in range(max(0, end - model.longest), end - 2):
        piece = text[start:end]
        cost = _cost_of_word(piece, model.words, personal_words)
        if cost is not None:
            varied = normalized[start:end] != piece or piece.translate(_FIGURES) != piece
            yield start, cost + (_VARIED if varied else 0)
        if _YEARS.fullmatch(piece):
            yield start, _YEAR
        elif _DATES.fullmatch(piece):
            yield start, _DATE
        if _is_run(piece):
            yield start, _RUN + math.log10(len(piece))
    yield from _repetitions(text, end)


def _cost_of_word(piece: str, words: Mapping[str, float], personal_words: set[str]) -> float | None:
    """Return the cost of a word, also with digits for letters or reversed, or None if it is not a word."""
    for variant in (piece, piece.translate(_FIGURES), piece[::-1]):
        if variant in personal_words:
            return _OWN_WORD
        if variant in words:
            return words[variant]
    return None


def _is_run(piece: str) -> bool:
    """Return whether a piece is a run (abc, 1111, qwerty), or two interleaved runs (a1b2c3, 112233)."""
    return _is_plain_run(piece) or (
        len(piece) > 2 * _MIN_RUN_LENGTH - 1 and all(map(_is_plain_run, (piece[::2], piece[1::2])))
    )


def _is_plain_run(piece: str) -> bool:
    """Return whether a piece is a repeated character, or part of an alphabet or of a row of keys."""
    steps = {ord(after) - ord(before) for before, after in pairwise(piece)}
    return (len(steps) == 1 and steps <= {-1, 0, 1}) or any(piece in row or piece[::-1] in row for row in _ROWS)


def _repetitions(text: str, end: int) -> Iterator[tuple[int, float]]:
    """Yield the start and the cost of pieces that repeat an earlier part of the text."""
    for length in range(2, end // 2 + 1):
        if text[end - length : end] in text[: end - length]:
            yield end - length, _REPEATED


def _cost_of_letter(text: str, index: int) -> float:
    """Return the cost of a single character; for a Latin letter, by its frequency after the one before."""
    character = text[index]
    if "a" <= character <= "z":
        before = text[index - 1] if index and "a" <= text[index - 1] <= "z" else " "
        return _guess_model().letters[before + character]
    if character.isdigit():
        return _DIGIT
    if character.isspace() or character in "-_.":
        return _SEPARATOR
    return _OTHER_LETTER if character.isalpha() else _SIGN


@cache
def _guess_model() -> _GuessModel:
    """Load the common words, and compute the costs of letter pairs from them."""
    _, *paragraphs = files("abhidhan.records").joinpath("common_words.txt").read_text("ascii").split("\n\n")
    words = {word: cost for paragraph, cost in zip(paragraphs, _PARAGRAPHS, strict=True) for word in paragraph.split()}
    counted = Counter(before + letter for word in words for before, letter in pairwise(f" {word}"))
    after = Counter(dict.fromkeys(" abcdefghijklmnopqrstuvwxyz", 0))
    for pair, count in counted.items():
        after[pair[0]] += count
    letters = {
        before + letter: math.log10((total + 26) / (counted[before + letter] + 1))
        for before, total in after.items()
        for letter in "abcdefghijklmnopqrstuvwxyz"
    }
    return _GuessModel(words, letters, max(map(len, words)))
