"""The memory of this process, and the version of this program."""

import json
import os
import platform
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

UNKNOWN: Final = ""
LENGTH_OF_COMMIT: Final = 12


def memory() -> int:
    """Return the memory of this process in bytes; 0 on a system without /proc.

    Files mapped into memory, such as the database, are left out: the system takes their memory back when it needs it.
    """
    try:
        _, resident, of_files, *_ = Path("/proc/self/statm").read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return 0
    return (int(resident) - int(of_files)) * os.sysconf("SC_PAGE_SIZE")


def build_info() -> dict[str, str]:
    """Return the versions of the program and of Python, and the commit if pip installed from Git or a checkout."""
    version, commit = UNKNOWN, UNKNOWN
    with suppress(PackageNotFoundError):
        package = distribution("abhidhan")
        version, commit = package.version, commit_of(package.read_text("direct_url.json") or "{}")
    return {"version": version, "python": platform.python_version(), "commit": commit[:LENGTH_OF_COMMIT]}


def commit_of(origin: str) -> str:
    """Read the commit out of what pip noted of the origin of a package (PEP 610)."""
    try:
        noted = json.loads(origin)
        if "vcs_info" in noted:
            return str(noted["vcs_info"]["commit_id"])
        if noted.get("dir_info", {}).get("editable"):
            return _head(Path(unquote(urlsplit(noted["url"]).path)) / ".git")
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        pass
    return UNKNOWN


def _head(repository: Path) -> str:
    head = (repository / "HEAD").read_text(encoding="ascii").strip()
    return (repository / head.removeprefix("ref: ")).read_text(encoding="ascii").strip() if " " in head else head
