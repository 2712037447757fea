"""Whole headwords: the spellings by which a query, or a part of it between spaces, may be one just as it came."""

import re
from collections.abc import Container, Iterable
from typing import Final, NamedTuple

from abhidhan.domain.text.normal import exact_key, spellings_around, squeeze, words_of

BESIDE_A_PART: Final = 1
"""So many marks on each side of one of several words may be part of it: of twenty words, there are many spellings."""

_PARTS_WORDS: Final = re.compile("[ \u2010-\u2013-]")


class Part(NamedTuple):
    """What stands between two spaces: its spellings with punctuation, the most of it first, and its words without."""

    spellings: tuple[str, ...]
    words: tuple[str, ...]


class Headwords(NamedTuple):
    """What may be headwords besides the bare words of a query: all of it, and its parts as they came."""

    whole: tuple[str, ...]
    parts: tuple[Part, ...]

    def spellings(self) -> list[str]:
        """List every spelling that is to be looked for, each once."""
        return list(dict.fromkeys((*self.whole, *(each for part in self.parts for each in part.spellings))))

    def candidates(self) -> list[str]:
        """List every text that may be looked up: the spellings, and the bare words."""
        return list(dict.fromkeys((*self.spellings(), *(word for part in self.parts for word in part.words))))

    def texts(self, found: Container[str]) -> tuple[str, ...]:
        """List what is looked up, knowing which spellings are headwords: the whole, then each part or its words."""
        texts = [*_first(self.whole, found)]
        for part in self.parts:
            spelled = [*_first(part.spellings, found)]
            texts += spelled if spelled and len(part.words) < 2 else [*spelled, *part.words]  # noqa: PLR2004
        once: dict[str, str] = {}
        for text in texts:
            once.setdefault(exact_key(text), text)
        return tuple(once.values())


def read_headwords(query: str, words: tuple[str, ...]) -> Headwords | None:
    """Read what may be headwords in a query besides its bare `words`; None where that is nothing."""
    if words == (query,):
        return None
    came = squeeze(query)
    parts = came.split(" ")
    if len(parts) == 1:
        return _worth_looking(Headwords((), (_part(came, spellings_around(came)),)))
    bare = {exact_key(word) for word in words}
    whole = tuple(each for each in spellings_around(came) if exact_key(each) not in bare)
    spelled = (_part(each, spellings_around(each, BESIDE_A_PART)) for each in parts)
    return _worth_looking(Headwords(whole, tuple(part for part in spelled if part.words)))


def has_several_words(text: str) -> bool:
    """Say whether a headword has several words, apart or joined by hyphens."""
    return _PARTS_WORDS.search(text.strip("- ")) is not None


def _worth_looking(read: Headwords) -> Headwords | None:
    return read if read.spellings() else None


def _part(came: str, spellings: tuple[str, ...]) -> Part:
    words = words_of(came)
    bare = {exact_key(word) for word in words}
    return Part(tuple(each for each in spellings if exact_key(each) not in bare), words)


def _first(spellings: Iterable[str], found: Container[str]) -> Iterable[str]:
    """Return the first spelling that was found, or nothing."""
    return (each for each in list(filter(found.__contains__, spellings))[:1])
