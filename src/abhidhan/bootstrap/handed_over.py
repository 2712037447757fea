"""A listening socket that systemd hands over: it stays open while the server restarts, and who connects waits in it.

The protocol is that of sd_listen_fds(3).
"""

import os
import socket
from typing import Final

from abhidhan.errors import SettingError
from abhidhan.web.edge.listening import FOR_PROCESS

HOW_MANY: Final = "LISTEN_FDS"
FIRST: Final = 3
"""The number of the first file descriptor that is handed over."""


def handed_over() -> socket.socket | None:
    """Return the listening socket that this process was started with, if it was. Raises SettingError."""
    if os.environ.get(FOR_PROCESS) != str(os.getpid()):
        return None
    number = os.environ.get(HOW_MANY)
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


def _is_listening(handed: socket.socket) -> bool:
    return (
        handed.family in {socket.AF_INET, socket.AF_INET6}
        and handed.type == socket.SOCK_STREAM
        and bool(handed.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))
    )
