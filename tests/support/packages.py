"""Packages that some tests need, but the program does not: without them, the tests are skipped with a reason."""

import os
from importlib import import_module
from types import ModuleType

import pytest


def import_or_skip(name: str, *, where: str) -> ModuleType:
    """Import a package; without it, skip the tests of this file, or fail if ABHIDHAN_CI is set."""
    try:
        return import_module(name)
    except ImportError:
        if os.environ.get("ABHIDHAN_CI"):
            raise
        pytest.skip(f"the package `{name}` is not installed: {where}", allow_module_level=True)
