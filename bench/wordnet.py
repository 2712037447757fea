"""Measure the time and memory of importing WordNet and the Open Multilingual Wordnet.

The data is not part of the project: ABHIDHAN_SHARED_DATA is a folder that contains it in `wordnet30` and `omw`.
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
"""Folders by import format, in the order of import."""

LABEL: Final = "WordNet, OMW"
SAMPLING_INTERVAL_SECONDS: Final = 0.5


class ImportMeasurement(NamedTuple):
    """Measurements of an import: elapsed and processor seconds, memory in MB (10^6 bytes), and the last line of output.

    `megabytes` is the maximum of the sum over all its processes (PSS), sampled twice a second; `peak` is the maximum
    of any one of them.
    """

    format: str
    seconds: float
    processor_seconds: float
    megabytes: float
    peak: float
    last_line: str


def find_shared_data() -> Path | None:
    """Return the folder of the shared data, or None if it is not available."""
    named = os.environ.get("ABHIDHAN_SHARED_DATA")
    folder = Path(named) if named else None
    return folder if folder and all((folder / name).is_dir() for name in FOLDERS.values()) else None


def import_into(home: Path, data: Path) -> Iterator[ImportMeasurement]:
    """Import everything into a new dictionary in `home`; yield the measurements of each format."""
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    for name, folder in FOLDERS.items():
        yield _run_import(home, name, data / folder)
    (home / "complete").touch()


def _run_import(home: Path, name: str, folder: Path) -> ImportMeasurement:
    began = time.perf_counter()
    with subprocess.Popen(  # noqa: S603  # our own program
        [sys.executable, "-m", "abhidhan", "import", name, str(folder)],
        env={**os.environ, "ABHIDHAN_HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        max_megabytes = 0.0
        while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            max_megabytes = max(max_megabytes, _measure_megabytes(process.pid))
            time.sleep(SAMPLING_INTERVAL_SECONDS)
        seconds = time.perf_counter() - began
        output = process.stdout.read() if process.stdout else ""
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"The import of {folder} failed: {output}")
    computed, peak = used.ru_utime + used.ru_stime, used.ru_maxrss * 1.024e-3
    return ImportMeasurement(name, seconds, computed, max_megabytes, peak, output.strip().splitlines()[-1])


def _measure_megabytes(process: int) -> float:
    """Return the memory of a process and its children in MB (proportional set size)."""
    children = Path(f"/proc/{process}/task/{process}/children")
    try:
        pids = [process, *map(int, children.read_text().split())]
    except FileNotFoundError:
        return 0.0
    return sum(_proportional_share(pid) for pid in pids)


def _proportional_share(process: int) -> float:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        # The process has ended.
        return 0.0
    return next((int(line.split()[1]) * 1.024e-3 for line in lines if line.startswith("Pss:")), 0.0)
