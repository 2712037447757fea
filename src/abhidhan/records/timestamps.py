"""Moments as answers write them."""

from datetime import UTC, datetime
from typing import Annotated

import msgspec

Timestamp = Annotated[str, msgspec.Meta(examples=["2026-11-20T08:15:00Z"])]
"""A moment in UTC, as RFC 3339 writes it."""


def timestamp(seconds: int) -> Timestamp:
    """Write seconds since 1970 as a moment in UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
