"""What the operator removes from editions: because of its text, or of an edition by its name."""

import gzip
import unicodedata
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from abhidhan.domain.editions import order
from abhidhan.errors import ConflictError, InputError, NotFoundError, quoted
from abhidhan.services.exchange import editions, made_folder
from abhidhan.services.exchange.editions import Edition, Notice, Why
from abhidhan.services.exchange.exporting import file_name

LONGEST_REASON: Final = 500
RECORDS: Final = file_name("jsonl.gz")
"""The file that has every text of an edition, so that it tells what is in the others."""


class Wanted(NamedTuple):
    """What is to be removed: from which editions, or those with a text in them; which files, or all; and why."""

    names: Sequence[str] = ()
    holding: str = ""
    files: Sequence[str] = ()
    reason: str = ""


def remove_from_editions(folder: Path, wanted: Wanted, now: int) -> list[Edition]:
    """Remove files from editions, and return the editions as they are now, the newest first.

    Raises InputError, NotFoundError, ConflictError while files are made, and ExportError.
    """
    _check(wanted)
    with made_folder.made_alone(folder) as is_mine:
        if not is_mine:
            raise ConflictError("Files to download are just being made. Try again when that is done.")
        notice = Notice(now, Why.BY_OPERATOR, wanted.reason)
        return [editions.remove(folder, one, files, notice) for one, files in _chosen(folder, wanted) if files]


def holds(folder: Path, edition: Edition, text: str) -> bool:
    """Say whether a text is in the records of an edition. Where they are gone or damaged, it counts as there."""
    if not edition.files:
        return False
    if all(one.file != RECORDS for one in edition.files):
        return True
    # As it stands within a string of JSON.
    sought = msgspec.json.encode(unicodedata.normalize("NFC", text))[1:-1]
    try:
        with gzip.open(editions.file_of(folder, edition, RECORDS), "rb") as lines:
            return any(sought in line for line in lines)
    except (OSError, EOFError, zlib.error):
        return True


def _check(wanted: Wanted) -> None:
    if not wanted.names and not wanted.holding:
        raise InputError.of("editions", "Name the editions, such as 2026-11-23, or a text with --holding.")
    reason = wanted.reason.strip()
    if not reason or len(reason) > LONGEST_REASON or not reason.isprintable():
        raise InputError.of(
            "reason", f"--reason is what everybody reads: one line of 1 to {LONGEST_REASON} characters."
        )


def _chosen(folder: Path, wanted: Wanted) -> list[tuple[Edition, list[str]]]:
    """List the editions with the files that are to go from each.

    Of editions that are named, the same bytes go from all others too. Those without a text cannot have it in any file,
    also where they share one with an edition that has it.
    """
    named = _named(folder, wanted.names)
    if wanted.holding:
        return [(one, _files(one, wanted.files)) for one in named if holds(folder, one, wanted.holding)]
    for one in named:
        _refuse_unknown(one, wanted.files)
    gone = [_files(one, wanted.files) for one in named]
    sums = {each.sha256 for one, files in zip(named, gone, strict=True) for each in one.files if each.file in files}
    known = editions.read_editions(folder)
    return [(one, [each.file for each in one.files if each.sha256 in sums]) for one in known]


def _named(folder: Path, names: Sequence[str]) -> list[Edition]:
    if not names:
        return editions.read_editions(folder)
    found = []
    for name in sorted(set(names), key=order, reverse=True):
        edition = editions.read_edition(folder, name)
        if edition is None:
            raise NotFoundError(
                f"There is no edition {quoted(name)}; abhidhan downloads list shows those that are kept."
            )
        found.append(edition)
    return found


def _files(edition: Edition, names: Sequence[str]) -> list[str]:
    return [one.file for one in edition.files if not names or one.file in names]


def _refuse_unknown(edition: Edition, names: Sequence[str]) -> None:
    known = {one.file for one in (*edition.files, *edition.removed)}
    for name in names:
        if name not in known:
            raise NotFoundError(f"The edition {edition.name} has no file {quoted(name)}.")
