"""PgBouncer in front of one of the servers of a cluster."""

from contextlib import suppress
from pathlib import Path
from typing import Final

import psycopg

from tests.support.cluster.postgresql import DATABASE_NAME, ROLE, PostgresqlDaemon
from tests.support.cluster.processes import Daemon, change_owner, find_program
from tests.support.ports import free_port

CONFIG_TEMPLATE: Final = """
[databases]
* = host=127.0.0.1 port={server_port} user={role}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
admin_users = {role}
"""


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
        self._config.write_text(CONFIG_TEMPLATE.format(server_port=server.port, port=self._port, role=ROLE))

    def _is_responding(self) -> bool:
        with suppress(psycopg.Error), self._connect_to_console():
            return True
        return False

    def _connect_to_console(self) -> psycopg.Connection:
        return psycopg.connect(f"postgresql://{ROLE}@127.0.0.1:{self._port}/pgbouncer", autocommit=True)
