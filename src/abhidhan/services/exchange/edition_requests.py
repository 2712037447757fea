"""What the operator removes from editions: a text with the records that hold it, or files by their names."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from abhidhan.domain.editions import order
from abhidhan.domain.forbidden import Sought, check_reason, has, sought
from abhidhan.errors import ConflictError, InputError, NotFoundError, quoted
from abhidhan.media.made_store import MadeStore
from abhidhan.services.exchange import made_together, recording_exports
from abhidhan.services.exchange.download_files import LIST_FILE, Download
from abhidhan.services.exchange.downloads import LEASE
from abhidhan.services.exchange.edition_lists import Edition, Notice, Why, place_of, read_edition, read_editions
from abhidhan.services.exchange.edition_removal import (
    DAMAGED,
    Anew,
    described,
    has_any,
    nothing_left,
    remove,
    with_voices_left,
)
from abhidhan.services.exchange.exporting import digest_of, file_name
from abhidhan.services.exchange.record_cuts import (
    Held,
    records_with,
    without_records,
    without_rows,
)
from abhidhan.services.exchange.recording_cuts import Told, told_without
from abhidhan.storage.engine.database import Database

RECORDS: Final = file_name("jsonl.gz")
"""The file that has every text of an edition but those of recordings, so that it tells what is in the others."""


class Wanted(NamedTuple):
    """What is to be removed: from which editions, or a text from all; which files, or all; and why."""

    names: Sequence[str] = ()
    holding: str = ""
    files: Sequence[str] = ()
    reason: str = ""


class Going(NamedTuple):
    """What is to go from an edition: files, or what is told of them by `anew`."""

    edition: Edition
    files: Sequence[str]
    anew: Anew = nothing_left


def remove_from_editions(database: Database, store: MadeStore, wanted: Wanted, now: int) -> list[Edition]:
    """Remove a text or files from editions, and return the editions that are others now, the newest first.

    Raises InputError, NotFoundError, ConflictError while files are made, and ExportError.
    """
    _check(wanted)
    with made_together.made_alone(database, store, LEASE) as held:
        if held is None:
            raise ConflictError("Files to download are just being made. Try again when that is done.")
        notice = Notice(now, Why.BY_OPERATOR, wanted.reason)
        going = [one for one in _chosen(store, wanted) if one.files]
        done = [(one.edition, remove(store, one.edition, one.files, notice, one.anew)) for one in going]
        return [left for before, left in done if left != before]


def is_offered(store: MadeStore, text: str) -> bool:
    """Say whether a text is in the files that are offered now."""
    try:
        offered = made_together.read_offered(store, LIST_FILE)
        with store.at_hand(f"{offered.folder if offered else ''}/{RECORDS}") as file:
            return records_with(file, sought(text)).is_any
    except FileNotFoundError:
        return False
    except DAMAGED:
        return True


def _check(wanted: Wanted) -> None:
    if not wanted.names and not wanted.holding.strip():
        raise InputError.of("editions", "Name the editions, such as 2026-11-23, or a text with --holding.")
    check_reason(wanted.reason)


def _chosen(store: MadeStore, wanted: Wanted) -> list[Going]:
    """List what is to go from each edition. Of files that are named, the same bytes go from all other editions too."""
    named = _named(store, wanted.names)
    if wanted.holding:
        text = sought(wanted.holding)
        return [_within(going, wanted.files) for one in named if (going := _with_text(store, one, text)) is not None]
    for one in named:
        _refuse_unknown(one, wanted.files)
    sums = {each.sha256 for one in named for each in one.files if not wanted.files or each.file in wanted.files}
    known = read_editions(store)
    return [Going(one, [each.file for each in one.files if each.sha256 in sums]) for one in known]


def _within(going: Going, names: Sequence[str]) -> Going:
    return going._replace(files=[file for file in going.files if not names or file in names])


def _with_text(store: MadeStore, edition: Edition, text: Sought) -> Going | None:
    """Say what is to go from an edition because of a text; None where it does not have it."""
    if not edition.files:
        return None
    held = _records_held(store, edition, text)
    if held.is_any:
        anew = partial(_without_text, text, held.ideas) if held.are_cuttable else nothing_left
        sources = tuple(one for one in edition.sources if not has(msgspec.to_builtins(one), text))
        left = msgspec.structs.replace(edition, sources=sources)
        return Going(left, [one.file for one in edition.files], anew)
    told = _told_of_recordings(store, edition, text)
    if told is None or told.gone:
        gone = None if told is None else told.gone
        files = [one.file for one in edition.files if has_any(store, edition, one, gone)]
        return Going(edition, files, partial(with_voices_left, told.names) if told else nothing_left)
    return None


def _records_held(store: MadeStore, edition: Edition, text: Sought) -> Held:
    """Find the records with a text. Where they are gone or damaged, the text counts as being anywhere."""
    known = edition.find(RECORDS)
    try:
        if known is not None:
            with store.at_hand(place_of(edition, RECORDS)) as file:
                if digest_of(file) == known.sha256:
                    return records_with(file, text)
    except DAMAGED:
        pass
    return Held(is_any=True, are_cuttable=False)


def _told_of_recordings(store: MadeStore, edition: Edition, text: Sought) -> Told | None:
    """Find the recordings of which a text is told; None where nobody can tell."""
    try:
        if edition.find(recording_exports.FILE):
            with store.at_hand(place_of(edition, recording_exports.FILE)) as file:
                return told_without(file, text.text)
    except DAMAGED:
        return None
    return Told({}, frozenset())


def _without_text(text: Sought, ideas: frozenset[str], one: Download, file: Path, target: Path) -> Download | None:
    """Write a file anew without the records, rows or recordings that hold a text; files of other formats go."""
    if one.format == "jsonl.gz":
        without_records(file, target, text)
        return described(one, target)
    if one.format == "csv":
        without_rows(file, target, text, ideas)
        return described(one, target)
    if one.format == recording_exports.FORMAT:
        return with_voices_left(told_without(file, text.text).names, one, file, target)
    return None


def _named(store: MadeStore, names: Sequence[str]) -> list[Edition]:
    if not names:
        return read_editions(store)
    found = []
    for name in sorted(set(names), key=order, reverse=True):
        edition = read_edition(store, name)
        if edition is None:
            raise NotFoundError(
                f"There is no edition {quoted(name)}; abhidhan downloads list shows those that are kept."
            )
        found.append(edition)
    return found


def _refuse_unknown(edition: Edition, names: Sequence[str]) -> None:
    known = {one.file for one in (*edition.files, *edition.removed)}
    for name in names:
        if name not in known:
            raise NotFoundError(f"The edition {edition.name} has no file {quoted(name)}.")
