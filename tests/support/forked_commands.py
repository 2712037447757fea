"""The abhidhan command in processes that start in milliseconds: forks of a process that has imported everything.

A command behaves as in any other process. Starts by `python -m abhidhan` and by the installed name are tested
separately (tests/app/cli/test_commands.py).
"""

import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Final, NamedTuple

PROJECT: Final = Path(__file__).parents[2]
MAX_REQUEST_BYTES: Final = 100_000
"""Maximum size in bytes of the arguments and environment of a command."""


class Streams(NamedTuple):
    """The file descriptors that a process reads from and writes to."""

    stdin: int
    stdout: int
    stderr: int


class ForkedProcess:
    """A running command, with the interface of `subprocess.Popen`."""

    def __init__(self, connection: socket.socket) -> None:
        """Set the connection, on which the parent process sends the ID now, and the exit status later."""
        self._told = connection.makefile("rb", buffering=0)
        connection.close()
        self.pid = int(self._told.readline())
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit status, or None."""
        return self._read_status(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end of the process. Raises TimeoutExpired."""
        ended = self._read_status(timeout)
        if ended is None:
            raise subprocess.TimeoutExpired("abhidhan", timeout or 0)
        return ended

    def send_signal(self, number: int) -> None:
        """Send a signal, if the process still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Terminate the process."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Kill the process."""
        self.send_signal(signal.SIGKILL)

    def _read_status(self, patience: float | None) -> int | None:
        if self.returncode is None and select.select([self._told], [], [], patience)[0]:
            self.returncode = int(self._told.readline())
            self._told.close()
        return self.returncode


class Launcher:
    """A process that has imported the program and forks to run commands; it ends with this process."""

    def __init__(self, prefix: Sequence[str] = ()) -> None:
        """Start the process; `prefix` is a command prefix, such as one that changes the user."""
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603  # our own program
                [*prefix, sys.executable, "-m", "tests.support.forked_commands", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                cwd=PROJECT,
            )

    def start(self, arguments: Sequence[str], environment: Mapping[str, str], streams: Streams) -> ForkedProcess:
        """Start a command."""
        os.umask(umask := os.umask(0))
        request = json.dumps([list(arguments), dict(environment), str(Path.cwd()), umask]).encode()
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self._control, [request], [*streams, theirs.fileno()])
        return ForkedProcess(ours)


@cache
def launcher(*prefix: str) -> Launcher:
    """Return the launcher of this process for a command prefix."""
    return Launcher(prefix)


def serve_launches(control: socket.socket) -> None:
    """Fork for every request, until the connection is closed. Return in each process that runs a command."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        request, descriptors, _, _ = socket.recv_fds(control, MAX_REQUEST_BYTES, 4)
        if not request:
            sys.exit()
        if os.fork() == 0:
            control.close()
            return supervise_command(request, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)


def supervise_command(request: bytes, descriptors: Sequence[int]) -> None:
    """Fork again, and report how that process ends; return only in that process."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    *streams, reply = descriptors
    command = os.fork()
    if command == 0:
        os.close(reply)
        return set_up_command(request, streams)
    for descriptor in (0, 1, 2, *streams):
        os.close(descriptor)
    os.write(reply, f"{command}\n".encode())
    _, status = os.waitpid(command, 0)
    os.write(reply, f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os._exit(0)


def set_up_command(request: bytes, streams: Sequence[int]) -> None:
    """Set up the process for the requested command."""
    for own, given in enumerate(streams):
        os.dup2(given, own)
        os.close(given)
    arguments, environment, folder, umask = json.loads(request)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    os.umask(umask)
    sys.argv = ["abhidhan", *arguments]
    # A shell that runs tests in the background makes its commands ignore Ctrl+C.
    signal.signal(signal.SIGINT, signal.default_int_handler)


if __name__ == "__main__":
    import abhidhan

    # Import everything that commands need before the first fork.
    for module in walk_packages(abhidhan.__path__, "abhidhan."):
        if module.name.startswith("abhidhan.app.") or ".service." in module.name:
            import_module(module.name)
    from abhidhan.app.cli import main

    serve_launches(socket.socket(fileno=int(sys.argv[1])))
    main()
