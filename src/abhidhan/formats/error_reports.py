"""What is wrong with a file, as whoever made it wants to read it: where, what, and what would be right."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from abhidhan.records.import_records import Fault, Loss

_END: Final = re.compile(r"(?<=[.?!])\s+(?=[A-Z`])")
_QUOTED: Final = re.compile(r"(?<![^\W_])'[^']*'(?!\w)")


class FaultRow(NamedTuple):
    """One line of a report: the file and row, the field (empty where no single one is meant), and two sentences."""

    file: str
    row: int | str
    column: str
    what: str
    remedy: str
    """What would be right; empty where the first sentence says it."""


def rows_of(told: Fault | Loss | str) -> Iterator[FaultRow]:
    """List what is wrong, each with its field where that is known; a text is about the dictionary, not the file."""
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
    """Part a text into its first sentence and the others. What is quoted has no end of a sentence in it."""
    hidden = _QUOTED.sub(lambda found: "x" * len(found[0]), detail)
    end = _END.search(hidden)
    return (detail[: end.start()], detail[end.end() :]) if end else (detail, "")
