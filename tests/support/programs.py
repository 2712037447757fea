"""External programs that open our files, and external schemas for them.

Without its program, a test is skipped with a reason; if ABHIDHAN_CI is set, it fails.
"""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final, NoReturn

import pytest

SCHEMAS: Final = Path(__file__).parents[3] / "shared/schemas"
"""Schemas that are not part of this project, next to its folder; tests that read them are skipped without them."""


def program(name: str, package: str) -> str:
    """Return the path of a program from a Debian package, or skip the test."""
    found = shutil.which(name, path="/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin")
    return found or leave_out(f"{name} is not installed (Debian: apt-get install {package})")


def leave_out(why: str) -> NoReturn:
    """Skip a test, or fail if ABHIDHAN_CI is set."""
    left_out = f"{why}: what it makes of our file is not tried."
    if os.environ.get("ABHIDHAN_CI"):
        pytest.fail(left_out)
    pytest.skip(left_out)


def run(*command: str, said: str = "") -> str:
    """Run an external program, and return its output."""
    done = subprocess.run(command, input=said, capture_output=True, text=True, check=True, timeout=60)  # noqa: S603
    return done.stdout


def schema_folder(name: str) -> Path:
    """Return a folder of schemas, or skip the test."""
    folder = SCHEMAS / name
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there: our file is not held against these schemas.")
    return folder
