"""Error reports about a file: the location, the problem, and the remedy."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from abhidhan.records.import_records import Fault, Loss

_END: Final = re.compile(r"(?<=[.?!])\s+(?=[A-Z`])")
_QUOTED: Final = re.compile(r"(?<![^\W_])'[^']*'(?!\w)")


class FaultRow(NamedTuple):
    """A line of a report: file and row, field (may be empty), and two sentences."""

    file: str
    row: int | str
    column: str
    what: str
    remedy: str
    """The remedy; empty if the first sentence includes it."""


def rows_of(told: Fault | Loss | str) -> Iterator[FaultRow]:
    """Yield a row for each problem, with its field if known; a plain text concerns the dictionary, not the file."""
    match told:
        case Loss():
            yield FaultRow(told.file, told.line, told.field, told.detail, "")
        case Fault() if told.problems:
            for problem in told.problems:
                yield FaultRow(told.file, told.line, problem.parameter, *_parted(problem.detail))
        case Fault():
            yield FaultRow(told.file, told.line, "", *_parted(told.detail))
        case _:
            yield FaultRow("", "", "", told, "")


def _parted(detail: str) -> tuple[str, str]:
    """Split a text into its first sentence and the rest; quotations are not split."""
    hidden = _QUOTED.sub(lambda found: "x" * len(found[0]), detail)
    end = _END.search(hidden)
    return (detail[: end.start()], detail[end.end() :]) if end else (detail, "")
