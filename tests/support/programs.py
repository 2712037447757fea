"""Programs of others that open our files, and schemas of others that they are held against.

A test is left out, and says so, where its program is not installed; where ABHIDHAN_CI is set, that is a failure.
"""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final, NoReturn

import pytest

SCHEMAS: Final = Path(__file__).parents[3] / "shared/schemas"
"""Schemas that are no part of this project, beside its folder; a test that reads them is left out without them."""


def program(name: str, package: str) -> str:
    """Find a program of a package of Debian's, or leave the test out."""
    found = shutil.which(name, path="/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin")
    return found or leave_out(f"{name} is not installed (Debian: apt-get install {package})")


def leave_out(why: str) -> NoReturn:
    """Leave a test out (where ABHIDHAN_CI is set: fail)."""
    left_out = f"{why}: what it makes of our file is not tried."
    if os.environ.get("ABHIDHAN_CI"):
        pytest.fail(left_out)
    pytest.skip(left_out)


def run(*command: str, said: str = "") -> str:
    """Run a program of others, and give what it writes."""
    done = subprocess.run(command, input=said, capture_output=True, text=True, check=True, timeout=60)  # noqa: S603
    return done.stdout


def schema_folder(name: str) -> Path:
    """Return a folder of schemas, or leave the test out."""
    folder = SCHEMAS / name
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there: our file is not held against these schemas.")
    return folder
