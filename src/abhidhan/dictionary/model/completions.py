"""Completions: which of the words that begin as somebody types come first."""

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from math import inf
from typing import Final, NamedTuple, TypeAlias

from abhidhan.dictionary.model.guess_scoring import commonness
from abhidhan.records.languages import ASSAMESE, ENGLISH
from assamese.normalization import exact_key
from assamese.spelling_distance import LONGEST_START, distance, distance_of_start

LISTED: Final = 20
"""The maximum number of completions of a prefix in a list; each spelling counts once."""

FEW: Final = 16
"""The number of words up to which all completions of a prefix are compared; beyond it, the first ones are. With 32,
lists of these of 1.3 million words took half the room, 28 MB rather than 58, and to read words one by one was most of
what a suggestion took."""

LONGEST: Final = 12
"""Letters of the longest beginnings of which that is so: 40 of a million words' share more with a few dozen others."""

MOST_WHOLE: Final = 4
"""At most this many words that a beginning is all of are looked at besides the first."""

TENTHS: Final = 10
"""Weights are whole tenths of a letter: in a list each takes a byte or two, as letters it would take nine."""

LETTERS_A_TENFOLD: Final = 3.0
"""How many more letters somebody types before a word that is ten times rarer is as likely."""

LETTERS_OF_ANOTHER: Final = 2.0
"""How many more letters somebody types for a word of another language than those that most look up."""

_TENTHS_A_TENFOLD: Final = TENTHS * LETTERS_A_TENFOLD
_TENTHS_OF_ANOTHER: Final = round(TENTHS * LETTERS_OF_ANOTHER)
_HOME: Final = frozenset({ASSAMESE, ENGLISH})

UNLIKE: Final = 20.0
"""How many letters more are to be typed, as it were, for each that what was typed is from the first of the word."""

LIKE: Final = 0.25
"""Whose first letters are farther from what was typed stands behind all that begins so."""

BEHIND_ALL: Final = 100.0

BEFORE_ALL: Final = -100.0
"""How many letters are left, as it were, of a word that is typed to its end."""

BEFORE_COMPLETIONS: Final = 50.0
"""By so many letters, as it were, a word that sounds just as typed stands before all that only begins so."""

LEAST_WHOLE_SOUND: Final = 4
"""With fewer Roman letters somebody has rarely typed a whole word: `pan` begins পানী."""

UNLIKE_ITS_KEY: Final = 2
"""A spelling and its exact key differ in length by no more: joiners, and letters of two code points, are few."""

Begun: TypeAlias = tuple[float, int, str, int]
"""A word that begins so: its weight (`weight_of`), its language's ID, its text, its ID."""


class Completion(NamedTuple):
    """A word one of whose keys begins as somebody types, and how many letters of it are left to type, as it were.

    They are fewer the more common the word is, and more where another is found in a better way.
    """

    word_id: int
    language_id: int
    text: str
    letters: float


def weight_of(key: str, exact: str, language_id: int, frequency: float | None) -> int:
    """Return how many letters there are to type for a word, by one of its keys: fewer, as it were, for common words.

    `frequency` is in occurrences per million running words, where the entry has one. In TENTHS of a letter.
    """
    tenths = TENTHS * len(key) + (0 if language_id in _HOME else _TENTHS_OF_ANOTHER)
    if frequency is None and language_id != ASSAMESE:
        return tenths
    return round(tenths - _TENTHS_A_TENFOLD * commonness(language_id, exact, frequency))


_Place: TypeAlias = tuple[float, bool, int, int, str, int, str]
"""Where a word stands among others: first those of the least weight, then Assamese, then short ones. Letter case counts
the other way round, so that `fox` stands before Fox: of both, one is shown. At the end stands the word as it is."""


def place_of(begun: tuple[float, int, str, int]) -> _Place:
    """Return where a word stands among those that begin so."""
    weight, language_id, text, word_id = begun
    return weight, language_id != ASSAMESE, len(text), language_id, text.swapcase(), word_id, text


def first_of(words: Iterable[Begun], limit: int = LISTED) -> tuple[Begun, ...]:
    """Choose the first `limit` words in their order, each spelling once: `fox` rather than Fox."""
    once: dict[str, Begun] = {}
    for begun in sorted(words, key=place_of):
        once.setdefault(begun[2].casefold(), begun)
        if len(once) == limit:
            break
    return tuple(once.values())


