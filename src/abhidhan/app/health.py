"""Whether the server lives and is ready, for whoever watches over it: `/health/live` and `/health/ready`."""

from collections.abc import Awaitable, Callable
from typing import Final

import structlog
from litestar import get
from litestar.handlers import HTTPRouteHandler

from abhidhan.records.errors import AbhidhanError, LostDatabaseError, RetryAfter, UnavailableError, UnwritableError

NOT_READY: Final = "The server is not ready to answer. The log says why."


def health_handlers(
    check: Callable[[], Awaitable[str | None]], is_read_only: Callable[[], bool] = lambda: False
) -> list[HTTPRouteHandler]:
    """Make `/health/live` and `/health/ready`. `check` tells what is not ready, or None, or raises our errors."""

    @get("/health/live", tags=["Status"], summary="Check that the server runs")
    async def live() -> dict[str, str]:
        """Answer as long as the server runs."""
        return {"status": "live"}

    @get("/health/ready", tags=["Status"], summary="Check that the server is ready")
    async def ready() -> dict[str, str]:
        """Answer while requests can be served and changes saved; otherwise 503."""
        try:
            missing = await check()
        except LostDatabaseError as error:
            # Of that the log has told when it began, and whoever watches asks every few seconds.
            raise UnavailableError(NOT_READY, RetryAfter.MOMENT) from error
        except UnwritableError as error:
            # Look-ups are still answered: who watches is told what to mend, balancers may choose another server.
            structlog.get_logger("abhidhan.web").warning("not ready", reason=str(error))
            raise UnavailableError(error.said, RetryAfter.MOMENT) from error
        except AbhidhanError as error:
            missing = str(error)
        if missing is not None:
            structlog.get_logger("abhidhan.web").warning("not ready", reason=missing)
            raise UnavailableError(NOT_READY, RetryAfter.MOMENT)
        return {"status": "read-only" if is_read_only() else "ready"}

    return [live, ready]
