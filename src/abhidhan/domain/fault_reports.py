"""What is wrong with a file, as whoever made it wants to read it: where, what, and what would be right."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from abhidhan.domain.incoming import Fault

_END: Final = re.compile(r"(?<=[.?!])\s+(?=[A-Z`])")
_QUOTED: Final = re.compile(r"(?<![^\W_])'[^']*'(?!\w)")
_NUMBER: Final = re.compile(r"\d[\d,.]*(?<![,.])")


class FaultRow(NamedTuple):
    """One thing that is wrong: the file and row, the field (empty where no single one is meant), and two sentences."""

    file: str
    row: int
    column: str
    what: str
    remedy: str
    """What would be right; empty where the first sentence says it."""


def rows_of(fault: Fault) -> Iterator[FaultRow]:
    """List what is wrong, each with its field where that is known."""
    if fault.problems:
        for problem in fault.problems:
            yield FaultRow(fault.file, fault.line, problem.parameter, *_parted(problem.detail))
    else:
        yield FaultRow(fault.file, fault.line, "", *_parted(fault.detail))


def kind_of(what: str) -> str:
    """Return the kind of a fault: its sentence without what it quotes and counts, so that equal ones are one kind."""
    return _NUMBER.sub("…", _QUOTED.sub("'…'", what))


def _parted(detail: str) -> tuple[str, str]:
    """Part a text into its first sentence and the others. What is quoted has no end of a sentence in it."""
    hidden = _QUOTED.sub(lambda found: "x" * len(found[0]), detail)
    end = _END.search(hidden)
    return (detail[: end.start()], detail[end.end() :]) if end else (detail, "")
