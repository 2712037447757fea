"""Distance of a typed text from a word: likely confusions cost little, unrelated letters 1 each."""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache
from math import inf, nextafter
from typing import Final

from rapidfuzz.distance import Levenshtein, Postfix, Prefix

from assamese.keys import eastern_from_devanagari
from assamese.letters import LONGEST, units_of
from assamese.normalization import exact_key
from assamese.signs import as_typed
from assamese.weighted_distance import COSTS, MOST_TYPED, between, cost_of_missing, may_be_near

REMEMBERED: Final = 4096  # words whose letters are cached
FARTHEST: Final = 4.0  # letters; at this distance it is another word


_ANOTHER: Final = COSTS.another
_INDIC: Final = re.compile("[\u0900-\u09ff]")
_DEVANAGARI: Final = re.compile("[\u0900-\u097f]")
_TYPED_TWICE: Final = re.compile(r"(.)\1")
_NOT_LETTERS: Final = re.compile("[^\\w’\u0900-\u09ff]+")


@lru_cache(maxsize=REMEMBERED)
def distance(typed: str, word: str) -> float:
    """Return the distance of `typed` from `word` in letters: 0 for a usual spelling, 1 for each unrelated letter.

    Roman letters are compared with the usual Roman spellings of Assamese letters, up to a distance of `FARTHEST`.
    Devanagari is compared as the corresponding Bengali letters.
    """
    return _distance(typed, word, FARTHEST, inf)


def is_near(typed: str, word: str, farthest: float) -> bool:
    """Return whether `typed` is at most `farthest` letters from `word`; faster than the exact distance."""
    asked, stored = _letters_of(typed), _letters_of(word)
    is_of_two_scripts = (_INDIC.search(asked) is None) != (_INDIC.search(stored) is None)
    if is_of_two_scripts or may_be_near(asked, stored, farthest):
        beyond = nextafter(farthest, inf)
        return _distance(typed, word, beyond, beyond) <= farthest
    return False


def _distance(typed: str, word: str, farthest_in_roman: float, farthest: float) -> float:
    """Return the distance, or at least the limit if that is reached (`farthest_in_roman` between two scripts)."""
    asked, stored = _letters_of(typed), _letters_of(word)
    if _INDIC.search(stored) is None:
        return _between_letters(asked[:LONGEST], stored[:LONGEST], farthest)
    if _INDIC.search(asked) is None:
        in_roman = _from_roman(_letters_of(as_typed(typed))[:LONGEST], units_of(stored), farthest_in_roman)
        return min(in_roman[-1], farthest_in_roman)
    far = between(units_of(asked), units_of(stored), farthest)[-1]
    for meant, cost in respelled(asked, stored):
        far = min(far, cost + between(units_of(meant), units_of(stored), farthest)[-1])
    return far


_HEARD_ALIKE: Final = re.compile("|".join(COSTS.heard_alike))


def respelled(typed: str, word: str) -> Iterator[tuple[str, float]]:
    """Yield `typed` with letters replaced by homophones from the word, each with the cost: শিক্ষা for শিখ্যা."""
    if not _HEARD_ALIKE.search(typed):
        return
    for letters, others in COSTS.heard_alike.items():
        if letters in typed:
            for meant, cost in others.items():
                if meant in word:
                    yield typed.replace(letters, meant, 1), cost


def _between_letters(typed: str, word: str, farthest: float = inf) -> float:
    """Return the distance of two texts in which each character is a letter.

    For plain letters every insertion, deletion and substitution costs the same, except a vowel for another, a letter
    typed twice or once instead of twice, and two transposed letters.
    """
    is_plain = (typed + word).isascii() and (typed + word).isalpha()
    if is_plain and len(typed) > LONG_ENOUGH and (cost := _cost_of_likely_slip(typed, word)):
        return cost
    is_plain = is_plain and not _TYPED_TWICE.search(typed)
    if is_plain:
        typed, word = _where_they_differ(typed, word)
    if is_plain and not _may_be_exchanged(typed, word):
        return _ANOTHER * Levenshtein.distance(typed, word)
    return between(tuple(typed), tuple(word), farthest)[-1]


LONG_ENOUGH: Final = 4
"""Number of plain letters up to which words are too easily confused by their vowels."""

