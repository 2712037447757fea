"""Decoder of files of one kind, one at a time, each in a forked process (see `sandboxed_processing.py`).

The command-line argument is the kind.
"""

import io
import os
import resource
import select
import signal
import struct
import sys
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Final, NoReturn

import msgspec

MAX_CPU_SECONDS: Final = 40
"""Limit of processor time in seconds per file. The largest photos take up to 8 on a processor of 2023."""

TIMEOUT_SECONDS: Final = 110
"""Limit by the clock in seconds per file, in case a decoder blocks without using processor time."""

DECODERS: Final[Mapping[str, str]] = {
    "photo": "abhidhan.media.service.images",
    "recording": "abhidhan.media.service.audio",
}
"""Decoder module of each kind, with functions `prepare` and `reencode`; the process loads no other."""

TOO_SLOW_RESULT: Final = "too slow"
"""The value of `UploadRefusal.TOO_SLOW`."""

NICENESS: Final = 10
"""The `nice` increment, so that decoding has a lower priority than requests."""

REQUEST_HEADER: Final = struct.Struct(">II")
"""Header of each file: its size, and the additional memory that its process may use, both in bytes."""

RESULT_HEADER: Final = struct.Struct(">I")
"""Header of each result: its size in bytes."""


Reencoder = Callable[[bytes], object]
"""Converts an upload to its stored form, or returns a refusal."""


def main(kind: str) -> None:
    """Load the decoders of one kind of file, and process files until the server ends."""
    # Audio arithmetic is too small to benefit from threads, whose stacks would count against the memory limit.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    module = import_module(DECODERS[kind])
    module.prepare()
    process_files(module.reencode)


def process_files(reencode: Reencoder) -> None:
    """Read files from standard input, process each in a fork, and write the results to standard output.

    A malicious file can affect only its fork, and a new process would take a hundred times as long to start. An empty
    result means that the fork ended before writing one.
    """
    os.nice(NICENESS)
    # Warnings about uploads would only fill the log.
    warnings.simplefilter("ignore")
    # Unbuffered, since `select` is used on the same descriptor.
    stream = os.fdopen(sys.stdin.fileno(), "rb", buffering=0, closefd=False)
    while len(header := _read_exactly(stream, REQUEST_HEADER.size)) == REQUEST_HEADER.size:
        size, memory = REQUEST_HEADER.unpack(header)
        result = _run_in_fork(reencode, _read_exactly(stream, size), memory)
        try:
            sys.stdout.buffer.write(RESULT_HEADER.pack(len(result)) + result)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            # The server has ended.
            os._exit(0)


def _read_exactly(stream: io.FileIO, size: int) -> bytes:
    pieces: list[bytes] = []
    while size and (piece := stream.read(size)):
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def _run_in_fork(reencode: Reencoder, content: bytes, memory: int) -> bytes:
    read_end, write_end = os.pipe()
    child = os.fork()
    if not child:
        os.close(read_end)
        _process_and_exit(reencode, content, memory, write_end)
    os.close(write_end)
    with os.fdopen(read_end, "rb", buffering=0) as pipe:
        result = _read_result(pipe, child)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in {signal.SIGXCPU, signal.SIGALRM}:
        return msgspec.msgpack.encode(TOO_SLOW_RESULT)
    return result if status == 0 else b""


def _read_result(pipe: io.FileIO, child: int) -> bytes:
    """Read the child's result; kill the child if the server has ended."""
    pieces: list[bytes] = []
    while True:
        ready, _, _ = select.select([pipe, sys.stdin], [], [])
        # The server sends nothing while a file is processed, so readable standard input means end of file.
        if pipe not in ready:
            os.kill(child, signal.SIGKILL)
            return b""
        piece = pipe.read(1 << 20)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)


def _process_and_exit(reencode: Reencoder, content: bytes, memory: int, write_end: int) -> NoReturn:
    _limit_resources(memory)
    with os.fdopen(write_end, "wb") as pipe:
        pipe.write(msgspec.msgpack.encode(reencode(content)))
    # Exit without running the cleanup handlers inherited from the parent.
    os._exit(0)


def _limit_resources(memory: int) -> None:
    """Set the operating system's limits of this process: clock time, processor time and memory."""
    signal.alarm(TIMEOUT_SECONDS)
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_SECONDS, MAX_CPU_SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        max_bytes = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() + memory
        resource.setrlimit(resource.RLIMIT_AS, (max_bytes, max_bytes))
        # If the machine runs out of memory anyway, the kernel should kill this process first. Not permitted everywhere.
        with suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000")


if __name__ == "__main__":
    main(sys.argv[1])
