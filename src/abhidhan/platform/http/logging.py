"""Logging: events of the program with request IDs, and an access log with one line per request."""

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
"""The ID of the current request, in its task and in the threads it starts."""

LogFormat = Literal["json", "console"]

ATOMIC_WRITE_BYTES: Final = 4096
"""Maximum size in bytes of an atomic write to a pipe, so that the lines of several workers never mix."""

MAX_PATH_LENGTH: Final = 500


class FinishedRequest(msgspec.Struct, frozen=True):
    """The record of a finished request for the log and metrics.

    `at` is the time of its end, in nanoseconds since 1970.
    """

    method: str
    path: str
    template: str
    status: int
    seconds: float
    client: str
    request_id: str
    cached: bool | None
    at: int = msgspec.field(default_factory=time.time_ns)


def configure_logging(level: str, log_format: LogFormat, stream: TextIO | None = None) -> None:
    """Send all log output of this process, including that of libraries, to a stream (default: stderr)."""
    shared_processors: list[structlog.typing.Processor] = [
        add_request_id,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    renderers: list[structlog.typing.Processor] = (
        [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
        if log_format == "json"
        # The plain traceback: the rich one prints local variables, including passwords and tokens.
        else [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)]
    )
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderers],
            foreign_pre_chain=shared_processors,
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    # Alembic logs its plug-ins at every start, and each step of a new database.
    logging.getLogger("alembic.runtime").setLevel(logging.WARNING)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared_processors,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def add_request_id(_logger: object, _method: str, event: MutableMapping[str, object]) -> MutableMapping[str, object]:
    """Add the ID of the current request to a log event (a structlog processor)."""
    if (request_id := REQUEST_ID.get()) != "-":
        event.setdefault("request_id", request_id)
    return event


class AccessLog:
    """Access log with one line per request, written in batches: single writes would cost more than the responses."""

    def __init__(self, log_format: LogFormat, write: Callable[[bytes], object]) -> None:
        """Format lines as `log_format`; `write` receives complete lines, for example `partial(os.write, 2)`."""
        self._format_line = _format_json_line if log_format == "json" else _format_console_line
        self._write = write

    def write(self, requests: Iterable[FinishedRequest]) -> None:
        """Write the lines of the requests."""
        # If the disk of the log is full, requests are still answered.
        with contextlib.suppress(OSError):
            self._write_blocks(map(self._format_line, requests))

    def _write_blocks(self, lines: Iterable[bytes]) -> None:
        block = b""
        for line in lines:
            if block and len(block) + len(line) > ATOMIC_WRITE_BYTES:
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
def _format_second(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _format_time(request: FinishedRequest) -> str:
    second, nanoseconds = divmod(request.at, 1_000_000_000)
    return f"{_format_second(second)}.{nanoseconds // 1_000_000:03d}Z"


def _format_json_line(request: FinishedRequest) -> bytes:
    path, milliseconds = request.path[:MAX_PATH_LENGTH], round(request.seconds * 1000, 2)
    line = _AccessLine(
        _format_time(request), request.request_id, request.method, path, request.status, milliseconds, request.client
    )
    return _encode(line) + b"\n"


def _format_console_line(request: FinishedRequest) -> bytes:
    # A path may contain anything, including line ends and terminal escape sequences, which JSON escapes.
    path = request.path[:MAX_PATH_LENGTH]
    path = json.dumps(path, ensure_ascii=not path.isprintable())[1:-1]
    line = (
        f"{_format_time(request)} [info] request {request.method} {path} {request.status} "
        f"{request.seconds * 1000:.2f} ms client={request.client} request_id={request.request_id}\n"
    )
    return line.encode()
