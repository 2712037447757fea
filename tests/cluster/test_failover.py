"""Failover: no acknowledged word is lost, and nodes behind a pooler write again after the steps of the operator."""

import logging
import os
import secrets
import shutil
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from threading import Event, Thread
from typing import Final, NamedTuple

import httpx2
import pytest

from abhidhan.exchange.service import backup
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.migrate import prepare_database
from tests.support.cluster.nodes import Node, add_editor, add_word
from tests.support.cluster.pooler import PoolerDaemon
from tests.support.cluster.postgresql import DATABASE_NAME, ROLE, PostgresqlDaemon, make_primary, make_standby
from tests.support.cluster.processes import TIMEOUT_SECONDS, change_owner, find_program, wait_until
from tests.support.contributions import PASSWORD
from tests.support.databases import load_sample

SECONDS: Final = 60
AWAY_SECONDS: Final = (0.2, 2.0)
QUIET_SECONDS: Final = (0.5, 3.0)
EDITORS_OF_EACH: Final = 2
SEED: Final = "FAILOVER_SEED"
"""The variable that repeats the kills of a run that printed this seed."""

SETTINGS: Final = {
    "ABHIDHAN_DOWNLOADS_HOURS": "0",
    "ABHIDHAN_ARTICLES_EN": "zim",
    "ABHIDHAN_ARTICLES_AS": "zim",
    "ABHIDHAN_ARTICLES_BN": "zim",
    "ABHIDHAN_LOG_LEVEL": "warning",
}


log = logging.getLogger(__name__)


class Cluster(NamedTuple):
    """All that is running, and the cookies of an editor."""

    primary: PostgresqlDaemon
    standby: PostgresqlDaemon
    writers: tuple[Node, Node]
    reader: Node
    cookies: httpx2.Cookies


@contextmanager
def running_servers() -> Iterator[tuple[Path, PostgresqlDaemon, PostgresqlDaemon]]:
    """Start a primary with the sample and an account, and its standby; yield their folder and both."""
    for each in ("postgres", "initdb", "pg_basebackup"):
        find_program(each)
    folder = Path(mkdtemp(prefix="abhidhan-cluster-"))
    change_owner(folder)
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        primary = make_primary(folder)
        stack.callback(primary.kill)
        _fill(primary, folder)
        standby = make_standby(folder, primary)
        stack.callback(standby.kill)
        yield folder, primary, standby


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    """Start a primary that waits for its standby, two writers and a read-only node; at the end all of it is gone."""
    with ExitStack() as stack:
        folder, primary, standby = stack.enter_context(running_servers())
        # Only now: once promoted, the other has no standby to wait for.
        primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        primary.execute("SELECT pg_reload_conf()")
        writing = {"ABHIDHAN_DATABASE": read_write_url(primary, standby)}
        writers = Node(folder / "one", SETTINGS | writing), Node(folder / "other", SETTINGS | writing)
        reader = Node(folder / "reader", SETTINGS | {"ABHIDHAN_DATABASE": standby.address()})
        for node in (*writers, reader):
            node.start_without_waiting()
            stack.callback(node.kill)
        for node in (*writers, reader):
            node.wait_until_ready()
        with httpx2.Client(timeout=TIMEOUT_SECONDS) as client:
            signed_in = {"username": "editor", "password": PASSWORD}
            client.post(f"{writers[0].address}/api/session", json=signed_in).raise_for_status()
            yield Cluster(primary, standby, writers, reader, client.cookies)


def read_write_url(*servers: PostgresqlDaemon) -> str:
    """Return the URL of the server that accepts writes."""
    hosts = ",".join(f"127.0.0.1:{server.port}" for server in servers)
    return f"postgresql://{ROLE}@{hosts}/{DATABASE_NAME}?target_session_attrs=read-write"


def _fill(primary: PostgresqlDaemon, folder: Path) -> None:
    """Load the sample, and make an account."""
    prepare_database(primary.address(), folder)
    with Database(primary.address()) as database:
        load_sample(database)
    add_editor(primary.address(), folder / "one")


class Editor(Thread):
    """Adds words at one node, each spelled as no other, and notes those that were acknowledged."""

    def __init__(self, node: Node, name: str, cookies: httpx2.Cookies) -> None:
        """Begin with the first word."""
        super().__init__(daemon=True)
        self.acknowledged: list[str] = []
        self.refused: Counter[int] = Counter()
        self.ended = Event()
        self._spelled = f"word of {name}"
        self._address = f"{node.address}/api/editing/words"
        self._cookies = cookies

    def run(self) -> None:
        """Add one word after the other."""
        with httpx2.Client(timeout=TIMEOUT_SECONDS, cookies=self._cookies) as client:
            for number in count():
                if self.ended.is_set():
                    return
                self._add(client, f"{self._spelled} {number}")

    def _add(self, client: httpx2.Client, spelling: str) -> None:
        word = {"language": "en", "word": spelling, "idea_id": 1}
        try:
            answer = client.post(self._address, json=word)
        except httpx2.TransportError:
            time.sleep(0.1)
            return
        if answer.is_success:
            self.acknowledged.append(spelling)
        else:
            self.refused[answer.status_code] += 1
            assert "retry-after" in answer.headers, answer.text
            time.sleep(0.1)


