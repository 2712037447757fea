"""The keys of many words, made on a second processor where there is one and the load is large."""

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
"""How many words one load must bring before a second process is worth its start."""

WORTH_SENDING = 1_000
"""How many words of one batch are worth sending there. Short transactions have fewer: nobody waits for the process."""

LEAST_SHARE = 4
"""At least one word in so many must be new for the keys of all to be made there."""

REMEMBERED_BITS: Final = 2**24
"""How many bits tell which words have come, so that none is sent twice: words of great files come again and again."""

Spelled = tuple[str, str]
"""A text and the code of its language."""


RowKeys = tuple[str, str, str, bytes, str | None]
"""The exact, loose and sound key of a word, its sort key, and its romanization by rule: what WordKeys has.

A plain tuple: there is less to send from the other process.
"""


class _Begun(NamedTuple):
    """A batch of so many words, those of them that another process makes the keys of, and these keys."""

    size: int
    sent: Sequence[Spelled] = ()
    made: Future[list[RowKeys]] | None = None


class _Met:
    """Remembers which words have come, as bits; by chance, one in twenty that have not seems to have."""

    def __init__(self) -> None:
        self._bits = bytearray(REMEMBERED_BITS // 8)

    def new_among(self, words: Sequence[Spelled]) -> list[Spelled]:
        """Choose the words that come for the first time, each once."""
        return [word for word in words if self._is_new(hash(word) % REMEMBERED_BITS)]

    def _is_new(self, number: int) -> bool:
        place, bit = number >> 3, 1 << (number & 7)
        before = self._bits[place]
        self._bits[place] = before | bit
        return not before & bit


class KeyMaker:
    """Makes keys, those of the next batch in a process of its own while this one is stored, once that pays."""

    def __init__(self) -> None:
        """Begin without the process."""
        self._seen = 0
        self._pool: ProcessPoolExecutor | None = None
        self._begun: deque[_Begun] = deque()
        self._met = _Met()
        self._pays = True

    def begin(self, words: Sequence[Spelled]) -> None:
        """Begin a batch of words, some of which may be known: the next `make` but those begun before is of it."""
        self._seen += len(words)
        large = self._seen >= MANY_WORDS and len(words) >= WORTH_SENDING and (os.cpu_count() or 1) > 1
        if large and self._pays:
            sent = self._met.new_among(words)
            self._begun.append(_Begun(len(words), sent, self._started().submit(make_keys, sent)))
        else:
            self._begun.append(_Begun(len(words)))

    def make(self, words: Sequence[Spelled]) -> list[RowKeys]:
        """Make the keys of the words of a batch that are new, in their order."""
        begun = self._begun.popleft() if self._begun else _Begun(len(words))
        # Of a file that is there already, hardly any word is new.
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
    return [msgspec.structs.astuple(word_keys(text, language)) for text, language in words]
