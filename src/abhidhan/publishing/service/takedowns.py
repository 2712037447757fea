"""Removal of content from the downloads: forbidden texts, and recordings that speakers withdrew.

The downloads that contain it are generated again without it, and old editions that contain it are deleted.
"""

import csv
import gzip
import io
import re
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from abhidhan.editing.model import Sought, check_reason, has, sought
from abhidhan.exchange.service import recording_exports
from abhidhan.exchange.service.exporting import digest_of
from abhidhan.formats.registry import EXPORTERS, RECORDINGS
from abhidhan.platform.sandbox.artifact_store import MadeStore
from abhidhan.publishing.service.download_files import LIST_FILE, VOICES_FILE, Download, MadeFiles, Notice
from abhidhan.records.errors import InputError, UnwritableError

RECORDS: Final = EXPORTERS["jsonl"].download
"""The file with every text of the downloads except the descriptions of recordings."""

WITH_VOICES: Final = frozenset(name for name, each in EXPORTERS.items() if each.has_recordings)
"""The formats whose files may contain recordings."""

DAMAGED: Final = (
    OSError, EOFError, ValueError, LookupError, zlib.error, zipfile.BadZipFile, csv.Error, msgspec.MsgspecError,
)  # fmt: skip
"""Exceptions raised by reading a damaged or missing file."""


class Takedown(NamedTuple):
    """A text to remove from the downloads, and the public reason."""

    text: Sought
    reason: str


def read_takedown(text: str, reason: str) -> Takedown:
    """Validate the operator's input. Raises InputError."""
    if not text.strip():
        raise InputError.of("holding", "--holding needs the text to remove.")
    check_reason(reason)
    return Takedown(sought(text), reason.strip())


class Removal(NamedTuple):
    """A pending removal: its notices, and the names of the old editions to delete."""

    notices: tuple[Notice, ...]
    editions: tuple[str, ...]


def find_removal(
    store: MadeStore, made: Sequence[MadeFiles], names: Mapping[int, str | None], takedown: Takedown | None, now: int
) -> Removal:
    """Find the files with withdrawn recordings or the text of a takedown; damaged files count as affected.

    `made` are the current files and the old editions; `names` has the speaker of each approved recording, by its ID.
    Raises UnavailableError.
    """
    withdrawn = [one for one in made if holds_withdrawn(store, one, names)]
    notices = [Notice(now, "", _sums(withdrawn, WITH_VOICES))]
    holding = []
    if takedown is not None:
        holding = [one for one in made if holds_text(store, one, takedown.text)]
        notices.append(Notice(now, takedown.reason, _sums(holding)))
    editions = {one.edition for one in (*withdrawn, *holding) if one.edition}
    return Removal(tuple(one for one in notices if one.files), tuple(sorted(editions)))


def holds_withdrawn(store: MadeStore, made: MadeFiles, names: Mapping[int, str | None]) -> bool:
    """Return whether files contain a withdrawn recording, or an outdated name of a speaker."""
    content = store.read(f"{made.folder}/{VOICES_FILE}")
    if content is None:
        return made.files is None or any(one.format == RECORDINGS for one in made.files)
    with suppress(msgspec.DecodeError):
        return not msgspec.json.decode(content, type=dict[int, str | None]).items() <= names.items()
    return True


def holds_text(store: MadeStore, made: MadeFiles, text: Sought) -> bool:
    """Return whether files contain a text, in their records or in the descriptions of their recordings."""
    records = _find(made, RECORDS)
    if records is None or _holds(store, made, records, _is_in_records, text):
        return True
    recordings = _find(made, EXPORTERS[RECORDINGS].file)
    return recordings is not None and _holds(store, made, recordings, _is_in_list, text)


def _sums(made: Iterable[MadeFiles], formats: Iterable[str] | None = None) -> dict[str, str]:
    """Return the checksums of files by name; the names in an edition are like `2026-11-23/abhidhan.csv`."""
    return {
        f"{each.edition}/{one.file}".lstrip("/"): one.sha256
        for each in made
        for one in each.files or ()
        if formats is None or one.format in formats
    }


