import pytest
from structlog.testing import capture_logs

from abhidhan.app.health import health_handlers
from abhidhan.records.errors import DatabaseError, DiskFullError, LostDatabaseError
from tests.support.asgi import ask
from tests.support.edge import an_edge


def test_a_live_server_says_so_to_everybody() -> None:
    async def check() -> str | None:
        return "never asked"

    answer = ask(an_edge(*health_handlers(check)), "/health/live")

    assert (answer.status, answer.json) == (200, {"status": "live"})
    assert answer.headers["cache-control"] == "no-store"


def test_a_ready_server_says_so() -> None:
    async def check() -> str | None:
        return None

    assert ask(an_edge(*health_handlers(check)), "/health/ready").json == {"status": "ready"}


def test_a_full_disk_is_told_in_a_sentence_that_names_no_file() -> None:
    async def check() -> str | None:
        raise DiskFullError("/home/secret cannot be written: No space left on device.")

    answer = ask(an_edge(*health_handlers(check)), "/health/ready")

    assert (answer.status, answer.json["detail"]) == (503, "The server's disk is full; please tell its operator.")
    assert b"secret" not in answer.body


def test_whoever_watches_a_server_whose_database_is_lost_fills_no_log() -> None:
    async def check() -> str | None:
        raise LostDatabaseError("The database is busy or cannot be reached.", 5)

    with capture_logs() as logs:
        answer = ask(an_edge(*health_handlers(check)), "/health/ready")

    assert (answer.status, answer.headers["retry-after"], logs) == (503, "5", [])


@pytest.mark.parametrize("raised", [False, True])
def test_a_server_that_is_not_ready_is_a_503_that_tells_strangers_nothing(*, raised: bool) -> None:
    async def check() -> str | None:
        if raised:
            raise DatabaseError("/home/secret is damaged")
        return "/home/secret is damaged"

    answer = ask(an_edge(*health_handlers(check)), "/health/ready")

    assert (answer.status, answer.headers["retry-after"]) == (503, "5")
    assert b"secret" not in answer.body
