"""The settings of a command, and the refusal of root where the data belong to another account.

Files that root left in such a folder, the server could not use.
"""

import os
import pwd
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from abhidhan.records.errors import SettingError

if TYPE_CHECKING:
    from abhidhan.records.settings import Settings

ROOT: Final = 0


def settings_of_command(**given: object) -> "Settings":
    """Read the settings of a command, `given` first. Raises SettingError, also where root may not run it."""
    from abhidhan.records.settings import read_settings

    settings = read_settings(**given)
    if os.geteuid() == ROOT:
        _refuse_root(settings)
    return settings


def _refuse_root(settings: "Settings") -> None:
    """Raise SettingError if the data folder, or the folder of the SQLite database, belongs to another account."""
    from abhidhan.platform.database.connections import parse_url, sqlite_file

    file = sqlite_file(parse_url(settings.database_url))
    for name, folder in (("data folder", settings.home), ("folder of the database", file.parent if file else None)):
        if folder and folder.is_dir() and folder.stat().st_uid != ROOT:
            raise SettingError(_refusal(name, folder.absolute()))


def _refusal(name: str, folder: Path) -> str:
    """Say whose a folder is, and how to run the same command as that account."""
    found = folder.stat()
    try:
        owner = pwd.getpwuid(found.st_uid).pw_name
        become = ["runuser", "-u", owner, "--"]
    except KeyError:
        owner = f"user ID {found.st_uid}"
        become = ["setpriv", f"--reuid={found.st_uid}", f"--regid={found.st_gid}", "--clear-groups"]
    started_as_module = Path(sys.argv[0]).name == "__main__.py"
    program = [sys.executable, "-m", "abhidhan"] if started_as_module else sys.argv[:1]
    return f"The {name} {folder} belongs to {owner}. Run: {shlex.join([*become, *program, *sys.argv[1:]])}"
