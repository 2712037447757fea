"""Computation of word keys, in a second process if the load is large and a processor is free."""

import multiprocessing
import os
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from types import TracebackType
from typing import Final, NamedTuple, Self

import msgspec

from assamese.search_keys import compute_word_keys

PROCESS_THRESHOLD = 5_000
"""Minimum number of words in a load for which a second process is started."""

MIN_BATCH_WORDS = 1_000
"""Minimum number of words in a batch that is sent to the process; short transactions would wait for it."""

MAX_WORDS_PER_NEW_WORD = 4
"""The second process is used only if at least one word in this number was new in the last batch."""

FILTER_BITS: Final = 2**24
"""Size of the filter, in bits, that prevents words from being sent to the process twice."""

WordInLanguage = tuple[str, str]
"""A text and its language code."""


RowKeys = tuple[str, str, str, bytes, str | None]
"""The exact, loose and sound key of a word, its sort key, and its generated romanization, as in WordKeys.

A plain tuple, which is smaller to send between processes.
"""


class _PendingBatch(NamedTuple):
    """A batch: its size, the words sent to the process, and the future of their keys."""

    size: int
    sent: Sequence[WordInLanguage] = ()
    future: Future[list[RowKeys]] | None = None


class _SeenWords:
    """Filter of words already seen, as hashed bits, with about one false positive in twenty."""

    def __init__(self) -> None:
        self._bits = bytearray(FILTER_BITS // 8)

    def filter_new(self, words: Sequence[WordInLanguage]) -> list[WordInLanguage]:
        """Return the words that are not in the filter, each once, and add them."""
        return [word for word in words if self._check_and_add(hash(word) % FILTER_BITS)]

    def _check_and_add(self, number: int) -> bool:
        index, bit = number >> 3, 1 << (number & 7)
        before = self._bits[index]
        self._bits[index] = before | bit
        return not before & bit


class KeyMaker:
    """Computes word keys; those of large batches in a second process, while the previous batch is stored."""

    def __init__(self) -> None:
        """Initialise without a process; it is started with the first large batch."""
        self._word_count = 0
        self._pool: ProcessPoolExecutor | None = None
        self._pending: deque[_PendingBatch] = deque()
        self._seen_words = _SeenWords()
        self._is_worthwhile = True

    def start_batch(self, words: Sequence[WordInLanguage]) -> None:
        """Start computing the keys of a batch, whose words may be stored already; finish batches in the same order."""
        self._word_count += len(words)
        is_large = self._word_count >= PROCESS_THRESHOLD and len(words) >= MIN_BATCH_WORDS and (os.cpu_count() or 1) > 1
        if is_large and self._is_worthwhile:
            sent = self._seen_words.filter_new(words)
            self._pending.append(_PendingBatch(len(words), sent, self._start_pool().submit(compute_keys, sent)))
        else:
            self._pending.append(_PendingBatch(len(words)))

    def finish_batch(self, words: Sequence[WordInLanguage]) -> list[RowKeys]:
        """Return the keys of `words`, the new words of the oldest unfinished batch, in order."""
        batch = self._pending.popleft() if self._pending else _PendingBatch(len(words))
        # A file that was loaded before has hardly any new words.
        self._is_worthwhile = len(words) * MAX_WORDS_PER_NEW_WORD > batch.size
        keys = dict(zip(batch.sent, batch.future.result(), strict=True)) if batch.future else {}
        missing = [word for word in words if word not in keys]
        keys |= zip(missing, compute_keys(missing), strict=True)
        return [keys[word] for word in words]

    def _start_pool(self) -> ProcessPoolExecutor:
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


def compute_keys(words: Sequence[WordInLanguage]) -> list[RowKeys]:
    """Compute the keys of words in this process."""
    return [msgspec.structs.astuple(compute_word_keys(text, language)) for text, language in words]
