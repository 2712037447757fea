"""Spellings in which a query, or a part of it between spaces, may be a headword without changes."""

import re
from collections.abc import Callable, Container, Iterable
from typing import Final, NamedTuple

from assamese.normalization import exact_key, spellings_around, squeeze, words_of
from assamese.signs import read_colons, read_signs

BESIDE_A_PART: Final = 1
"""Maximum number of marks on each side of a word that may belong to it; twenty words would have too many spellings."""

_PARTS_WORDS: Final = re.compile("[ \u2010-\u2013-]")


TO: Final = "to "
"""The particle before the infinitive of an English verb, which dictionaries and word lists often include."""


class Part(NamedTuple):
    """Part of the query between two spaces: its spellings with punctuation, longest first, and its bare words.

    `apart` are its words if a colon between two letters separates words instead of standing for a visarga.
    """

    spellings: tuple[str, ...]
    words: tuple[str, ...]
    apart: tuple[str, ...] = ()

    def words_among(self, found: Container[str]) -> tuple[str, ...]:
        """Return the words; a colon separates them only if all pieces are headwords and the joined word is not."""
        are_apart = self.apart and all(map(found.__contains__, self.apart))
        return self.apart if are_apart and not all(map(found.__contains__, self.words)) else self.words


class Headwords(NamedTuple):
    """Possible headwords besides the bare words of a query: the whole query, and its unmodified parts."""

    whole: tuple[str, ...]
    parts: tuple[Part, ...]
    behind_to: str = ""
    """Text after a leading "to", if it has several words."""

    def spellings(self) -> list[str]:
        """List the spellings to look up, each once."""
        return list(dict.fromkeys((*self.whole, *(each for part in self.parts for each in part.spellings))))

    def candidates(self) -> list[str]:
        """List all texts that may be looked up: the spellings and the bare words."""
        words = (word for part in self.parts for word in (*part.words, *part.apart))
        behind = (self.behind_to,) if self.behind_to else ()
        return list(dict.fromkeys((*self.spellings(), *behind, *words)))

    def texts(self, found: Container[str]) -> tuple[str, ...]:
        """List the texts to look up, given the spellings that are headwords: the whole, then each part or its words."""
        texts = [*_first(self.whole, found)]
        for part in self.parts:
            spelled = [*_first(part.spellings, found)]
            words = part.words_among(found)
            texts += spelled if spelled and len(words) < 2 else [*spelled, *words]  # noqa: PLR2004
        return _once(texts)

    def texts_behind_to(self, found: Container[str]) -> tuple[str, ...]:
        """List the texts to look up without the leading "to": the whole query, the rest, each part or its words."""
        whole = {*self.whole}
        _, *words = (text for text in self.texts(found) if text not in whole)
        return _once([*_first(self.whole, found), *_first((self.behind_to,), found), *words])

    def verb_behind_to(self, found: Container[str]) -> str:
        """Return the first word after a leading "to", or an empty string."""
        words = [word for part in self.parts[:2] for word in part.words_among(found)]
        return words[1] if len(words) > 1 and f"{words[0]} ".casefold() == TO else ""


def read_headwords(query: str, words: tuple[str, ...]) -> Headwords | None:
    """Return the possible headwords of a query besides its bare `words`; None if there are none."""
    if words == (query,):
        return None
    came = squeeze(query)
    parts = came.split(" ")
    if len(parts) == 1:
        return _worth_looking(Headwords((), (_part(came, spellings_around(came)),)))
    bare = {exact_key(word) for word in words}
    around = spellings_around(came)
    whole = tuple(each for each in _and_as_read(around, read_signs) if exact_key(each) not in bare)
    spelled = (_part(each, spellings_around(each, BESIDE_A_PART)) for each in parts)
    return _worth_looking(Headwords(whole, tuple(part for part in spelled if part.words), _behind_to(around[-1])))


def has_several_words(text: str) -> bool:
    """Return whether a headword has several words, separated by spaces or hyphens."""
    return _PARTS_WORDS.search(text.strip("- ")) is not None


def _worth_looking(read: Headwords) -> Headwords | None:
    return read if read.spellings() else None


def _part(came: str, spellings: tuple[str, ...]) -> Part:
    words, joined = words_of(came), read_colons(came, between=True)
    apart = words if joined != came else ()
    words = words_of(joined) if apart else words
    bare = {exact_key(word) for word in words}
    read = _and_as_read(spellings, read_colons)
    return Part(tuple(each for each in read if exact_key(each) not in bare), words, apart)


def _and_as_read(spellings: tuple[str, ...], read: Callable[[str], str]) -> tuple[str, ...]:
    """Append the spellings that result from reading signs."""
    return tuple(dict.fromkeys((*spellings, *map(read, spellings))))


def _behind_to(bare: str) -> str:
    rest = bare[len(TO) :]
    return rest if " " in rest and bare.casefold().startswith(TO) else ""


def _once(texts: Iterable[str]) -> tuple[str, ...]:
    """Remove texts with the exact key of an earlier one."""
    once: dict[str, str] = {}
    for text in texts:
        once.setdefault(exact_key(text), text)
    return tuple(once.values())


def _first(spellings: Iterable[str], found: Container[str]) -> Iterable[str]:
    """Return the first known spelling, if any."""
    return (each for each in list(filter(found.__contains__, spellings))[:1])
