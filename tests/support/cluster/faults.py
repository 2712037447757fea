"""What may happen to a cluster, each with how it ends and what clients may be told meanwhile: a table."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

from tests.support.cluster.assembled import Cluster
from tests.support.cluster.checking import Allowed
from tests.support.cluster.history import Action

NOTHING: Final[frozenset[Action]] = frozenset()
EVERYTHING: Final = frozenset(Action)
WRITES: Final = frozenset({Action.SET, Action.ADD})

Undo = Callable[[], object]


@dataclass(frozen=True)
class Fault:
    """Something that goes wrong: `begin` does it to a cluster, and returns what mends it.

    `refused` are the requests that may be told to come again later, `broken` those that may get no answer of ours.
    """

    name: str
    begin: Callable[[Cluster, Random], Undo]
    refused: frozenset[Action] = NOTHING
    broken: frozenset[Action] = NOTHING


def _kill_node(cluster: Cluster, chance: Random) -> Undo:
    node = chance.choice(cluster.nodes)
    node.kill()
    return node.start


def _kill_worker(cluster: Cluster, chance: Random) -> Undo:
    node = chance.choice(cluster.nodes)
    node.kill_worker()
    return node.wait


def _stop_node(cluster: Cluster, chance: Random) -> Undo:
    node = chance.choice(cluster.nodes)
    node.stop()
    return node.go_on


def _set_clock_back(cluster: Cluster, chance: Random) -> Undo:
    clock = chance.choice([node.clock for node in cluster.nodes if node.clock])
    clock.set(-chance.randrange(60, 86_400))
    return lambda: clock.set(0)


def _fill_home(cluster: Cluster, _: Random) -> Undo:
    disk = cluster.disks["one"]
    disk.fill()
    return disk.make_room


def _kill_standby(cluster: Cluster, _: Random) -> Undo:
    cluster.standby.kill()
    return cluster.standby.start


def _stop_standby(cluster: Cluster, _: Random) -> Undo:
    cluster.standby.stop()
    return cluster.standby.go_on


def _hold_replay(cluster: Cluster, _: Random) -> Undo:
    """Let the standby receive what is new, and not show it."""
    cluster.standby.ask("SELECT pg_wal_replay_pause()")
    return lambda: cluster.standby.ask("SELECT pg_wal_replay_resume()")


def _cut_replication(cluster: Cluster, _: Random) -> Undo:
    """Let the standby hear nothing from the primary, and not know that there is anything to hear."""
    cluster.standby.stop("walreceiver")
    return cluster.standby.go_on


def _kill_pooler(cluster: Cluster, _: Random) -> Undo:
    cluster.pooler.kill()
    return cluster.pooler.start


def _stop_pooler(cluster: Cluster, _: Random) -> Undo:
    cluster.pooler.stop()
    return cluster.pooler.go_on


def _kill_primary(cluster: Cluster, _: Random) -> Undo:
    cluster.primary.kill()
    return cluster.primary.start


def _stop_primary(cluster: Cluster, _: Random) -> Undo:
    cluster.primary.stop()
    return cluster.primary.go_on


def _fill_primary(cluster: Cluster, _: Random) -> Undo:
    """Leave PostgreSQL no room: it stops by itself when it cannot write what it would have to keep."""
    disk = cluster.disks["primary"]
    disk.fill()

    def make_room() -> None:
        disk.make_room()
        if not cluster.primary.is_up():
            cluster.primary.kill()
            cluster.primary.start()

    return make_room


def _kill_store(cluster: Cluster, _: Random) -> Undo:
    cluster.store.stop()
    return cluster.store.start


# A proxy never sends a second time what changes something: whoever was being answered by a node that is killed is told
# so (502), and sends it again. What only reads it asks of the other node.
NODE: Final = Fault("node killed", _kill_node, broken=WRITES)
STANDBY: Final = Fault("standby killed", _kill_standby)
# The pooler is the only way to the primary.
POOLER: Final = Fault("pooler killed", _kill_pooler, refused=EVERYTHING)
PRIMARY: Final = Fault("primary killed", _kill_primary, refused=EVERYTHING)

IN_TURN: Final = (NODE, STANDBY, POOLER, PRIMARY)

EVERY: Final = (
    *IN_TURN,
    Fault("worker killed", _kill_worker, broken=WRITES),
    Fault("node stopped", _stop_node),
    Fault("clock set back", _set_clock_back),
    Fault("home full", _fill_home),
    Fault("standby stopped", _stop_standby),
    Fault("replay held", _hold_replay),
    Fault("replication cut", _cut_replication),
    Fault("pooler stopped", _stop_pooler, refused=EVERYTHING),
    Fault("primary stopped", _stop_primary, refused=EVERYTHING),
    Fault("primary's disk full", _fill_primary, refused=EVERYTHING),
    Fault("object store away", _kill_store, refused=frozenset({Action.FETCH})),
)

ALLOWED: Final = Allowed(
    refused={fault.name: fault.refused for fault in EVERY}, broken={fault.name: fault.broken for fault in EVERY}
)
