"""Records that hold a text, found in the files that list them and taken out: of `jsonl.gz` and `csv`."""

import csv
import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from abhidhan.domain.forbidden import Sought, has
from abhidhan.formats.formulas import unshielded

NAMED_BY_OTHERS: Final = frozenset({"source", "language", "list_item", "list_value"})
"""The kinds of records without which others are not whole: no such record can be taken out."""

WITH_MARK: Final = "utf-8-sig"


class Held(NamedTuple):
    """Which records have a text in them: whether any has, whether all of them can be taken out, and the ideas.

    `ideas` are named as tables name them, `source:key`.
    """

    is_any: bool
    are_cuttable: bool = True
    ideas: frozenset[str] = frozenset()


def records_with(file: Path, text: Sought) -> Held:
    """Find the records of a `jsonl.gz` with a text. Raises what a damaged file raises."""
    kinds, ideas = set[str](), set[str]()
    for line in _lines(file):
        if (record := _record_with(line, text)) is not None:
            kinds.add(record["record"])
            if record["record"] == "idea":
                ideas.add(f"{record['source']}:{record['key']}")
    return Held(bool(kinds), kinds.isdisjoint(NAMED_BY_OTHERS), frozenset(ideas))


def without_records(file: Path, target: Path, text: Sought) -> None:
    """Write a `jsonl.gz` without the records that have a text in them."""
    with target.open("wb") as packed, gzip.GzipFile("", "wb", fileobj=packed, mtime=0) as stream:
        for line in _lines(file):
            if _record_with(line, text) is None:
                stream.write(line)


def without_rows(file: Path, target: Path, text: Sought, ideas: frozenset[str]) -> None:
    """Write a table without the rows that have a text in them, or are of ideas that have it."""
    with (
        file.open(encoding=WITH_MARK, newline="") as stream,
        target.open("w", encoding=WITH_MARK, newline="") as left,
    ):
        rows, writer = csv.reader(stream), csv.writer(left)
        header = next(rows)
        writer.writerow(header)
        key = header.index("key")
        writer.writerows(
            row for row in rows if unshielded(row[key]) not in ideas and not any(text.text in cell for cell in row)
        )


def _lines(file: Path) -> Iterator[bytes]:
    with gzip.open(file, "rb") as stream:
        yield from stream


def _record_with(line: bytes, text: Sought) -> dict[str, Any] | None:
    """Read a record if it has a text in one of its values; that a name of a field has it means nothing."""
    if text.encoded not in line:
        return None
    record: dict[str, Any] = msgspec.json.decode(line, type=dict[str, Any])
    return record if has({**record, "record": ""}, text) else None
