"""Packages that some tests need and the program does not: without one, these tests are left out in so many words."""

import os
from importlib import import_module
from types import ModuleType

import pytest


def needed(name: str, *, where: str) -> ModuleType:
    """Import a package; without it leave the tests of this file out, or fail where ABHIDHAN_CI is set."""
    try:
        return import_module(name)
    except ImportError:
        if os.environ.get("ABHIDHAN_CI"):
            raise
        pytest.skip(f"the package `{name}` is not installed: {where}", allow_module_level=True)
