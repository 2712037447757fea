"""Debian's PostgreSQL, as a primary and a standby that replicates it."""

import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Final, LiteralString

import psycopg

from tests.support.cluster.processes import (
    TIMEOUT_SECONDS,
    Daemon,
    change_owner,
    find_program,
    find_unprivileged_account,
)
from tests.support.ports import free_port

ROLE: Final = "abhidhan"
DATABASE_NAME: Final = "dictionary"

SETTINGS: Final = {
    "listen_addresses": "127.0.0.1",
    "max_connections": "60",
    # Keeps the log that a standby has missed while it was down.
    "wal_keep_size": "128MB",
    "max_wal_size": "64MB",
    "min_wal_size": "32MB",
    "shared_buffers": "32MB",
    # The standby notices within a second that the primary is back, and each that the other has stopped.
    "wal_retrieve_retry_interval": "200ms",
    "wal_receiver_timeout": "5s",
    "wal_sender_timeout": "5s",
    "log_checkpoints": "off",
}


class PostgresqlDaemon(Daemon):
    """A PostgreSQL server with full durability: no safeguard is turned off for speed."""

    def __init__(self, folder: Path, data: Path) -> None:
        """Set the folder for the log, and the data folder."""
        self.port = free_port()
        sockets = folder / "sockets"
        sockets.mkdir(exist_ok=True)
        change_owner(sockets)
        settings = SETTINGS | {"port": str(self.port), "unix_socket_directories": str(sockets)}
        chosen = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        super().__init__(
            [find_program("postgres"), "-D", str(data), *chosen], folder / f"{data.name}.log", self._is_responding
        )

    def address(self, name: str = DATABASE_NAME) -> str:
        """Return the URL of a database."""
        return f"postgresql://{ROLE}@127.0.0.1:{self.port}/{name}"

    def execute(self, statement: LiteralString, name: str = DATABASE_NAME) -> list[tuple[object, ...]]:
        """Run a statement, and return its rows. Raises psycopg.Error."""
        with psycopg.connect(self.address(name), autocommit=True, connect_timeout=5) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def _is_responding(self) -> bool:
        with suppress(psycopg.Error):
            return bool(self.execute("SELECT 1", "postgres"))
        return False


def make_primary(folder: Path) -> PostgresqlDaemon:
    """Create and start a server with an empty database."""
    data = folder / "primary"
    options = ("--username", ROLE, "--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync")
    _run("initdb", "--pgdata", str(data), *options)
    primary = PostgresqlDaemon(folder, data)
    primary.start()
    primary.execute("CREATE DATABASE dictionary", "postgres")
    return primary


def make_standby(folder: Path, primary: PostgresqlDaemon, name: str = "standby") -> PostgresqlDaemon:
    """Create and start a standby of another server."""
    data = folder / name
    address = ("--host", "127.0.0.1", "--port", str(primary.port), "--username", ROLE)
    _run("pg_basebackup", "--pgdata", str(data), *address, "--write-recovery-conf", "--checkpoint=fast", "--no-sync")
    standby = PostgresqlDaemon(folder, data)
    standby.start()
    return standby


def _run(name: str, *arguments: str) -> None:
    done = subprocess.run(  # noqa: S603  # the programs of PostgreSQL
        [find_program(name), *arguments],
        capture_output=True,
        text=True,
        check=False,
        user=find_unprivileged_account(),
        timeout=TIMEOUT_SECONDS,
        cwd="/",
    )
    assert done.returncode == 0, done.stderr
