"""Image processing: photos are checked and encoded anew in processes of their own, away from the event loop.

A process ends after one image, may use only so much memory and time, and is given nothing but the bytes: whatever a
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
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial
from typing import IO, Final

import msgspec

from abhidhan.domain.photo_limits import LARGEST_MEMORY, memory_for
from abhidhan.domain.photo_refusals import Refusal, RefusedPhotoError, refusal_of
from abhidhan.domain.photos import ProcessedPhoto
from abhidhan.errors import UnavailableError, sentence
from abhidhan.media.budget import FULL, MemoryBudget
from abhidhan.media.headers import first_look

PATIENCE_SECONDS: Final = 120
"""How long one image may take by the clock; its process limits its own time to less."""

MOST_WAITING: Final = 32
"""How many photos of one worker may wait for their turn."""

LONGEST_WAIT_SECONDS: Final = 60
"""How long each of them does before its sender is asked to come again."""

RETRY_AFTER_SECONDS: Final = 30
ORDER: Final = struct.Struct(">II")
LENGTH: Final = struct.Struct(">I")
COMMAND: Final = ("-P", "-m", "abhidhan.media.decoder")


class ImageProcessor:
    """Processes photos: at most `at_once` of them, each in its own process, within the memory that workers share."""

    def __init__(
        self,
        at_once: int,
        budget: MemoryBudget | None = None,
        *,
        most_waiting: int = MOST_WAITING,
        longest_wait: float = LONGEST_WAIT_SECONDS,
    ) -> None:
        """Start nothing yet. Without a budget, each photo may take what it needs."""
        self._at_once = max(1, at_once)
        self._threads = ThreadPoolExecutor(self._at_once, thread_name_prefix="photos")
        self._budget = budget
        self._most_waiting = most_waiting
        self._longest_wait = longest_wait
        self._inside = 0
        self._own = threading.local()
        self._decoders: list[DecoderProcess] = []

    async def process(self, sent: bytes) -> ProcessedPhoto:
        """Decode a photo and encode it anew.

        Raises RefusedPhotoError, or UnavailableError when no process starts, or its turn does not come in time.
        """
        if self._inside >= self._at_once + self._most_waiting:
            raise UnavailableError(FULL, RETRY_AFTER_SECONDS)
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

    def _process_with_decoder(self, sent: bytes, until: float) -> ProcessedPhoto:
        """Process with the decoder of this thread, when there is memory for it."""
        outline = first_look(sent)
        # How many frames there are is not known yet.
        if outline and (refusal := refusal_of(msgspec.structs.replace(outline, frames=1))):
            raise RefusedPhotoError(refusal)
        patience = until - time.monotonic()
        if patience < 0:
            raise UnavailableError(FULL, RETRY_AFTER_SECONDS)
        memory = memory_for(outline)
        with self._budget.taking(memory, patience) if self._budget else nullcontext():
            return self._decoder().process(sent, memory)

    def _decoder(self) -> "DecoderProcess":
        decoder: DecoderProcess | None = getattr(self._own, "decoder", None)
        if decoder is None:
            decoder = self._own.decoder = DecoderProcess()
            self._decoders.append(decoder)
        return decoder


class DecoderProcess:
    """A process that has the decoders ready, and forks for each photo. It starts when it is needed."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._process: subprocess.Popen[bytes] | None = None

    def process(self, sent: bytes, memory: int = LARGEST_MEMORY) -> ProcessedPhoto:
        """Have a photo processed with so much memory, and wait for it. Raises as `ImageProcessor.process` does."""
        process = self._running()
        watch = threading.Timer(PATIENCE_SECONDS, _end, [process])
        watch.start()
        try:
            result = _exchange(process, sent, memory)
        except OSError as error:
            self.stop()
            if not watch.is_alive():
                raise RefusedPhotoError(Refusal.TOO_SLOW) from None
            raise UnavailableError(
                sentence("The server cannot process photos at the moment."), RETRY_AFTER_SECONDS
            ) from error
        finally:
            watch.cancel()
        # A crash of a decoder, which leaves no result, is the fault of the file that led to it.
        answer = msgspec.msgpack.decode(result, type=ProcessedPhoto | Refusal) if result else Refusal.BROKEN
        if isinstance(answer, Refusal):
            raise RefusedPhotoError(answer)
        return answer

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
                    [sys.executable, *COMMAND],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    cwd="/",
                    process_group=0,
                )
            except OSError as error:
                raise UnavailableError(
                    sentence("The server cannot process photos at the moment."), RETRY_AFTER_SECONDS
                ) from error
        return self._process


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process, and with it the one that decodes."""
    if process.returncode is None:
        os.killpg(process.pid, signal.SIGKILL)


def _exchange(process: subprocess.Popen[bytes], sent: bytes, memory: int) -> bytes:
    """Hand a photo over, and take the result. Raises OSError when the process has gone."""
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
