"""Command-line options of `python -m bench.run`."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.peers import DEFAULT_PATH, Peer

SIZES: Final = (10_000, 100_000, 1_000_000)


@dataclass(frozen=True, slots=True)
class Options:
    """Options: sizes of synthetic dictionaries, homes of existing ones, seconds per run, and the data folder."""

    sizes: tuple[int, ...]
    homes: tuple[Path, ...]
    seconds: int
    data: Path
    quick: bool
    postgresql: str | None
    peer: Peer | None

    @property
    def imports_wordnet(self) -> bool:
        """Return whether to import WordNet, if it is available."""
        return not (self.quick or self.homes)


def read_options(arguments: Sequence[str] | None = None, description: str | None = None) -> Options:
    """Parse the command line."""
    parsed = _parser(description).parse_args(arguments)
    sizes = tuple(sorted(int(size) for size in parsed.sizes.split(","))) if parsed.sizes else ()
    if not sizes and not parsed.home:
        sizes = SIZES
    peer = Peer(parsed.peer.rstrip("/"), tuple(parsed.peer_path or [DEFAULT_PATH]), parsed.peer_process)
    return Options(
        sizes=sizes[:1] if parsed.quick else sizes,
        homes=tuple(parsed.home),
        seconds=1 if parsed.quick else parsed.seconds,
        data=parsed.data,
        quick=parsed.quick,
        postgresql=parsed.postgresql,
        peer=peer if parsed.peer else None,
    )


def _parser(description: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.run", description=description)
    parser.add_argument("--sizes", default="", help="words of each synthetic dictionary, with commas")
    parser.add_argument(
        "--home", type=Path, action="append", default=[], help="the ABHIDHAN_HOME of a dictionary that is there already"
    )
    parser.add_argument("--quick", action="store_true", help="only the smallest size, and short runs")
    parser.add_argument("--seconds", type=int, default=4, help="seconds of one run")
    parser.add_argument("--data", type=Path, default=Path("build/bench"), help="folder where dictionaries are kept")
    parser.add_argument(
        "--postgresql",
        metavar="URL",
        help="a database of a PostgreSQL server, such as postgresql://user@host/postgres: each dictionary is "
        "copied into a fresh database beside it, which is asked too, and removed",
    )
    parser.add_argument("--peer", metavar="URL", default="", help="another server, which is asked for the same words")
    parser.add_argument(
        "--peer-path",
        metavar="PATH",
        action="append",
        help=f"what it is asked for, with {{word}} in it (default: {DEFAULT_PATH}); as often as you like",
    )
    parser.add_argument(
        "--peer-process",
        metavar="PID",
        type=int,
        help="its process, if it runs here, for its processor time and memory",
    )
    return parser
