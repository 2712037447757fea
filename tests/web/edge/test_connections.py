"""The connections of a worker, over real sockets of this process."""

import select
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from ipaddress import ip_network

import pytest

from abhidhan.web.edge.connections import Connection, ConnectionGuard, connections_to, quietest
from abhidhan.web.edge.limits import TrustedProxies

HERE, ELSEWHERE = "127.0.0.1", "127.0.0.2"


class House:
    """A listener, and the two ends of each connection to it."""

    def __init__(self, stack: ExitStack) -> None:
        """Listen."""
        self._stack = stack
        self._listener = stack.enter_context(socket.create_server((HERE, 0)))
        self.port: int = self._listener.getsockname()[1]

    def enter(self, source: str = HERE) -> tuple[socket.socket, socket.socket]:
        """Let somebody in, who reads little: the client's end, and ours."""
        client = self._stack.enter_context(socket.socket())
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        client.settimeout(60)
        client.bind((source, 0))
        client.connect((HERE, self.port))
        return client, self._stack.enter_context(self._listener.accept()[0])


@pytest.fixture
def house() -> Iterator[House]:
    """Open a house."""
    with ExitStack() as stack:
        yield House(stack)


def ours(house: House, source: str) -> list[Connection]:
    return [each for each in connections_to(house.port) if each.client == source]


def let_be_quiet() -> None:
    """Wait until a connection counts as quiet."""
    threading.Event().wait(1.2)


def test_each_connection_is_seen_with_its_client(house: House) -> None:
    house.enter()
    house.enter(ELSEWHERE)

    assert {each.client for each in connections_to(house.port)} == {HERE, ELSEWHERE}
    assert not any(each.stuck for each in connections_to(house.port))
    assert list(connections_to(1)) == []


def test_an_answer_that_nobody_takes_ends_the_connection(house: House) -> None:
    reading, sending = house.enter(ELSEWHERE)
    sending.settimeout(0)
    with pytest.raises(BlockingIOError):
        send_for_ever(sending)
    let_be_quiet()

    ConnectionGuard(house.port, limit=1000, patience=1).make_round()

    with pytest.raises(BrokenPipeError):
        sending.send(b"more")
    assert reading.fileno() != -1


def send_for_ever(sending: socket.socket) -> None:
    while True:
        sending.send(bytes(65_536))


def test_quiet_connections_stay_while_there_is_room(house: House) -> None:
    client, own = house.enter(ELSEWHERE)
    let_be_quiet()

    ConnectionGuard(house.port, limit=1000, patience=0.1).make_round()

    own.send(b"x")
    assert client.recv(1) == b"x"


def test_when_the_house_is_nearly_full_those_of_whoever_has_most_go_first(house: House) -> None:
    alone, own = house.enter(ELSEWHERE)
    many = [house.enter()[0] for _ in range(5)]
    let_be_quiet()

    ConnectionGuard(house.port, limit=6, patience=60).make_round()

    own.send(b"x")
    assert alone.recv(1) == b"x"
    over, _, _ = select.select(many, [], [], 60)
    assert len(over) == 3


def test_connections_of_trusted_proxies_are_never_closed_for_others(house: House) -> None:
    clients = [house.enter()[0] for _ in range(4)]
    let_be_quiet()

    ConnectionGuard(
        house.port, limit=1, patience=60, proxies=TrustedProxies((ip_network("127.0.0.1/32"),))
    ).make_round()

    for client in clients:
        client.send(b"x")
    assert len(ours(house, HERE)) == 4


def test_the_longest_quiet_of_the_client_with_most_is_the_first_to_go() -> None:
    a, b = Connection(1, "192.0.2.1", 9.0, stuck=False), Connection(2, "192.0.2.2", 2.0, stuck=False)
    c = Connection(3, "192.0.2.2", 5.0, stuck=False)
    busy = Connection(4, "192.0.2.2", 0.1, stuck=False)

    assert quietest([a, b, busy, c], 2) == [c, b]
    assert quietest([a, b, busy, c], 9) == [c, b, a]
