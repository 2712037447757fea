"""The baseline of the benchmarks: a minimal Litestar application on the same Granian as Abhidhan."""

import sys

from granian import Granian
from granian.constants import Interfaces
from litestar import Litestar, get


@get("/hello")
async def hello() -> dict[str, str]:
    """Return a greeting."""
    return {"hello": "world"}


def create() -> Litestar:
    """Create the application."""
    return Litestar([hello], openapi_config=None, logging_config=None)


def serve(port: int) -> None:
    """Serve the application with one worker and the settings of `abhidhan serve`."""
    Granian(
        "bench.hello:create",
        factory=True,
        interface=Interfaces.ASGI,
        address="127.0.0.1",
        port=port,
        workers=1,
        websockets=False,
        log_enabled=False,
    ).serve()


if __name__ == "__main__":
    serve(int(sys.argv[1]))
