"""The listening socket that workers share: systemd's, or one of this process.

The socket of systemd, sd_listen_fds(3), stays open while the server restarts: clients that connect then wait in it.
"""

import os
import socket
from typing import Final

from abhidhan.records.errors import SettingError

FIRST: Final = 3
"""The number of the first file descriptor that systemd opens."""


def systemd_listener() -> socket.socket | None:
    """Return the listening socket that systemd started this process with, if it did. Raises SettingError."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        return None
    number = os.environ.get("LISTEN_FDS")
    if number != "1":
        raise SettingError(
            f"systemd hands {number} sockets over, and the server takes one: one line ListenStream= in abhidhan.socket."
        )
    listener = socket.socket(fileno=FIRST)
    if not _is_listening(listener):
        listener.close()
        raise SettingError(
            "What systemd hands over is no TCP socket that listens: see deploy/abhidhan.socket for one that is."
        )
    return listener


def bind(host: str, port: int) -> socket.socket:
    """Return a socket at an address, which does not listen yet. Raises SettingError."""
    bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        raise SettingError(
            f"{host}:{port} cannot be listened on ({error.strerror}): set ABHIDHAN_PORT to "
            "another port, or stop the program that uses it."
        ) from error
    return bound


def listen(bound: socket.socket, workers: int) -> socket.socket | None:
    """Return the socket that all workers share; None when each of them opens one of its own.

    In the socket of a single worker clients wait while that is replaced. Several workers have one each (SO_REUSEPORT):
    clients are spread evenly over them, and over the others when one has ended.
    """
    if _is_listening(bound):
        return bound
    if workers > 1:
        bound.close()
        return None
    bound.listen(socket.SOMAXCONN)
    return bound


def _is_listening(listener: socket.socket) -> bool:
    return (
        listener.family in {socket.AF_INET, socket.AF_INET6}
        and listener.type == socket.SOCK_STREAM
        and bool(listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))
    )
