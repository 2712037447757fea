"""Ranking of completions of a text being typed."""

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from math import inf
from typing import Final, NamedTuple, TypeAlias

from abhidhan.dictionary.model.guess_scoring import commonness
from abhidhan.records.languages import ASSAMESE, ENGLISH
from assamese.normalization import exact_key
from assamese.spelling_distance import LONGEST_START, distance, distance_of_start

LISTED: Final = 20
"""Maximum number of completions of a prefix in a list; each spelling counts once."""

FEW: Final = 16
"""Number of words up to which all completions of a prefix are compared; of more, only the first.

With 32, the lists for 1.3 million words took half the space (28 MB instead of 58), but reading words one by one
dominated the time of a suggestion.
"""

LONGEST: Final = 12
"""Maximum length of a prefix with a list, in letters; of a million words, 40 longer prefixes have a few dozen words."""

MOST_WHOLE: Final = 4
"""Maximum number of complete words equal to the prefix that are considered besides the first completions."""

TENTHS: Final = 10
"""Weights are integers in tenths of a letter, which take one or two bytes in a list; floats take nine."""

LETTERS_A_TENFOLD: Final = 3.0
"""Number of additional letters to type that outweigh a tenfold difference in frequency."""

LETTERS_OF_ANOTHER: Final = 2.0
"""Penalty, in letters, for a word in a language other than Assamese or English."""

_TENTHS_A_TENFOLD: Final = TENTHS * LETTERS_A_TENFOLD
_TENTHS_OF_ANOTHER: Final = round(TENTHS * LETTERS_OF_ANOTHER)
_HOME: Final = frozenset({ASSAMESE, ENGLISH})

UNLIKE: Final = 20.0
"""Penalty, in letters, for each unit of distance between the typed text and the beginning of a word."""

LIKE: Final = 0.25
"""Maximum distance of a word's beginning; beyond it, the word ranks below all words with the exact prefix."""

BEHIND_ALL: Final = 100.0

BEFORE_ALL: Final = -100.0
"""Weight, in letters, of a completely typed word, which ranks first."""

BEFORE_COMPLETIONS: Final = 50.0
"""Bonus, in letters, for a word with exactly the typed sound over words that only begin with it."""

LEAST_WHOLE_SOUND: Final = 4
"""Minimum number of Roman letters that count as a complete word; `pan` is the beginning of পানী."""

UNLIKE_ITS_KEY: Final = 2
"""Maximum difference in length between a spelling and its exact key; joiners and decomposed letters are few."""

Begun: TypeAlias = tuple[float, int, str, int]
"""Completion of a prefix: its weight (`weight_of`), language ID, text and word ID."""


class Completion(NamedTuple):
    """Completion, with a score in letters left to type.

    Common words have lower scores, and words found by weaker keys higher ones.
    """

    word_id: int
    language_id: int
    text: str
    letters: float


def weight_of(key: str, exact: str, language_id: int, frequency: float | None) -> int:
    """Return the weight of a word by one of its keys, in TENTHS of a letter: its length, less for common words.

    `frequency` is in occurrences per million running words, if the entry has one.
    """
    tenths = TENTHS * len(key) + (0 if language_id in _HOME else _TENTHS_OF_ANOTHER)
    if frequency is None and language_id != ASSAMESE:
        return tenths
    return round(tenths - _TENTHS_A_TENFOLD * commonness(language_id, exact, frequency))


_Place: TypeAlias = tuple[float, bool, int, int, str, int, str]
"""Sort key of a completion: by weight, Assamese first, then by length and language.

Letter case is swapped, so that `fox`, not Fox, is the one shown of the two. The last item is the word itself.
"""


def place_of(begun: tuple[float, int, str, int]) -> _Place:
    """Return the sort key of a completion."""
    weight, language_id, text, word_id = begun
    return weight, language_id != ASSAMESE, len(text), language_id, text.swapcase(), word_id, text


def first_of(words: Iterable[Begun], limit: int = LISTED) -> tuple[Begun, ...]:
    """Return the first `limit` words, each spelling once: `fox` rather than Fox."""
    once: dict[str, Begun] = {}
    for begun in sorted(words, key=place_of):
        once.setdefault(begun[2].casefold(), begun)
        if len(once) == limit:
            break
    return tuple(once.values())


def listed(words: Iterable[Begun], whole: Iterable[Begun]) -> tuple[Begun, ...]:
    """Return the list of a prefix: its first completions, and complete words that equal it."""
    first = first_of(words)
    there = {text.casefold() for _, _, text, _ in first}
    return (*first, *(begun for begun in first_of(whole, MOST_WHOLE) if begun[2].casefold() not in there))


def nearest_to_type(typed: str, found: Iterable[tuple[float, Sequence[Begun]]], limit: int) -> list[Completion]:
    """Return the first `limit` words of several lists, each spelling once.

    Each list comes with the letters to add to its weights.
    """
    places = [place for more, words in found for place in _places(typed, more, words)]
    return _first_spellings(typed, places, limit)


