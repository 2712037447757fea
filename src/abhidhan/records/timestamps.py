"""Timestamps in responses (RFC 3339), and spans of time in seconds."""

from datetime import UTC, datetime
from typing import Annotated, Final

import msgspec

HOUR_SECONDS: Final = 3_600
DAY_SECONDS: Final = 86_400

Timestamp = Annotated[str, msgspec.Meta(examples=["2026-11-20T08:15:00Z"])]
"""A timestamp in UTC (RFC 3339)."""


def format_timestamp(seconds: int) -> Timestamp:
    """Format seconds since 1970 as a timestamp in UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
