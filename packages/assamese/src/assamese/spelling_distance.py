"""Distance of a typed text from a word: likely confusions cost little, each unrelated letter costs 1."""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache
from math import inf, nextafter
from typing import Final

from rapidfuzz.distance import Levenshtein, Postfix, Prefix

from assamese.keys import eastern_from_devanagari
from assamese.letters import MAX_COMPARED_LETTERS, split_units
from assamese.normalization import exact_key
from assamese.signs import replace_marked_letters
from assamese.weighted_distance import COSTS, TYPED_CACHE_SIZE, may_be_near, omission_cost, prefix_costs

CACHE_SIZE: Final = 4096  # words whose letters are cached
MAX_DISTANCE: Final = 4.0  # letters; at this distance it is another word


_SUBSTITUTION_COST: Final = COSTS.another
_INDIC: Final = re.compile("[\u0900-\u09ff]")
_DEVANAGARI: Final = re.compile("[\u0900-\u097f]")
_DOUBLED_LETTER: Final = re.compile(r"(.)\1")
_NON_LETTERS: Final = re.compile("[^\\w’\u0900-\u09ff]+")


@lru_cache(maxsize=CACHE_SIZE)
def distance(typed: str, word: str) -> float:
    """Return the distance of `typed` from `word` in letters: 0 for a usual spelling, 1 for each unrelated letter.

    Roman letters are compared with the usual Roman spellings of Assamese letters, up to a distance of `MAX_DISTANCE`.
    Devanagari is compared as the corresponding Bengali letters.
    """
    return _distance(typed, word, MAX_DISTANCE, inf)


def is_near(typed: str, word: str, max_distance: float) -> bool:
    """Return whether `typed` is at most `max_distance` letters from `word`; faster than the exact distance."""
    typed_letters, stored = _comparable_letters(typed), _comparable_letters(word)
    is_of_two_scripts = (_INDIC.search(typed_letters) is None) != (_INDIC.search(stored) is None)
    if is_of_two_scripts or may_be_near(typed_letters, stored, max_distance):
        beyond = nextafter(max_distance, inf)
        return _distance(typed, word, beyond, beyond) <= max_distance
    return False


def _distance(typed: str, word: str, max_roman_distance: float, max_distance: float) -> float:
    """Return the distance, or any value from the limit if it is greater (`max_roman_distance` between two scripts)."""
    typed_letters, stored = _comparable_letters(typed), _comparable_letters(word)
    if _INDIC.search(stored) is None:
        return _letter_distance(typed_letters[:MAX_COMPARED_LETTERS], stored[:MAX_COMPARED_LETTERS], max_distance)
    if _INDIC.search(typed_letters) is None:
        in_roman = _roman_prefix_costs(
            _comparable_letters(replace_marked_letters(typed))[:MAX_COMPARED_LETTERS],
            split_units(stored),
            max_roman_distance,
        )
        return min(in_roman[-1], max_roman_distance)
    least = prefix_costs(split_units(typed_letters), split_units(stored), max_distance)[-1]
    for spelling, cost in iter_respellings(typed_letters, stored):
        least = min(least, cost + prefix_costs(split_units(spelling), split_units(stored), max_distance)[-1])
    return least


_HOMOPHONES: Final = re.compile("|".join(COSTS.heard_alike))


def iter_respellings(typed: str, word: str) -> Iterator[tuple[str, float]]:
    """Yield `typed` with letters replaced by homophones that the word has, with the cost: শিক্ষা for শিখ্যা."""
    if not _HOMOPHONES.search(typed):
        return
    for letters, replacements in COSTS.heard_alike.items():
        if letters in typed:
            for replacement, cost in replacements.items():
                if replacement in word:
                    yield typed.replace(letters, replacement, 1), cost


def _letter_distance(typed: str, word: str, max_distance: float = inf) -> float:
    """Return the distance of two texts in which each character is a letter.

    For plain letters every insertion, deletion and substitution costs the same, except a vowel for another, a letter
    typed twice or once instead of twice, and two transposed letters.
    """
    is_plain = (typed + word).isascii() and (typed + word).isalpha()
    if is_plain and len(typed) > SHORT_WORD_LETTERS and (cost := _likely_slip_cost(typed, word)):
        return cost
    is_plain = is_plain and not _DOUBLED_LETTER.search(typed)
    if is_plain:
        typed, word = _strip_common_ends(typed, word)
    if is_plain and not _may_be_transposed(typed, word):
        return _SUBSTITUTION_COST * Levenshtein.distance(typed, word)
    return prefix_costs(tuple(typed), tuple(word), max_distance)[-1]