def nearest_in_lists(typed: str, found: Sequence[tuple[float, Sequence[Begun]]], limit: int) -> list[Completion]:
    """Merge the lists of all languages like `nearest_to_type`; the first list has the words with the exact prefix.

    That list also has the completely typed words. Words that rank below `limit` words of it are skipped.
    """
    if not found:
        return []
    (more, exactly), *otherwise = found
    places = _places(typed, more, exactly)
    farthest = _farthest_shown(typed, places, limit) if len(exactly) >= limit else inf
    places += [
        (letters, language_id != ASSAMESE, len(text), language_id, text.swapcase(), word_id, text)
        for more, words in otherwise
        for weight, language_id, text, word_id in words
        if (letters := weight / TENTHS + more) <= farthest or _sounds_whole(typed, language_id, text)
    ]
    return _first_spellings(typed, places, limit)


def _places(typed: str, more: float, words: Iterable[Begun]) -> list[_Place]:
    """Return the sort keys of words; completely typed ones come first.

    This does not call `place_of`, and neither does `nearest_in_lists`: a hundred calls would be a large part of a
    suggestion's time.
    """
    return [
        (
            BEFORE_ALL - (text == typed)
            if may_be_whole(typed, text) and _is_whole(typed, text)
            else weight / TENTHS + more,
            language_id != ASSAMESE,
            len(text),
            language_id,
            text.swapcase(),
            word_id,
            text,
        )
        for weight, language_id, text, word_id in words
    ]


def _farthest_shown(typed: str, places: Iterable[_Place], limit: int) -> float:
    """Return the score of the last of the first `limit` spellings; no word below it is shown. Without as many: inf."""
    shown: set[str] = set()
    for place in sorted(places):
        text = place[-1]
        # ASCII text with the exact prefix is certainly typed like this.
        if text.isascii() or not _unlike(typed, text):
            shown.add(text.casefold())
            if len(shown) == limit:
                return place[0]
    return inf


def _first_spellings(typed: str, places: list[_Place], limit: int) -> list[Completion]:
    """Return the first words, each spelling once."""
    places = [
        (place[0] - BEFORE_COMPLETIONS, *place[1:]) if _sounds_whole(typed, place[3], place[-1]) else place
        for place in places
    ]
    places.sort()
    once: dict[str, Completion] = {}
    for letters, _, _, language_id, _, word_id, text in _by_likeness(typed, places):
        spelled = text.casefold()
        if spelled not in once:
            once[spelled] = Completion(word_id, language_id, text, letters)
            if len(once) == limit:
                break
    return list(once.values())


def may_be_whole(typed: str, text: str) -> bool:
    """Return whether a typed key may be a complete word, judged by the lengths."""
    return -UNLIKE_ITS_KEY <= len(text) - len(typed) <= UNLIKE_ITS_KEY


def _is_whole(typed: str, text: str) -> bool:
    """Return whether a typed key is the exact key of a word of similar length: `oh` for Oh."""
    return text == typed or exact_key(text) == typed


def _sounds_whole(typed: str, language_id: int, text: str) -> bool:
    """Return whether an Assamese word has the sound of all Roman letters typed: `xahu` is শাহু.

    Words of other languages get no bonus: their frequencies are unknown, so the shortest comes first.
    """
    # The lengths decide for most words: there are more Roman letters than Indic ones, except for hasantas.
    if language_id != ASSAMESE or len(typed) < LEAST_WHOLE_SOUND or not typed.isascii():
        return False
    return len(text) - 1 <= len(typed) <= 2 * len(text) + 1 and distance(typed, text) <= LIKE


def _by_likeness(typed: str, places: Iterable[_Place]) -> Iterator[_Place]:
    """Yield words in order, with penalties for unlike beginnings; a lazy merge, since most are never needed."""
    behind: list[_Place] = []
    first = typed[:1]
    for place in places:
        while behind and behind[0] < place:
            yield heappop(behind)
        text = place[-1]
        # Like `_unlike`, without a call for each ASCII word shown.
        if text[:1].casefold() == first and text.isascii():
            yield place
        elif more := _unlike(typed, text):
            heappush(behind, (place[0] + more, *place[1:]))
        else:
            yield place
    yield from sorted(behind)


def _unlike(typed: str, text: str) -> float:
    """Return the penalty of a word whose beginning is unlike the typed text: `wat` is water rather than বাট."""
    if text.isascii():
        return 0.0 if text[:1].casefold() == typed[:1] or not typed.isascii() else BEHIND_ALL
    far = distance_of_start(typed[:LONGEST_START], text[:LONGEST_START])
    return UNLIKE * far if far <= LIKE else BEHIND_ALL + far


def by_letters_to_type(completions: Iterable[Completion]) -> list[Completion]:
    """Sort completions like those of a list."""
    return sorted(completions, key=lambda each: place_of((each.letters, each.language_id, each.text, each.word_id)))
