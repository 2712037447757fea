"""What the system tells of processes, and the package of this program."""

import json
import os
import platform
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from abhidhan.domain.figures import Figure

UNKNOWN: Final = ""
LENGTH_OF_COMMIT: Final = 12


def is_alive(process: int) -> bool:
    """Say whether there is such a process."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def memory_of(process: int) -> int | None:
    """Return the memory in bytes that is a process's own; None where the system does not tell (without /proc).

    That is without files that it has mapped, such as the database: the system takes their memory back when it needs it.
    """
    try:
        _, resident, of_files, *_ = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return None
    return (int(resident) - int(of_files)) * os.sysconf("SC_PAGE_SIZE")


def build_info() -> Figure:
    """Return which program this is. The commit is known of what pip installed from Git or from a checkout."""
    version, commit = UNKNOWN, UNKNOWN
    with suppress(PackageNotFoundError):
        package = distribution("abhidhan")
        version, commit = package.version, commit_of(package.read_text("direct_url.json") or "{}")
    return Figure("abhidhan_build_info", (version, platform.python_version(), commit[:LENGTH_OF_COMMIT]), 1)


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
