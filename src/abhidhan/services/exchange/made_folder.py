"""A folder of files that are made together: offered as one, in one step, by one process at a time."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from abhidhan.services.exchange.exporting import ExportError

CURRENT: Final = "current"
"""The name that leads to the folder of the files that are offered; it changes in one step."""

MADE: Final = "made-"
"""How the folders of files begin: the offered one, and those that are being made or were left over."""


@contextmanager
def made_alone(folder: Path) -> Iterator[bool]:
    """Let one process make the files of a folder; say whether it is this one. Raises ExportError for a full disk."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _only_one(folder / ".lock") as is_mine:
            yield is_mine
    except OSError as error:
        raise ExportError(f"Files to download cannot be made in {folder}: {error.strerror or error}.") from error


def begin(folder: Path, now: int) -> Path:
    """Make the folder that files are written into, unseen until it is offered."""
    unfinished = folder / f"{MADE}{now}-{os.getpid()}"
    unfinished.mkdir()
    return unfinished


def offered(folder: Path) -> Path:
    """Return the folder of the files that are offered now. Raises FileNotFoundError while there is none."""
    return folder / (folder / CURRENT).readlink()


def write(file: Path, content: bytes) -> None:
    """Write a file so that it outlives a crash."""
    with file.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def offer(folder: Path, made: Path) -> None:
    """Let the files that were made take the place of the older ones, in one step that outlives a crash."""
    link = folder / f".{CURRENT}-{os.getpid()}"
    link.unlink(missing_ok=True)
    link.symlink_to(made.name)
    link.replace(folder / CURRENT)
    settle(made)
    settle(folder)


def settle(folder: Path) -> None:
    """Let the names in a folder outlive a crash."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sweep(folder: Path) -> None:
    """Remove the files that nobody is offered any more; whoever reads one just now reads it to its end."""
    try:
        current = (folder / CURRENT).readlink().name
    except FileNotFoundError:
        current = ""
    for left in folder.glob(f"{MADE}*"):
        if left.name != current:
            shutil.rmtree(left, ignore_errors=True)
    for link in folder.glob(f".{CURRENT}-*"):
        link.unlink(missing_ok=True)


@contextmanager
def _only_one(file: Path) -> Iterator[bool]:
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(descriptor)
