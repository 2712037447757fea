"""Measure the time, memory and disk space of dictionaries: a row for each home, as in docs/operating.md.

    python -m bench.operating [--no-downloads] /srv/dictionary /srv/another

Use copies of the homes: their databases are upgraded, and a backup and the downloads are made in them. Seconds are
processor time, which hardly depends on other programs.
"""

import os
import sqlite3
import subprocess
import sys
from argparse import ArgumentParser
from contextlib import closing
from pathlib import Path
from typing import Final
from urllib.parse import quote

from bench import servers
from bench.tables import UNKNOWN, format_heading, format_row

SAMPLE_WORDS: Final = 5_000
"""Number of words that are looked up before the memory is measured again."""

MB: Final = 1_000_000
COLUMNS: Final = (
    "home",
    "words",
    "database MB",
    "upgrade s",
    "start s",
    "memory at start MB",
    "memory in use MB",
    "backup s",
    "backup MB",
    "backup takes at most MB",
    "downloads s",
    "downloads and packs MB",
    "downloads take at most MB",
)


def main() -> None:
    """Measure the homes given on the command line, and print the table."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("homes", nargs="+", type=Path)
    parser.add_argument("--no-downloads", action="store_true")
    options = parser.parse_args()
    print(format_heading("Operating", COLUMNS))
    for home in options.homes:
        print(format_row(*_measure_home(home, with_downloads=not options.no_downloads)), flush=True)


def _measure_home(home: Path, *, with_downloads: bool) -> tuple[object, ...]:
    """Measure one home; return the cells of its row."""
    upgrade, _ = _run_command(home, "stats")
    count, words = read_words(home)
    with servers.serve_abhidhan(home) as server:
        started, seconds = server.memory().own, server.start_processor_seconds
        _send_requests(server, words)
        used = server.memory().own
    backup, backup_peak = _run_command(home, "backup")
    downloads = _measure_downloads(home) if with_downloads else (UNKNOWN, UNKNOWN, UNKNOWN)
    newest = max((home / "backups").glob("*.tar.gz"), key=lambda file: file.stat().st_mtime)
    database = measure_size(home / "dictionary.sqlite3")
    backups = (backup, measure_size(newest), backup_peak)
    return (home.name, f"{count:,}", database, upgrade, seconds, started, used, *backups, *downloads)


def _measure_downloads(home: Path) -> tuple[float, float, float]:
    """Build the downloads and packs; return the seconds, their size, and the peak memory in MB."""
    seconds, peak = _run_command(home, "downloads", "make")
    return seconds, sum(measure_size(home / name) for name in ("downloads", "packs")), peak


def _run_command(home: Path, *arguments: str) -> tuple[float, float]:
    """Run a command; return its processor seconds, and the peak memory of any of its processes in MB."""
    process = subprocess.Popen(  # noqa: S603  # our own program
        [sys.executable, "-m", "abhidhan", *arguments],
        env={**os.environ, "ABHIDHAN_HOME": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"abhidhan {' '.join(arguments)} failed in {home}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / MB


def read_words(home: Path) -> tuple[int, list[str]]:
    """Return the number of words of a dictionary, and a sample spread over all of it."""
    with closing(sqlite3.connect(home / "dictionary.sqlite3")) as connection:
        count, last = connection.execute("SELECT count(*), max(id) FROM word").fetchone()
        chosen = connection.execute("SELECT text FROM word WHERE id % ? = 0", (max(1, last // SAMPLE_WORDS),))
        return count, [text for (text,) in chosen]


def _send_requests(server: servers.Server, words: list[str]) -> None:
    """Search for each word, and open the page of every tenth word."""
    connection = server.open_connection()
    for at, word in enumerate(words):
        path = f"/dic/{quote(word, safe='')}" if at % 10 == 0 else f"/api/search?q={quote(word, safe='')}"
        connection.request("GET", path)
        connection.getresponse().read()
    connection.close()


def measure_size(path: Path) -> float:
    """Return the size of a file, or of all files in a folder, in MB."""
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    return sum(file.stat().st_size for file in files) / MB


if __name__ == "__main__":
    main()
