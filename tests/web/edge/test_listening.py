import os
import socket
import sys
from collections.abc import Iterator

import pytest

from abhidhan.web.edge import listening

PATIENCE = 60
linux_alone = pytest.mark.skipif(sys.platform != "linux", reason="only Linux shuts the door of a listening socket")


@pytest.fixture(params=[(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")], ids=["IPv4", "IPv6"])
def door(request: pytest.FixtureRequest) -> Iterator[socket.socket]:
    """Listen on a free port."""
    family, host = request.param
    with socket.socket(family) as door:
        try:
            door.bind((host, 0))
        except OSError:
            pytest.skip(f"this machine has no {host}")
        door.listen()
        yield door


def connected(door: socket.socket, patience: float = PATIENCE) -> socket.socket:
    """Connect as a client."""
    return socket.create_connection(door.getsockname()[:2], patience)


def test_a_process_listens_from_the_moment_on_that_clients_can_connect() -> None:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        before = listening.is_listening()
        door.listen()
        assert listening.is_listening()
    assert listening.is_listening() == before


def test_who_waits_to_be_accepted_is_a_client_too(door: socket.socket) -> None:
    ports = listening.ports()
    before = listening.clients(ports)
    with connected(door), connected(door):
        if sys.platform == "linux":
            assert listening.clients(ports) == before + 2
        accepted = [door.accept()[0] for _ in range(2)]
        assert listening.clients(ports) == before + 2
        for each in accepted:
            each.close()
    assert listening.clients(ports) == before


@linux_alone
def test_a_shut_door_lets_nobody_in_and_all_who_are_in_stay(door: socket.socket) -> None:
    with connected(door) as early, connected(door) as waiting:
        accepted, _ = door.accept()
        listening.refuse(door)
        with pytest.raises(TimeoutError):
            connected(door, 0.1)

        early.sendall(b"early")
        assert accepted.recv(5) == b"early"
        accepted.close()
        accepted, _ = door.accept()
        waiting.sendall(b"waiting")
        assert accepted.recv(7) == b"waiting"
        accepted.close()


@linux_alone
def test_a_door_can_be_opened_again(door: socket.socket) -> None:
    listening.refuse_new_clients()
    listening.accept(door)
    listening.accept(door)

    connected(door).close()


@linux_alone
def test_whoever_connects_to_a_socket_left_to_others_waits_for_them(door: socket.socket) -> None:
    with socket.socket(fileno=os.dup(door.fileno())) as of_another, connected(door) as early:
        door.settimeout(0)
        accepted, _ = door.accept()
        listening.leave_to_others(door.fileno())
        with accepted, connected(of_another) as late:
            with pytest.raises(BlockingIOError):
                door.accept()
            early.sendall(b"early")
            assert accepted.recv(5) == b"early"

            late.sendall(b"late")
            of_another.settimeout(PATIENCE)
            next_one, _ = of_another.accept()
            with next_one:
                assert next_one.recv(4) == b"late"
