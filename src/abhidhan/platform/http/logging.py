"""The log of this process: events of the program with request ids, and one line for each request."""

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


class Seen(msgspec.Struct, frozen=True):
    """One request as it went: what was asked, how it was answered, how long it took, from where, and when it was over.

    `at` is in nanoseconds since 1970.
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
    """Writes one line a request, many at once, since writing each alone costs more than answering does."""

    def __init__(self, form: LogFormat, write: Callable[[bytes], object]) -> None:
        """Write lines in `form` with `write`, which takes whole lines, such as `partial(os.write, 2)`."""
        self._line = _json_line if form == "json" else _console_line
        self._write = write

    def write(self, requests: Iterable[Seen]) -> None:
        """Write the lines of some requests."""
        # Where the disk of the log is full there is nobody left to tell; answers go on.
        with contextlib.suppress(OSError):
            self._write_all(map(self._line, requests))

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


def _time_of(seen: Seen) -> str:
    second, rest = divmod(seen.at, 1_000_000_000)
    return f"{_date(second)}.{rest // 1_000_000:03d}Z"


def _json_line(seen: Seen) -> bytes:
    path, milliseconds = seen.path[:LONGEST_PATH], round(seen.seconds * 1000, 2)
    line = _AccessLine(_time_of(seen), seen.request_id, seen.method, path, seen.status, milliseconds, seen.client)
    return _encode(line) + b"\n"


def _console_line(seen: Seen) -> bytes:
    # A path may hold anything, line ends and terminal commands too: JSON writes those as escapes.
    path = seen.path[:LONGEST_PATH]
    path = json.dumps(path, ensure_ascii=not path.isprintable())[1:-1]
    line = (
        f"{_time_of(seen)} [info] request {seen.method} {path} {seen.status} "
        f"{seen.seconds * 1000:.2f} ms client={seen.client} request_id={seen.request_id}\n"
    )
    return line.encode()
