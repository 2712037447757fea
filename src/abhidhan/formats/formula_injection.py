"""Cells that a spreadsheet would take for formulas: an apostrophe goes before them into a CSV file, and off again."""

import re
from typing import Final

_DANGEROUS: Final = r"=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20"
"""What a formula begins with; OWASP, "CSV Injection". The last four are the full-width = + - @."""

_FORMULA: Final = re.compile(rf"'*+ *+[{_DANGEROUS}]")
_SHIELDED: Final = re.compile(rf"'++ *+[{_DANGEROUS}]")


def shielded(cell: str) -> str:
    """Put an apostrophe before what looks like a formula, and before apostrophes that stand before one.

    So every cell has one way back: the suffix -বোৰ and the text '-বোৰ do not become the same.
    """
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unshielded(cell: str) -> str:
    """Take the apostrophe off again that `shielded` has put there."""
    return cell[1:] if _SHIELDED.match(cell) else cell
