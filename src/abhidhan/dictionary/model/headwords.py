"""Possible headwords in a query: the whole text, or its parts between spaces, with their punctuation."""

import re
from collections.abc import Callable, Container, Iterable
from typing import Final, NamedTuple

from assamese.normalization import build_punctuation_variants, collapse_whitespace, exact_key, split_words
from assamese.signs import correct_signs, replace_colons

MAX_MARKS_PER_SIDE: Final = 1
"""Maximum number of marks on each side of a word that may belong to it; with more, there are too many spellings."""

_WORD_SEPARATOR: Final = re.compile("[ \u2010-\u2013-]")


INFINITIVE_PREFIX: Final = "to "
"""The particle before the infinitive of an English verb, which dictionaries and word lists often include."""


class QueryPart(NamedTuple):
    """Part of the query between two spaces: its spellings with punctuation, longest first, and its bare words.

    `colon_words` are its words if a colon between two letters separates words instead of representing a visarga.
    """

    spellings: tuple[str, ...]
    words: tuple[str, ...]
    colon_words: tuple[str, ...] = ()

    def choose_words(self, headwords: Container[str]) -> tuple[str, ...]:
        """Return the words, split at colons only if all pieces are headwords and the word with the colon is not."""
        is_split = self.colon_words and all(map(headwords.__contains__, self.colon_words))
        return self.colon_words if is_split and not all(map(headwords.__contains__, self.words)) else self.words


class PossibleHeadwords(NamedTuple):
    """Possible headwords of a query besides its bare words: the whole query, and its parts with their punctuation."""

    whole: tuple[str, ...]
    parts: tuple[QueryPart, ...]
    text_after_to: str = ""
    """Text after a leading "to", if it has several words."""

    def list_spellings(self) -> list[str]:
        """List the spellings to look up, each once."""
        return list(dict.fromkeys((*self.whole, *(spelling for part in self.parts for spelling in part.spellings))))

    def list_candidates(self) -> list[str]:
        """List all texts that may be looked up: the spellings and the bare words."""
        words = (word for part in self.parts for word in (*part.words, *part.colon_words))
        after_to = (self.text_after_to,) if self.text_after_to else ()
        return list(dict.fromkeys((*self.list_spellings(), *after_to, *words)))

    def choose_texts(self, headwords: Container[str]) -> tuple[str, ...]:
        """List the texts to look up, given the known headwords: the whole query, then each part or its words."""
        texts = [*_find_first_known(self.whole, headwords)]
        for part in self.parts:
            known_spellings = [*_find_first_known(part.spellings, headwords)]
            words = part.choose_words(headwords)
            texts += known_spellings if known_spellings and len(words) < 2 else [*known_spellings, *words]  # noqa: PLR2004
        return _remove_duplicates(texts)

    def choose_texts_after_to(self, headwords: Container[str]) -> tuple[str, ...]:
        """List the texts to look up without a leading "to": the query, the text after "to", each part or its words."""
        whole = {*self.whole}
        _, *words = (text for text in self.choose_texts(headwords) if text not in whole)
        return _remove_duplicates(
            [*_find_first_known(self.whole, headwords), *_find_first_known((self.text_after_to,), headwords), *words]
        )

    def find_verb_after_to(self, headwords: Container[str]) -> str:
        """Return the first word after a leading "to", or an empty string."""
        words = [word for part in self.parts[:2] for word in part.choose_words(headwords)]
        return words[1] if len(words) > 1 and f"{words[0]} ".casefold() == INFINITIVE_PREFIX else ""


def parse_headwords(query: str, words: tuple[str, ...]) -> PossibleHeadwords | None:
    """Return the possible headwords of a query besides its bare `words`; None if there are none."""
    if words == (query,):
        return None
    text = collapse_whitespace(query)
    parts = text.split(" ")
    if len(parts) == 1:
        return _none_if_empty(PossibleHeadwords((), (_parse_part(text, build_punctuation_variants(text)),)))
    bare_keys = {exact_key(word) for word in words}
    spellings = build_punctuation_variants(text)
    whole = tuple(each for each in _add_readings(spellings, correct_signs) if exact_key(each) not in bare_keys)
    parts_with_marks = (_parse_part(each, build_punctuation_variants(each, MAX_MARKS_PER_SIDE)) for each in parts)
    return _none_if_empty(
        PossibleHeadwords(whole, tuple(part for part in parts_with_marks if part.words), _text_after_to(spellings[-1]))
    )


def has_several_words(text: str) -> bool:
    """Return whether a headword has several words, separated by spaces or hyphens."""
    return _WORD_SEPARATOR.search(text.strip("- ")) is not None


def _none_if_empty(headwords: PossibleHeadwords) -> PossibleHeadwords | None:
    return headwords if headwords.list_spellings() else None


def _parse_part(text: str, spellings: tuple[str, ...]) -> QueryPart:
    words, joined = split_words(text), replace_colons(text, between=True)
    colon_words = words if joined != text else ()
    words = split_words(joined) if colon_words else words
    bare_keys = {exact_key(word) for word in words}
    spellings_with_readings = _add_readings(spellings, replace_colons)
    return QueryPart(
        tuple(spelling for spelling in spellings_with_readings if exact_key(spelling) not in bare_keys),
        words,
        colon_words,
    )


def _add_readings(spellings: tuple[str, ...], read: Callable[[str], str]) -> tuple[str, ...]:
    """Append what `read` returns for each spelling, without duplicates."""
    return tuple(dict.fromkeys((*spellings, *map(read, spellings))))


def _text_after_to(bare: str) -> str:
    after_to = bare[len(INFINITIVE_PREFIX) :]
    return after_to if " " in after_to and bare.casefold().startswith(INFINITIVE_PREFIX) else ""


def _remove_duplicates(texts: Iterable[str]) -> tuple[str, ...]:
    """Remove texts with the exact key of an earlier one."""
    by_key: dict[str, str] = {}
    for text in texts:
        by_key.setdefault(exact_key(text), text)
    return tuple(by_key.values())


def _find_first_known(spellings: Iterable[str], headwords: Container[str]) -> Iterable[str]:
    """Return the first spelling that is a headword, as an iterable of at most one item."""
    return (spelling for spelling in list(filter(headwords.__contains__, spellings))[:1])