_PLAIN_VOWELS: Final = frozenset("aeiouwy")


def _cost_of_likely_slip(typed: str, word: str) -> float:
    """Return the cost if plain letters differ by one vowel (`croud`) or a letter once instead of twice, else 0."""
    asked, stored = _where_they_differ(typed, word)
    if len(stored) != 1 or len(asked) > 1:
        return 0.0
    if asked:
        return COSTS.vowel if {asked, stored} <= _PLAIN_VOWELS else 0.0
    before = Prefix.similarity(typed, word) - 1
    return COSTS.typed_twice if before >= 0 and typed[before] == stored else 0.0


def _where_they_differ(typed: str, word: str) -> tuple[str, str]:
    """Strip the common prefix and suffix of two texts, which leaves a letter or two of most typing errors.

    With equal costs for all edits this does not change the distance.
    """
    alike = Prefix.similarity(typed, word)
    typed, word = typed[alike:], word[alike:]
    behind = Postfix.similarity(typed, word)
    return typed[: len(typed) - behind], word[: len(word) - behind]


def _may_be_exchanged(typed: str, word: str) -> bool:
    """Return whether two adjacent typed letters occur in the word in reverse order."""
    return any(typed[place + 1] + typed[place] in word for place in range(len(typed) - 1))


@lru_cache(maxsize=REMEMBERED)
def _letters_of(text: str) -> str:
    key = _NOT_LETTERS.sub("", exact_key(text))
    return eastern_from_devanagari(key) if _DEVANAGARI.search(key) else key


def distance_of_beginning(typed: str, word: str) -> float:
    """Return the least distance of any prefix of a text from an Assamese word: panikhini and পানী."""
    asked, stored = _letters_of(typed), _letters_of(word)
    if _INDIC.search(asked) is None:
        return min(_from_roman(_letters_of(as_typed(typed))[:LONGEST], units_of(stored), FARTHEST))
    units = units_of(stored)
    # The final inherent vowel of the word is replaced by the vowel of an ending.
    return min(between(units_of(asked), units[:-1] if units[-1:] and units[-1][0] == "ə" else units))


LETTERS_OF_START: Final = 4
"""The number of letters of an Indic word that are compared with the beginning of a text in Roman letters."""

LONGEST_START: Final = 9
"""Maximum number of characters of `LETTERS_OF_START` letters, and of their typed spelling: ক্ষে is two, `kkhyo`."""


def distance_of_start(typed: str, word: str) -> float:
    """Return the distance of the beginning of Roman letters from the first letters of an Indic word, at most 1.

    Letters not yet typed cost nothing. Any other pair of scripts gives 0. Pass only the first `LONGEST_START`
    characters of both.
    """
    letters, units = _letters_of(typed), _start_of(word)
    return _distance_of_units(letters, units) if units and letters.isascii() else 0.0


@lru_cache(maxsize=4 * REMEMBERED)
def _start_of(word: str) -> tuple[str, ...]:
    """Return the first letters of an Indic word, or an empty tuple."""
    return units_of(_letters_of(word))[:LETTERS_OF_START] if _INDIC.search(word) else ()


@lru_cache(maxsize=4 * REMEMBERED)
def _distance_of_units(letters: str, units: tuple[str, ...]) -> float:
    """Compute the distance for the first letters of a word, which many words share."""
    rests = {letters: 0.0}
    for unit in units:
        rests = _rests_behind(unit, rests)
    return min(1.0, *rests.values())


def _rests_behind(unit: str, rests: dict[str, float]) -> dict[str, float]:
    """Return the rests of Roman letters after the spellings of one more letter, each with its cost so far."""
    dropped, by_first = _spellings(unit)
    left: dict[str, float] = {}
    for rest, so_far in rests.items():
        left[rest] = min(left.get(rest, 1.0), so_far + (dropped if rest else 0.0))
        for text, end, cost in by_first.get(rest[:1], ()):
            if rest.startswith(text):
                behind = rest[end:]
                left[behind] = min(left.get(behind, 1.0), so_far + cost)
    return left


def roman_letters(typed: str) -> str:
    """Return the Roman letters of a typed text for comparison."""
    return _letters_of(as_typed(typed))[:LONGEST]


