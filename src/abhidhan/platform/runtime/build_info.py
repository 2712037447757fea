"""The version of the program, and the commit that it was built from."""

import json
import platform
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

UNKNOWN: Final = ""
COMMIT_LENGTH: Final = 12

_COMMIT_FILE: Final = Path(__file__).parents[2] / "commit.txt"
"""The commit of a wheel; `hatch_build.py` writes it."""


def read_build_info() -> dict[str, str]:
    """Return the versions of the program and of Python, and the commit; an unknown version or commit is empty."""
    version, origin = UNKNOWN, "{}"
    try:
        package = distribution("abhidhan")
        version, origin = package.version, package.read_text("direct_url.json") or origin
    except PackageNotFoundError:
        pass
    commit = _COMMIT_FILE.read_text(encoding="ascii").strip() if _COMMIT_FILE.exists() else parse_commit(origin)
    return {"version": version, "python": platform.python_version(), "commit": commit[:COMMIT_LENGTH]}


def format_version() -> str:
    """Format the version for people, such as "1.0.0 (commit 0123456789ab)"."""
    info = read_build_info()
    return f"{info['version']} (commit {info['commit']})" if info["commit"] else info["version"]


def parse_commit(origin: str) -> str:
    """Return the commit that pip recorded as a package's origin (PEP 610); an empty string if there is none."""
    try:
        record = json.loads(origin)
        if "vcs_info" in record:
            return str(record["vcs_info"]["commit_id"])
        if record.get("dir_info", {}).get("editable"):
            return _read_head_commit(Path(unquote(urlsplit(record["url"]).path)) / ".git")
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        pass
    return UNKNOWN


def _read_head_commit(repository: Path) -> str:
    head = (repository / "HEAD").read_text(encoding="ascii").strip()
    if " " not in head:
        return head
    ref = head.removeprefix("ref: ")
    if (repository / ref).exists():
        return (repository / ref).read_text(encoding="ascii").strip()
    # `git gc` moves branches into one file: a commit and a name per line.
    lines = (repository / "packed-refs").read_text(encoding="utf-8").splitlines()
    return next((line.split()[0] for line in lines if line.endswith(f" {ref}")), UNKNOWN)
