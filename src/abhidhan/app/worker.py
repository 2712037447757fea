"""Entry point of a worker, which creates the application with the garbage collector off."""

import gc
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from litestar.types import ASGIApp

GC_THRESHOLD: Final = 10_000
"""Number of new objects between two runs of the garbage collector."""

SWITCH_INTERVAL_SECONDS: Final = 0.001


def create() -> "ASGIApp":
    """Create the application of one worker, from the settings in its environment."""
    # Objects created during the start are permanent. Collecting garbage among them took a seventh of the start.
    gc.disable()
    from abhidhan.app import asgi  # noqa: PLC0415  # after turning the collector off

    application = asgi.create()
    # Exclude them from later collections, and collect less often: the objects of a response are freed by reference
    # counting (the edge took 44 µs instead of 60).
    gc.collect()
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD)
    gc.enable()
    # The event loop waits at most this long for the interpreter lock while a long search runs in a thread.
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    return application
