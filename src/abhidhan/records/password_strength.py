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

_WORD_LIST_COSTS: Final = (2.3, 3.2, 4.0)
"""The cost of a word by its paragraph in common_words.txt: very common words, names, other words."""

_PERSONAL_WORD_COST: Final = 0.5
_YEAR_COST: Final = 2.0
_DATE_COST: Final = 4.0
_RUN_COST: Final = 1.5
_REPETITION_COST: Final = 0.5
_VARIATION_COST: Final = 0.5
"""The additional cost of a word with capital letters or with digits for letters (p4ssw0rd)."""

_SEPARATOR_COST: Final = 0.3
_DIGIT_COST: Final = 1.0
_SYMBOL_COST: Final = 1.3
_OTHER_LETTER_COST: Final = 1.3
"""The cost of a non-Latin letter: an alphabet has some fifty, with uneven frequencies."""

_MIN_RUN_LENGTH: Final = 3
_LEET_TABLE: Final = str.maketrans("013457@$!", "oieastasi")
_YEAR_PATTERN: Final = re.compile(r"(?:19|20)\d\d", re.ASCII)
_DATE_PATTERN: Final = re.compile(
    r"(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:(?:19|20)?\d\d)?|(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])",
    re.ASCII,
)
_KEYBOARD_ROWS: Final = (
    *("qwertyuiop", "asdfghjkl", "zxcvbnm", "1234567890", "qazwsxedcrfvtgbyhnujmikolp", "1qaz2wsx3edc4rfv5tgb6yhn7ujm"),
    *("1q2w3e4r5t6y7u8i9o0p", "147258369", "741852963", "789456123", "159753", "159357"),
)
"""Sequences of adjacent keys: rows and columns of the keyboard, and lines of the number pad."""


class _GuessModel(NamedTuple):
    """The cost of each common word, and of each pair of letters."""

    word_costs: Mapping[str, float]
    letter_costs: Mapping[str, float]
    max_word_length: int


def is_easily_guessed(password: str, personal_names: Iterable[str] = ()) -> bool:
    """Return whether a password is too weak. `personal_names` are names of the user and the site."""
    return estimate_strength(password, personal_names) < MIN_STRENGTH


def estimate_strength(password: str, personal_names: Iterable[str] = ()) -> float:
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
        cheapest[end] = cheapest[end - 1] + _character_cost(text, end - 1)
        for start, cost in _iter_pieces(normalized, text, end, personal_words):
            cheapest[end] = min(cheapest[end], cheapest[start] + cost)
    return cheapest[-1]


def _iter_pieces(normalized: str, text: str, end: int, personal_words: set[str]) -> Iterator[tuple[int, float]]:
    """Yield the start and the cost of each word, date, run or repetition that ends at `end`."""
    model = _load_guess_model()
    for start in range(max(0, end - model.max_word_length), end - 2):
        piece = text[start:end]
        cost = _word_cost(piece, model.word_costs, personal_words)
        if cost is not None:
            is_varied = normalized[start:end] != piece or piece.translate(_LEET_TABLE) != piece
            yield start, cost + (_VARIATION_COST if is_varied else 0)
        if _YEAR_PATTERN.fullmatch(piece):
            yield start, _YEAR_COST
        elif _DATE_PATTERN.fullmatch(piece):
            yield start, _DATE_COST
        if _is_run(piece):
            yield start, _RUN_COST + math.log10(len(piece))
    yield from _iter_repetitions(text, end)


def _word_cost(piece: str, words: Mapping[str, float], personal_words: set[str]) -> float | None:
    """Return the cost of a word, also with digits for letters or reversed, or None if it is not a word."""
    for variant in (piece, piece.translate(_LEET_TABLE), piece[::-1]):
        if variant in personal_words:
            return _PERSONAL_WORD_COST
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
    return (len(steps) == 1 and steps <= {-1, 0, 1}) or any(
        piece in row or piece[::-1] in row for row in _KEYBOARD_ROWS
    )


def _iter_repetitions(text: str, end: int) -> Iterator[tuple[int, float]]:
    """Yield the start and the cost of pieces that repeat an earlier part of the text."""
    for length in range(2, end // 2 + 1):
        if text[end - length : end] in text[: end - length]:
            yield end - length, _REPETITION_COST


def _character_cost(text: str, index: int) -> float:
    """Return the cost of a single character; for a Latin letter, by its frequency after the one before."""
    character = text[index]
    if "a" <= character <= "z":
        before = text[index - 1] if index and "a" <= text[index - 1] <= "z" else " "
        return _load_guess_model().letter_costs[before + character]
    if character.isdigit():
        return _DIGIT_COST
    if character.isspace() or character in "-_.":
        return _SEPARATOR_COST
    return _OTHER_LETTER_COST if character.isalpha() else _SYMBOL_COST


@cache
def _load_guess_model() -> _GuessModel:
    """Load the common words, and compute the costs of letter pairs from them."""
    _, *paragraphs = files("abhidhan.records").joinpath("common_words.txt").read_text("ascii").split("\n\n")
    words = {
        word: cost for paragraph, cost in zip(paragraphs, _WORD_LIST_COSTS, strict=True) for word in paragraph.split()
    }
    pair_counts = Counter(before + letter for word in words for before, letter in pairwise(f" {word}"))
    total_counts = Counter(dict.fromkeys(" abcdefghijklmnopqrstuvwxyz", 0))
    for pair, count in pair_counts.items():
        total_counts[pair[0]] += count
    letters = {
        before + letter: math.log10((total + 26) / (pair_counts[before + letter] + 1))
        for before, total in total_counts.items()
        for letter in "abcdefghijklmnopqrstuvwxyz"
    }
    return _GuessModel(words, letters, max(map(len, words)))
