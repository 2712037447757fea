"""Let parts of a whole cluster fail at random while people read and write, and count what they were told.

SOAK_MINUTES=10 python -m tools.soak --seed 42
"""

import argparse
import os
import secrets
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tests.support.cluster.assembled import LAG, Cluster, running_cluster
from tests.support.cluster.checking import Evidence, violations
from tests.support.cluster.crowd import Crowd
from tests.support.cluster.faults import ALLOWED, EVERY, WRITES, Fault
from tests.support.cluster.history import History, Operation, Outcome

MOST_SHOWN: Final = 20
LOGS: Final = Path("build/soak")
HISTORY: Final = LOGS / "history.jsonl"

FAULT_SECONDS: Final = (1.0, 8.0)
QUIET_SECONDS: Final = (0.5, 4.0)

NEEDS_DISK: Final = {"home full": "one", "primary's disk full": "primary"}
NEEDS_CLOCK: Final = {"clock set back"}


def main() -> int:
    """Run for some time; tell what was seen."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    minutes = float(os.environ.get("SOAK_MINUTES", "10"))
    parser.add_argument("--minutes", type=float, default=minutes, help="how long (default: SOAK_MINUTES, or 10)")
    parser.add_argument("--seed", type=int, help="repeat the faults of a run that printed this seed")
    chosen = parser.parse_args()
    seed = secrets.randbelow(2**32) if chosen.seed is None else chosen.seed
    print(f"Soaking for {chosen.minutes:g} minutes with the seed {seed} ...", flush=True)
    history = History()
    LOGS.mkdir(parents=True, exist_ok=True)
    try:
        evidence = soak(history, chosen.minutes * 60, Random(seed))  # noqa: S311  # nothing secret hangs on it
    except pytest.skip.Exception as error:
        print(error)
        return 2
    finally:
        history.write(HISTORY)
    return tell(evidence, seed)


def soak(history: History, seconds: float, chance: Random) -> Evidence:
    """Let one part after the other fail until the time is over."""
    with running_cluster(spoilt=True) as cluster:
        crowd = Crowd(cluster, history)
        faults = list(_possible(cluster))
        with crowd.asking():
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                time.sleep(chance.uniform(*QUIET_SECONDS))
                fault = chance.choice(faults)
                print(f"{end - time.monotonic():7.1f} s left: {fault.name}", flush=True)
                with crowd.while_away(fault.name):
                    mend = fault.begin(cluster, chance)
                    time.sleep(chance.uniform(*FAULT_SECONDS))
                    mend()
            time.sleep(QUIET_SECONDS[1])
        for log in cluster.folder.glob("**/*.log"):
            shutil.copy(log, LOGS / f"{log.parent.name}-{log.name}")
        return crowd.evidence(LAG, ALLOWED)


def _possible(cluster: Cluster) -> Iterator[Fault]:
    for fault in EVERY:
        if NEEDS_DISK.get(fault.name, "") not in {"", *cluster.disks}:
            print(f"Left out: {fault.name}. A small disk can only be mounted by root.")
        elif fault.name in NEEDS_CLOCK and not any(node.clock and node.clock.can_be_set for node in cluster.nodes):
            print(f"Left out: {fault.name}. A clock that can be set needs a C compiler (cc).")
        else:
            yield fault


def tell(evidence: Evidence, seed: int) -> int:
    """Print what was asked and answered, by what was wrong meanwhile, and all violations."""
    counted = {name: Counter[str]() for name in ["nothing", *sorted({each.fault for each in evidence.windows})]}
    for operation in evidence.operations:
        counts = counted[_fault_of(evidence, operation)]
        counts[operation.outcome] += 1
        counts["written"] += operation.action in WRITES and operation.outcome is Outcome.DONE
    times = Counter(window.fault for window in evidence.windows)
    kinds = ["done", "refused", "broken", "wrong"]
    print(f"\n| while | times | requests | writes acknowledged | {' | '.join(kinds)} |")
    print("|---|---|---|---|" + "---|" * len(kinds))
    for name, counts in counted.items():
        cells = [times[name] or "", sum(counts[kind] for kind in kinds), counts["written"]]
        print(f"| {name} | {' | '.join(f'{cell:,}' if cell else '' for cell in cells)} | ", end="")
        print(" | ".join(f"{counts[kind]:,}" for kind in kinds), "|")
    found = violations(evidence)
    by_kind = Counter(each.partition(":")[0] for each in found)
    print(f"\n{len(found)} violations{''.join(f', {count} {kind}' for kind, count in by_kind.most_common())}")
    print("\n".join(found[:MOST_SHOWN]))
    print(f"All that was asked is in {HISTORY}, beside the logs. The same faults again: make soak SEED={seed}")
    return 1 if found else 0


def _fault_of(evidence: Evidence, operation: Operation) -> str:
    return next((window.fault for window in evidence.windows if window.meets(operation)), "nothing")


if __name__ == "__main__":
    sys.exit(main())
