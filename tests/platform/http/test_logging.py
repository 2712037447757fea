import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from abhidhan.platform.http.logging import REQUEST_ID, AccessLog, LogFormat, configure_logging
from abhidhan.platform.http.telemetry import RequestObserver
from tests.support.asgi import ask
from tests.support.edge import make_edge, make_hello_handler


@pytest.fixture
def _logging() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


@pytest.mark.usefixtures("_logging")
def test_a_json_log_has_one_object_per_line_with_the_request_id_and_the_traceback() -> None:
    stream = io.StringIO()
    configure_logging("info", "json", stream)
    token = REQUEST_ID.set("id-1")
    try:
        structlog.get_logger("abhidhan").warning("slow", word="পানী")
        logging.getLogger("library").error("broken", exc_info=ValueError("why"))
        logging.getLogger("library").debug("unheard")
    finally:
        REQUEST_ID.reset(token)
    ours, theirs = (json.loads(line) for line in stream.getvalue().splitlines())

    assert (ours["event"], ours["word"], ours["level"], ours["request_id"]) == ("slow", "পানী", "warning", "id-1")
    assert "পানী" in stream.getvalue()
    assert "ValueError: why" in theirs["exception"]


@pytest.mark.usefixtures("_logging")
def test_a_console_log_is_readable_by_people() -> None:
    stream = io.StringIO()
    configure_logging("info", "console", stream)
    structlog.get_logger("abhidhan").info("ready", port=8080)

    assert "ready" in stream.getvalue()
    assert "port=8080" in stream.getvalue()


def test_the_access_log_has_one_line_for_each_request(subtests: pytest.Subtests) -> None:
    forms: tuple[LogFormat, ...] = ("json", "console")
    for form in forms:
        with subtests.test(form):
            written: list[bytes] = []
            observer = RequestObserver(log=AccessLog(form, written.append))
            edge = make_edge(make_hello_handler(), observer=observer)
            for path in ("/api/hello", "/api/hello", "/api/no\n\x1b[31m\u202e"):
                ask(edge, path)
            observer.flush()
            log = b"".join(written).decode()
            lines = log.splitlines()

            assert len(lines) == 3
            parts = ("200", "/api/hello", "192.0.2.1")
            assert [all(part in line for part in parts) for line in lines] == [True, True, False]
            assert form == "json" or not {"\x1b", "\u202e"} & set(log)
