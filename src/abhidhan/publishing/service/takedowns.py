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

from abhidhan.editing.model import SearchText, as_search_text, check_reason, contains_text
from abhidhan.exchange.service import recording_exports
from abhidhan.exchange.service.exporting import digest_of
from abhidhan.formats.registry import EXPORTERS, RECORDINGS
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.publishing.service.download_files import LIST_FILE, VOICES_FILE, Download, Notice, StoredBatch
from abhidhan.records.errors import InputError, UnwritableError

RECORDS_FILE: Final = EXPORTERS["jsonl"].download
"""The file with every text of the downloads except the descriptions of recordings."""

RECORDING_FORMATS: Final = frozenset(name for name, each in EXPORTERS.items() if each.has_recordings)
"""The formats whose files may contain recordings."""

DAMAGE_ERRORS: Final = (
    OSError, EOFError, ValueError, LookupError, zlib.error, zipfile.BadZipFile, csv.Error, msgspec.MsgspecError,
)  # fmt: skip
"""Exceptions raised by reading a damaged or missing file."""


class Takedown(NamedTuple):
    """A text to remove from the downloads, and the public reason."""

    text: SearchText
    reason: str


def read_takedown(text: str, reason: str) -> Takedown:
    """Validate the operator's input. Raises InputError."""
    if not text.strip():
        raise InputError.of("holding", "--holding needs the text to remove.")
    check_reason(reason)
    return Takedown(as_search_text(text), reason.strip())


class Removal(NamedTuple):
    """A pending removal: its notices, and the names of the old editions to delete."""

    notices: tuple[Notice, ...]
    editions: tuple[str, ...]


def find_removal(
    store: ArtifactStore,
    batches: Sequence[StoredBatch],
    names: Mapping[int, str | None],
    takedown: Takedown | None,
    now: int,
) -> Removal:
    """Find the files with withdrawn recordings or the text of a takedown; damaged files count as affected.

    `batches` are the current files and the old editions; `names` has the speaker of each approved recording, by its ID.
    Raises UnavailableError.
    """
    withdrawn = [one for one in batches if holds_withdrawn(store, one, names)]
    notices = [Notice(now, "", _sums(withdrawn, RECORDING_FORMATS))]
    holding = []
    if takedown is not None:
        holding = [one for one in batches if holds_text(store, one, takedown.text)]
        notices.append(Notice(now, takedown.reason, _sums(holding)))
    editions = {one.edition for one in (*withdrawn, *holding) if one.edition}
    return Removal(tuple(one for one in notices if one.files), tuple(sorted(editions)))


def holds_withdrawn(store: ArtifactStore, batch: StoredBatch, names: Mapping[int, str | None]) -> bool:
    """Return whether files contain a withdrawn recording, or an outdated name of a speaker."""
    content = store.read(f"{batch.folder}/{VOICES_FILE}")
    if content is None:
        return batch.files is None or any(download.format == RECORDINGS for download in batch.files)
    with suppress(msgspec.DecodeError):
        return not msgspec.json.decode(content, type=dict[int, str | None]).items() <= names.items()
    return True


def holds_text(store: ArtifactStore, batch: StoredBatch, text: SearchText) -> bool:
    """Return whether files contain a text, in their records or in the descriptions of their recordings."""
    records = _find(batch, RECORDS_FILE)
    if records is None or _holds(store, batch, records, _is_in_records, text):
        return True
    recordings = _find(batch, EXPORTERS[RECORDINGS].file)
    return recordings is not None and _holds(store, batch, recordings, _is_in_list, text)


def _sums(batches: Iterable[StoredBatch], formats: Iterable[str] | None = None) -> dict[str, str]:
    """Return the checksums of files by name; the names in an edition are like `2026-11-23/abhidhan.csv`."""
    return {
        f"{batch.edition}/{download.file}".lstrip("/"): download.sha256
        for batch in batches
        for download in batch.files or ()
        if formats is None or download.format in formats
    }


def _find(batch: StoredBatch, file: str) -> Download | None:
    return next((download for download in batch.files or () if download.file == file), None)


def _holds(
    store: ArtifactStore,
    batch: StoredBatch,
    download: Download,
    is_in: Callable[[Path, SearchText], bool],
    text: SearchText,
) -> bool:
    try:
        with store.local_file(f"{batch.folder}/{download.file}") as file:
            return digest_of(file) != download.sha256 or is_in(file, text)
    except DAMAGE_ERRORS:
        return True


def _is_in_records(file: Path, text: SearchText) -> bool:
    """Return whether a value of a record contains a text; the names of fields do not count."""
    with gzip.open(file, "rb") as lines:
        for line in lines:
            if text.encoded in line:
                record = msgspec.json.decode(line, type=dict[str, Any])
                if contains_text({**record, "record": ""}, text):
                    return True
    return False


def _is_in_list(file: Path, text: SearchText) -> bool:
    with zipfile.ZipFile(file) as archive, archive.open(recording_exports.LIST_FILE) as stream:
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


def edition_names(store: ArtifactStore) -> list[str]:
    """List the names of the old editions in a store, by date. Raises UnavailableError."""
    names = (folder.rpartition("/")[2] for folder in store.folders(EDITIONS))
    return sorted(name for name in names if is_edition(name))


def read_editions(store: ArtifactStore) -> list[StoredBatch]:
    """Return the files of the old editions. Raises UnavailableError."""
    editions = ((name, _read_edition(store, name)) for name in edition_names(store))
    return [StoredBatch(f"{EDITIONS}/{name}", edition.files if edition else None, name) for name, edition in editions]


def read_notices(store: ArtifactStore) -> list[Notice]:
    """Return the notices that earlier versions put into editions, one for each removal.

    Raises UnavailableError.
    """
    files: dict[tuple[int, str], dict[str, str]] = {}
    for name in edition_names(store):
        edition_list = _read_edition(store, name)
        for removed_file in edition_list.removed if edition_list else ():
            files.setdefault((removed_file.removed, removed_file.reason), {})[f"{name}/{removed_file.file}"] = (
                removed_file.sha256
            )
    return [Notice(removed, reason, sums) for (removed, reason), sums in files.items()]


def _read_edition(store: ArtifactStore, name: str) -> _EditionList | None:
    with suppress(msgspec.DecodeError):
        return msgspec.json.decode(store.read(f"{EDITIONS}/{name}/{LIST_FILE}") or b"", type=_EditionList)
    return None


def delete_editions(store: ArtifactStore, names: Collection[str]) -> None:
    """Delete old editions. Raises UnwritableError if some cannot be deleted, UnavailableError."""
    for name in names:
        store.remove_folder(f"{EDITIONS}/{name}")
    if remaining := sorted(set(names).intersection(edition_names(store))):
        raise UnwritableError(f"These old editions cannot be deleted: {', '.join(remaining)}.")
