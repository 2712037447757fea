"""Decode files of one kind, one after the other, each in a process of its own: see `sandboxed_processing.py`.

Its argument names the kind.
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

MOST_SECONDS: Final = 40
"""Seconds of processor time for one file. The largest photos take up to 8 on a processor of 2023."""

PATIENCE_SECONDS: Final = 110
"""Seconds by the clock for one file, after which its process ends: the decoder may wait for something for ever."""

DECODERS: Final[Mapping[str, str]] = {
    "photo": "abhidhan.media.service.images",
    "recording": "abhidhan.media.service.audio",
}
"""The module that decodes each kind, and is all that its process loads: it has `prepare` and `reencode`."""

TOO_SLOW: Final = "too slow"
"""The refusal that all kinds have."""

POLITENESS: Final = 10
"""How far decoding steps back behind answering (`nice`)."""

ORDER: Final = struct.Struct(">II")
"""In front of each file: how many bytes it has, and how many its process may use more than it has."""

LENGTH: Final = struct.Struct(">I")
"""In front of each result: how many bytes it has."""


Reencode = Callable[[bytes], object]
"""What turns a file as it was sent into what is kept of it, or into a refusal."""


def main(kind: str) -> None:
    """Process files of one kind."""
    # The arithmetic of sounds is too small for threads, whose stacks would count as memory of each process.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    module = import_module(DECODERS[kind])
    module.prepare()
    serve(module.reencode)


def serve(reencode: Reencode) -> None:
    """Process one file after the other, from the standard input to the standard output, each in a fork of its own.

    What a file may do to the process that decodes it ends with that process, and starting one anew would take a
    hundred times as long. A result that is empty says that the process did not live to write it.
    """
    os.nice(POLITENESS)
    # What decoders warn of is the sender's business, and would only fill the log.
    warnings.simplefilter("ignore")
    # Unbuffered: whether there is more to read is also asked of the system itself.
    orders = os.fdopen(sys.stdin.fileno(), "rb", buffering=0, closefd=False)
    while len(head := _read(orders, ORDER.size)) == ORDER.size:
        size, memory = ORDER.unpack(head)
        result = _in_a_fork(reencode, _read(orders, size), memory)
        try:
            sys.stdout.buffer.write(LENGTH.pack(len(result)) + result)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            # The server has gone, and there is nobody to tell.
            os._exit(0)


def _read(orders: io.FileIO, size: int) -> bytes:
    pieces: list[bytes] = []
    while size and (piece := orders.read(size)):
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def _in_a_fork(reencode: Reencode, sent: bytes, memory: int) -> bytes:
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _process_and_exit(reencode, sent, memory, writing)
    os.close(writing)
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        result = _result(pipe, child)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in {signal.SIGXCPU, signal.SIGALRM}:
        return msgspec.msgpack.encode(TOO_SLOW)
    return result if status == 0 else b""


def _result(pipe: io.FileIO, child: int) -> bytes:
    """Read what the child has to say; when the server that waits for it has gone, the child goes too."""
    pieces: list[bytes] = []
    while True:
        ready, _, _ = select.select([pipe, sys.stdin], [], [])
        # Nothing is sent while a file is being processed: what can be read there is the end.
        if pipe not in ready:
            os.kill(child, signal.SIGKILL)
            return b""
        piece = pipe.read(1 << 20)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)


def _process_and_exit(reencode: Reencode, sent: bytes, memory: int, writing: int) -> NoReturn:
    _limit(memory)
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(msgspec.msgpack.encode(reencode(sent)))
    # Nothing of the parent's is finished here.
    os._exit(0)


def _limit(memory: int) -> None:
    """Let the system end this process, whatever a decoder does: by its time, its clock and its memory."""
    signal.alarm(PATIENCE_SECONDS)
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        most = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() + memory
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        # If the machine has no memory left all the same, this process is the one that it can do without.
        # Where the system does not let it say so, it is bounded all the same.
        with suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000")


if __name__ == "__main__":
    main(sys.argv[1])