def listed(words: Iterable[Begun], whole: Iterable[Begun]) -> tuple[Begun, ...]:
    """Choose the words to look at, of all that begin with a prefix and of those that it is all of."""
    first = first_of(words)
    there = {text.casefold() for _, _, text, _ in first}
    return (*first, *(begun for begun in first_of(whole, MOST_WHOLE) if begun[2].casefold() not in there))


def nearest_to_type(typed: str, found: Iterable[tuple[float, Sequence[Begun]]], limit: int) -> list[Completion]:
    """Choose the first `limit` of the words that begin in several ways, each spelling once.

    With the words of each way goes how many letters are to be added to their weights.
    """
    places = [place for more, words in found for place in _places(typed, more, words)]
    return _first_spellings(typed, places, limit)


def nearest_in_lists(typed: str, found: Sequence[tuple[float, Sequence[Begun]]], limit: int) -> list[Completion]:
    """Choose the same of what lists of all languages name, the first of which is of words that begin just as typed.

    That one has what is typed to its end. What stands behind as many of its words as are shown is not looked at.
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
    """Return where words stand, before all others those that are typed to their end.

    Not by `place_of`, as little as in `nearest_in_lists`: a hundred calls would be much of what a suggestion takes.
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
    """Return the letters of the last of the first `limit` spellings, behind which no word is shown; inf of fewer."""
    shown: set[str] = set()
    for place in sorted(places):
        text = place[-1]
        # What is plain text and begins just so is typed so.
        if text.isascii() or not _unlike(typed, text):
            shown.add(text.casefold())
            if len(shown) == limit:
                return place[0]
    return inf


def _first_spellings(typed: str, places: list[_Place], limit: int) -> list[Completion]:
    """Choose the first words, each spelling once."""
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
    """Say whether an exact key may be all of a word that begins so, by its length."""
    return -UNLIKE_ITS_KEY <= len(text) - len(typed) <= UNLIKE_ITS_KEY


def _is_whole(typed: str, text: str) -> bool:
    """Say whether an exact key is all of a word that begins so and is about as long, however spelled: `oh` of Oh."""
    return text == typed or exact_key(text) == typed


def _sounds_whole(typed: str, language_id: int, text: str) -> bool:
    """Say whether an Assamese word sounds as the Roman letters typed, whole: `xahu` is শাহু.

    Words of other languages need no help: nobody knows how common they are, so the shortest comes first.
    """
    # By their lengths this is known of most words: Roman letters are more than Indic ones, but for hasantas.
    if language_id != ASSAMESE or len(typed) < LEAST_WHOLE_SOUND or not typed.isascii():
        return False
    return len(text) - 1 <= len(typed) <= 2 * len(text) + 1 and distance(typed, text) <= LIKE


def _by_likeness(typed: str, places: Iterable[_Place]) -> Iterator[_Place]:
    """Go through words in their order, those behind that begin otherwise than typed; of most, nobody needs to know."""
    behind: list[_Place] = []
    first = typed[:1]
    for place in places:
        while behind and behind[0] < place:
            yield heappop(behind)
        text = place[-1]
        # As `_unlike` says, without a call for each plain word that is shown.
        if text[:1].casefold() == first and text.isascii():
            yield place
        elif more := _unlike(typed, text):
            heappush(behind, (place[0] + more, *place[1:]))
        else:
            yield place
    yield from sorted(behind)


def _unlike(typed: str, text: str) -> float:
    """Return what is added to a word whose first letters few type as somebody did: `wat` is water rather than বাট."""
    if text.isascii():
        return 0.0 if text[:1].casefold() == typed[:1] or not typed.isascii() else BEHIND_ALL
    far = distance_of_start(typed[:LONGEST_START], text[:LONGEST_START])
    return UNLIKE * far if far <= LIKE else BEHIND_ALL + far


def by_letters_to_type(completions: Iterable[Completion]) -> list[Completion]:
    """Order words that begin with what was typed as those of a list are."""
    return sorted(completions, key=lambda each: place_of((each.letters, each.language_id, each.text, each.word_id)))