SHORT_WORD_LETTERS: Final = 4
"""Maximum length of words that differ by a vowel too often for it to be a likely slip."""

_PLAIN_VOWELS: Final = frozenset("aeiouwy")


def _likely_slip_cost(typed: str, word: str) -> float:
    """Return the cost of a likely slip: one wrong plain vowel (`croud`), or a double letter typed once; else 0."""
    typed_part, word_part = _strip_common_ends(typed, word)
    if len(word_part) != 1 or len(typed_part) > 1:
        return 0.0
    if typed_part:
        return COSTS.vowel if {typed_part, word_part} <= _PLAIN_VOWELS else 0.0
    before = Prefix.similarity(typed, word) - 1
    return COSTS.typed_twice if before >= 0 and typed[before] == word_part else 0.0


def _strip_common_ends(typed: str, word: str) -> tuple[str, str]:
    """Strip the common prefix and suffix of two texts, which leaves a letter or two of most typing errors.

    With equal costs for all edits this does not change the distance.
    """
    prefix_length = Prefix.similarity(typed, word)
    typed, word = typed[prefix_length:], word[prefix_length:]
    suffix_length = Postfix.similarity(typed, word)
    return typed[: len(typed) - suffix_length], word[: len(word) - suffix_length]


def _may_be_transposed(typed: str, word: str) -> bool:
    """Return whether two adjacent typed letters occur in the word in reverse order."""
    return any(typed[index + 1] + typed[index] in word for index in range(len(typed) - 1))


@lru_cache(maxsize=CACHE_SIZE)
def _comparable_letters(text: str) -> str:
    key = _NON_LETTERS.sub("", exact_key(text))
    return eastern_from_devanagari(key) if _DEVANAGARI.search(key) else key


def prefix_distance(typed: str, word: str) -> float:
    """Return the distance of an Assamese word from the nearest prefix of a text: panikhini and পানী."""
    typed_letters, stored = _comparable_letters(typed), _comparable_letters(word)
    if _INDIC.search(typed_letters) is None:
        return min(
            _roman_prefix_costs(
                _comparable_letters(replace_marked_letters(typed))[:MAX_COMPARED_LETTERS],
                split_units(stored),
                MAX_DISTANCE,
            )
        )
    units = split_units(stored)
    # The final inherent vowel of the word is replaced by the vowel of an ending.
    return min(prefix_costs(split_units(typed_letters), units[:-1] if units[-1:] and units[-1][0] == "ə" else units))


START_LETTERS: Final = 4
"""The number of letters of an Indic word that are compared with the beginning of a text in Roman letters."""

MAX_START_LENGTH: Final = 9
"""Maximum number of characters of `START_LETTERS` letters, and of their typed spelling: ক্ষে is two, `kkhyo`."""


def start_distance(typed: str, word: str) -> float:
    """Return the distance of the beginning of Roman letters from the first letters of an Indic word, at most 1.

    Letters that have not been typed yet cost nothing. For other scripts, the distance is 0. Pass only the first
    `MAX_START_LENGTH` characters of both.
    """
    letters, units = _comparable_letters(typed), _start_units(word)
    return _distance_of_units(letters, units) if units and letters.isascii() else 0.0


@lru_cache(maxsize=4 * CACHE_SIZE)
def _start_units(word: str) -> tuple[str, ...]:
    """Return the first letters of an Indic word, or an empty tuple."""
    return split_units(_comparable_letters(word))[:START_LETTERS] if _INDIC.search(word) else ()


@lru_cache(maxsize=4 * CACHE_SIZE)
def _distance_of_units(letters: str, units: tuple[str, ...]) -> float:
    """Compute `start_distance` for the first letters of a word; it is cached, since many words share them."""
    remainders = {letters: 0.0}
    for unit in units:
        remainders = _remaining_costs(unit, remainders)
    return min(1.0, *remainders.values())


def _remaining_costs(unit: str, remainders: dict[str, float]) -> dict[str, float]:
    """Return the letters that remain after each Roman spelling of one more unit, with the cost so far."""
    dropped, by_first = _unit_spellings(unit)
    costs: dict[str, float] = {}
    for rest, so_far in remainders.items():
        costs[rest] = min(costs.get(rest, 1.0), so_far + (dropped if rest else 0.0))
        for text, end, cost in by_first.get(rest[:1], ()):
            if rest.startswith(text):
                behind = rest[end:]
                costs[behind] = min(costs.get(behind, 1.0), so_far + cost)
    return costs


def roman_letters(typed: str) -> str:
    """Return the letters of a typed Roman text in the form in which they are compared, without marks."""
    return _comparable_letters(replace_marked_letters(typed))[:MAX_COMPARED_LETTERS]