def _find(made: MadeFiles, file: str) -> Download | None:
    return next((one for one in made.files or () if one.file == file), None)


def _holds(
    store: MadeStore, made: MadeFiles, one: Download, is_in: Callable[[Path, Sought], bool], text: Sought
) -> bool:
    try:
        with store.at_hand(f"{made.folder}/{one.file}") as file:
            return digest_of(file) != one.sha256 or is_in(file, text)
    except DAMAGED:
        return True


def _is_in_records(file: Path, text: Sought) -> bool:
    """Return whether a value of a record contains a text; the names of fields do not count."""
    with gzip.open(file, "rb") as lines:
        for line in lines:
            if text.encoded in line:
                record = msgspec.json.decode(line, type=dict[str, Any])
                if has({**record, "record": ""}, text):
                    return True
    return False


def _is_in_list(file: Path, text: Sought) -> bool:
    with zipfile.ZipFile(file) as archive, archive.open(recording_exports.LIST) as stream:
        rows = csv.reader(io.TextIOWrapper(stream, encoding="utf-8", newline=""))
        return any(text.text in cell for row in rows for cell in row)


# --- old editions -------------------------------------------------------------------------------------------------

EDITIONS: Final = "editions"
"""The folder of old editions: dated copies, which earlier versions generated and served under their dates.

They are no longer served. An edition is deleted if it contains something that must be removed.
"""

_EDITION: Final = re.compile(r"\d{4}-\d\d-\d\d(?:-[1-9]\d{0,3})?", re.ASCII)


class _RemovedFile(msgspec.Struct, frozen=True):
    """A file that an earlier version removed from an edition, or rewrote without the removed content."""

    file: str
    sha256: str
    removed: int
    reason: str = ""


class _EditionList(msgspec.Struct, frozen=True):
    """The list of an old edition, as written by earlier versions."""

    files: tuple[Download, ...]
    removed: tuple[_RemovedFile, ...] = ()


def is_edition(name: str) -> bool:
    """Return whether a name is that of an edition: a date, with a number for the second and later ones of a day."""
    return _EDITION.fullmatch(name) is not None


def edition_names(store: MadeStore) -> list[str]:
    """List the names of the old editions in a store, by date. Raises UnavailableError."""
    names = (each.rpartition("/")[2] for each in store.folders(EDITIONS))
    return sorted(name for name in names if is_edition(name))


def read_editions(store: MadeStore) -> list[MadeFiles]:
    """Return the files of the old editions. Raises UnavailableError."""
    listed = ((name, _read_edition(store, name)) for name in edition_names(store))
    return [MadeFiles(f"{EDITIONS}/{name}", one.files if one else None, name) for name, one in listed]


def read_notices(store: MadeStore) -> list[Notice]:
    """Return the notices that earlier versions put into editions, one for each removal.

    Raises UnavailableError.
    """
    files: dict[tuple[int, str], dict[str, str]] = {}
    for name in edition_names(store):
        listed = _read_edition(store, name)
        for one in listed.removed if listed else ():
            files.setdefault((one.removed, one.reason), {})[f"{name}/{one.file}"] = one.sha256
    return [Notice(removed, reason, sums) for (removed, reason), sums in files.items()]


def _read_edition(store: MadeStore, name: str) -> _EditionList | None:
    with suppress(msgspec.DecodeError):
        return msgspec.json.decode(store.read(f"{EDITIONS}/{name}/{LIST_FILE}") or b"", type=_EditionList)
    return None


def delete_editions(store: MadeStore, names: Collection[str]) -> None:
    """Delete old editions. Raises UnwritableError if some cannot be deleted, UnavailableError."""
    for name in names:
        store.remove_folder(f"{EDITIONS}/{name}")
    if left := sorted(set(names).intersection(edition_names(store))):
        raise UnwritableError(f"These old editions cannot be deleted: {', '.join(left)}.")
