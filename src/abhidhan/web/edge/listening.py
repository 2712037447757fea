"""The network sockets of this process: who is connected, and the listening ones shut or left to others."""

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


def ports() -> frozenset[int]:
    """Return the ports at which clients can connect to this process. Raises OSError."""
    found = set()
    for each in _own_sockets():
        with each:
            if _is_listening(each):
                found.add(each.getsockname()[1])
    return frozenset(found)


def clients(own_ports: frozenset[int]) -> int:
    """Count the clients that are connected to these ports, or wait to be accepted by this process. Raises OSError."""
    number = 0
    for each in _own_sockets():
        with each:
            number += _waiting(each) if _is_listening(each) else _is_client(each, own_ports)
    return number


def refuse_new_clients() -> None:
    """Let no new client begin to connect to this process, where the system can do that (Linux).

    Closing a listening socket resets whoever is connected but not accepted yet. So the requests for new connections
    are dropped first: their senders ask again a second later, and find another process or a closed port.
    """
    for each in _own_sockets():
        with each:
            if _is_listening(each):
                refuse(each)


def leave_new_clients_to_others() -> None:
    """Accept nobody any more: who connects waits for another process that holds the same listening sockets."""
    for number, own in _own_numbers():
        with own:
            if _is_listening(own):
                leave_to_others(number)


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


def leave_to_others(number: int) -> None:
    """Accept nobody any more from the listening socket of this file descriptor, where the system can do that (Linux).

    Others hold it too, so that shutting it, or a filter on it, would not be for this process alone. Instead the
    descriptor becomes that of a socket to which nobody connects. Granian still hears of clients, since epoll watches
    the socket that it was told of, not the number; it finds nobody to accept (EAGAIN), as when another was faster.
    """
    if sys.platform == "linux":
        with suppress(OSError), _where_nobody_connects() as nowhere:
            os.dup2(nowhere.fileno(), number, inheritable=False)


def accept(listener: socket.socket) -> None:
    """Let clients connect again."""
    if sys.platform == "linux":
        with suppress(OSError):  # it was not shut
            listener.setsockopt(socket.SOL_SOCKET, SO_DETACH_FILTER, 0)


def _own_sockets() -> Iterator[socket.socket]:
    """Yield the network sockets of this process, each to be closed by the caller, which leaves the original open."""
    seen: set[int] = set()
    for _, own in _own_numbers():
        known = os.fstat(own.fileno()).st_ino
        if known in seen:
            own.close()
        else:
            seen.add(known)
            yield own


def _own_numbers() -> Iterator[tuple[int, socket.socket]]:
    """Yield the number and a copy of each descriptor of a network socket; the caller closes the copy."""
    for number in [int(path.name) for path in OWN_FILES.iterdir()]:
        # A file may be closed by another thread while it is looked at, and its number be used again.
        with suppress(OSError):
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                own = socket.socket(fileno=os.dup(number))
                if own.family in {socket.AF_INET, socket.AF_INET6} and own.type == socket.SOCK_STREAM:
                    yield number, own
                else:
                    own.close()


def _where_nobody_connects() -> socket.socket:
    """Listen at an address that nobody knows: a name that Linux makes up (unix(7), "Autobind feature")."""
    nowhere = socket.socket(socket.AF_UNIX)
    nowhere.settimeout(0)
    nowhere.bind("")
    nowhere.listen(0)
    return nowhere


def _is_listening(own: socket.socket) -> bool:
    return bool(own.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))


def _is_client(own: socket.socket, ports: frozenset[int]) -> bool:
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
