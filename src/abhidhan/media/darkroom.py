"""The darkroom: photos are developed in processes of their own, a few at once, away from the event loop.

A process ends after one image, may use only so much memory and time, and is given nothing but the bytes: whatever a
decoder can be led to do there is lost with it.
"""

import asyncio
import struct
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import IO, Final

import msgspec

from abhidhan.domain.photos import Developed, Refusal, RefusedPhotoError
from abhidhan.errors import UnavailableError

PATIENCE_SECONDS: Final = 120
"""How long one image may take by the clock; its process limits its own processor time to less."""

RETRY_AFTER_SECONDS: Final = 30
LENGTH: Final = struct.Struct(">I")
COMMAND: Final = ("-P", "-m", "abhidhan.media.images")


class Darkroom:
    """Develops photos: at most `at_once` of them, each in its own process."""

    def __init__(self, at_once: int) -> None:
        """Start nothing yet."""
        self._threads = ThreadPoolExecutor(max(1, at_once), thread_name_prefix="photos")
        self._own = threading.local()
        self._assistants: list[Assistant] = []

    async def develop(self, sent: bytes) -> Developed:
        """Decode a photo and encode it anew. Raises RefusedPhotoError, or UnavailableError when no process starts."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, partial(self._develop, sent))

    def close(self) -> None:
        """Let threads and processes go, after what they do now."""
        self._threads.shutdown(wait=True)
        for assistant in self._assistants:
            assistant.dismiss()

    def _develop(self, sent: bytes) -> Developed:
        """Develop with the assistant of this thread."""
        assistant: Assistant | None = getattr(self._own, "assistant", None)
        if assistant is None:
            assistant = self._own.assistant = Assistant()
            self._assistants.append(assistant)
        return assistant.develop(sent)


class Assistant:
    """A process that has the decoders ready, and forks for each photo. It starts when it is needed."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._process: subprocess.Popen[bytes] | None = None

    def develop(self, sent: bytes) -> Developed:
        """Have a photo developed, and wait for it. Raises as `Darkroom.develop` does."""
        process = self._running()
        watch = threading.Timer(PATIENCE_SECONDS, process.kill)
        watch.start()
        try:
            result = _exchange(process, sent)
        except OSError as error:
            self.dismiss()
            if not watch.is_alive():
                raise RefusedPhotoError(Refusal.TOO_SLOW) from None
            raise UnavailableError("The server cannot decode photos for now.", RETRY_AFTER_SECONDS) from error
        finally:
            watch.cancel()
        # A crash of a decoder, which leaves no result, is the fault of the file that led to it.
        answer = msgspec.msgpack.decode(result, type=Developed | Refusal) if result else Refusal.BROKEN
        if isinstance(answer, Refusal):
            raise RefusedPhotoError(answer)
        return answer

    def dismiss(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.dismiss()
            try:
                self._process = subprocess.Popen(  # noqa: S603  # the program is our own, and is given nothing but bytes
                    [sys.executable, *COMMAND], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd="/"
                )
            except OSError as error:
                raise UnavailableError("The server cannot decode photos for now.", RETRY_AFTER_SECONDS) from error
        return self._process


def _exchange(process: subprocess.Popen[bytes], sent: bytes) -> bytes:
    """Hand a photo over, and take the result. Raises OSError when the process has gone."""
    if process.stdin is None or process.stdout is None:
        raise BrokenPipeError("no pipes")
    process.stdin.write(LENGTH.pack(len(sent)) + sent)
    process.stdin.flush()
    return _read(process.stdout, LENGTH.unpack(_read(process.stdout, LENGTH.size))[0])


def _read(pipe: IO[bytes], size: int) -> bytes:
    content = pipe.read(size)
    if len(content) < size:
        raise BrokenPipeError("the process has gone")
    return content
