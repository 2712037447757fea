"""Nodes behind nginx are upgraded one after the other, as `docs/operating.md` says; look-ups go on."""

import time
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from shutil import copytree, ignore_patterns
from threading import Event, Thread
from typing import Final

import httpx2
import pytest

from tests.support.cluster.nodes import Node, add_editor, add_word
from tests.support.cluster.processes import TIMEOUT_SECONDS, wait_until
from tests.support.databases import PostgresqlDatabases, load_sample
from tests.support.proxies import run_nginx

SOURCE: Final = Path(__file__).parents[2] / "src"
WORD: Final = "/api/dic.php?w=water&q="

NGINX_PAUSE_SECONDS: Final = 11
"""One second more than nginx avoids a server that refused a connection (`fail_timeout`)."""

NEW_STEP: Final = '''"""A step of the newer version."""
import sqlalchemy as sa
from alembic import op
from abhidhan.migrations import REVISIONS
revision = "9001"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]
def upgrade() -> None:
    op.add_column("word", sa.Column("novelty", sa.Integer, server_default="0", nullable=False))
'''


def make_newer_build(folder: Path) -> Path:
    """Copy this build, with one more migration."""
    copy = Path(copytree(SOURCE, folder / "newer", ignore=ignore_patterns("__pycache__")))
    revisions = copy / "abhidhan/schema/schema_revisions.py"
    revisions.write_text(revisions.read_text().replace('",\n)', '",\n    "9001",\n)', 1))
    (copy / "abhidhan/migrations/versions/r9001_novelty.py").write_text(NEW_STEP)
    return copy


class Lookups(Thread):
    """Looks words up without a pause; each is another, so that no answer is cached."""

    def __init__(self, address: str) -> None:
        """Start with the first word."""
        super().__init__(daemon=True)
        self.failures: list[str] = []
        self.answered = 0
        self.ended = Event()
        self._address = address

    def run(self) -> None:
        """Look up one word after the other."""
        with httpx2.Client(base_url=self._address, timeout=TIMEOUT_SECONDS) as client:
            for number in count():
                if self.ended.is_set():
                    return
                response = client.get(f"{WORD}{number}")
                if response.status_code == httpx2.codes.OK:
                    self.answered += 1
                else:
                    self.failures.append(f"{response.status_code} {response.text[:300]}")


@pytest.mark.thorough
def test_lookups_go_on_while_nodes_are_upgraded_one_after_the_other(
    postgresql_databases: PostgresqlDatabases, tmp_path: Path
) -> None:
    newer_build = make_newer_build(tmp_path)
    settings = {"ABHIDHAN_DATABASE": postgresql_databases.copy(load_sample), "ABHIDHAN_RATE_LIMIT": "1000000/minute"}
    add_editor(settings["ABHIDHAN_DATABASE"], tmp_path / "first")
    with ExitStack() as stack:

        def start(name: str, port: int = 0, source: Path | None = None) -> Node:
            node = Node(tmp_path / name, settings, port, source)
            stack.callback(node.kill)
            node.start()
            return node

        first, second = start("first"), start("second")
        both = first.port, second.port
        port = stack.enter_context(run_nginx(make_folder(tmp_path / "nginx"), *both))
        writers_port = stack.enter_context(run_nginx(make_folder(tmp_path / "writers"), first.port, readers=both))
        lookups = Lookups(f"http://127.0.0.1:{port}")
        stack.callback(lookups.ended.set)
        lookups.start()

        first.stop()
        assert add_word(f"http://127.0.0.1:{port}", "while one is stopped").status_code == httpx2.codes.CREATED
        first = start("first", first.port, newer_build)

        assert httpx2.get(f"{second.address}{WORD}").status_code == httpx2.codes.OK
        ready = httpx2.get(f"{second.address}/health/ready")
        assert (ready.status_code, ready.headers["retry-after"]) == (503, "5")
        assert add_word(second.address, "at the older node").status_code == httpx2.codes.SERVICE_UNAVAILABLE
        # The operator has taken the older node out of `upstream abhidhan`.
        for number in range(4):
            word = f"at the newer node {number}"
            assert add_word(f"http://127.0.0.1:{writers_port}", word).status_code == httpx2.codes.CREATED

        time.sleep(NGINX_PAUSE_SECONDS)
        second.stop()
        second = start("second", second.port, newer_build)
        assert add_word(second.address, "at the upgraded node").status_code == httpx2.codes.CREATED
        answered = lookups.answered
        wait_until(lambda: lookups.answered > answered, "look-ups go on after the upgrades", lookups.is_alive)
        lookups.ended.set()
        lookups.join(TIMEOUT_SECONDS)

    assert lookups.failures == []


def make_folder(folder: Path) -> Path:
    """Create a folder, and return it."""
    folder.mkdir()
    return folder
