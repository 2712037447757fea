"""The keys of many words at once, on a second processor where there is one and the load is large."""

import multiprocessing
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from types import TracebackType
from typing import NamedTuple, Self

from abhidhan.domain.indexing import word_keys
from abhidhan.domain.text.keys import near_keys

MANY_WORDS = 30_000
"""How many words one load must bring before a second process is worth its start."""

WORTH_SENDING = 500
"""How many words of one batch are worth sending there."""

Spelled = tuple[str, str]
"""A text and the code of its language."""


class RowKeys(NamedTuple):
    """What is stored for a word: the columns of its row, and its near keys."""

    exact_key: str
    loose_key: str
    sound_key: str
    sort_key: bytes
    rule_roman: str | None
    near: frozenset[str]


class KeyMaker:
    """Makes keys, half of them in a process of its own once that pays."""

    def __init__(self) -> None:
        """Begin without the process."""
        self._made = 0
        self._pool: ProcessPoolExecutor | None = None

    def make(self, words: Sequence[Spelled]) -> list[RowKeys]:
        """Make the keys of words, in their order."""
        self._made += len(words)
        if self._made < MANY_WORDS or len(words) < WORTH_SENDING or (os.cpu_count() or 1) == 1:
            return make_keys(words)
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
        half = len(words) // 2
        other = self._pool.submit(make_keys, words[half:])
        return [*make_keys(words[:half]), *other.result()]

    def __enter__(self) -> Self:
        """Use it in a `with` block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the process."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)


def make_keys(words: Sequence[Spelled]) -> list[RowKeys]:
    """Make the keys of words here."""
    made = []
    for text, language in words:
        keys = word_keys(text, language)
        made.append(
            RowKeys(
                keys.exact_key,
                keys.loose_key,
                keys.sound_key,
                keys.sort_key,
                keys.rule_roman,
                near_keys(keys.loose_key),
            )
        )
    return made
