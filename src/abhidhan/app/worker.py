"""What a worker runs: it makes the application while the garbage collector is off."""

import gc
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from litestar.types import ASGIApp

BETWEEN_COLLECTIONS: Final = 10_000
"""New objects after which the garbage collector looks for cycles."""

SECONDS_OF_A_THREAD: Final = 0.001


def create() -> "ASGIApp":
    """Make the application of one worker, from the settings of its environment."""
    # What is imported and made now stays for good. To look through it for garbage took a seventh of the start.
    gc.disable()
    from abhidhan.app import asgi  # noqa: PLC0415  # only now the collector is off

    made = asgi.create()
    # Nor need the collector look at it later. It runs less often, too: the values of an answer are freed without it
    # (the edge took 44 µs instead of 60).
    gc.collect()
    gc.freeze()
    gc.set_threshold(BETWEEN_COLLECTIONS)
    gc.enable()
    # A long list or search runs in a thread; whoever waits for the interpreter meanwhile gets it after this time.
    sys.setswitchinterval(SECONDS_OF_A_THREAD)
    return made
