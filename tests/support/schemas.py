"""Schemas of external formats, which are not part of the project: tests of them are skipped without them."""

import os
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]


def find_schema(name: str) -> Path:
    """Return a file or folder of `../shared/schemas`, or skip the test with a reason."""
    shared = os.environ.get("ABHIDHAN_SHARED_DATA") or ROOT.parent / "shared"
    found = Path(shared) / "schemas" / name
    if not found.exists():
        pytest.skip(f"left out: {name} is not in ../shared/schemas, and ABHIDHAN_SHARED_DATA names no folder with it")
    return found
