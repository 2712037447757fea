"""Rows of the error report of an import: location, problem and remedy."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from abhidhan.records.import_records import RecordError, UnstoredValue

_SENTENCE_END: Final = re.compile(r"(?<=[.?!])\s+(?=[A-Z`])")
_QUOTED: Final = re.compile(r"(?<![^\W_])'[^']*'(?!\w)")

REPORT_HEADER: Final = ("file", "row", "column", "what", "remedy")
"""The first row of a report in CSV."""


class ErrorReportRow(NamedTuple):
    """A row of a report: file, row number, field (may be empty), problem and remedy."""

    file: str
    row: int | str
    column: str
    problem: str
    remedy: str
    """The remedy; empty if `problem` includes it."""


def iter_report_rows(error: RecordError | UnstoredValue | str) -> Iterator[ErrorReportRow]:
    """Yield a row for each problem. A plain text is a problem of the dictionary, not of the file."""
    match error:
        case UnstoredValue():
            yield ErrorReportRow(error.file, error.line, error.field, error.detail, "")
        case RecordError() if error.problems:
            for problem in error.problems:
                yield ErrorReportRow(error.file, error.line, problem.parameter, *_split_sentence(problem.detail))
        case RecordError():
            yield ErrorReportRow(error.file, error.line, "", *_split_sentence(error.detail))
        case _:
            yield ErrorReportRow("", "", "", error, "")


def _split_sentence(detail: str) -> tuple[str, str]:
    """Split a text into its first sentence and the rest; quotations are not split."""
    hidden = _QUOTED.sub(lambda match: "x" * len(match[0]), detail)
    end = _SENTENCE_END.search(hidden)
    return (detail[: end.start()], detail[end.end() :]) if end else (detail, "")