def distances_of_beginnings(letters: str, word: str) -> list[float]:
    """Return the distance of each prefix of Roman letters from an Assamese word, the empty prefix first."""
    units = units_of(_letters_of(word))
    # The vowel of a single consonant is pronounced: ক in কৈছে.
    return _from_roman(letters, (units[0], "ə") if units[1:] == ("ə$",) else units, FARTHEST)


def written_letters(typed: str) -> tuple[str, ...]:
    """Return the units of an Indic text for comparison."""
    return units_of(_letters_of(typed))[:LONGEST]


def distances_of_written_beginnings(letters: tuple[str, ...], word: str) -> list[float]:
    """Return the distance of each prefix of an Indic text from a word, the empty one first.

    The final inherent vowel of the word may be replaced by the vowel of an ending.
    """
    units = written_letters(word)
    whole = between(letters, units)
    return list(map(min, whole, between(letters, units[:-1]))) if units[-1:] and units[-1][0] == "ə" else whole


def spelled_in_roman(ending: str, farthest: float) -> dict[str, float]:
    """Return the Roman spellings of an Assamese ending with their distances, below `farthest`."""
    spelled = {"": 0.0}
    for unit in units_of(_letters_of(ending)):
        dropped, by_first = _spellings(unit)
        ways = [("", dropped), *((text, cost) for texts in by_first.values() for text, _, cost in texts)]
        grown: dict[str, float] = {}
        for begun, so_far in spelled.items():
            for text, cost in ways:
                if so_far + cost < farthest:
                    grown[begun + text] = min(grown.get(begun + text, farthest), so_far + cost)
        spelled = grown
    return spelled


def _from_roman(typed: str, units: tuple[str, ...], farthest: float) -> list[float]:
    """Return the minimum cost of typing a word as each prefix of `typed`, from the empty one to all of it.

    Costs are capped at `farthest`.
    """
    extra = _costs_of_more(typed)
    nothing = [farthest] * (len(typed) + 1)
    row = [0.0, *nothing[1:]]
    for unit in units:
        row = _behind_unit(unit, typed, extra, row, nothing)
        if row == nothing:
            return row
    for place, cost in enumerate(extra):
        row[place + 1] = min(row[place + 1], row[place] + cost)
    return row


@lru_cache(maxsize=MOST_TYPED)
def _costs_of_more(typed: str) -> tuple[float, ...]:
    """Return the cost of each Roman letter as an insertion."""
    return tuple(
        [
            COSTS.typed_twice if letter == last else cost_of_missing(letter, COSTS.put_in)
            for letter, last in zip(typed, ("", *typed), strict=False)
        ]
    )


def _behind_unit(
    unit: str, typed: str, extra: tuple[float, ...], row: list[float], nothing: list[float]
) -> list[float]:
    """Return the row of prefix costs with one more letter of the word; `row`, the previous one, is overwritten.

    `nothing` is a row of unreachable costs.
    """
    dropped, spellings = _spellings(unit)
    grown, farthest, end = nothing.copy(), nothing[0], len(typed)
    for place, cost in enumerate(row):
        if cost >= farthest:
            continue
        # Calling `min` instead of comparing would take half of the time here.
        if (left_out := cost + dropped) < grown[place]:
            grown[place] = left_out
        if place == end:
            break
        # An insertion belongs to the previous row: its next position is processed after this one.
        if (put_in := cost + extra[place]) < row[place + 1]:
            row[place + 1] = put_in
        if (another := cost + _ANOTHER) < grown[place + 1]:
            grown[place + 1] = another
        for spelling, letters, own in spellings.get(typed[place], ()):
            if typed.startswith(spelling, place) and cost + own < grown[place + letters]:
                grown[place + letters] = cost + own
    return grown


@cache
def _spellings(unit: str) -> tuple[float, dict[str, tuple[tuple[str, int, float], ...]]]:
    """Return the cost of omitting a letter, and its spellings by first character: text, length and cost."""
    costs = COSTS.roman.get("ৰ" + unit[1:] if unit[0] == "র" else unit, {unit: 0.0})
    by_first: dict[str, list[tuple[str, int, float]]] = defaultdict(list)
    for spelling, cost in costs.items():
        if spelling:
            by_first[spelling[0]].append((spelling, len(spelling), cost))
    return costs.get("", COSTS.left_out), {first: tuple(ways) for first, ways in by_first.items()}
