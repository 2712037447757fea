"""Searches with wildcards: the stretches of keys that a pattern leads to, gone through in short turns."""

from collections.abc import Iterator
from time import monotonic
from typing import Final, NamedTuple

from abhidhan.domain.languages import ALL_LANGUAGES
from abhidhan.domain.matching.wildcards import KeyPattern, Pattern, may_fold_away, other_endings
from abhidhan.storage import languages, wildcards, word_choice
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.key_columns import KeyColumn
from abhidhan.storage.wildcards import KeyedWord, Literals, Place, Stretch
from abhidhan.storage.word_choice import WordChoice

SMALL_LANGUAGE: Final = 20_000
"""Of a language with fewer words all are looked at: in a stretch of keys, words of others would crowd round them."""

MOST_CHOSEN: Final = 20_000
"""Where fields choose fewer words, the pattern is compared with these."""

FIRST_KEYS: Final = 512
KEYS_AT_ONCE: Final = 16_384
"""How many keys one statement looks at: few at first, since most searches soon have what they want."""

MOST_KEYS: Final = 2_000_000
"""How many keys one search looks at, all its stretches together."""

TURN_SECONDS: Final = 0.05
"""How long one turn of a thread lasts, about: others who wait for a thread come in between."""

MOST_SECONDS: Final = 2.0
"""How long all turns of a search last together, about. What has been found by then is the answer."""


class Matching(NamedTuple):
    """A word that fits a pattern, and the length of its loose key: shorter ones come first."""

    length: int
    key: str
    word_id: int


class Wanted(NamedTuple):
    """What a search with wildcards is asked for."""

    pattern: Pattern
    language_id: int
    choice: WordChoice
    limit: int


class PatternSearch:
    """One search with wildcards. Each turn looks at some keys; whoever wants the words takes turns until it is done."""

    def __init__(self, wanted: Wanted, *, most_keys: int = MOST_KEYS, most_seconds: float = MOST_SECONDS) -> None:
        """Take what is asked for, and how much may be done for it."""
        self._wanted = wanted
        self._most_keys, self._most_seconds = most_keys, most_seconds
        self._keys, self._seconds = 0, 0.0
        self._found: dict[int, Matching] = {}
        self._steps: Iterator[None] | None = None
        self._reader: Reader | None = None
        self.is_done = False
        self.is_complete = True

    def take_turn(self, reader: Reader) -> None:
        """Go on for a short while."""
        begun = monotonic()
        self._reader = reader
        if self._steps is None:
            self._steps = self._go()
        for _ in self._steps:
            spent = monotonic() - begun
            if self._keys >= self._most_keys or self._seconds + spent >= self._most_seconds:
                self.is_complete, self.is_done = False, True
                break
            if spent >= TURN_SECONDS:
                break
        else:
            self.is_done = True
        self._reader = None
        self._seconds += monotonic() - begun

    def found(self) -> list[Matching]:
        """List the words found, the shortest first."""
        return sorted(self._found.values())[: self._wanted.limit]

    # --- where words are looked for ----------------------------------------------------------------------------------

    @property
    def _now(self) -> Reader:
        if self._reader is None:
            raise RuntimeError("a search with wildcards goes on in its turns only")
        return self._reader

    def _go(self) -> Iterator[None]:
        """Look for words, pausing after each statement, in the one of the three ways that leads through the fewest."""
        language_id, choice = self._wanted.language_id, self._wanted.choice
        chosen = None if choice.is_any else word_choice.few(self._now, choice, language_id, MOST_CHOSEN)
        if chosen is not None and len(chosen) < MOST_CHOSEN:
            yield from self._among(chosen)
        elif language_id != ALL_LANGUAGES and languages.count_words(self._now, language_id) <= SMALL_LANGUAGE:
            yield from self._in_language()
        else:
            for literals in self._literals():
                yield from self._through(Stretch(literals, language_id))

    def _among(self, word_ids: list[int]) -> Iterator[None]:
        for start in range(0, len(word_ids), FIRST_KEYS):
            some = word_ids[start : start + FIRST_KEYS]
            self._take(wildcards.keyed_words(self._now, some, self._wanted.language_id), WordChoice())
            yield

    def _in_language(self) -> Iterator[None]:
        for literals in self._literals():
            found = wildcards.of_small_language(self._now, literals, self._wanted.language_id, SMALL_LANGUAGE)
            for start in range(0, len(found), FIRST_KEYS):
                self._take(found[start : start + FIRST_KEYS], self._wanted.choice)
                yield

    def _through(self, stretch: Stretch) -> Iterator[None]:
        """Go through a stretch until there are enough words; those of one length are in no order where they end so."""
        number, size = 0, FIRST_KEYS
        place: Place | None = stretch.first_place()
        while place is not None:
            chunk = wildcards.read_chunk(self._now, stretch, place, size)
            number += self._take(chunk.words, self._wanted.choice)
            self._keys += chunk.keys
            ends_length = chunk.next is None or chunk.next.length > place.length
            if number >= self._wanted.limit and (ends_length or stretch.way is wildcards.Way.BEGINNING):
                return
            place, size = chunk.next, min(size if ends_length else 2 * size, KEYS_AT_ONCE)
            yield

    def _take(self, words: list[KeyedWord], choice: WordChoice) -> int:
        """Keep the words that fit; return how many there were."""
        catalogue = self._now.catalogue
        fitting = [
            each
            for each in words
            if self._wanted.pattern.matches(each.exact, each.loose, catalogue.language(each.language_id).code)
        ]
        kept = word_choice.keep(self._now, choice, [each.id for each in fitting])
        for each in fitting:
            if each.id in kept:
                self._found[each.id] = Matching(len(each.loose), each.loose, each.id)
        return len(kept)

    def _literals(self) -> Iterator[Literals]:
        """List what keys must have, once for each way to find words that fit."""
        pattern = self._wanted.pattern
        longest = {column: wildcards.longest_key(self._now, column) for column in (KeyColumn.LOOSE, KeyColumn.EXACT)}
        yield from dict.fromkeys(
            literals._replace(longest=min(literals.longest, longest[literals.column]))
            for literals in (*_of_loose_keys(pattern), *_of_exact_keys(pattern))
        )


def _of_loose_keys(pattern: Pattern) -> Iterator[Literals]:
    for folded in {each.text: each for each in pattern.loose.values()}.values():
        yield _literals_of(KeyColumn.LOOSE, folded)


def _of_exact_keys(pattern: Pattern) -> Iterator[Literals]:
    """List how else words are found that are spelled just so: where some of their loose keys do not fit."""
    exact = pattern.exact
    literals = _literals_of(KeyColumn.EXACT, exact)
    if exact.prefix:
        if not exact.text.isascii():
            yield literals
    elif exact.suffix:
        yield from (Literals(KeyColumn.LOOSE, "", ending, "", 1, literals.longest) for ending in other_endings(pattern))
    elif may_fold_away(pattern):
        yield literals


def _literals_of(column: KeyColumn, pattern: KeyPattern) -> Literals:
    return Literals(
        column,
        pattern.prefix,
        pattern.suffix,
        pattern.longest_piece,
        pattern.shortest,
        pattern.longest if pattern.longest is not None else 1_000_000,
    )