def prefix_distances(letters: str, word: str) -> list[float]:
    """Return the distance of each prefix of Roman letters from an Assamese word, the empty prefix first."""
    units = split_units(_comparable_letters(word))
    # The vowel of a single consonant is pronounced: ক in কৈছে.
    return _roman_prefix_costs(letters, (units[0], "ə") if units[1:] == ("ə$",) else units, MAX_DISTANCE)


def split_indic_units(typed: str) -> tuple[str, ...]:
    """Split an Indic text into the units that are compared."""
    return split_units(_comparable_letters(typed))[:MAX_COMPARED_LETTERS]


def indic_prefix_distances(letters: tuple[str, ...], word: str) -> list[float]:
    """Return the distance of each prefix of an Indic text from a word, the empty one first.

    The final inherent vowel of the word may be replaced by the vowel of an ending.
    """
    units = split_indic_units(word)
    whole = prefix_costs(letters, units)
    return list(map(min, whole, prefix_costs(letters, units[:-1]))) if units[-1:] and units[-1][0] == "ə" else whole


def roman_spellings(ending: str, max_distance: float) -> dict[str, float]:
    """Return the Roman spellings of an Assamese ending with their distances, below `max_distance`."""
    spelled = {"": 0.0}
    for unit in split_units(_comparable_letters(ending)):
        dropped, by_first = _unit_spellings(unit)
        ways = [("", dropped), *((text, cost) for texts in by_first.values() for text, _, cost in texts)]
        extended: dict[str, float] = {}
        for prefix, so_far in spelled.items():
            for text, cost in ways:
                if so_far + cost < max_distance:
                    extended[prefix + text] = min(extended.get(prefix + text, max_distance), so_far + cost)
        spelled = extended
    return spelled


def _roman_prefix_costs(typed: str, units: tuple[str, ...], max_cost: float) -> list[float]:
    """Return the minimum cost of typing a word as each prefix of `typed`, from the empty one to all of it.

    Costs are capped at `max_cost`.
    """
    extra = _insertion_costs(typed)
    unreachable = [max_cost] * (len(typed) + 1)
    row = [0.0, *unreachable[1:]]
    for unit in units:
        row = _next_row(unit, typed, extra, row, unreachable)
        if row == unreachable:
            return row
    for index, cost in enumerate(extra):
        row[index + 1] = min(row[index + 1], row[index] + cost)
    return row


@lru_cache(maxsize=TYPED_CACHE_SIZE)
def _insertion_costs(typed: str) -> tuple[float, ...]:
    """Return the cost of each Roman letter as an insertion."""
    return tuple(
        [
            COSTS.typed_twice if letter == last else omission_cost(letter, COSTS.put_in)
            for letter, last in zip(typed, ("", *typed), strict=False)
        ]
    )


def _next_row(
    unit: str, typed: str, extra: tuple[float, ...], row: list[float], unreachable: list[float]
) -> list[float]:
    """Return the row of prefix costs with one more letter of the word; `row`, the previous one, is overwritten.

    `unreachable` is a row of the maximum cost.
    """
    dropped, spellings = _unit_spellings(unit)
    next_row, farthest, end = unreachable.copy(), unreachable[0], len(typed)
    for index, cost in enumerate(row):
        if cost >= farthest:
            continue
        # Calling `min` instead of comparing would take half of the time here.
        if (left_out := cost + dropped) < next_row[index]:
            next_row[index] = left_out
        if index == end:
            break
        # An insertion belongs to the previous row: its next position is processed after this one.
        if (put_in := cost + extra[index]) < row[index + 1]:
            row[index + 1] = put_in
        if (another := cost + _SUBSTITUTION_COST) < next_row[index + 1]:
            next_row[index + 1] = another
        for spelling, letters, spelling_cost in spellings.get(typed[index], ()):
            if typed.startswith(spelling, index) and cost + spelling_cost < next_row[index + letters]:
                next_row[index + letters] = cost + spelling_cost
    return next_row


@cache
def _unit_spellings(unit: str) -> tuple[float, dict[str, tuple[tuple[str, int, float], ...]]]:
    """Return the cost of omitting a letter, and its Roman spellings (text, length, cost) by first character."""
    costs = COSTS.roman.get("ৰ" + unit[1:] if unit[0] == "র" else unit, {unit: 0.0})
    by_first: dict[str, list[tuple[str, int, float]]] = defaultdict(list)
    for spelling, cost in costs.items():
        if spelling:
            by_first[spelling[0]].append((spelling, len(spelling), cost))
    return costs.get("", COSTS.left_out), {first: tuple(ways) for first, ways in by_first.items()}
