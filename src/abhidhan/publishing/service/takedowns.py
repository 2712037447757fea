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

from abhidhan.editing.model import SearchText, check_reason, contains_text, make_search_text
from abhidhan.exchange.service import recording_exports
from abhidhan.exchange.service.exporting import compute_sha256
from abhidhan.formats.registry import EXPORTERS, RECORDINGS_FORMAT
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.publishing.service.download_files import LIST_FILE, SPEAKER_NAMES_FILE, Download, Notice, StoredBatch
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


def parse_takedown(text: str, reason: str) -> Takedown:
    """Validate the operator's input. Raises InputError."""
    if not text.strip():
        raise InputError.of("holding", "--holding needs the text to remove.")
    check_reason(reason)
    return Takedown(make_search_text(text), reason.strip())


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
    withdrawn = [one for one in batches if has_withdrawn_recording(store, one, names)]
    notices = [Notice(now, "", _list_checksums(withdrawn, RECORDING_FORMATS))]
    affected = []
    if takedown is not None:
        affected = [one for one in batches if has_text(store, one, takedown.text)]
        notices.append(Notice(now, takedown.reason, _list_checksums(affected)))
    editions = {one.edition for one in (*withdrawn, *affected) if one.edition}
    return Removal(tuple(one for one in notices if one.files), tuple(sorted(editions)))


def has_withdrawn_recording(store: ArtifactStore, batch: StoredBatch, names: Mapping[int, str | None]) -> bool:
    """Return whether files contain a withdrawn recording, or an outdated name of a speaker."""
    content = store.read(f"{batch.folder}/{SPEAKER_NAMES_FILE}")
    if content is None:
        return batch.files is None or any(download.format == RECORDINGS_FORMAT for download in batch.files)
    with suppress(msgspec.DecodeError):
        return not msgspec.json.decode(content, type=dict[int, str | None]).items() <= names.items()
    return True


def has_text(store: ArtifactStore, batch: StoredBatch, text: SearchText) -> bool:
    """Return whether files contain a text, in their records or in the descriptions of their recordings."""
    records = _find_download(batch, RECORDS_FILE)
    if records is None or _is_affected(store, batch, records, _has_text_in_records, text):
        return True
    recordings = _find_download(batch, EXPORTERS[RECORDINGS_FORMAT].file)
    return recordings is not None and _is_affected(store, batch, recordings, _has_text_in_list, text)


def _list_checksums(batches: Iterable[StoredBatch], formats: Iterable[str] | None = None) -> dict[str, str]:
    """Return the checksums of files by name; the names in an edition are like `2026-11-23/abhidhan.csv`."""
    return {
        f"{batch.edition}/{download.file}".lstrip("/"): download.sha256
        for batch in batches
        for download in batch.files or ()
        if formats is None or download.format in formats
    }


def _find_download(batch: StoredBatch, file: str) -> Download | None:
    return next((download for download in batch.files or () if download.file == file), None)


def _is_affected(
    store: ArtifactStore,
    batch: StoredBatch,
    download: Download,
    has_file_text: Callable[[Path, SearchText], bool],
    text: SearchText,
) -> bool:
    try:
        with store.open_local_file(f"{batch.folder}/{download.file}") as file:
            return compute_sha256(file) != download.sha256 or has_file_text(file, text)
    except DAMAGE_ERRORS:
        return True


def _has_text_in_records(file: Path, text: SearchText) -> bool:
    """Return whether a value of a record contains a text; the names of fields do not count."""
    with gzip.open(file, "rb") as lines:
        for line in lines:
            if text.encoded in line:
                record = msgspec.json.decode(line, type=dict[str, Any])
                if contains_text({**record, "record": ""}, text):
                    return True
    return False


def _has_text_in_list(file: Path, text: SearchText) -> bool:
    with zipfile.ZipFile(file) as archive, archive.open(recording_exports.LIST_FILE) as stream:
        rows = csv.reader(io.TextIOWrapper(stream, encoding="utf-8", newline=""))
        return any(text.text in cell for row in rows for cell in row)


# --- old editions -------------------------------------------------------------------------------------------------

EDITIONS_FOLDER: Final = "editions"
"""The folder of old editions: dated copies, which earlier versions generated and served under their dates.

They are no longer served. An edition is deleted if it contains something that must be removed.
"""

_EDITION_PATTERN: Final = re.compile(r"\d{4}-\d\d-\d\d(?:-[1-9]\d{0,3})?", re.ASCII)


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
    return _EDITION_PATTERN.fullmatch(name) is not None


def list_edition_names(store: ArtifactStore) -> list[str]:
    """List the names of the old editions in a store, by date. Raises UnavailableError."""
    names = (folder.rpartition("/")[2] for folder in store.list_folders(EDITIONS_FOLDER))
    return sorted(name for name in names if is_edition(name))


def read_editions(store: ArtifactStore) -> list[StoredBatch]:
    """Return the files of the old editions. Raises UnavailableError."""
    editions = ((name, _read_edition(store, name)) for name in list_edition_names(store))
    return [
        StoredBatch(f"{EDITIONS_FOLDER}/{name}", edition.files if edition else None, name) for name, edition in editions
    ]


def read_notices(store: ArtifactStore) -> list[Notice]:
    """Return the notices that earlier versions put into editions, one for each removal.

    Raises UnavailableError.
    """
    files: dict[tuple[int, str], dict[str, str]] = {}
    for name in list_edition_names(store):
        edition_list = _read_edition(store, name)
        for removed_file in edition_list.removed if edition_list else ():
            files.setdefault((removed_file.removed, removed_file.reason), {})[f"{name}/{removed_file.file}"] = (
                removed_file.sha256
            )
    return [Notice(removed, reason, sums) for (removed, reason), sums in files.items()]


def _read_edition(store: ArtifactStore, name: str) -> _EditionList | None:
    with suppress(msgspec.DecodeError):
        return msgspec.json.decode(store.read(f"{EDITIONS_FOLDER}/{name}/{LIST_FILE}") or b"", type=_EditionList)
    return None


def delete_editions(store: ArtifactStore, names: Collection[str]) -> None:
    """Delete old editions. Raises UnwritableError if some cannot be deleted, UnavailableError."""
    for name in names:
        store.remove_folder(f"{EDITIONS_FOLDER}/{name}")
    if remaining := sorted(set(names).intersection(list_edition_names(store))):
        raise UnwritableError(f"These old editions cannot be deleted: {', '.join(remaining)}.")
