"""Requests to ASGI applications, as a server sends them, with access to every byte of the response."""

import asyncio
import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import msgspec
from litestar.types import ASGIApp


@dataclass(frozen=True, slots=True)
class AsgiResponse:
    """A response of an application: status, headers and body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:  # noqa: ANN401 (a test knows which JSON it asked for)
        """The body as JSON."""
        return msgspec.json.decode(gzip.decompress(self.body) if "content-encoding" in self.headers else self.body)


async def ask_async(  # noqa: PLR0913 (each is one part of a request, named where it is given)
    app: ASGIApp,
    path: str,
    query: str | bytes = b"",
    *,
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
    client: tuple[str, int] | None = ("192.0.2.1", 5000),
    body: bytes = b"",
    raw_path: bytes | None = None,
) -> AsgiResponse:
    """Send one request in a running event loop."""
    sent: list[Any] = []
    received = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Any:  # noqa: ANN401 (ASGI messages are dictionaries)
        return received.pop() if received else {"type": "http.disconnect"}

    async def send(message: Any) -> None:  # noqa: ANN401 (the same)
        sent.append(message)

    scope: Any = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": quote(path).encode() if raw_path is None else raw_path,
        "root_path": "",
        "query_string": query.encode() if isinstance(query, str) else query,
        "headers": [(name.lower().encode(), value.encode()) for name, value in _with_host(headers or {}).items()],
        "client": client,
        "server": ("127.0.0.1", 8080),
        "state": {},
        "extensions": {},
    }
    await app(scope, receive, send)
    start, *rest = sent
    names = [name.decode() for name, _ in start["headers"]]
    assert len(names) == len(set(names)), f"a header stands twice: {sorted(names)}"
    return AsgiResponse(
        start["status"],
        {name.decode(): value.decode() for name, value in start["headers"]},
        b"".join(message.get("body", b"") for message in rest),
    )


def _with_host(headers: Mapping[str, str]) -> Mapping[str, str]:
    """Add the Host header that HTTP/1.1 requires."""
    return headers if any(name.lower() == "host" for name in headers) else {"host": "127.0.0.1:8080", **headers}


def ask(app: ASGIApp, path: str, query: str | bytes = b"", **rest: Any) -> AsgiResponse:  # noqa: ANN401 (passed on)
    """Send one request in a new event loop."""
    return asyncio.run(ask_async(app, path, query, **rest))
