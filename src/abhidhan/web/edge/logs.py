"""The log of this process: events of the program with request ids, and one line for each request."""

import asyncio
import contextlib
import json
import logging
import sys
import time
from collections.abc import Callable, Iterable, MutableMapping
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final, Literal, TextIO

import msgspec
import structlog

REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="-")
"""The id of the request being answered, in its task and in the threads it starts."""

LogFormat = Literal["json", "console"]

WHOLE: Final = 4096
"""Size in bytes that a pipe takes in one piece, so that the lines of several workers never mix."""

LONGEST_PATH: Final = 500
FLUSH_AFTER: Final = 0.2
"""Interval in seconds at which access lines are written in one piece."""

MOST_WAITING: Final = 200
"""So many lines are written at once: half a millisecond, in which nobody is answered."""


class Seen(msgspec.Struct, frozen=True):
    """One request as it went: what was asked, how it was answered, how long it took, from where."""

    method: str
    path: str
    template: str
    status: int
    seconds: float
    client: str
    request_id: str
    kept: bool | None


def configure_logging(level: str, form: LogFormat, stream: TextIO | None = None) -> None:
    """Send everything that this process logs, libraries included, to one stream (default: standard error)."""
    shared: list[structlog.typing.Processor] = [
        add_request_id,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    last: list[structlog.typing.Processor] = (
        [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
        if form == "json"
        # The plain traceback: the pretty one prints local variables, passwords and tokens among them.
        else [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)]
    )
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
            foreign_pre_chain=shared,
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    # Alembic tells of each of its own plug-ins at every start.
    logging.getLogger("alembic.runtime.plugins").setLevel(logging.WARNING)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def add_request_id(_logger: object, _method: str, event: MutableMapping[str, object]) -> MutableMapping[str, object]:
    """Add the id of the request being answered to a log event (a structlog processor)."""
    if (request_id := REQUEST_ID.get()) != "-":
        event.setdefault("request_id", request_id)
    return event


class AccessLog:
    """Write one line a request, gathered for a moment, since writing each alone costs more than answering does.

    Lines are made when they are written, one after the other: each by itself, right after an answer, took three times
    as long, since nothing that it needs was at hand.
    """

    def __init__(self, form: LogFormat, write: Callable[[bytes], object]) -> None:
        """Write lines in `form` with `write`, which takes whole lines, such as `partial(os.write, 2)`."""
        self._line = _json_line if form == "json" else _console_line
        self._write = write
        self._waiting: list[tuple[int, Seen]] = []

    def finished(self, seen: Seen) -> None:
        """Write the line of one request soon."""
        waiting = self._waiting
        waiting.append((time.time_ns(), seen))
        if len(waiting) == 1:
            with contextlib.suppress(RuntimeError):
                asyncio.get_running_loop().call_later(FLUSH_AFTER, self.flush)
        elif len(waiting) >= MOST_WAITING:
            self.flush()

    def flush(self) -> None:
        """Write what was gathered now."""
        waiting, self._waiting = self._waiting, []
        # Where the disk of the log is full there is nobody left to tell; answers go on.
        with contextlib.suppress(OSError):
            self._write_all([self._line(_time_of(at), seen) for at, seen in waiting])

    def _write_all(self, lines: Iterable[bytes]) -> None:
        block = b""
        for line in lines:
            if block and len(block) + len(line) > WHOLE:
                self._write(block)
                block = b""
            block += line
        if block:
            self._write(block)


_encode: Final = msgspec.json.Encoder().encode


class _AccessLine(msgspec.Struct, frozen=True):
    timestamp: str
    request_id: str
    method: str
    path: str
    status: int
    ms: float
    client: str
    event: str = "request"
    level: str = "info"


@lru_cache(maxsize=2)
def _date(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _time_of(nanoseconds: int) -> str:
    second, rest = divmod(nanoseconds, 1_000_000_000)
    return f"{_date(second)}.{rest // 1_000_000:03d}Z"


def _json_line(time_of_it: str, seen: Seen) -> bytes:
    path, milliseconds = seen.path[:LONGEST_PATH], round(seen.seconds * 1000, 2)
    line = _AccessLine(time_of_it, seen.request_id, seen.method, path, seen.status, milliseconds, seen.client)
    return _encode(line) + b"\n"


def _console_line(time_of_it: str, seen: Seen) -> bytes:
    # A path may hold anything, line ends and terminal commands too: JSON writes those as escapes.
    path = seen.path[:LONGEST_PATH]
    path = json.dumps(path, ensure_ascii=not path.isprintable())[1:-1]
    line = (
        f"{time_of_it} [info] request {seen.method} {path} {seen.status} "
        f"{seen.seconds * 1000:.2f} ms client={seen.client} request_id={seen.request_id}\n"
    )
    return line.encode()
