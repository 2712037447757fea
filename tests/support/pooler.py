"""Debian's PgBouncer in front of a PostgreSQL server: each transaction may use another connection."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest

from tests.support.databases import FillDatabase, PostgresqlDatabases
from tests.support.ports import free_port
from tests.support.postgresql import PostgresqlServer

SKIP_REASON: Final = "what goes through a pooler is left out: `apt-get install pgbouncer` brings one"

SERVER_CONNECTIONS: Final = 2
"""Number of connections to the server: few, so that clients constantly share them."""

CONFIG_TEMPLATE: Final = """
[databases]
* = {server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {size}
max_client_conn = 200
admin_users = {admin}
log_connections = 0
log_disconnections = 0
"""


class Pooler:
    """A running PgBouncer."""

    def __init__(self, port: int) -> None:
        """Set the port."""
        self.port = port

    def url(self, name: str) -> str:
        """Return the URL of a database through the pooler."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{name}"

    def run(self, command: str) -> None:
        """Run a command of the console, such as RECONNECT."""
        with psycopg.connect(self.url("pgbouncer"), autocommit=True) as admin:
            admin.pgconn.exec_(command.encode())


@contextmanager
def run_pooler(server: PostgresqlServer, folder: Path, *, connections: int = SERVER_CONNECTIONS) -> Iterator[Pooler]:
    """Run PgBouncer in front of a server."""
    host = parse_qs(urlsplit(server.address).query)["host"][0]
    port = free_port()
    file = folder / "pgbouncer.ini"
    server_options = f"host={host} port=5432 user=postgres"
    file.write_text(CONFIG_TEMPLATE.format(server=server_options, port=port, size=connections, admin="postgres"))
    # It does not run as root, and only its owner can access the server's socket.
    owner = Path(host).stat().st_uid
    with file.open("rb") as given, (folder / "pgbouncer.log").open("wb") as log:
        process = subprocess.Popen(  # noqa: S603  # the program below
            [_find_program(), "/dev/stdin"],
            stdin=given,
            stdout=log,
            stderr=log,
            user=owner if os.geteuid() == 0 else None,
        )
    try:
        _wait_for(port, process, folder / "pgbouncer.log")
        yield Pooler(port)
    finally:
        process.terminate()
        process.wait(60)


class PooledDatabases:
    """Databases of a PostgreSQL server, accessed through a pooler."""

    def __init__(self, databases: PostgresqlDatabases, pooler: Pooler) -> None:
        """Set the factory of the databases, and the pooler."""
        self._databases = databases
        self._pooler = pooler

    def absent(self) -> str:
        """Create a database without tables."""
        return self._pooled_url(self._databases.absent())

    def copy(self, filling: FillDatabase) -> str:
        """Clone a template, which was created without the pooler."""
        return self._pooled_url(self._databases.copy(filling))

    def remove(self, url: str) -> None:
        """Drop the database."""
        self._databases.remove(url)

    def _pooled_url(self, url: str) -> str:
        return self._pooler.url(urlsplit(url).path.removeprefix("/"))


def _find_program() -> str:
    found = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if found is None:
        if os.environ.get("ABHIDHAN_CI"):
            pytest.fail(SKIP_REASON)
        pytest.skip(SKIP_REASON)
    return found


def _wait_for(port: int, process: "subprocess.Popen[bytes]", log: Path) -> None:
    give_up = time.monotonic() + 60
    while True:
        try:
            psycopg.connect(f"postgresql://postgres@127.0.0.1:{port}/postgres").close()
        except psycopg.OperationalError:
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < give_up, log.read_text()
            time.sleep(0.02)
        else:
            return
