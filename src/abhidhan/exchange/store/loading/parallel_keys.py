"""Computation of word keys, in a second process if the load is large and a processor is free."""

import multiprocessing
import os
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from types import TracebackType
from typing import Final, NamedTuple, Self

import msgspec

from assamese.search_keys import word_keys

MANY_WORDS = 5_000
"""Number of words in a load from which a second process is worth starting."""

WORTH_SENDING = 1_000
"""Minimum number of words of a batch to send; short transactions have fewer, and would wait for the process."""

LEAST_SHARE = 4
"""At least one word in this number must be new for the process to compute the keys of all."""

REMEMBERED_BITS: Final = 2**24
"""Number of bits of the filter that keeps words of large files from being sent twice."""

Spelled = tuple[str, str]
"""A text and its language code."""


RowKeys = tuple[str, str, str, bytes, str | None]
"""The exact, loose and sound key of a word, its sort key, and its generated romanization, as in WordKeys.

A plain tuple, which is smaller to send between processes.
"""


class _Begun(NamedTuple):
    """A batch: its size, the words sent to the process, and the future of their keys."""

    size: int
    sent: Sequence[Spelled] = ()
    made: Future[list[RowKeys]] | None = None


class _Met:
    """Filter of words already seen, as hashed bits, with about one false positive in twenty."""

    def __init__(self) -> None:
        self._bits = bytearray(REMEMBERED_BITS // 8)

    def new_among(self, words: Sequence[Spelled]) -> list[Spelled]:
        """Return the words seen for the first time, each once."""
        return [word for word in words if self._is_new(hash(word) % REMEMBERED_BITS)]

    def _is_new(self, number: int) -> bool:
        place, bit = number >> 3, 1 << (number & 7)
        before = self._bits[place]
        self._bits[place] = before | bit
        return not before & bit


class KeyMaker:
    """Computer of word keys, which prepares the next batch in a second process while one is stored, if that pays."""

    def __init__(self) -> None:
        """Initialise without the process."""
        self._seen = 0
        self._pool: ProcessPoolExecutor | None = None
        self._begun: deque[_Begun] = deque()
        self._met = _Met()
        self._pays = True

    def begin(self, words: Sequence[Spelled]) -> None:
        """Start a batch of words, some of which may be known; calls of `make` follow in the same order."""
        self._seen += len(words)
        large = self._seen >= MANY_WORDS and len(words) >= WORTH_SENDING and (os.cpu_count() or 1) > 1
        if large and self._pays:
            sent = self._met.new_among(words)
            self._begun.append(_Begun(len(words), sent, self._started().submit(make_keys, sent)))
        else:
            self._begun.append(_Begun(len(words)))

    def make(self, words: Sequence[Spelled]) -> list[RowKeys]:
        """Return the keys of the new words of a batch, in order."""
        begun = self._begun.popleft() if self._begun else _Begun(len(words))
        # A file that was loaded before has hardly any new words.
        self._pays = len(words) * LEAST_SHARE > begun.size
        known = dict(zip(begun.sent, begun.made.result(), strict=True)) if begun.made else {}
        lacking = [word for word in words if word not in known]
        known |= zip(lacking, make_keys(lacking), strict=True)
        return [known[word] for word in words]

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
        return self._pool

    def __enter__(self) -> Self:
        """Return the key maker itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the process."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)


def make_keys(words: Sequence[Spelled]) -> list[RowKeys]:
    """Compute the keys of words in this process."""
    return [msgspec.structs.astuple(word_keys(text, language)) for text, language in words]
