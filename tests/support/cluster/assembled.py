"""A whole cluster: primary and standby, pooler, object store, two nodes and a proxy, with people and words."""

import asyncio
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

import httpx2
import psycopg

from abhidhan.bootstrap.services import open_write_side
from abhidhan.domain.people import Role
from abhidhan.services.accounts.people import NewAccount
from abhidhan.settings import Settings
from abhidhan.storage.engine.database import Database
from abhidhan.storage.migrate import prepare
from tests.support.cluster.clock import Clock
from tests.support.cluster.more_clients import BEGINNING
from tests.support.cluster.nodes import Node
from tests.support.cluster.postgresql import Pooler, PostgresqlDaemon, make_primary, make_standby
from tests.support.cluster.processes import LONGEST, give_away, program, wait_until
from tests.support.cluster.store import Store
from tests.support.contributing import PASSWORD
from tests.support.databases import with_sample
from tests.support.disk import SmallDisk, small_disk
from tests.support.object_store import KEYS
from tests.support.proxies import nginx

EDITORS: Final = ("first", "second")
CONTRIBUTOR: Final = "third"
WATER: Final = 1

LAG: Final = 1.0
"""How many seconds the standby may be behind: what the program is told, and what answers are judged by."""

NODES: Final = ("one", "other")
MEBIBYTES: Final = 700
"""Room on a small disk: for what a standby may have missed, and then some."""

PROGRAMS: Final = ("postgres", "initdb", "pg_basebackup", "pgbouncer", "nginx")


@dataclass
class Cluster:
    """All that is running."""

    folder: Path
    primary: PostgresqlDaemon
    standby: PostgresqlDaemon
    pooler: Pooler
    nodes: list[Node]
    store: Store
    address: str
    disks: Mapping[str, SmallDisk]
    """Disks that can be filled: that of the `primary`, and that of `one` node's home."""
    words: dict[str, int]
    """The words that change: their IDs by the names of registers."""

    def is_well(self) -> bool:
        """Say whether all of it answers, and the standby has all that the primary has."""
        parts = (self.primary, self.standby, self.pooler)
        return all(each.is_up() for each in parts) and all(each.is_ready() for each in self.nodes) and self._follows()

    def reads_standby(self) -> bool:
        """Say whether every node reads from the standby."""
        return all(node.reads_standby() for node in self.nodes)

    def _follows(self) -> bool:
        has = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"
        with suppress(psycopg.Error):
            return self.primary.ask(has) == [(1,)]
        return False


@contextmanager
def running_cluster(*, spoilt: bool = False) -> Iterator[Cluster]:
    """Make and start a cluster; at the end nothing of it stays.

    One that may be `spoilt` has disks that can be filled, if root runs this, and nodes whose clocks can be set.
    """
    for each in PROGRAMS:
        program(each)
    folder = Path(mkdtemp(prefix="abhidhan-cluster-"))
    give_away(folder)
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        disks = {name: _disk(stack, folder / name) for name in ("primary", "one") if spoilt and os.geteuid() == 0}
        primary = make_primary(folder)
        stack.callback(primary.kill)
        _fill(primary, folder)
        standby = make_standby(folder, primary)
        stack.callback(standby.kill)
        pooler = Pooler(folder, primary)
        pooler.start()
        stack.callback(pooler.kill)
        store = Store()
        store.start()
        stack.callback(store.stop)
        store.make_bucket()
        settings = _settings(primary, standby, pooler, store)
        nodes = [Node(folder / name, settings, Clock(folder / f"{name}.clock") if spoilt else None) for name in NODES]
        for node in nodes:
            node.begin()
            stack.callback(node.kill)
        for node in nodes:
            node.wait()
        wait_until(nodes[0].has_downloads, "the files to download are made", log=nodes[0].log)
        port = stack.enter_context(nginx(folder, *(node.port for node in nodes)))
        address = f"http://127.0.0.1:{port}"
        yield Cluster(folder, primary, standby, pooler, nodes, store, address, disks, _make_words(address))


def _disk(stack: ExitStack, folder: Path) -> SmallDisk:
    disk = stack.enter_context(small_disk(folder, MEBIBYTES))
    if folder.name not in NODES:
        # Nodes run as whoever owns their homes.
        give_away(folder)
    return disk


def _settings(primary: PostgresqlDaemon, standby: PostgresqlDaemon, pooler: Pooler, store: Store) -> dict[str, str]:
    return {
        "ABHIDHAN_DATABASE": pooler.address(),
        "ABHIDHAN_DATABASE_DIRECT": primary.address(),
        "ABHIDHAN_DATABASE_READ": f"{standby.address()}?target_session_attrs=prefer-standby",
        "ABHIDHAN_DATABASE_LAG_SECONDS": str(LAG),
        "ABHIDHAN_PHOTOS": "s3://dictionary/photos",
        "ABHIDHAN_RECORDINGS": "s3://dictionary/recordings",
        "AWS_ENDPOINT_URL": store.address,
        **KEYS,
        "ABHIDHAN_DOWNLOADS": "s3://dictionary/made",
        "ABHIDHAN_DOWNLOADS_HOURS": "24",
        "ABHIDHAN_DOWNLOADS_LANGUAGES": "none",
        "ABHIDHAN_PACKS": "none",
        "ABHIDHAN_TRUSTED_PROXIES": "127.0.0.1",
        "ABHIDHAN_PENDING_SUBMISSIONS": "1000000",
        "ABHIDHAN_LOG_LEVEL": "warning",
    }


def _fill(primary: PostgresqlDaemon, folder: Path) -> None:
    """Load the sample, and make accounts."""
    prepare(primary.address(), folder)
    with Database(primary.address()) as database, asyncio.Runner() as runner:
        with_sample(database)
        write_side = open_write_side(Settings(home=folder / "first"), database)
        roles = {**dict.fromkeys(EDITORS, Role.EDITOR), CONTRIBUTOR: Role.CONTRIBUTOR}
        for name, role in roles.items():
            runner.run(write_side.accounts.add(NewAccount(name, PASSWORD), role))
        runner.run(write_side.close())


def _make_words(address: str) -> dict[str, int]:
    """Add the words that change, as an editor does."""
    made = {}
    with httpx2.Client(base_url=address, timeout=LONGEST) as client:
        client.post("/api/session", json={"username": EDITORS[0], "password": PASSWORD}).raise_for_status()
        for key, spelling in {"counted": "zxcounted", "spelled": f"{BEGINNING}b"}.items():
            word = {"language": "en", "word": spelling, "idea_id": WATER}
            answer = client.post("/api/editing/words", json=word)
            made[key] = int(json.loads(answer.raise_for_status().content)["record"].rpartition(":")[2])
    return made
