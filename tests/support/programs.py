"""External programs that open files written by Abhidhan.

Without its program, a test is skipped with a reason; if ABHIDHAN_CI is set, it fails.
"""

import os
import shutil
import subprocess
from typing import NoReturn

import pytest


def find_program(name: str, package: str) -> str:
    """Return the path of a program from a Debian package, or skip the test."""
    found = shutil.which(name, path="/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin")
    return found or skip_or_fail(f"{name} is not installed (Debian: apt-get install {package})")


def skip_or_fail(reason: str) -> NoReturn:
    """Skip a test, or fail if ABHIDHAN_CI is set."""
    left_out = f"{reason}: what it makes of our file is not tried."
    if os.environ.get("ABHIDHAN_CI"):
        pytest.fail(left_out)
    pytest.skip(left_out)


def run(*command: str, input_text: str = "") -> str:
    """Run an external program, and return its output."""
    done = subprocess.run(command, input=input_text, capture_output=True, text=True, check=True, timeout=60)  # noqa: S603
    return done.stdout
