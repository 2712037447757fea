"""A restart refuses nobody: requests before, during and after it are all answered, through proxies and without one."""

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest

from tests.support.proxies import run_caddy, run_nginx
from tests.support.restarting import ClientLoad, SystemdUnit, open_unit
from tests.support.server import copy_starter

pytestmark = pytest.mark.thorough
"""A server and proxies are started."""

ANSWERS = 5
"""So many come to each client before the restart, and as many after it."""

ENOUGH = 0.98
"""Minimum share of answers. Without systemd holding the socket, a restart of one second would lose half of them."""


@pytest.fixture
def service(tmp_path: Path) -> Iterator[SystemdUnit]:
    """Hold a socket as systemd does, for a server over the starter dictionary."""
    home = tmp_path / "home"
    copy_starter(home)
    with open_unit(home) as service:
        yield service


def requests_to(port: int) -> list[Callable[[httpx2.Client], httpx2.Response]]:
    """Return a request that reads, which no cache answers, and one with a body, which nobody may send twice."""
    address = f"http://127.0.0.1:{port}/api"
    body = {"words": ["মানুহ"]}
    return [
        lambda client: client.get(f"{address}/random"),
        lambda client: client.post(f"{address}/lookup", json=body),
    ]


def test_every_request_is_answered_while_the_server_restarts(service: SystemdUnit, tmp_path: Path) -> None:
    folders = [tmp_path / "nginx", tmp_path / "caddy"]
    for folder in folders:
        folder.mkdir()
    service.start()
    with run_nginx(folders[0], service.port) as through_nginx, run_caddy(folders[1], service.port) as through_caddy:
        ports = (service.port, through_nginx, through_caddy)
        with ClientLoad([request for port in ports for request in requests_to(port)]) as asking:
            asking.wait_for_responses(ANSWERS)
            service.stop()
            service.start()
            asking.wait_for_responses(ANSWERS)

    # A connection may be closed in the moment when its request is on the way.
    assert asking.responses["200"] > ENOUGH * asking.responses.total()
