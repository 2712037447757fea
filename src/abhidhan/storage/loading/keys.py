"""The keys of many words, made on a second processor where there is one and the load is large."""

import multiprocessing
import os
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from types import TracebackType
from typing import NamedTuple, Self

from abhidhan.domain.indexing import word_keys
from abhidhan.domain.text.keys import near_keys

MANY_WORDS = 5_000
"""How many words one load must bring before a second process is worth its start."""

WORTH_SENDING = 500
"""How many words of one batch are worth sending there."""

LEAST_SHARE = 4
"""At least one word in so many must be new for the keys of all to be made there."""

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


Keys = dict[Spelled, RowKeys]
"""The keys of some words."""


class _Begun(NamedTuple):
    """A batch of so many words, and their keys if another process makes them."""

    size: int
    made: Future[Keys] | None


class KeyMaker:
    """Makes keys, those of the next batch in a process of its own while this one is stored, once that pays."""

    def __init__(self) -> None:
        """Begin without the process."""
        self._seen = 0
        self._pool: ProcessPoolExecutor | None = None
        self._begun: deque[_Begun] = deque()
        self._pays = True

    def begin(self, words: Sequence[Spelled]) -> None:
        """Begin a batch of words, some of which may be known: the next `make` but those begun before is of it."""
        self._seen += len(words)
        large = self._seen >= MANY_WORDS and len(words) >= WORTH_SENDING and (os.cpu_count() or 1) > 1
        made = self._started().submit(make_keys, words) if large and self._pays else None
        self._begun.append(_Begun(len(words), made))

    def make(self, words: Sequence[Spelled]) -> list[RowKeys]:
        """Make the keys of the words of a batch that are new, in their order."""
        begun = self._begun.popleft() if self._begun else _Begun(len(words), None)
        # Of a file that is there already, hardly any word is new.
        self._pays = len(words) * LEAST_SHARE > begun.size
        known = begun.made.result() if begun.made else {}
        known |= make_keys([word for word in words if word not in known])
        return [known[word] for word in words]

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
        return self._pool

    def __enter__(self) -> Self:
        """Use it in a `with` block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the process."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)


def make_keys(words: Sequence[Spelled]) -> Keys:
    """Make the keys of words here."""
    made = {}
    for text, language in words:
        keys = word_keys(text, language)
        made[text, language] = RowKeys(
            keys.exact_key,
            keys.loose_key,
            keys.sound_key,
            keys.sort_key,
            keys.rule_roman,
            near_keys(keys.loose_key),
        )
    return made
