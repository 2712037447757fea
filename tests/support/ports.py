"""Ports for the servers of the tests."""

import random
import socket

PORTS = range(12_000, 32_000)
"""Below those that systems give to clients (32,768 on Linux, 49,152 elsewhere): none of these is taken meanwhile."""

_chance = random.SystemRandom()
"""Hypothesis seeds `random` itself alike in each process of the tests."""


def free_port() -> int:
    """Find a port that nobody listens on, each process of the tests another one."""
    while True:
        port = _chance.choice(PORTS)
        with socket.socket() as trial:
            try:
                trial.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
