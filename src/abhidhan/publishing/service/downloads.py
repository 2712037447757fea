"""The public downloads: generated as one batch, and published by every server at the same time."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final

import msgspec

from abhidhan.exchange.service.recording_exports import Hearing
from abhidhan.exchange.store import dump
from abhidhan.formats.registry import DOWNLOADS
from abhidhan.media.store.recordings import approved_names
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import Reader
from abhidhan.platform.sandbox.artifact_store import MadeStore
from abhidhan.publishing.model.dataset_citation import Dataset, as_cff, as_licences
from abhidhan.publishing.service import batch_publishing, takedowns
from abhidhan.publishing.service.batch_publishing import Lately, Making, Offered
from abhidhan.publishing.service.download_files import (
    LIST_FILE,
    VOICES_FILE,
    Downloads,
    MadeFiles,
    Notice,
    wanted_files,
    write_download,
)
from abhidhan.publishing.service.takedowns import Takedown
from abhidhan.records.errors import ConflictError, NotFoundError, sentence

SUMS_FILE: Final = "SHA256SUMS"
CITATIONS: Final[Mapping[str, tuple[str, Callable[[Dataset], str]]]] = {
    "LICENCES.txt": ("text/plain", as_licences),
    "CITATION.cff": ("application/yaml; charset=utf-8", as_cff),
}
"""Files that are written on request, since they contain the address of the server."""

LEASE: Final = "downloads"
"""The lease under which files are generated."""

NO_SUCH_FILE: Final = sentence("There is no such file. /downloads lists the files you can download.")
IN_USE: Final = "The download files are being created. Try again later."
STILL_IN_DICTIONARY: Final = (
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
    place: str = ""
    content: bytes = b""


class Asked(msgspec.Struct, frozen=True):
    """The files to generate: formats, languages with separate files, and the reader of recordings."""

    formats: tuple[str, ...]
    languages: tuple[str, ...]
    hearing: Hearing | None


def make_downloads(  # noqa: PLR0913  # the options of the command, each by its name
    database: Database,
    store: MadeStore,
    *,
    now: int,
    formats: Sequence[str] = DOWNLOADS,
    languages: Sequence[str] = (),
    hearing: Hearing | None = None,
    takedown: Takedown | None = None,
) -> Downloads:
    """Generate the downloads, unless they are up to date, and publish them all in one step.

    Each of the `languages` (codes) that has words also gets smaller files of its own; without `hearing`, the files have
    no recordings. Files with a withdrawn recording, or with the text of a `takedown`, are generated again with a
    notice;
    old editions that contain it are then deleted. If another process is generating files, returns the current ones.
    Raises ExportError, UnavailableError, ConflictError, and leaves the older files in place.
    """
    with batch_publishing.made_alone(database, store, LEASE) as held:
        known = read_downloads(store)
        if held is None:
            if takedown is not None:
                raise ConflictError(IN_USE)
            return known or Downloads(0, now, ())
        names = database.read_now(approved_names)
        removal = takedowns.find_removal(store, _all_files(store), names, takedown, now)
        asked = Asked(tuple(formats), tuple(languages), hearing)
        if known is None or removal.notices or removal.editions or not _is_of_today(known, database, asked):
            # An earlier run may already have copied notices of old editions that were deleted since.
            older = (*takedowns.read_notices(store), *(known.notices if known else ()))
            with batch_publishing.making(store, now, LIST_FILE) as files:
                known = _make(database, files, asked, now, _merged(older, removal.notices))
                if takedown and takedowns.holds_text(store, MadeFiles(files.folder, known.files), takedown.text):
                    raise ConflictError(STILL_IN_DICTIONARY)
                files.offer(database, held, known)
        takedowns.delete_editions(store, removal.editions)
        return known


def read_downloads(store: MadeStore) -> Downloads | None:
    """Return the published files; None if none were made yet. Raises UnavailableError."""
    return _listed(batch_publishing.read_offered(store, LIST_FILE))


def _listed(offered: Offered | None) -> Downloads | None:
    try:
        return msgspec.json.decode(offered.listed, type=Downloads) if offered else None
    except msgspec.DecodeError:
        return None


def find_download(offered: Offered | None, name: str, address: str) -> OpenedDownload:
    """Find a file, or write one about all of them; `address` is the URL of the page. Raises NotFoundError."""
    downloads = _listed(offered)
    if offered is None or downloads is None:
        raise NotFoundError(NO_SUCH_FILE)
    for one in downloads.files:
        if one.file == name:
            return OpenedDownload(
                name, one.media_type, one.size, one.sha256, downloads.made, f"{offered.folder}/{name}"
            )
    if name == LIST_FILE:
        return _written(name, "application/json", bytes(offered.listed), downloads.made)
    if name == SUMS_FILE:
        sums = "".join(f"{one.sha256}  {one.file}\n" for one in downloads.files)
        return _written(name, "text/plain", sums.encode(), downloads.made)
    if name in CITATIONS:
        media_type, write = CITATIONS[name]
        return _written(name, media_type, write(_dataset(downloads, address)).encode(), downloads.made)
    raise NotFoundError(NO_SUCH_FILE)


def _dataset(downloads: Downloads, address: str) -> Dataset:
    return Dataset(downloads.day, f"{downloads.day}.{downloads.data_version}", address, downloads.sources)


def _written(name: str, media_type: str, content: bytes, made: int) -> OpenedDownload:
    return OpenedDownload(name, media_type, len(content), hashlib.sha256(content).hexdigest(), made, content=content)


def _all_files(store: MadeStore) -> list[MadeFiles]:
    """List the current batch, if there is one, and the old editions."""
    return [*_current_files(store), *takedowns.read_editions(store)]


def _current_files(store: MadeStore) -> list[MadeFiles]:
    offered = batch_publishing.read_offered(store, LIST_FILE)
    downloads = _listed(offered)
    return [MadeFiles(offered.folder, downloads.files)] if offered and downloads else []


def _merged(older: Iterable[Notice], new: Iterable[Notice]) -> tuple[Notice, ...]:
    """Merge notices without duplicates, newest first."""
    merged = {(one.removed, one.reason): one for one in (*older, *new)}
    return tuple(merged[key] for key in sorted(merged, reverse=True))


def _is_of_today(known: Downloads, database: Database, asked: Asked) -> bool:
    if known.formats != asked.formats or known.languages != asked.languages:
        return False
    version, sources = database.read_now(lambda reader: (reader.data_version(), tuple(dump.dump_sources(reader))))
    # Lists that an older version of the program has written have no sources.
    return known.data_version == version and known.sources == sources


def _make(database: Database, making: Making, asked: Asked, now: int, notices: tuple[Notice, ...]) -> Downloads:
    files = []
    with database.snapshot() as reader, making.store.scratch() as scratch:
        for wanted in wanted_files(reader, asked.formats, asked.languages, asked.hearing):
            files.append(write_download(reader, wanted, scratch, asked.hearing))
            making.take(wanted.file, scratch / wanted.file)
        sources = tuple(dump.dump_sources(reader))
        version = reader.data_version()
        voices = approved_names(reader) if asked.hearing else {}
    making.write(VOICES_FILE, msgspec.json.encode(voices))
    return Downloads(version, now, tuple(files), asked.languages, asked.formats, sources, notices)


def hold_withdrawn(reader: Reader, store: MadeStore) -> bool:
    """Return whether the files contain a withdrawn recording, or an outdated name of a speaker."""
    names = approved_names(reader)
    return any(takedowns.holds_withdrawn(store, one, names) for one in _current_files(store))


class DownloadFiles:
    """The files of a store, read without blocking the event loop."""

    def __init__(self, store: MadeStore) -> None:
        """Initialise with the store."""
        self._store = store
        self._offered = Lately(store, partial(batch_publishing.read_offered, list_file=LIST_FILE))

    async def read_list(self) -> Downloads | None:
        """Return the published files; None if there are none. Raises UnavailableError."""
        return _listed(await self._offered())

    async def find(self, name: str, address: str) -> OpenedDownload:
        """Find a file, always reading the current list: a checksum from one server is valid on every other.

        `address` is the URL of the downloads page. Raises NotFoundError, UnavailableError.
        """
        return find_download(
            await asyncio.to_thread(batch_publishing.read_offered, self._store, LIST_FILE), name, address
        )

    async def pieces(self, found: OpenedDownload, first: int, length: int) -> AsyncIterator[bytes]:
        """Stream a range of a file. Raises FileNotFoundError if newer files have replaced it, UnavailableError."""
        if not found.place:
            return _one_piece(found.content[first : first + length])
        return await self._store.pieces(found.place, first, length)


async def _one_piece(content: bytes) -> AsyncIterator[bytes]:
    yield content
