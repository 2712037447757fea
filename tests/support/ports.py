"""Ports for the servers of the tests."""

import random
import socket

PORTS = range(12_000, 32_000)
"""Ports below those that systems assign to clients (from 32,768 on Linux, 49,152 elsewhere), so that they stay free."""

_random = random.SystemRandom()
"""A generator that Hypothesis does not seed: it seeds `random` identically in each process of the tests."""


def free_port() -> int:
    """Return a free port, a different one in each process of the tests."""
    while True:
        port = _random.choice(PORTS)
        with socket.socket() as trial:
            try:
                trial.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
