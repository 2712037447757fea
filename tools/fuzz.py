"""Fuzz all operations of the OpenAPI document with users of every role, and list responses that contradict it.

python -m tools.fuzz --seconds 600 --seed 42
"""

import argparse
import secrets
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support.fuzzing import EXAMPLES_PER_ROUND, SERVER_SETTINGS, Fuzzing, fuzzing
from tests.support.server import starter_server


def main() -> int:
    """Fuzz for the given time; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=int, default=600, help="how long (default: 600)")
    parser.add_argument("--seed", type=int, help="repeat a run that printed this seed")
    chosen = parser.parse_args()
    seed = secrets.randbelow(2**32) if chosen.seed is None else chosen.seed
    print(f"Fuzzing for {chosen.seconds} s with the seed {seed} ...", flush=True)
    with TemporaryDirectory(prefix="abhidhan-fuzz-") as folder:
        with (
            starter_server(Path(folder) / "home", **SERVER_SETTINGS) as server,
            fuzzing(server, seed) as fuzz,
        ):
            end, number = time.monotonic() + chosen.seconds, 0
            while time.monotonic() < end:
                fuzz.run_round(number, EXAMPLES_PER_ROUND, until=end)
                number += 1
        return print_summary(fuzz, seed)


def print_summary(fuzz: Fuzzing, seed: int) -> int:
    """Print the statistics and the findings; return the exit status."""
    statuses = ", ".join(f"{count} x {status}" for status, count in sorted(fuzz.statuses.items()))
    print(f"{sum(fuzz.statuses.values())} requests to {len(fuzz.operations)} operations: {statuses}")
    never = sorted({each.label for each in fuzz.operations} - fuzz.succeeded)
    print(f"Always refused: {', '.join(never) or 'none'}")
    for each in fuzz.findings.values():
        print(f"\n{each}")
    print(f"\n{len(fuzz.findings)} findings. The same requests again: make fuzz SEED={seed}")
    return 1 if fuzz.findings else 0


if __name__ == "__main__":
    sys.exit(main())
