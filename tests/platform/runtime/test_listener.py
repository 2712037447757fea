"""The socket that systemd hands over is taken by the process that it is for, and only if clients can connect to it."""

import os
import socket
from collections.abc import Iterator

import pytest

from abhidhan.platform.runtime import listener as module
from abhidhan.platform.runtime.listener import systemd_listener
from abhidhan.records.errors import SettingError


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """Hand a listening socket over to this process."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        hand_over(monkeypatch, listener)
        yield listener


def hand_over(monkeypatch: pytest.MonkeyPatch, handed: socket.socket, number: str = "1") -> None:
    monkeypatch.setattr(module, "FIRST", os.dup(handed.fileno()))
    monkeypatch.setenv("LISTEN_PID", str(os.getpid()))
    monkeypatch.setenv("LISTEN_FDS", number)


def test_the_socket_is_taken_that_listens_already(listener: socket.socket) -> None:
    taken = systemd_listener()

    assert taken is not None
    with taken:
        assert taken.getsockname() == listener.getsockname()


@pytest.mark.usefixtures("listener")
def test_a_socket_for_another_process_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LISTEN_PID", "1")
    assert systemd_listener() is None

    monkeypatch.delenv("LISTEN_PID")
    assert systemd_listener() is None


def test_two_sockets_are_refused_in_a_sentence(listener: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    hand_over(monkeypatch, listener, "2")

    with pytest.raises(SettingError, match=r"hands 2 sockets over.*one line ListenStream="):
        systemd_listener()


@pytest.mark.parametrize("kind", [socket.SOCK_STREAM, socket.SOCK_DGRAM])
def test_a_socket_that_nobody_can_connect_to_is_refused(
    kind: socket.SocketKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket(socket.AF_INET, kind) as other:
        other.bind(("127.0.0.1", 0))
        hand_over(monkeypatch, other)

        with pytest.raises(SettingError, match="no TCP socket that listens"):
            systemd_listener()
