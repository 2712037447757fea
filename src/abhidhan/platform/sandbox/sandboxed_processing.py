"""Checking and re-encoding of uploads in separate processes, off the event loop.

Each process handles one file, with limited memory and time, and gets nothing but the bytes: an exploited decoder can
affect nothing beyond that process.
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

from abhidhan.platform.sandbox.media_headers import read_image_size
from abhidhan.platform.sandbox.memory_budget import QUEUE_FULL, MemoryBudget
from abhidhan.records.errors import RetryAfter, UnavailableError, sentence
from abhidhan.records.photos import ProcessedPhoto, photo_memory
from abhidhan.records.recordings import DECODING_MEMORY, ProcessedRecording
from abhidhan.records.uploads import PHOTO, RECORDING, Refusal, RefusedFileError, refusal_of

Processed = TypeVar("Processed")


@dataclass(frozen=True, slots=True)
class MediaKind(Generic[Processed]):
    """A kind of media file: its name, the type of the processing result, and its memory limit.

    `compute_memory_limit` returns the memory limit for decoding a file in bytes, or raises RefusedFileError if the
    header already shows that the file must be refused.
    """

    kind: str
    result: type[Processed]
    memory_for: Callable[[bytes], int]

    def read(self, result: bytes) -> Processed:
        """Decode the result of the process. Raises RefusedFileError if it is a refusal."""
        # No result means that the decoder crashed, and so that the file is broken.
        answer: Processed | Refusal = Refusal.BROKEN
        if result:
            answer = msgspec.msgpack.decode(result, type=self.result | Refusal)
        if isinstance(answer, Refusal):
            raise RefusedFileError(self.kind, answer)
        return answer


def _memory_for_photo(sent: bytes) -> int:
    outline = read_image_size(sent)
    # The number of frames is not known yet.
    if outline and (refusal := refusal_of(msgspec.structs.replace(outline, frames=1))):
        raise RefusedFileError(PHOTO, refusal)
    return photo_memory(outline)


PHOTOS: Final = MediaKind(PHOTO, ProcessedPhoto, _memory_for_photo)
RECORDINGS: Final = MediaKind(RECORDING, ProcessedRecording, lambda _: DECODING_MEMORY)


TIMEOUT_SECONDS: Final = 120
"""Timeout in seconds for one file; its process sets itself a lower one."""

MAX_WAITING: Final = 32
"""Maximum number of waiting files per worker."""

MAX_WAIT_SECONDS: Final = 60
"""Maximum wait of a file before the client is asked to retry later."""

OUT_OF_ORDER: Final = sentence("The server cannot process files at the moment.")
ORDER: Final = struct.Struct(">II")
LENGTH: Final = struct.Struct(">I")
COMMAND: Final = ("-P", "-m", "abhidhan.platform.sandbox.decoder_process")


class Processor(Generic[Processed]):
    """Processes uploads of one kind: a limited number concurrently, each in its own process, within a memory budget."""

    def __init__(
        self,
        media_kind: MediaKind[Processed],
        max_concurrent: int,
        budget: MemoryBudget | None = None,
        *,
        max_waiting: int = MAX_WAITING,
        max_wait_seconds: float = MAX_WAIT_SECONDS,
    ) -> None:
        """Create a processor; processes start on demand. Without a `budget`, total memory is not limited."""
        self._media_kind = media_kind
        self._max_concurrent = max(1, max_concurrent)
        self._threads = ThreadPoolExecutor(self._max_concurrent, thread_name_prefix=media_kind.kind)
        self._budget = budget
        self._max_waiting = max_waiting
        self._max_wait_seconds = max_wait_seconds
        self._active = 0
        self._thread_local = threading.local()
        self._decoders: list[DecoderProcess[Processed]] = []

    async def process(self, sent: bytes) -> Processed:
        """Decode and re-encode a file.

        Raises RefusedFileError, or UnavailableError if no process can be started or the file has waited too long.
        """
        if self._active >= self._max_concurrent + self._max_waiting:
            raise UnavailableError(QUEUE_FULL, RetryAfter.QUEUE)
        self._active += 1
        try:
            deadline = time.monotonic() + self._max_wait_seconds
            work = partial(self._process_with_decoder, sent, deadline)
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._active -= 1

    def close(self) -> None:
        """Wait for running jobs, then stop the threads and processes."""
        self._threads.shutdown(wait=True)
        for decoder in self._decoders:
            decoder.stop()
        if self._budget:
            self._budget.close()

    def _process_with_decoder(self, sent: bytes, deadline: float) -> Processed:
        """Wait until the memory budget allows it, and process a file with the decoder of this thread."""
        memory = self._media_kind.memory_for(sent)
        timeout = deadline - time.monotonic()
        if timeout < 0:
            raise UnavailableError(QUEUE_FULL, RetryAfter.QUEUE)
        with self._budget.reserve(memory, timeout) if self._budget else nullcontext():
            return self._decoder().process(sent, memory)

    def _decoder(self) -> "DecoderProcess[Processed]":
        decoder: DecoderProcess[Processed] | None = getattr(self._thread_local, "decoder", None)
        if decoder is None:
            decoder = self._thread_local.decoder = DecoderProcess(self._media_kind)
            self._decoders.append(decoder)
        return decoder


class DecoderProcess(Generic[Processed]):
    """A process with the decoders loaded, which forks for each file. It is started on demand."""

    def __init__(self, media_kind: MediaKind[Processed]) -> None:
        """Create the object; the process starts on demand."""
        self._media_kind = media_kind
        self._process: subprocess.Popen[bytes] | None = None

    def process(self, sent: bytes, memory: int) -> Processed:
        """Process a file with at most `memory` bytes, and return the result. Raises as `Processor.process` does."""
        process = self._running()
        watch = threading.Timer(TIMEOUT_SECONDS, _end, [process])
        watch.start()
        try:
            result = _exchange(process, sent, memory)
        except OSError as error:
            self.stop()
            if not watch.is_alive():
                raise RefusedFileError(self._media_kind.kind, Refusal.TOO_SLOW) from None
            raise UnavailableError(OUT_OF_ORDER, RetryAfter.QUEUE) from error
        finally:
            watch.cancel()
        return self._media_kind.read(result)

    def stop(self) -> None:
        """Kill the process."""
        if self._process is not None:
            _end(self._process)
            self._process.communicate()
            self._process = None

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.stop()
            try:
                self._process = subprocess.Popen(  # noqa: S603  # our own program, without user input in its arguments
                    [sys.executable, *COMMAND, self._media_kind.kind],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    cwd="/",
                    process_group=0,
                )
            except OSError as error:
                raise UnavailableError(OUT_OF_ORDER, RetryAfter.QUEUE) from error
        return self._process


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process group: a decoder process and its fork."""
    if process.returncode is None:
        os.killpg(process.pid, signal.SIGKILL)


def _exchange(process: subprocess.Popen[bytes], sent: bytes, memory: int) -> bytes:
    """Send a file and read the result. Raises OSError if the process has ended."""
    if process.stdin is None or process.stdout is None:
        raise BrokenPipeError("no pipes")
    process.stdin.write(ORDER.pack(len(sent), memory) + sent)
    process.stdin.flush()
    return _read(process.stdout, LENGTH.unpack(_read(process.stdout, LENGTH.size))[0])


def _read(pipe: IO[bytes], size: int) -> bytes:
    content = pipe.read(size)
    if len(content) < size:
        raise BrokenPipeError("the process has ended")
    return content
