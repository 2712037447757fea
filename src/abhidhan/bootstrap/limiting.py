"""What limits requests, put together from the settings: for one machine, or for several over one database."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from time import monotonic
from typing import NamedTuple

from abhidhan.bootstrap.beside import run_folder
from abhidhan.errors import AbhidhanError, SettingError
from abhidhan.services.shared_limits import SharedLimits
from abhidhan.settings import Settings
from abhidhan.storage.engine.database import Database
from abhidhan.web.edge.counter_file import CounterFile
from abhidhan.web.edge.limits import Limiter, Rate


class Limiting(NamedTuple):
    """The limit of requests, if there is one, and what tells other machines of it, if there can be others."""

    limiter: Limiter | None = None
    shared: SharedLimits | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Exchange with other machines what clients have taken, while the application runs."""
        if self.limiter is None or self.shared is None:
            yield
            return
        async with self.shared.running(self.limiter.learn):
            yield


def open_limiting(settings: Settings, database: Database) -> Limiting:
    """Make what limits requests. Raises SettingError."""
    if not settings.rate_limit:
        return Limiting()
    with _naming("ABHIDHAN_RATE_LIMIT"):
        rate = Rate.parse(settings.rate_limit)
        counters = CounterFile(run_folder(settings) / "limits")
    if database.is_sqlite:
        return Limiting(Limiter(rate, counters))
    shared = SharedLimits(database, most=rate.most_lacking, clock=monotonic)
    return Limiting(Limiter(rate, counters, on_taken=shared.note), shared)


@contextmanager
def _naming(setting: str) -> Iterator[None]:
    """Say in the error which setting is meant."""
    try:
        yield
    except AbhidhanError as error:
        raise SettingError(f"{setting}: {error}") from None
