"""PgBouncer in front of one of the servers of a cluster."""

from contextlib import suppress
from pathlib import Path

import psycopg

from tests.support.cluster.postgresql import DATABASE_NAME, ROLE, PostgresqlDaemon
from tests.support.cluster.processes import Daemon, change_owner, find_program
from tests.support.pooler import CONFIG_TEMPLATE, SERVER_CONNECTIONS
from tests.support.ports import free_port


class PoolerDaemon(Daemon):
    """A PgBouncer whose server can be changed while it runs."""

    def __init__(self, folder: Path, server: PostgresqlDaemon) -> None:
        """Write the configuration for a server."""
        self._port = free_port()
        self._config = folder / "pgbouncer.ini"
        self._write_config(server)
        change_owner(self._config)
        super().__init__([find_program("pgbouncer"), str(self._config)], folder / "pgbouncer.log", self._is_responding)

    @property
    def address(self) -> str:
        """The URL of the dictionary through the pooler."""
        return f"postgresql://{ROLE}@127.0.0.1:{self._port}/{DATABASE_NAME}"

    def move(self, server: PostgresqlDaemon) -> None:
        """Send clients to another server, as an operator does."""
        self._write_config(server)
        with self._connect_to_console() as console:
            console.pgconn.exec_(b"RELOAD")

    def _write_config(self, server: PostgresqlDaemon) -> None:
        options = f"host=127.0.0.1 port={server.port} user={ROLE}"
        content = CONFIG_TEMPLATE.format(server=options, port=self._port, size=SERVER_CONNECTIONS, admin=ROLE)
        self._config.write_text(content)

    def _is_responding(self) -> bool:
        with suppress(psycopg.Error), self._connect_to_console():
            return True
        return False

    def _connect_to_console(self) -> psycopg.Connection:
        return psycopg.connect(f"postgresql://{ROLE}@127.0.0.1:{self._port}/pgbouncer", autocommit=True)
