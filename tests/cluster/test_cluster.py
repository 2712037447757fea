"""A cluster keeps its promises while each of its parts is killed in turn, and comes back."""

from pathlib import Path
from random import Random
from typing import Final

from tests.support.cluster.assembled import LAG, running_cluster
from tests.support.cluster.checking import violations
from tests.support.cluster.crowd import Crowd
from tests.support.cluster.faults import ALLOWED, IN_TURN
from tests.support.cluster.history import History, Outcome
from tests.support.cluster.processes import wait_until

TIMES: Final = 8
"""How often each client asks while a part is away."""
BETWEEN: Final = 4
"""How often it asks while all is well."""


def test_nothing_acknowledged_is_lost_and_nothing_wrong_is_told_whatever_is_killed(tmp_path: Path) -> None:
    history, chance = History(), Random(20)  # noqa: S311  # nothing secret hangs on it
    with running_cluster() as cluster:
        crowd = Crowd(cluster, history)
        with crowd.asking():
            crowd.until_each_has_asked(BETWEEN)
            for fault in IN_TURN:
                # Where nobody read the standby, none of this would show anything.
                wait_until(cluster.reads_standby, "both nodes read the standby")
                with crowd.while_away(fault.name):
                    mend = fault.begin(cluster, chance)
                    crowd.until_each_has_asked(TIMES)
                    mend()
                crowd.until_each_has_asked(BETWEEN)
        evidence = crowd.evidence(LAG, ALLOWED)

    history.write(tmp_path / "history.jsonl")
    assert violations(evidence) == []
    done = [each for each in history.operations if each.outcome is Outcome.DONE]
    assert {each.client for each in done} == {client.name for client in crowd.clients}
