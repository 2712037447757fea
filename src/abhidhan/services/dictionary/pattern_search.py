"""Searches with wildcards: the words that a pattern may fit are compared with it one by one, for a limited time."""

from collections.abc import Iterator
from time import monotonic
from typing import Final

from abhidhan.domain.matching.wildcards import Pattern
from abhidhan.storage import word_choice
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.key_columns import KeyColumn
from abhidhan.storage.wildcards import KeyedWord, words_by_id, words_like
from abhidhan.storage.word_choice import WordChoice

MOST_CHOSEN: Final = 20_000
"""Where fields choose fewer words, the pattern is compared with these."""

MOST_SECONDS: Final = 2.0
"""How long one search lasts, about. What has been found by then is the answer."""


def find_fitting(
    reader: Reader, pattern: Pattern, language_id: int, choice: WordChoice, limit: int
) -> tuple[list[KeyedWord], bool]:
    """Find the words that fit a pattern, the shortest loose keys first; return also whether none may be missing."""
    deadline = monotonic() + MOST_SECONDS
    chosen = None if choice.is_any else word_choice.few(reader, choice, language_id, MOST_CHOSEN)
    if chosen is not None and len(chosen) < MOST_CHOSEN:
        # They are in no order of length: all of them are compared.
        ways, enough = iter([words_by_id(reader, chosen, language_id)]), MOST_CHOSEN
    else:
        ways, enough = _ways(reader, pattern, language_id), limit
    found: set[KeyedWord] = set()
    for pages in ways:
        number = 0
        for words in pages:
            fitting = _fitting(reader, pattern, choice, words)
            found.update(fitting)
            number += len(fitting)
            if number >= enough:
                break
            if monotonic() >= deadline:
                return _shortest(found, limit), False
    return _shortest(found, limit), True


def _ways(reader: Reader, pattern: Pattern, language_id: int) -> Iterator[Iterator[list[KeyedWord]]]:
    """Read words by their loose keys and, unless the pattern is in ASCII, by their exact keys.

    `*গ` finds বিহংগ by its exact key alone: its loose key is বিহং. What is typed in ASCII stands in loose keys too.
    """
    for folded in sorted(set(pattern.loose.values())):
        yield words_like(reader, KeyColumn.LOOSE, folded, language_id)
    if not pattern.exact.text.isascii():
        yield words_like(reader, KeyColumn.EXACT, pattern.exact, language_id, unlike=pattern.loose[""].like)


def _fitting(reader: Reader, pattern: Pattern, choice: WordChoice, words: list[KeyedWord]) -> list[KeyedWord]:
    code_of = reader.catalogue.language
    fitting = [each for each in words if pattern.matches(each.exact, each.loose, code_of(each.language_id).code)]
    kept = word_choice.keep(reader, choice, [each.id for each in fitting])
    return [each for each in fitting if each.id in kept]


def _shortest(words: set[KeyedWord], limit: int) -> list[KeyedWord]:
    return sorted(words, key=lambda each: (len(each.loose), each.loose, each.id))[:limit]
