"""Markdown tables, formatted row by row."""

from collections.abc import Sequence
from math import isnan
from typing import Final

UNKNOWN: Final = float("nan")
"""Value that could not be measured."""


def format_heading(title: str, columns: Sequence[str]) -> str:
    """Format the title and the heading row of a table."""
    return f"\n## {title}\n\n{format_row(*columns)}\n{'|---' * len(columns)}|"


def format_row(*cells: object) -> str:
    """Format a row."""
    return f"| {' | '.join(_format_cell(cell) for cell in cells)} |"


def _format_cell(cell: object) -> str:
    if not isinstance(cell, float):
        return str(cell)
    if isnan(cell):
        return "–"
    return f"{cell:,.0f}" if cell >= 100 else f"{cell:.3g}"  # noqa: PLR2004  # three digits are enough
