"""Possible headwords in a query: the whole text, or its parts between spaces, with their punctuation."""

import re
from collections.abc import Callable, Container, Iterable
from typing import Final, NamedTuple

from assamese.normalization import collapse_whitespace, exact_key, spellings_around, words_of
from assamese.signs import read_colons, read_signs

MAX_MARKS_PER_SIDE: Final = 1
"""Maximum number of marks on each side of a word that may belong to it; with more, there are too many spellings."""

_WORD_SEPARATOR: Final = re.compile("[ \u2010-\u2013-]")


TO: Final = "to "
"""The particle before the infinitive of an English verb, which dictionaries and word lists often include."""


class QueryPart(NamedTuple):
    """Part of the query between two spaces: its spellings with punctuation, longest first, and its bare words.

    `colon_words` are its words if a colon between two letters separates words instead of representing a visarga.
    """

    spellings: tuple[str, ...]
    words: tuple[str, ...]
    apart: tuple[str, ...] = ()

    def words_among(self, headwords: Container[str]) -> tuple[str, ...]:
        """Return the words, split at colons only if all pieces are headwords and the word with the colon is not."""
        are_apart = self.apart and all(map(headwords.__contains__, self.apart))
        return self.apart if are_apart and not all(map(headwords.__contains__, self.words)) else self.words


class Headwords(NamedTuple):
    """Possible headwords of a query besides its bare words: the whole query, and its parts with their punctuation."""

    whole: tuple[str, ...]
    parts: tuple[QueryPart, ...]
    after_to: str = ""
    """Text after a leading "to", if it has several words."""

    def spellings(self) -> list[str]:
        """List the spellings to look up, each once."""
        return list(dict.fromkeys((*self.whole, *(spelling for part in self.parts for spelling in part.spellings))))

    def candidates(self) -> list[str]:
        """List all texts that may be looked up: the spellings and the bare words."""
        words = (word for part in self.parts for word in (*part.words, *part.apart))
        after_to = (self.after_to,) if self.after_to else ()
        return list(dict.fromkeys((*self.spellings(), *after_to, *words)))

    def texts(self, headwords: Container[str]) -> tuple[str, ...]:
        """List the texts to look up, given the known headwords: the whole query, then each part or its words."""
        texts = [*_first_known(self.whole, headwords)]
        for part in self.parts:
            known_spellings = [*_first_known(part.spellings, headwords)]
            words = part.words_among(headwords)
            texts += known_spellings if known_spellings and len(words) < 2 else [*known_spellings, *words]  # noqa: PLR2004
        return _distinct_texts(texts)

    def texts_after_to(self, headwords: Container[str]) -> tuple[str, ...]:
        """List the texts to look up without a leading "to": the query, the text after "to", each part or its words."""
        whole = {*self.whole}
        _, *words = (text for text in self.texts(headwords) if text not in whole)
        return _distinct_texts(
            [*_first_known(self.whole, headwords), *_first_known((self.after_to,), headwords), *words]
        )

    def verb_after_to(self, headwords: Container[str]) -> str:
        """Return the first word after a leading "to", or an empty string."""
        words = [word for part in self.parts[:2] for word in part.words_among(headwords)]
        return words[1] if len(words) > 1 and f"{words[0]} ".casefold() == TO else ""


def read_headwords(query: str, words: tuple[str, ...]) -> Headwords | None:
    """Return the possible headwords of a query besides its bare `words`; None if there are none."""
    if words == (query,):
        return None
    text = collapse_whitespace(query)
    parts = text.split(" ")
    if len(parts) == 1:
        return _unless_empty(Headwords((), (_part(text, spellings_around(text)),)))
    bare_keys = {exact_key(word) for word in words}
    spellings = spellings_around(text)
    whole = tuple(each for each in _with_readings(spellings, read_signs) if exact_key(each) not in bare_keys)
    spelled = (_part(each, spellings_around(each, MAX_MARKS_PER_SIDE)) for each in parts)
    return _unless_empty(Headwords(whole, tuple(part for part in spelled if part.words), _text_after_to(spellings[-1])))


def has_several_words(text: str) -> bool:
    """Return whether a headword has several words, separated by spaces or hyphens."""
    return _WORD_SEPARATOR.search(text.strip("- ")) is not None


def _unless_empty(read: Headwords) -> Headwords | None:
    return read if read.spellings() else None


def _part(text: str, spellings: tuple[str, ...]) -> QueryPart:
    words, joined = words_of(text), read_colons(text, between=True)
    apart = words if joined != text else ()
    words = words_of(joined) if apart else words
    bare_keys = {exact_key(word) for word in words}
    read = _with_readings(spellings, read_colons)
    return QueryPart(tuple(spelling for spelling in read if exact_key(spelling) not in bare_keys), words, apart)


def _with_readings(spellings: tuple[str, ...], read: Callable[[str], str]) -> tuple[str, ...]:
    """Append what `read` returns for each spelling, without duplicates."""
    return tuple(dict.fromkeys((*spellings, *map(read, spellings))))


def _text_after_to(bare: str) -> str:
    after_to = bare[len(TO) :]
    return after_to if " " in after_to and bare.casefold().startswith(TO) else ""


def _distinct_texts(texts: Iterable[str]) -> tuple[str, ...]:
    """Remove texts with the exact key of an earlier one."""
    by_key: dict[str, str] = {}
    for text in texts:
        by_key.setdefault(exact_key(text), text)
    return tuple(by_key.values())


def _first_known(spellings: Iterable[str], headwords: Container[str]) -> Iterable[str]:
    """Return the first spelling that is a headword, as an iterable of at most one item."""
    return (spelling for spelling in list(filter(headwords.__contains__, spellings))[:1])
