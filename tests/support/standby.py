"""A standby of a PostgreSQL server: it replicates the server, and can be promoted."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg
from psycopg import sql

from tests.support.postgresql import PostgresqlServer


class StandbyServer:
    """A running standby."""

    def __init__(self, programs: Path, data: Path, owner: int | None) -> None:
        """Set the folders of PostgreSQL's programs and of the data, and the owner of the process."""
        self._programs = programs
        self._data = data
        self._owner = owner

    def url(self, name: str) -> str:
        """Return the URL of a database."""
        return f"postgresql://postgres@/{name}?host={self._data}"

    def start(self) -> None:
        """Start the standby, and wait until it responds."""
        options = f"-h '' -k {self._data}"
        self.run("pg_ctl", "start", "-w", "-D", str(self._data), "-l", f"{self._data}/log", "-o", options)

    def stop(self) -> None:
        """Stop the standby as in a power failure."""
        self.run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", str(self._data))

    def promote(self) -> None:
        """Promote the standby to a primary."""
        self.execute("SELECT pg_promote()")

    def execute(self, statement: str) -> None:
        """Run a statement."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.pgconn.exec_(statement.encode())

    def run(self, program: str, *arguments: str) -> None:
        """Run one of PostgreSQL's programs."""
        command = [str(self._programs / program), *arguments]
        done = subprocess.run(  # noqa: S603  # PostgreSQL's own programs
            command, user=self._owner, capture_output=True, text=True, check=False, cwd="/", stdin=subprocess.DEVNULL
        )
        log = self._data / "log"
        assert done.returncode == 0, f"{done.stderr}{log.read_text() if log.exists() else ''}"


@contextmanager
def run_standby(server: PostgresqlServer) -> Iterator[StandbyServer]:
    """Create a standby of a server, and stop and remove it at the end."""
    # A base backup requires full page writes.
    for setting in ("full_page_writes", "synchronous_commit"):
        server.run(sql.SQL("ALTER SYSTEM SET {} = on").format(sql.Identifier(setting)))
    for statement in ("SELECT pg_reload_conf()", "CHECKPOINT"):
        server.run(sql.SQL(statement))
    source = Path(parse_qs(urlsplit(server.address).query)["host"][0])
    owner = source.stat().st_uid if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="abhidhan-", ignore_cleanup_errors=True) as folder:
        data = Path(folder) / "data"
        data.mkdir(mode=0o700)
        if owner is not None:
            os.chown(data, owner, -1)
            Path(folder).chmod(0o755)
        # The same programs as those of the server.
        programs = Path((source / "postmaster.opts").read_text().split()[0]).parent
        standby = StandbyServer(programs, data, owner)
        copied = ("-D", str(data), "-R", "-X", "stream", "-c", "fast")
        standby.run("pg_basebackup", "-h", str(source), "-U", "postgres", *copied)
        for lock in (*data.glob(".s.PGSQL.*"), data / "log"):
            lock.unlink(missing_ok=True)
        standby.start()
        try:
            yield standby
        finally:
            standby.stop()
