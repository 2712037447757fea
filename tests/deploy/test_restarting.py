"""A restart refuses nobody: requests before, during and after it are all answered, through proxies and without one."""

import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest

from tests.support.proxies import caddy, nginx
from tests.support.restarting import Asking, Unit, unit
from tests.support.server import START_SECONDS, bring_starter

ANSWERS = 5
"""So many come to each client before the restart, and as many after it."""

SILENCES = (0.05, 0.07, 0.11, 0.13, 0.17, 0.19)
"""Seconds between connecting and asking: so different that at every moment somebody has connected and not asked."""


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Unit]:
    """Hold a socket as systemd does, for a server over the starter dictionary."""
    home = tmp_path / "home"
    bring_starter(home)
    with unit(home) as service:
        yield service


def requests_to(port: int) -> list[Callable[[httpx2.Client], httpx2.Response]]:
    """Return a request that reads, which no cache answers, and one with a body, which nobody may send twice."""
    address = f"http://127.0.0.1:{port}/api"
    body = {"words": ["মানুহ"]}
    return [
        lambda client: client.get(f"{address}/random"),
        lambda client: client.post(f"{address}/lookup", json=body),
    ]


def hesitating(port: int, silence: float) -> Callable[[httpx2.Client], httpx2.Response]:
    """Return a request on a connection of its own, which stays silent for a moment, as over a slow network."""
    request = b"GET /api/random HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

    def ask(_client: httpx2.Client) -> httpx2.Response:
        try:
            with socket.create_connection(("127.0.0.1", port), START_SECONDS) as connection:
                time.sleep(silence)
                connection.sendall(request)
                status_line = connection.makefile("rb").readline()
        except OSError as error:
            raise httpx2.ReadError(str(error)) from error
        if not status_line:
            raise httpx2.RemoteProtocolError("The connection was closed without an answer.")
        return httpx2.Response(int(status_line.split()[1]))

    return ask


def test_every_request_is_answered_while_the_server_restarts(service: Unit, tmp_path: Path) -> None:
    folders = [tmp_path / "nginx", tmp_path / "caddy"]
    for folder in folders:
        folder.mkdir()
    service.start()
    with nginx(folders[0], service.port) as through_nginx, caddy(folders[1], service.port) as through_caddy:
        ports = (service.port, through_nginx, through_caddy)
        with Asking([request for port in ports for request in requests_to(port)]) as asking:
            asking.until_each_is_answered(ANSWERS)
            service.stop()
            service.start()
            asking.until_each_is_answered(ANSWERS)

    assert set(asking.answers) == {"200"}


def test_whoever_has_connected_may_hesitate_to_ask_in_the_last_moment_of_a_server(service: Unit) -> None:
    service.start()
    with Asking([hesitating(service.port, silence) for silence in SILENCES]) as asking:
        asking.until_each_is_answered(ANSWERS)
        service.stop()
        service.start()
        asking.until_each_is_answered(ANSWERS)

    assert set(asking.answers) == {"200"}
