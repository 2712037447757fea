"""Completion lists: the first words of each prefix that many words share.

Few words begin like most of what is typed: they are read one by one. For each beginning that more words share, a list
names the first. One is made of those of the beginnings that are a letter longer, so that to make all of them, or one
anew, takes no more than the words that have no list of their own.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from abhidhan.dictionary.model.completions import FEW, LISTED, LONGEST, Begun, first_of, listed, place_of

MOST_HELD: Final = 4000
"""At most this many words are held of one beginning while the words are gone through."""

NO_KEY: Final = "\0"
"""Begins like no key."""


class WordList(NamedTuple):
    """The first LISTED words, in their order, that begin with a prefix; behind them others that it is all of."""

    prefix: str
    words: tuple[Begun, ...]


packed: Final = msgspec.msgpack.Encoder().encode
"""Writes the words of a list as they are stored: as MessagePack they take two thirds of the room of JSON."""

unpacked: Final = msgspec.msgpack.Decoder(tuple[tuple[int, int, str, int], ...]).decode
"""Reads the words of a list."""


def beginnings_of(key: str) -> list[str]:
    """List the beginnings of a key that may have lists, the shortest first."""
    return [key[:letters] for letters in range(1, min(len(key), LONGEST) + 1)]


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
