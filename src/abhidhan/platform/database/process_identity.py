"""Names of who holds something: of one that this machine ran, it can be told whether it is still there."""

import os
import secrets
from pathlib import Path
from typing import Final

_MACHINE: Final = Path("/proc/sys/kernel/random/boot_id")
_NUMBERS_OF_PROCESSES: Final = Path("/proc/self/ns/pid")
"""Containers of one machine count their processes each for itself."""

_STARTED: Final = 19
"""At which place behind the name of a process Linux tells the moment of its start."""


def new_owner() -> str:
    """Name this process, and one of the things that it will hold: no name is ever given twice."""
    number = os.getpid()
    return f"{_machine()}/{number}/{_start_of(number)}/{secrets.token_hex(8)}"


def is_gone(owner: str) -> bool:
    """Say whether an owner was a process of this machine that has ended. Of others nothing is known."""
    machine, number, start, _ = (*owner.split("/"), "", "", "")[:4]
    if not machine or not start or machine != _machine() or not number.isdecimal():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    # Another process may have got its number since.
    return _start_of(int(number)) not in {start, ""}


def _machine() -> str:
    """Name the machine since it was last started, and the container; nothing where the system does not tell."""
    try:
        return f"{_MACHINE.read_text().strip()}.{_NUMBERS_OF_PROCESSES.stat().st_ino}"
    except OSError:
        return ""


def _start_of(number: int) -> str:
    try:
        told = Path(f"/proc/{number}/stat").read_text()
    except OSError:
        return ""
    # The name stands in brackets, and may hold anything.
    return told.rpartition(")")[2].split()[_STARTED]
