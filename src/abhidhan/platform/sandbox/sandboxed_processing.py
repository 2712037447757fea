"""Processing of what people send: it is checked and encoded anew in processes of its own, away from the event loop.

A process ends after one file, may use only so much memory and time, and is given nothing but the bytes: whatever a
decoder can be led to do there is lost with it.
"""

import asyncio
import os
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import IO, Final, Generic, TypeVar

import msgspec

from abhidhan.platform.sandbox.media_headers import first_look
from abhidhan.platform.sandbox.memory_budget import FULL, MemoryBudget
from abhidhan.records.errors import RetryAfter, UnavailableError, sentence
from abhidhan.records.photos import ProcessedPhoto, photo_memory
from abhidhan.records.recordings import DECODING_MEMORY, ProcessedRecording
from abhidhan.records.uploads import PHOTO, RECORDING, Refusal, RefusedFileError, refusal_of

Processed = TypeVar("Processed")


@dataclass(frozen=True, slots=True)
class Craft(Generic[Processed]):
    """How one kind of file is processed.

    `memory_for` returns how many bytes a file may take, or raises RefusedFileError where its first bytes tell enough.
    """

    kind: str
    result: type[Processed]
    memory_for: Callable[[bytes], int]

    def read(self, result: bytes) -> Processed:
        """Read what the process answers. Raises RefusedFileError with its refusal."""
        # A crash of a decoder, which leaves no result, is the fault of the file that led to it.
        answer: Processed | Refusal = Refusal.BROKEN
        if result:
            answer = msgspec.msgpack.decode(result, type=self.result | Refusal)
        if isinstance(answer, Refusal):
            raise RefusedFileError(self.kind, answer)
        return answer


def _memory_for_photo(sent: bytes) -> int:
    outline = first_look(sent)
    # How many frames there are is not known yet.
    if outline and (refusal := refusal_of(msgspec.structs.replace(outline, frames=1))):
        raise RefusedFileError(PHOTO, refusal)
    return photo_memory(outline)


PHOTOS: Final = Craft(PHOTO, ProcessedPhoto, _memory_for_photo)
RECORDINGS: Final = Craft(RECORDING, ProcessedRecording, lambda _: DECODING_MEMORY)


PATIENCE_SECONDS: Final = 120
"""How long one file may take by the clock; its process limits its own time to less."""

MOST_WAITING: Final = 32
"""How many files of one worker may wait for their turn."""

LONGEST_WAIT_SECONDS: Final = 60
"""How long each of them does before its sender is asked to come again."""

OUT_OF_ORDER: Final = sentence("The server cannot process files at the moment.")
ORDER: Final = struct.Struct(">II")
LENGTH: Final = struct.Struct(">I")
COMMAND: Final = ("-P", "-m", "abhidhan.platform.sandbox.decoder_process")


class Processor(Generic[Processed]):
    """Processes files of one kind: at most `at_once`, each in its own process, within the memory that workers share."""

    def __init__(
        self,
        craft: Craft[Processed],
        at_once: int,
        budget: MemoryBudget | None = None,
        *,
        most_waiting: int = MOST_WAITING,
        longest_wait: float = LONGEST_WAIT_SECONDS,
    ) -> None:
        """Start nothing yet. Without a budget, each file may take what it needs."""
        self._craft = craft
        self._at_once = max(1, at_once)
        self._threads = ThreadPoolExecutor(self._at_once, thread_name_prefix=craft.kind)
        self._budget = budget
        self._most_waiting = most_waiting
        self._longest_wait = longest_wait
        self._inside = 0
        self._own = threading.local()
        self._decoders: list[DecoderProcess[Processed]] = []

    async def process(self, sent: bytes) -> Processed:
        """Decode a file and encode it anew.

        Raises InputError with the refusal, or UnavailableError when no process starts, or its turn does not come in
        time.
        """
        if self._inside >= self._at_once + self._most_waiting:
            raise UnavailableError(FULL, RetryAfter.QUEUE)
        self._inside += 1
        try:
            until = time.monotonic() + self._longest_wait
            work = partial(self._process_with_decoder, sent, until)
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._inside -= 1

    def close(self) -> None:
        """Let threads and processes go, after what they do now."""
        self._threads.shutdown(wait=True)
        for decoder in self._decoders:
            decoder.stop()
        if self._budget:
            self._budget.close()

    def _process_with_decoder(self, sent: bytes, until: float) -> Processed:
        """Process with the decoder of this thread, when there is memory for it."""
        memory = self._craft.memory_for(sent)
        patience = until - time.monotonic()
        if patience < 0:
            raise UnavailableError(FULL, RetryAfter.QUEUE)
        with self._budget.taking(memory, patience) if self._budget else nullcontext():
            return self._decoder().process(sent, memory)

    def _decoder(self) -> "DecoderProcess[Processed]":
        decoder: DecoderProcess[Processed] | None = getattr(self._own, "decoder", None)
        if decoder is None:
            decoder = self._own.decoder = DecoderProcess(self._craft)
            self._decoders.append(decoder)
        return decoder


class DecoderProcess(Generic[Processed]):
    """A process that has the decoders ready, and forks for each file. It starts when it is needed."""

    def __init__(self, craft: Craft[Processed]) -> None:
        """Start nothing yet."""
        self._craft = craft
        self._process: subprocess.Popen[bytes] | None = None

    def process(self, sent: bytes, memory: int) -> Processed:
        """Have a file processed with so much memory, and wait for it. Raises as `Processor.process` does."""
        process = self._running()
        watch = threading.Timer(PATIENCE_SECONDS, _end, [process])
        watch.start()
        try:
            result = _exchange(process, sent, memory)
        except OSError as error:
            self.stop()
            if not watch.is_alive():
                raise RefusedFileError(self._craft.kind, Refusal.TOO_SLOW) from None
            raise UnavailableError(OUT_OF_ORDER, RetryAfter.QUEUE) from error
        finally:
            watch.cancel()
        return self._craft.read(result)

    def stop(self) -> None:
        """End the process."""
        if self._process is not None:
            _end(self._process)
            self._process.communicate()
            self._process = None

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.stop()
            try:
                self._process = subprocess.Popen(  # noqa: S603  # the program is our own, and is given nothing but bytes
                    [sys.executable, *COMMAND, self._craft.kind],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    cwd="/",
                    process_group=0,
                )
            except OSError as error:
                raise UnavailableError(OUT_OF_ORDER, RetryAfter.QUEUE) from error
        return self._process


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process, and with it the one that decodes."""
    if process.returncode is None:
        os.killpg(process.pid, signal.SIGKILL)


def _exchange(process: subprocess.Popen[bytes], sent: bytes, memory: int) -> bytes:
    """Hand a file over, and take the result. Raises OSError when the process has gone."""
    if process.stdin is None or process.stdout is None:
        raise BrokenPipeError("no pipes")
    process.stdin.write(ORDER.pack(len(sent), memory) + sent)
    process.stdin.flush()
    return _read(process.stdout, LENGTH.unpack(_read(process.stdout, LENGTH.size))[0])


def _read(pipe: IO[bytes], size: int) -> bytes:
    content = pipe.read(size)
    if len(content) < size:
        raise BrokenPipeError("the process has gone")
    return content
