"""External programs that open files written by Abhidhan.

Without its program, a test is skipped with a reason; if ABHIDHAN_CI is set, it fails.
"""

import os
import shutil
import subprocess
from typing import NoReturn

import pytest


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
