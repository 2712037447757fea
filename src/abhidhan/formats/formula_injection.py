"""Protection against formula injection: an apostrophe before dangerous cells of CSV files, removed on import."""

import re
from typing import Final

_FORMULA_STARTS: Final = r"=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20"
"""First characters of formulas; OWASP, "CSV Injection". The last four are full-width = + - @."""

_FORMULA: Final = re.compile(rf"'*+ *+[{_FORMULA_STARTS}]")
_ESCAPED_FORMULA: Final = re.compile(rf"'++ *+[{_FORMULA_STARTS}]")


def escape_formula(cell: str) -> str:
    """Prefix a cell with an apostrophe if it looks like a formula, or already like an escaped one.

    Escaping the latter makes it reversible: the suffix -বোৰ and the text '-বোৰ stay distinct.
    """
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unescape_formula(cell: str) -> str:
    """Remove the apostrophe that `escape_formula` has added."""
    return cell[1:] if _ESCAPED_FORMULA.match(cell) else cell
