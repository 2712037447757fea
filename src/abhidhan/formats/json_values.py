"""Walk the values of JSON, so that none of them is lost unnoticed."""

from typing import Any


def leaves(value: Any, field: str = "") -> list[tuple[str, str]]:  # noqa: ANN401  # any JSON
    """List each text, number and truth value with its field, such as `senses/examples/text`; lists add no name."""
    found: list[tuple[str, str]] = []
    _collect(value, field, found)
    return found


def _collect(value: Any, field: str, found: list[tuple[str, str]]) -> None:  # noqa: ANN401  # any JSON
    if isinstance(value, dict):
        for key, below in value.items():
            _collect(below, f"{field}/{key}" if field else key, found)
    elif isinstance(value, list):
        for below in value:
            _collect(below, field, found)
    elif value is not None:
        found.append((field, value if isinstance(value, str) else str(value).lower()))
