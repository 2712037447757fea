"""Standbys of a PostgreSQL server: one that has kept up with it is read in its place."""

import asyncio
import random
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import Final

import psycopg
import structlog
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import URL

from abhidhan.background import going_on
from abhidhan.domain.figures import Figure
from abhidhan.errors import SettingError
from abhidhan.storage.engine.lag import Lag
from abhidhan.storage.engine.standby import Standby

LOOKS: Final = 4
"""How often it is looked how far the standby is in the time that it may be behind."""

SHORTEST_PAUSE: Final = 0.02
LONGEST_PAUSE: Final = 0.5

PATIENCE: Final = 1.0
"""Seconds after which a standby that says nothing is given up, unless it may be further behind than that."""

BEFORE_ANOTHER: Final = 5.0
"""Seconds for which one may be too far behind before another one is tried."""

CONNECTS: Final = {"connect_timeout": "2", "keepalives_idle": "5", "keepalives_interval": "2", "keepalives_count": "3"}
"""A standby is given up sooner than the server itself, unless its address says otherwise."""

LEFT_OUT: Final = frozenset({"target_session_attrs", "load_balance_hosts", "dbname", "user", "password"})

_log = structlog.get_logger("abhidhan.database")


def addresses_of(setting: str) -> tuple[URL, ...]:
    """Read the hosts of an address, each with its own port. Raises SettingError."""
    try:
        given = {name: str(value) for name, value in conninfo_to_dict(setting).items() if value is not None}
    except psycopg.ProgrammingError as error:
        given, why = {}, str(error).strip()
    else:
        why = "it names no host"
    hosts = given.pop("host", "").split(",")
    ports = given.pop("port", "").split(",")
    if not all(hosts) or len(ports) not in {1, len(hosts)}:
        raise SettingError(
            f"ABHIDHAN_DATABASE_READ is not an address of standbys ({why}): write "
            "postgresql://user:password@host1,host2/name?target_session_attrs=prefer-standby."
        )
    every_port = ports * len(hosts) if len(ports) == 1 else ports
    return tuple(_address(given, *place) for place in zip(hosts, every_port, strict=True))


def _address(given: dict[str, str], host: str, port: str) -> URL:
    others = {name: value for name, value in given.items() if name not in LEFT_OUT}
    place = {"host": host} | ({"port": port} if port else {})
    return URL.create(
        "postgresql+psycopg", given.get("user"), given.get("password"), database=given.get("dbname"),
        query=CONNECTS | others | place,
    )  # fmt: skip


def _name(address: URL) -> str:
    return ":".join(str(address.query[part]) for part in ("host", "port") if part in address.query)


class Standbys:
    """Keeps to one of the standbys, and knows at each moment whether it may be read."""

    def __init__(
        self, addresses: Iterable[URL], *, allowed: float, connections: int, written: Callable[[], Awaitable[int]]
    ) -> None:
        """Take their addresses, and how many seconds they may be behind; `written` tells how far the server is."""
        every = tuple(addresses)
        # Workers share the standbys. Nothing secret hangs on it.
        self._addresses = deque(random.sample(every, k=len(every)))
        self._allowed = allowed
        self._connections = connections
        self._written = written
        self._pause = min(max(allowed / LOOKS, SHORTEST_PAUSE), LONGEST_PAUSE)
        self._patience = max(PATIENCE, allowed)
        self._current: Standby | None = None
        self._lag = Lag()
        self._was_read = False

    def read_now(self) -> Standby | None:
        """Return the standby that may be read at this moment."""
        standby = self._current
        if standby is None or not standby.is_there or self._lag.seconds(monotonic()) > self._allowed:
            return None
        return standby

    @property
    def followed(self) -> Standby | None:
        """The standby to which this keeps, whether it may be read or not."""
        return self._current

    def figures(self) -> list[Figure]:
        """Return whether a standby is read."""
        return [Figure("abhidhan_database_standbys", (), 0 if self.read_now() is None else 1)]

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keep to one while the application runs."""
        async with going_on(self._keep()):
            yield

    async def _keep(self) -> None:
        while True:
            for address in tuple(self._addresses):
                await self._follow(address)
                # What has failed is tried last.
                self._addresses.rotate(-1)
            await asyncio.sleep(self._pause)

    async def _follow(self, address: URL) -> None:
        """Keep to one for as long as it is there, is a standby, and comes along."""
        standby = self._current = Standby(address, connections=self._connections)
        self._lag = Lag()
        began = monotonic()
        try:
            while monotonic() - began < BEFORE_ANOTHER:
                await self._look(standby)
                if self.read_now() is not None:
                    began = monotonic()
                self._tell(address)
                await asyncio.sleep(self._pause)
        except (psycopg.Error, OSError, TimeoutError):
            pass
        finally:
            self._current = None
            self._tell(address)
            standby.abandon()

    async def _look(self, standby: Standby) -> None:
        """Ask both how far they are. Raises psycopg.Error and TimeoutError where the standby does not say it."""
        moment = monotonic()
        # Of a server that is away nothing is learned, and soon no standby is known to be fresh.
        with suppress(psycopg.Error, OSError, TimeoutError):
            async with asyncio.timeout(self._patience):
                self._lag.written(moment, await self._written())
        async with asyncio.timeout(self._patience):
            self._lag.replayed(await standby.replayed())

    def _tell(self, address: URL) -> None:
        is_read = self.read_now() is not None
        if is_read and not self._was_read:
            _log.info("a standby is read", standby=_name(address))
        elif self._was_read and not is_read:
            _log.warning("a standby is left out: it is away or too far behind", standby=_name(address))
        self._was_read = is_read
