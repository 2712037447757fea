"""The network sockets of this process: who is connected, and the listening ones shut to new clients."""

import ctypes
import os
import socket
import stat
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

OWN_FILES: Final = Path("/dev/fd")
"""Where Linux and macOS list the files that a process has open."""

SO_ATTACH_FILTER: Final = 26
SO_DETACH_FILTER: Final = 27
"""From <asm-generic/socket.h>; Python names neither."""

NO_NEW_CLIENT: Final = (
    (0x30, 0, 0, 13),  # load the byte of the TCP flags
    (0x54, 0, 0, 0x12),  # keep SYN and ACK of it
    (0x15, 0, 1, 0x02),  # a SYN alone, which asks for a new connection:
    (0x06, 0, 0, 0),  # drop it
    (0x06, 0, 0, 0xFFFF_FFFF),  # let all else pass
)
"""A filter for a listening socket (https://docs.kernel.org/networking/filter.html): classic BPF, for anybody to use."""

FOR_PROCESS: Final = "LISTEN_PID"
"""The variable in which systemd says which process its listening socket is for: the parent of the workers."""

AT_QUEUE: Final = 24
"""Where in Linux's `struct tcp_info` a listening socket says how many connections wait to be accepted."""


def is_listening() -> bool:
    """Return whether clients can connect to this process. Raises OSError."""
    sockets = list(_own_sockets())
    try:
        return any(_is_listening(each) for each in sockets)
    finally:
        for each in sockets:
            each.close()


def clients() -> int:
    """Count the clients that are connected to this process, or wait to be accepted by it. Raises OSError."""
    sockets = list(_own_sockets())
    try:
        listeners = [each for each in sockets if _is_listening(each)]
        ports = {listener.getsockname()[1] for listener in listeners}
        return sum(_is_client(each, ports) for each in sockets) + sum(_waiting(listener) for listener in listeners)
    finally:
        for each in sockets:
            each.close()


def refuse_new_clients() -> None:
    """Let no new client begin to connect to this process, where the system can do that (Linux).

    Closing a listening socket resets whoever is connected but not accepted yet. So the requests for new connections
    are dropped first: their senders ask again a second later, and find another process or a closed port.
    """
    for each in _own_sockets():
        with each:
            if _is_listening(each):
                refuse(each)


def stays_open() -> bool:
    """Say whether the listening socket of this worker is another's, in which clients may wait for the next server."""
    return os.environ.get(FOR_PROCESS) == str(os.getppid())


def refuse(listener: socket.socket) -> None:
    """Let no new client begin to connect to a listening socket, in whatever process that is."""
    if sys.platform != "linux":  # pragma: no cover
        return
    code = b"".join(struct.pack("HBBI", *step) for step in NO_NEW_CLIENT)
    memory = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HP", len(NO_NEW_CLIENT), ctypes.addressof(memory))
    with suppress(OSError):
        # A kernel without filters: then the few who connect in the last moment are reset, as everywhere else.
        listener.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, program)


def accept(listener: socket.socket) -> None:
    """Let clients connect again."""
    if sys.platform == "linux":
        with suppress(OSError):  # it was not shut
            listener.setsockopt(socket.SOL_SOCKET, SO_DETACH_FILTER, 0)


def _own_sockets() -> Iterator[socket.socket]:
    """Yield the network sockets of this process, each to be closed by the caller, which leaves the original open."""
    seen: set[int] = set()
    for number in [int(path.name) for path in OWN_FILES.iterdir()]:
        # A file may be closed by another thread while it is looked at, and its number be used again.
        with suppress(OSError):
            known = os.fstat(number)
            if stat.S_ISSOCK(known.st_mode) and known.st_ino not in seen:
                seen.add(known.st_ino)
                yield from _if_network(socket.socket(fileno=os.dup(number)))


def _if_network(own: socket.socket) -> Iterator[socket.socket]:
    if own.family in {socket.AF_INET, socket.AF_INET6} and own.type == socket.SOCK_STREAM:
        yield own
    else:
        own.close()


def _is_listening(own: socket.socket) -> bool:
    return bool(own.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))


def _is_client(own: socket.socket, ports: set[int]) -> bool:
    try:
        own.getpeername()
    except OSError:
        return False
    return own.getsockname()[1] in ports


def _waiting(listener: socket.socket) -> int:
    if sys.platform != "linux":  # pragma: no cover
        return 0
    info = listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, AT_QUEUE + 4)
    number: int = struct.unpack_from("I", info, AT_QUEUE)[0]
    return number
