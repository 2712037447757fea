"""Completions: which of the words that begin as somebody types come first, and lists of them that are made beforehand.

Few words begin like most of what is typed: they are read one by one. For each beginning that more words share, a list
names the first. One is made of those of the beginnings that are a letter longer, so that to make all of them, or one
anew, takes no more than the words that have no list of their own.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from math import inf
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import msgspec

from abhidhan.domain.languages import ASSAMESE, ENGLISH
from abhidhan.domain.matching.likelihood import commonness
from abhidhan.domain.text.closeness import LONGEST_SYLLABLE, distance_of_syllable
from abhidhan.domain.text.normal import exact_key

LISTED: Final = 20
"""At most this many words a list names, each spelling once."""

FEW: Final = 16
"""So many words that begin alike have no list. With 32, the lists of 1.3 million words took half the room, 28 MB rather
than 58, and to read words one by one was most of what a suggestion took."""

LONGEST: Final = 12
"""Letters of the longest beginnings that have lists: 40 of a million words' share more with a few dozen others."""

MOST_HELD: Final = 4000
"""At most this many words are held of one beginning while the words are gone through."""

NO_KEY: Final = "\0"
"""Begins like no key."""

TENTHS: Final = 10
"""Weights are whole tenths of a letter: in a list each takes a byte or two, as letters it would take nine."""

LETTERS_A_TENFOLD: Final = 3.0
"""How many more letters somebody types before a word that is ten times rarer is as likely."""

LETTERS_OF_ANOTHER: Final = 2.0
"""How many more letters somebody types for a word of another language than those that most look up."""

_TENTHS_A_TENFOLD: Final = TENTHS * LETTERS_A_TENFOLD
_TENTHS_OF_ANOTHER: Final = round(TENTHS * LETTERS_OF_ANOTHER)
_HOME: Final = frozenset({ASSAMESE, ENGLISH})

SYLLABLE: Final = 10.0
"""How many letters more are to be typed, as it were, for each that what was typed is from the first of the word."""

LIKE: Final = 0.25
"""Whose first letters are farther from what was typed stands behind all that begins so."""

BEHIND_ALL: Final = 100.0

BEFORE_ALL: Final = -100.0
"""How many letters are left, as it were, of a word that is typed to its end."""

UNLIKE_ITS_KEY: Final = 2
"""A spelling and its exact key differ in length by no more: joiners, and letters of two code points, are few."""

MOST_WHOLE: Final = 4
"""At most this many words that a beginning is all of are in its list besides the first."""

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


class WordList(NamedTuple):
    """The first LISTED words, in their order, that begin with a prefix; behind them others that it is all of."""

    prefix: str
    words: tuple[Begun, ...]


# --- which words come first -------------------------------------------------------------------------------------------


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
        if (letters := weight / TENTHS + more) <= farthest
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
    far = distance_of_syllable(typed[:LONGEST_SYLLABLE], text[:LONGEST_SYLLABLE])
    return SYLLABLE * far if far <= LIKE else BEHIND_ALL + far


def by_letters_to_type(completions: Iterable[Completion]) -> list[Completion]:
    """Order words that begin with what was typed as those of a list are."""
    return sorted(completions, key=lambda each: place_of((each.letters, each.language_id, each.text, each.word_id)))


# --- lists ------------------------------------------------------------------------------------------------------------

packed: Final = msgspec.msgpack.Encoder().encode
"""Writes the words of a list as they are stored: as MessagePack they take two thirds of the room of JSON."""

unpacked: Final = msgspec.msgpack.Decoder(tuple[tuple[int, int, str, int], ...]).decode
"""Reads the words of a list."""


def beginnings_of(key: str) -> list[str]:
    """List the beginnings of a key that may have lists, the shortest first."""
    return [key[:letters] for letters in range(1, min(len(key), LONGEST) + 1)]


def listed(words: Iterable[Begun], whole: Iterable[Begun]) -> tuple[Begun, ...]:
    """Return the words of the list of a prefix, of all that begin with it and of those that it is all of."""
    first = first_of(words)
    there = {text.casefold() for _, _, text, _ in first}
    return (*first, *(begun for begun in first_of(whole, MOST_WHOLE) if begun[2].casefold() not in there))


def may_change(words: Sequence[Begun], gone: Iterable[Begun], come: Iterable[Begun]) -> bool:
    """Return whether a list may become another when some words are gone and longer ones have come."""
    ids = {word_id for _, _, _, word_id in words}
    if any(begun[3] in ids for begun in gone):
        return True
    first = words[:LISTED]
    return any(len(first) < LISTED or place_of(begun) < place_of(first[-1]) for begun in come)


def lists_of(words: Iterable[tuple[str, Begun]]) -> Iterator[WordList]:
    """Make the lists of all words, each given with its key, in the order of their keys.

    A list comes behind those of the prefixes that begin with its own. A prefix has a list if FEW words and one more
    have it: then a key shares it with the one that is FEW further on.
    """
    held: list[_Held] = []
    longest = ""
    for (key, begun), further_on in _with_those_further_on(words):
        while held and not key.startswith(longest):
            yield _closed(longest, held)
            longest = longest[:-1]
        if further_on.startswith(key[: len(held) + 1]):
            longest = key[: min(_alike(key, further_on), LONGEST)]
            held.extend(_Held([], []) for _ in range(len(longest) - len(held)))
        if held:
            held[-1].add(begun, is_whole=key == longest)
    while held:
        yield _closed(longest, held)
        longest = longest[:-1]


W = TypeVar("W", bound=tuple[Any, ...])


def _with_those_further_on(words: Iterable[W]) -> Iterator[tuple[W, str]]:
    """Go through words, each with the key of the word that is FEW further on; NO_KEY behind the last."""
    ahead: deque[W] = deque()
    for word in words:
        ahead.append(word)
        if len(ahead) > FEW:
            yield ahead.popleft(), word[0]
    for word in ahead:
        yield word, NO_KEY


def _alike(key: str, other: str) -> int:
    """Return with how many letters both begin."""
    both = zip(key, other, strict=False)
    return next((letters for letters, (one, two) in enumerate(both) if one != two), min(len(key), len(other)))


class _Held(NamedTuple):
    """What is held of the words of a prefix, and of those that it is all of."""

    words: list[Begun]
    whole: list[Begun]

    def add(self, begun: Begun, *, is_whole: bool) -> None:
        self.words.append(begun)
        if is_whole:
            self.whole.append(begun)
        if len(self.words) > MOST_HELD:
            self.words[:] = first_of(self.words)


def _closed(prefix: str, held: list[_Held]) -> WordList:
    """Make the list of the longest prefix that words are held of; it is part of what is held of the next."""
    words = listed(*held.pop())
    if held:
        held[-1].words.extend(words)
    return WordList(prefix, words)
