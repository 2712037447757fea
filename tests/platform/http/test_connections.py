import asyncio
from typing import Any

from litestar.types import ASGIApp

from abhidhan.platform.http.connections import Draining


def headers_of(app: ASGIApp, version: str) -> list[tuple[bytes, bytes]]:
    """Send a request by a version of HTTP, and return the headers of the response."""
    sent: list[Any] = []

    async def receive() -> Any:  # noqa: ANN401 (a message)
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:  # noqa: ANN401 (a message)
        sent.append(message)

    scope: Any = {"type": "http", "http_version": version}
    asyncio.run(_ask(app, scope, receive, send))
    assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]
    return list(sent[0]["headers"])


async def _ask(app: ASGIApp, *arguments: Any) -> None:  # noqa: ANN401 (passed on)
    await app(*arguments)


async def hello(_scope: object, _receive: object, send: Any) -> None:  # noqa: ANN401 (an ASGI send)
    """Answer a word."""
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
    await send({"type": "http.response.body", "body": b"hello"})


def test_the_last_answer_of_a_stopping_worker_closes_an_http_1_connection() -> None:
    draining = Draining(1)
    assert headers_of(draining.wrap(hello), "1.1") == [(b"content-length", b"5")]
    draining.is_draining = True

    versions = ("1.0", "1.1", "2")
    closes = [(b"connection", b"close") in headers_of(draining.wrap(hello), version) for version in versions]
    assert closes == [True, True, False]
