"""A restart refuses nobody: requests before, during and after it are all answered, through proxies and without one."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import httpx2
import pytest

from tests.support.proxies import caddy, nginx
from tests.support.restarting import Asking, Unit, unit
from tests.support.server import bring_starter

ANSWERS = 40
"""So many come before the restart, and as many after it."""


@contextmanager
def nothing(_folder: Path, port: int) -> Iterator[int]:
    """Put no proxy before the server."""
    yield port


PROXIES: dict[str, Callable[[Path, int], AbstractContextManager[int]]] = {
    "nothing": nothing,
    "nginx": nginx,
    "caddy": caddy,
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Unit]:
    """Run a server at a socket of systemd's."""
    home = tmp_path_factory.mktemp("restarted")
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


@pytest.mark.parametrize("through", PROXIES)
def test_every_request_is_answered_while_the_server_restarts(service: Unit, through: str, tmp_path: Path) -> None:
    service.stop()
    service.start()
    with PROXIES[through](tmp_path, service.port) as port:
        restart_while_asked(service, port)


def restart_while_asked(service: Unit, port: int) -> None:
    with Asking(requests_to(port)) as asking:
        asking.until_answered(ANSWERS)
        service.stop()
        service.start()
        asking.until_answered(ANSWERS)
    assert set(asking.answers) == {"200"}