def kill_at_random(cluster: Cluster, chance: Random) -> list[str]:
    """Kill one part after the other for a minute, and start it again."""
    parts: dict[str, Node | PostgresqlDaemon] = {
        "primary": cluster.primary, "standby": cluster.standby, "one": cluster.writers[0],
        "other": cluster.writers[1], "reader": cluster.reader,
    }  # fmt: skip
    killed = []
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        time.sleep(chance.uniform(*QUIET_SECONDS))
        name = chance.choice(list(parts))
        killed.append(name)
        parts[name].kill()
        time.sleep(chance.uniform(*AWAY_SECONDS))
        parts[name].start()
    return killed


def writes(editor: Editor) -> None:
    """Wait until one more word of an editor is acknowledged."""
    before = len(editor.acknowledged)
    wait_until(lambda: len(editor.acknowledged) > before, f"{editor.name} has saved something", editor.is_alive)


@pytest.mark.thorough
def test_no_acknowledged_word_is_lost_by_kills_and_a_failover() -> None:
    seed = int(os.environ.get(SEED, "0")) or secrets.randbelow(2**32)
    log.warning("%s=%s", SEED, seed)
    with running_cluster() as cluster:
        nodes = (*cluster.writers * EDITORS_OF_EACH, cluster.reader)
        *writing, reading = editors = [Editor(node, str(n), cluster.cookies) for n, node in enumerate(nodes)]
        for editor in editors:
            editor.start()
        log.warning("killed: %s", kill_at_random(cluster, Random(seed)))  # noqa: S311  # nothing secret hangs on it
        for editor in writing:
            writes(editor)
        assert (reading.acknowledged, set(reading.refused)) == ([], {503})

        cluster.primary.kill()
        cluster.standby.execute("SELECT pg_promote()")
        promoted = time.monotonic()
        writes(reading)
        log.warning("the read-only node writes %.1f s after it was promoted", time.monotonic() - promoted)
        for editor in editors:
            writes(editor)
            editor.ended.set()
            editor.join(TIMEOUT_SECONDS)
        stored = {word for (word,) in cluster.standby.execute("SELECT text FROM word WHERE text LIKE 'word of %'")}

    acknowledged = [word for editor in editors for word in editor.acknowledged]
    log.warning("%s acknowledged, refused: %s", len(acknowledged), [dict(editor.refused) for editor in editors])
    assert set(acknowledged) - stored == set()
    assert {status for editor in editors for status in editor.refused} <= {503}


@pytest.mark.thorough
def test_nodes_behind_a_pooler_write_again_after_the_steps_of_a_failover(tmp_path: Path) -> None:
    with ExitStack() as stack:
        folder, primary, standby = stack.enter_context(running_servers())
        pooler = PoolerDaemon(folder, primary)
        stack.callback(pooler.kill)
        pooler.start()
        databases = {
            "ABHIDHAN_DATABASE": pooler.address,
            "ABHIDHAN_DATABASE_DIRECT": read_write_url(primary, standby),
        }
        node = Node(tmp_path / "node", SETTINGS | databases)
        stack.callback(node.kill)
        node.start()
        add_word(node.address, "before the failover").raise_for_status()

        # A standby cannot be written: a backup there is recorded in its folder only.
        backup.record_backup_time(standby.address(), tmp_path / "backups", 1_000)
        assert backup.read_marker_time(tmp_path / "backups") == 1_000

        primary.kill()
        standby.execute("SELECT pg_promote()")
        pooler.move(standby)

        wait_until(node.is_ready, "the node writes to the promoted server", lambda: node.pid is not None, node.log)
        add_word(node.address, "after the failover").raise_for_status()
        node.stop()
        node.start()
        add_word(node.address, "after a restart").raise_for_status()

        successor = make_standby(folder, standby, "successor")
        stack.callback(successor.kill)
        add_word(node.address, "with a new standby").raise_for_status()
        words = "SELECT text FROM word WHERE text LIKE '%failover' OR text LIKE 'after a%' OR text LIKE 'with a new%'"
        wait_until(lambda: len(successor.execute(words)) == 4, "the new standby has all words")
