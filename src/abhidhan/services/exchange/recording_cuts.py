"""Recordings taken out of files that are made already: which a file has, and the same file without some of them."""

import csv
import io
import json
import re
import shutil
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Final, NamedTuple

from abhidhan.domain.recordings import EXTENSION
from abhidhan.formats.formulas import shielded, unshielded
from abhidhan.formats.writing.book import ARCHIVE_DATE
from abhidhan.services.exchange import recording_exports
from abhidhan.services.exchange.sounds import NOT_STATED

MEDIA: Final = "media.csv"
REFERRING: Final = ("entries.csv", "examples.csv")
"""The table of recordings of a CLDF data set, and those whose rows refer to it."""

NAMED_IN_ARCHIVE: Final = frozenset({recording_exports.FORMAT, "lift"})
"""The formats that have every recording that they tell of as a file with its ID."""

_SOUND: Final = re.compile(rf"(?:media|recordings|audio)/(\d+)\.{EXTENSION}|abhidhan-(\d+)\.{EXTENSION}", re.ASCII)

Row = dict[str, str]
Names = Mapping[int, str | None]
"""The recordings that may stay, by their IDs, and whom each names as its speaker."""

Change = Callable[[Row], Row | None]
"""Says what becomes of a row of a table; None: it goes."""


class Left(NamedTuple):
    """What is left in a file of recordings: their licences, and the codes of their languages, most recordings first."""

    licences: str
    languages: tuple[str, ...]


class Told(NamedTuple):
    """The recordings of which a text is not told, with their speakers, and the IDs of those of which it is."""

    names: Names
    gone: frozenset[int]


def told_without(file: Path, text: str) -> Told:
    """Look through the file of all recordings for what is told of each: what it says, who speaks, and where."""
    names, gone = dict[int, str | None](), set[int]()
    with zipfile.ZipFile(file) as made:
        for row in _rows(made, recording_exports.LIST):
            number = _number(row["file"])
            if number is not None and any(text in cell for cell in row.values()):
                gone.add(number)
            elif number is not None:
                names[number] = unshielded(row["speaker"]) or None
    return Told(names, frozenset(gone))


def recordings_in(file_format: str, file: Path) -> set[int]:
    """Say which recordings a file has, or refers to, by their IDs.

    Raises what a damaged file raises (`DAMAGED`), also for a format of which nobody knows.
    """
    with zipfile.ZipFile(file) as made:
        if file_format == "anki":
            return _numbers(json.loads(made.read("media")).values())
        if file_format == "cldf":
            return {int(row["ID"]) for row in _rows(made, MEDIA)} if MEDIA in made.namelist() else set()
        if file_format in NAMED_IN_ARCHIVE:
            return _numbers(made.namelist())
    raise LookupError(file_format)


def without_recordings(file: Path, target: Path, names: Names) -> Left | None:
    """Write the file of all recordings with those that may stay; None where none is left."""
    licences, heard = set[str](), Counter[str]()
    with zipfile.ZipFile(file) as made, zipfile.ZipFile(target, "w") as cut:
        for row in _rows(made, recording_exports.LIST):
            if _number(row["file"]) in names:
                licences.add(row["licence"] or NOT_STATED)
                heard[row["language"]] += 1
        _copy(made, cut, names, {recording_exports.LIST: lambda row: _named(row, _number(row["file"]), names)})
    return Left("; ".join(sorted(licences)), tuple(code for code, _ in heard.most_common())) if heard else None


def without_media(file: Path, target: Path, names: Names) -> None:
    """Write a CLDF data set with the recordings that may stay, and nothing that refers to others."""
    changes: dict[str, Change] = dict.fromkeys(REFERRING, lambda row: _referring(row, names))
    changes[MEDIA] = lambda row: _named(row, int(row["ID"]), names, "Speaker")
    with zipfile.ZipFile(file) as made, zipfile.ZipFile(target, "w") as cut:
        _copy(made, cut, names, changes)


def _named(row: Row, number: int | None, names: Names, column: str = "speaker") -> Row | None:
    """Name the speaker of a recording as it is called now; without the recording, the row goes."""
    if number is None or number not in names:
        return None
    speaker = names[number] or ""
    # In the data set for programs a cell is as it is; in the list for spreadsheets no cell is a formula.
    return row | {column: shielded(speaker) if column == "speaker" else speaker}


def _referring(row: Row, names: Names) -> Row:
    if not row.get("Media_IDs"):
        return row
    return row | {"Media_IDs": " ".join(one for one in row["Media_IDs"].split(" ") if int(one) in names)}


def _copy(made: zipfile.ZipFile, cut: zipfile.ZipFile, names: Names, changes: Mapping[str, Change]) -> None:
    """Copy what stays of an archive, as it would have been written without the rest: one file after another."""
    for one in made.infolist():
        number = _number(one.filename)
        same = zipfile.ZipInfo(one.filename, ARCHIVE_DATE)
        same.compress_type, same.external_attr = one.compress_type, one.external_attr
        if number in names:
            cut.writestr(same, made.read(one))
        elif number is None:
            with made.open(one) as stream, cut.open(same, "w", force_zip64=True) as member:
                if one.filename in changes:
                    _change(stream, member, changes[one.filename])
                else:
                    shutil.copyfileobj(stream, member)


def _change(stream: IO[bytes], member: IO[bytes], change: Change) -> None:
    rows = csv.DictReader(io.TextIOWrapper(stream, encoding="utf-8", newline=""))
    columns = list(rows.fieldnames or ())
    member.write(_line(columns))
    for row in rows:
        if (changed := change(row)) is not None:
            member.write(_line([changed[column] for column in columns]))


def _line(cells: Sequence[str]) -> bytes:
    line = io.StringIO(newline="")
    csv.writer(line).writerow(cells)
    return line.getvalue().encode()


def _rows(made: zipfile.ZipFile, name: str) -> Iterator[Row]:
    with made.open(name) as stream:
        yield from csv.DictReader(io.TextIOWrapper(stream, encoding="utf-8", newline=""))


def _numbers(names: Iterable[str]) -> set[int]:
    return {number for name in names if (number := _number(name)) is not None}


def _number(name: str) -> int | None:
    """Return the ID of the recording whose file is called so; None where it is another file."""
    found = _SOUND.fullmatch(name)
    return int(found[1] or found[2]) if found else None
