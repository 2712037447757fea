"""Checking and re-encoding of uploads in separate processes, off the event loop.

Each process handles one file, with limited memory and time, and gets nothing but the bytes: an exploited decoder can
affect nothing beyond that process.
"""

import asyncio
import os
import signal
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

from abhidhan.platform.sandbox.decoder_process import REQUEST_HEADER, RESULT_HEADER
from abhidhan.platform.sandbox.media_headers import read_image_size
from abhidhan.platform.sandbox.memory_budget import QUEUE_FULL_MESSAGE, MemoryBudget
from abhidhan.records.errors import RetryAfter, UnavailableError, sentence
from abhidhan.records.photos import ProcessedPhoto, estimate_photo_memory
from abhidhan.records.recordings import DECODING_MEMORY_BYTES, ProcessedRecording
from abhidhan.records.uploads import PHOTO_FIELD, RECORDING_FIELD, RefusedFileError, UploadRefusal, check_outline

Processed = TypeVar("Processed")


@dataclass(frozen=True, slots=True)
class MediaKind(Generic[Processed]):
    """A kind of media file: its name, the type of the processing result, and its memory limit.

    `compute_memory_limit` returns the memory limit for decoding a file in bytes, or raises RefusedFileError if the
    header already shows that the file must be refused.
    """

    name: str
    result_type: type[Processed]
    compute_memory_limit: Callable[[bytes], int]

    def decode_result(self, result: bytes) -> Processed:
        """Decode the result of the process. Raises RefusedFileError if it is a refusal."""
        # No result means that the decoder crashed, and so that the file is broken.
        answer: Processed | UploadRefusal = UploadRefusal.BROKEN
        if result:
            answer = msgspec.msgpack.decode(result, type=self.result_type | UploadRefusal)
        if isinstance(answer, UploadRefusal):
            raise RefusedFileError(self.name, answer)
        return answer


def _compute_photo_memory(content: bytes) -> int:
    outline = read_image_size(content)
    # The number of frames is not known yet.
    if outline and (refusal := check_outline(msgspec.structs.replace(outline, frames=1))):
        raise RefusedFileError(PHOTO_FIELD, refusal)
    return estimate_photo_memory(outline)


PHOTO_KIND: Final = MediaKind(PHOTO_FIELD, ProcessedPhoto, _compute_photo_memory)
RECORDING_KIND: Final = MediaKind(RECORDING_FIELD, ProcessedRecording, lambda _: DECODING_MEMORY_BYTES)


TIMEOUT_SECONDS: Final = 120
"""Timeout in seconds for one file; its process sets itself a lower one."""

MAX_WAITING: Final = 32
"""Maximum number of waiting files per worker."""

MAX_WAIT_SECONDS: Final = 60
"""Maximum wait of a file before the client is asked to retry later."""

UNAVAILABLE_MESSAGE: Final = sentence("The server cannot process files at the moment.")
COMMAND: Final = ("-P", "-m", "abhidhan.platform.sandbox.decoder_process")


class UploadProcessor(Generic[Processed]):
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
        self._threads = ThreadPoolExecutor(self._max_concurrent, thread_name_prefix=media_kind.name)
        self._budget = budget
        self._max_waiting = max_waiting
        self._max_wait_seconds = max_wait_seconds
        self._active_count = 0
        self._thread_local = threading.local()
        self._decoders: list[DecoderProcess[Processed]] = []

    async def process(self, content: bytes) -> Processed:
        """Decode and re-encode a file.

        Raises RefusedFileError, or UnavailableError if no process can be started or the file has waited too long.
        """
        if self._active_count >= self._max_concurrent + self._max_waiting:
            raise UnavailableError(QUEUE_FULL_MESSAGE, RetryAfter.QUEUE)
        self._active_count += 1
        try:
            deadline = time.monotonic() + self._max_wait_seconds
            job = partial(self._process_with_decoder, content, deadline)
            return await asyncio.get_running_loop().run_in_executor(self._threads, job)
        finally:
            self._active_count -= 1

    def close(self) -> None:
        """Wait for running jobs, then stop the threads and processes."""
        self._threads.shutdown(wait=True)
        for decoder in self._decoders:
            decoder.stop()
        if self._budget:
            self._budget.close()

    def _process_with_decoder(self, content: bytes, deadline: float) -> Processed:
        """Wait until the memory budget allows it, and process a file with the decoder of this thread."""
        memory = self._media_kind.compute_memory_limit(content)
        timeout = deadline - time.monotonic()
        if timeout < 0:
            raise UnavailableError(QUEUE_FULL_MESSAGE, RetryAfter.QUEUE)
        with self._budget.reserve(memory, timeout) if self._budget else nullcontext():
            return self._get_decoder().process(content, memory)

    def _get_decoder(self) -> "DecoderProcess[Processed]":
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

    def process(self, content: bytes, memory: int) -> Processed:
        """Process a file with at most `memory` bytes, and return the result. Raises like `UploadProcessor.process`."""
        process = self._ensure_running()
        watch = threading.Timer(TIMEOUT_SECONDS, _kill, [process])
        watch.start()
        try:
            result = _exchange(process, content, memory)
        except OSError as error:
            self.stop()
            if not watch.is_alive():
                raise RefusedFileError(self._media_kind.name, UploadRefusal.TOO_SLOW) from None
            raise UnavailableError(UNAVAILABLE_MESSAGE, RetryAfter.QUEUE) from error
        finally:
            watch.cancel()
        return self._media_kind.decode_result(result)

    def stop(self) -> None:
        """Kill the process."""
        if self._process is not None:
            _kill(self._process)
            self._process.communicate()
            self._process = None

    def _ensure_running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.stop()
            try:
                self._process = subprocess.Popen(  # noqa: S603  # our own program, without user input in its arguments
                    [sys.executable, *COMMAND, self._media_kind.name],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    cwd="/",
                    process_group=0,
                )
            except OSError as error:
                raise UnavailableError(UNAVAILABLE_MESSAGE, RetryAfter.QUEUE) from error
        return self._process


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process group: a decoder process and its fork."""
    if process.returncode is None:
        os.killpg(process.pid, signal.SIGKILL)


def _exchange(process: subprocess.Popen[bytes], content: bytes, memory: int) -> bytes:
    """Send a file and read the result. Raises OSError if the process has ended."""
    if process.stdin is None or process.stdout is None:
        raise BrokenPipeError("no pipes")
    process.stdin.write(REQUEST_HEADER.pack(len(content), memory) + content)
    process.stdin.flush()
    return _read_exactly(process.stdout, RESULT_HEADER.unpack(_read_exactly(process.stdout, RESULT_HEADER.size))[0])


def _read_exactly(pipe: IO[bytes], size: int) -> bytes:
    content = pipe.read(size)
    if len(content) < size:
        raise BrokenPipeError("the process has ended")
    return content
