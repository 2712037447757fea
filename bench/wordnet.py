"""WordNet with the Open Multilingual Wordnet, imported by the program itself: how long it takes, how much memory.

The data are not part of the project: ABHIDHAN_SHARED_DATA names a folder that holds them in `wordnet30` and `omw`.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

FOLDERS: Final = {"wordnet": "wordnet30", "omw": "omw"}
"""The folder of each format, in the order of import."""

LABEL: Final = "WordNet, OMW"
SECONDS_BETWEEN_LOOKS: Final = 0.5


class Imported(NamedTuple):
    """What one import took: seconds on the clock and of processors, MB (10^6 bytes) at most, and its last words.

    `megabytes` are the shares of all its processes, seen twice a second; `peak` is the most that one of them had.
    """

    format: str
    seconds: float
    processor_seconds: float
    megabytes: float
    peak: float
    said: str


def shared_data() -> Path | None:
    """Return where the data are; None where they are not."""
    named = os.environ.get("ABHIDHAN_SHARED_DATA")
    folder = Path(named) if named else None
    return folder if folder and all((folder / name).is_dir() for name in FOLDERS.values()) else None


def import_into(home: Path, data: Path) -> Iterator[Imported]:
    """Import everything into a fresh dictionary in `home`, and tell of each step."""
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    for name, folder in FOLDERS.items():
        yield _import(home, name, data / folder)
    (home / "complete").touch()


def _import(home: Path, name: str, folder: Path) -> Imported:
    began = time.perf_counter()
    with subprocess.Popen(  # noqa: S603  # our own program
        [sys.executable, "-m", "abhidhan", "import", name, str(folder)],
        env={**os.environ, "ABHIDHAN_HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        most = 0.0
        while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            most = max(most, _megabytes(process.pid))
            time.sleep(SECONDS_BETWEEN_LOOKS)
        seconds = time.perf_counter() - began
        said = process.stdout.read() if process.stdout else ""
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"The import of {folder} failed: {said}")
    computed, peak = used.ru_utime + used.ru_stime, used.ru_maxrss * 1.024e-3
    return Imported(name, seconds, computed, most, peak, said.strip().splitlines()[-1])


def _megabytes(process: int) -> float:
    """Return the proportional share of memory of a process and its children."""
    children = Path(f"/proc/{process}/task/{process}/children")
    try:
        every = [process, *map(int, children.read_text().split())]
    except FileNotFoundError:
        return 0.0
    return sum(_share(one) for one in every)


def _share(process: int) -> float:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        # It has ended meanwhile.
        return 0.0
    return next((int(line.split()[1]) * 1.024e-3 for line in lines if line.startswith("Pss:")), 0.0)
