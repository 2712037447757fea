"""The public downloads: generated as one batch, and published by every server at the same time."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final

import msgspec

from abhidhan.exchange.service.recording_exports import RecordingOptions
from abhidhan.exchange.store import dump
from abhidhan.media.store.recordings import load_speakers
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.publishing.model.dataset_citation import Dataset, format_cff, format_licences
from abhidhan.publishing.service import batch_publishing, takedowns
from abhidhan.publishing.service.batch_publishing import Batch, CachedValue, PublishedBatch
from abhidhan.publishing.service.download_files import (
    LIST_FILE,
    SPEAKER_NAMES_FILE,
    Downloads,
    Notice,
    StoredBatch,
    list_download_specs,
    write_download,
)
from abhidhan.publishing.service.takedowns import Takedown
from abhidhan.records.errors import ConflictError, NotFoundError, sentence

SUMS_FILE: Final = "SHA256SUMS"
CITATION_FORMATTERS: Final[Mapping[str, tuple[str, Callable[[Dataset], str]]]] = {
    "LICENCES.txt": ("text/plain", format_licences),
    "CITATION.cff": ("application/yaml; charset=utf-8", format_cff),
}
"""Files that are written on request, since they contain the address of the server."""

LEASE_NAME: Final = "downloads"
"""Name of the lease under which files are generated."""

NO_FILE_MESSAGE: Final = sentence("There is no such file. /downloads lists the files you can download.")
IN_PROGRESS_MESSAGE: Final = "The download files are being created. Try again later."
STILL_IN_DICTIONARY_MESSAGE: Final = (
    "The dictionary still contains this text, so the files at /downloads have not changed. Delete it there, then "
    "run this command again."
)


class OpenedDownload(msgspec.Struct, frozen=True):
    """A file to send: its description, with its name in the store, or its content if it was written on request."""

    name: str
    media_type: str
    size: int
    sha256: str
    made: int
    stored_name: str = ""
    content: bytes = b""


class DownloadRequest(msgspec.Struct, frozen=True):
    """The files to generate: formats, languages with separate files, and the reader of recordings."""

    formats: tuple[str, ...]
    languages: tuple[str, ...]
    recording_options: RecordingOptions | None


def generate_downloads(  # noqa: PLR0913  # the options of the command, each by its name
    database: Database,
    store: ArtifactStore,
    *,
    now: int,
    formats: Sequence[str],
    languages: Sequence[str] = (),
    recording_options: RecordingOptions | None = None,
    takedown: Takedown | None = None,
) -> Downloads:
    """Generate the downloads, unless they are up to date, and publish them all in one step.

    Each of the `languages` (codes) that has words also gets smaller files of its own. Without `recording_options`, the
    files have no recordings. Files with a withdrawn recording, or with the text of a `takedown`, are generated again
    with a notice; old editions that contain it are then deleted. If another process is generating files, returns the
    current ones.
    Raises ExportError, UnavailableError, ConflictError, and leaves the older files in place.
    """
    with batch_publishing.generation_lock(database, store, LEASE_NAME) as fence:
        downloads = read_downloads(store)
        if fence is None:
            if takedown is not None:
                raise ConflictError(IN_PROGRESS_MESSAGE)
            return downloads or Downloads(0, now, ())
        names = database.read_now(load_speakers)
        removal = takedowns.find_removal(store, _list_batches(store), names, takedown, now)
        request = DownloadRequest(tuple(formats), tuple(languages), recording_options)
        if downloads is None or removal.notices or removal.editions or not _is_up_to_date(downloads, database, request):
            # An earlier run may already have copied notices of old editions that were deleted since.
            older = (*takedowns.read_notices(store), *(downloads.notices if downloads else ()))
            with batch_publishing.open_batch(store, now, LIST_FILE) as files:
                downloads = _generate(database, files, request, now, _merge_notices(older, removal.notices))
                if takedown and takedowns.has_text(store, StoredBatch(files.folder, downloads.files), takedown.text):
                    raise ConflictError(STILL_IN_DICTIONARY_MESSAGE)
                files.publish(database, fence, downloads)
        takedowns.delete_editions(store, removal.editions)
        return downloads


def read_downloads(store: ArtifactStore) -> Downloads | None:
    """Return the published files; None if none were made yet. Raises UnavailableError."""
    return _decode_list(batch_publishing.read_published(store, LIST_FILE))


def _decode_list(published: PublishedBatch | None) -> Downloads | None:
    try:
        return msgspec.json.decode(published.listed, type=Downloads) if published else None
    except msgspec.DecodeError:
        return None


def find_download(published: PublishedBatch | None, name: str, address: str) -> OpenedDownload:
    """Find a file, or generate a list, checksum or citation file. Raises NotFoundError."""
    downloads = _decode_list(published)
    if published is None or downloads is None:
        raise NotFoundError(NO_FILE_MESSAGE)
    for download in downloads.files:
        if download.file == name:
            return OpenedDownload(
                name, download.media_type, download.size, download.sha256, downloads.made, f"{published.folder}/{name}"
            )
    if name == LIST_FILE:
        return _describe_generated(name, "application/json", bytes(published.listed), downloads.made)
    if name == SUMS_FILE:
        sums = "".join(f"{download.sha256}  {download.file}\n" for download in downloads.files)
        return _describe_generated(name, "text/plain", sums.encode(), downloads.made)
    if name in CITATION_FORMATTERS:
        media_type, write = CITATION_FORMATTERS[name]
        return _describe_generated(name, media_type, write(_build_dataset(downloads, address)).encode(), downloads.made)
    raise NotFoundError(NO_FILE_MESSAGE)


def _build_dataset(downloads: Downloads, address: str) -> Dataset:
    return Dataset(downloads.day, f"{downloads.day}.{downloads.data_version}", address, downloads.sources)


def _describe_generated(name: str, media_type: str, content: bytes, made: int) -> OpenedDownload:
    return OpenedDownload(name, media_type, len(content), hashlib.sha256(content).hexdigest(), made, content=content)


def _list_batches(store: ArtifactStore) -> list[StoredBatch]:
    """List the current batch, if there is one, and the old editions."""
    return [*_list_current(store), *takedowns.read_editions(store)]


def _list_current(store: ArtifactStore) -> list[StoredBatch]:
    published = batch_publishing.read_published(store, LIST_FILE)
    downloads = _decode_list(published)
    return [StoredBatch(published.folder, downloads.files)] if published and downloads else []


def _merge_notices(older: Iterable[Notice], new: Iterable[Notice]) -> tuple[Notice, ...]:
    """Merge notices without duplicates, newest first."""
    merged = {(notice.removed, notice.reason): notice for notice in (*older, *new)}
    return tuple(merged[key] for key in sorted(merged, reverse=True))


def _is_up_to_date(downloads: Downloads, database: Database, request: DownloadRequest) -> bool:
    if not downloads.has_settings(request.formats, request.languages):
        return False
    version, sources = database.read_now(lambda reader: (reader.read_data_version(), tuple(dump.dump_sources(reader))))
    # Lists that an older version of the program has written have no sources.
    return downloads.data_version == version and downloads.sources == sources


def _generate(
    database: Database, batch: Batch, request: DownloadRequest, now: int, notices: tuple[Notice, ...]
) -> Downloads:
    files = []
    with database.snapshot() as reader, batch.store.open_scratch_folder() as scratch:
        for spec in list_download_specs(reader, request.formats, request.languages, request.recording_options):
            files.append(write_download(reader, spec, scratch, request.recording_options))
            batch.add_file(spec.file, scratch / spec.file)
        sources = tuple(dump.dump_sources(reader))
        version = reader.read_data_version()
        speaker_names = load_speakers(reader) if request.recording_options else {}
    batch.write(SPEAKER_NAMES_FILE, msgspec.json.encode(speaker_names))
    return Downloads(version, now, tuple(files), request.languages, request.formats, sources, notices)


def has_withdrawn_recordings(connection: ReadConnection, store: ArtifactStore) -> bool:
    """Return whether the files contain a withdrawn recording, or an outdated name of a speaker."""
    names = load_speakers(connection)
    return any(takedowns.has_withdrawn_recording(store, batch, names) for batch in _list_current(store))


class DownloadFiles:
    """The files of a store, read without blocking the event loop."""

    def __init__(self, store: ArtifactStore) -> None:
        """Initialise with the store."""
        self._store = store
        self._published_batch = CachedValue(store, partial(batch_publishing.read_published, list_file=LIST_FILE))

    async def read_list(self) -> Downloads | None:
        """Return the published files; None if there are none. Raises UnavailableError."""
        return _decode_list(await self._published_batch())

    async def find(self, name: str, address: str) -> OpenedDownload:
        """Find a file, always reading the current list: a checksum from one server is valid on every other.

        `address` is the URL of the downloads page. Raises NotFoundError, UnavailableError.
        """
        return find_download(
            await asyncio.to_thread(batch_publishing.read_published, self._store, LIST_FILE), name, address
        )

    async def stream(self, download: OpenedDownload, first: int, length: int) -> AsyncIterator[bytes]:
        """Stream a range of a file. Raises FileNotFoundError if newer files have replaced it, UnavailableError."""
        if not download.stored_name:
            return _single_chunk(download.content[first : first + length])
        return await self._store.open_chunks(download.stored_name, first, length)


async def _single_chunk(content: bytes) -> AsyncIterator[bytes]:
    yield content
