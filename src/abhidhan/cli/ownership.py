"""Commands that root runs work as the account whose data they are: what they leave there, the server can use.

Handing files over at the end would come too late for a command that is killed, and for a server that runs meanwhile;
and root that changes owners in a folder of somebody else's can be led astray by links. So root's rights go before the
first file is opened. One stays, where Linux lets it: to read everything, so that files of root's can be imported, and
folders entered that systemd keeps closed (`/var/lib/private`).
"""

import ctypes
import os
import pwd
import sys
from pathlib import Path
from typing import Final, NamedTuple

from abhidhan.errors import SettingError
from abhidhan.settings import Settings, read_settings
from abhidhan.storage.engine.connections import parse_url, sqlite_file

ROOT: Final = 0
PR_SET_KEEPCAPS: Final = 8
PR_CAP_AMBIENT: Final = 47
PR_CAP_AMBIENT_RAISE: Final = 2
"""From <linux/prctl.h>."""

CAPABILITIES_VERSION_3: Final = 0x20080522
DAC_READ_SEARCH: Final = 2
"""From <linux/capability.h>: reading any file, and entering any folder."""


class _Account(NamedTuple):
    """The account that owns the data, by its IDs, and the folder that says so."""

    user: int
    group: int
    folder: Path


_acting: list[_Account] = []
"""The account that this process has become, if it was root."""


def settings_of_command(*, reads_all: bool = True, **given: object) -> Settings:
    """Read the settings of a command, `given` first; if root runs it, become the account that owns the data.

    Not `reads_all`: not even the right to read everything stays. Raises SettingError.
    """
    settings = read_settings(**given)
    owner = _owner(settings) if os.geteuid() == ROOT else None
    if owner is not None:
        _become(owner, reads_all=reads_all)
        _acting[:] = [owner]
    return settings


def acting_note() -> str:
    """Return a sentence on whom this process acts for, to go with what it could not do; else nothing."""
    return "".join(
        f" Run by root, this command works as the account that owns {one.folder} (user ID {one.user})."
        for one in _acting
    )


def _owner(settings: Settings) -> _Account | None:
    """Find whose the data are: who owns the data folder, or else that of the database; None where it is root."""
    file = sqlite_file(parse_url(settings.database_url))
    for folder in (settings.home, *([file.parent] if file else [])):
        if folder.is_dir():
            found = folder.stat()
            if found.st_uid != ROOT:
                return _Account(found.st_uid, found.st_gid, folder.absolute())
    return None


def _become(owner: _Account, *, reads_all: bool) -> None:
    keeps = reads_all and sys.platform == "linux"
    try:
        if keeps:
            ctypes.CDLL(None).prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0)
        os.environ["HOME"] = _take_groups(owner)
        os.setuid(owner.user)
    except OSError as error:
        raise SettingError(
            f"{owner.folder} belongs to the account with the user ID {owner.user}, and root cannot become it here "
            f"({error.strerror}): run this command as that account."
        ) from error
    if keeps:
        _keep_reading()


def _take_groups(owner: _Account) -> str:
    """Take the groups of an account instead of root's, and return its home; one without a name has its data alone."""
    try:
        named = pwd.getpwuid(owner.user)
    except KeyError:
        os.setgroups([])
        os.setgid(owner.group)
        return str(owner.folder)
    os.initgroups(named.pw_name, named.pw_gid)
    os.setgid(named.pw_gid)
    return named.pw_dir


def _keep_reading() -> None:
    """Of all that root may do keep reading, also in processes begun from here.

    Where root has no such right, as in many containers, nothing is kept.
    """
    system = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(CAPABILITIES_VERSION_3, 0)
    for kept in (1 << DAC_READ_SEARCH, 0):
        # Effective, permitted, inheritable: the first 32 rights, then the others.
        if system.capset(header, (ctypes.c_uint32 * 6)(kept, kept, kept, 0, 0, 0)) == 0:
            system.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, DAC_READ_SEARCH, 0, 0)
            return
    raise SettingError("Root's rights cannot be given up here: run this command as the account that owns the data.")
