"""The files that anybody may download: made together, and then offered as one, by every server alike."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Final

import msgspec

from abhidhan.domain.editions import CitedEdition, as_bibtex, as_cff, as_licences, as_sums, write_sums
from abhidhan.errors import GoneError, NotFoundError, sentence
from abhidhan.media.made_store import MadeStore
from abhidhan.services.exchange import edition_lists, edition_removal, editions, made_together
from abhidhan.services.exchange.download_files import (
    LIST_FILE,
    SUMS_FILE,
    VOICES_FILE,
    Downloads,
    wanted_files,
    write_download,
)
from abhidhan.services.exchange.edition_lists import Edition, place_of
from abhidhan.services.exchange.exporting import SQLITE
from abhidhan.services.exchange.made_together import Lately, Making, Offered
from abhidhan.services.exchange.voices import Hearing
from abhidhan.storage import dump
from abhidhan.storage.engine.database import Database
from abhidhan.storage.engine.leases import Fence
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.spoken import approved_names

FORMATS: Final = (
    *("jsonl.gz", "csv", "xlsx", "stardict", "dsl", "yomitan", "zim"),
    *("tei", "wn-lmf", "ontolex.gz", "cldf", "lift", "hunspell", "frequencies", "anki", SQLITE),
)
MEDIA_TYPES: Final = {LIST_FILE: "application/json", SUMS_FILE: "text/plain"}
WRITTEN: Final[Mapping[str, tuple[str, Callable[[CitedEdition], str]]]] = {
    SUMS_FILE: ("text/plain", as_sums),
    "LICENCES.txt": ("text/plain", as_licences),
    "CITATION.cff": ("application/yaml; charset=utf-8", as_cff),
    "citation.bib": ("application/x-bibtex; charset=utf-8", as_bibtex),
}
"""What is told of an edition beside its files, written when it is asked for: it names the address of the server."""

LEASE: Final = "downloads"
"""The lease under which files are made, and removed from editions."""

NO_SUCH_FILE: Final = sentence("There is no such file. /downloads lists the files you can download.")
NO_SUCH_EDITION: Final = sentence("There is no such edition. /downloads lists those that are kept.")


class OpenedDownload(msgspec.Struct, frozen=True):
    """A file to be sent: what is told of it, and its name in the store, or its content if that is written now.

    `edition` names the one that it is of.
    """

    name: str
    media_type: str
    size: int
    sha256: str
    made: int
    place: str = ""
    content: bytes = b""
    edition: str = ""


class Asked(msgspec.Struct, frozen=True):
    """Which files are to be made: formats, languages that have files of their own, and how recordings are read."""

    formats: tuple[str, ...]
    languages: tuple[str, ...]
    hearing: Hearing | None


def make_downloads(  # noqa: PLR0913  # the options of the command, each by its name
    database: Database,
    store: MadeStore,
    *,
    now: int,
    formats: Sequence[str] = FORMATS,
    languages: Sequence[str] = (),
    hearing: Hearing | None = None,
    kept: int = 0,
) -> Downloads:
    """Make the files for everybody, unless they are of these data already. All are offered at once, or none.

    Each of the `languages` (codes) that has words gets smaller files of its own besides; `hearing` is how recordings
    are read, without which no file has any. So many editions are `kept`; what speakers have taken back goes from all
    of them first. Only one process of all servers makes files; another that comes meanwhile gets what is there. Raises
    ExportError, UnavailableError, ConflictError; the older files are then offered as before.
    """
    with made_together.made_alone(database, store, LEASE) as held:
        known = read_downloads(store)
        if held is None:
            return known or Downloads(0, now, ())
        edition_removal.take_back(store, database.read_now(approved_names), now)
        asked = Asked(tuple(formats), tuple(languages), hearing)
        if known is None or not _is_of_today(known, database, asked):
            with made_together.making(store, now, LIST_FILE) as files:
                known = _make(database, held, files, asked, now)
        editions.keep(store, known, kept)
        return known


def read_downloads(store: MadeStore) -> Downloads | None:
    """Read which files there are; None when none were made yet. Raises UnavailableError."""
    return _listed(made_together.read_offered(store, LIST_FILE))


def _listed(offered: Offered | None) -> Downloads | None:
    try:
        return msgspec.json.decode(offered.listed, type=Downloads) if offered else None
    except msgspec.DecodeError:
        return None


def find_download(offered: Offered | None, name: str) -> OpenedDownload:
    """Find a file of those that are offered, or their list or checksums. Raises NotFoundError."""
    downloads = _listed(offered)
    if offered is None or downloads is None:
        raise NotFoundError(NO_SUCH_FILE)
    for one in downloads.files:
        if one.file == name:
            return OpenedDownload(
                name, one.media_type, one.size, one.sha256, downloads.made, f"{offered.folder}/{name}"
            )
    if name == LIST_FILE:
        return _written(name, MEDIA_TYPES[name], bytes(offered.listed), downloads.made)
    if name == SUMS_FILE:
        sums = write_sums({one.file: one.sha256 for one in downloads.files})
        return _written(name, MEDIA_TYPES[name], sums.encode(), downloads.made)
    raise NotFoundError(NO_SUCH_FILE)


def _written(name: str, media_type: str, content: bytes, made: int) -> OpenedDownload:
    return OpenedDownload(name, media_type, len(content), hashlib.sha256(content).hexdigest(), made, content=content)


def _is_of_today(known: Downloads, database: Database, asked: Asked) -> bool:
    if known.formats != asked.formats or known.languages != asked.languages:
        return False
    version, sources = database.read_now(lambda reader: (reader.data_version(), tuple(dump.dump_sources(reader))))
    # A list that an older version of the program has written names no sources.
    return known.data_version == version and known.sources == sources


def _make(database: Database, held: Fence, making: Making, asked: Asked, now: int) -> Downloads:
    files = []
    with database.snapshot() as reader, making.store.scratch() as scratch:
        for wanted in wanted_files(reader, asked.formats, asked.languages, asked.hearing):
            files.append(write_download(reader, wanted, scratch, asked.hearing))
            making.take(wanted.file, scratch / wanted.file)
        sources = tuple(dump.dump_sources(reader))
        downloads = Downloads(reader.data_version(), now, tuple(files), asked.languages, asked.formats, sources)
        voices = approved_names(reader) if asked.hearing else {}
    making.write(VOICES_FILE, msgspec.json.encode(voices))
    making.offer(database, held, downloads)
    return downloads


def holds_what_was_taken_back(reader: Reader, store: MadeStore) -> bool:
    """Say whether the files hold a recording that was taken back, or name its speaker otherwise than now.

    What nobody may have any more is in the files until they are made anew.
    """
    offered = made_together.read_offered(store, LIST_FILE)
    known = editions.read_voices(store, offered.folder) if offered else {}
    return known is None or (bool(known) and not known.items() <= approved_names(reader).items())


def find_in_edition(store: MadeStore, name: str, file: str, address: str) -> OpenedDownload:
    """Find a file of an edition, or what is told of it; `address` is that of its page.

    Raises NotFoundError, and GoneError for a file that was removed.
    """
    edition = edition_lists.read_edition(store, name)
    if edition is None:
        raise NotFoundError(NO_SUCH_EDITION)
    if (told := _told(edition, file, address)) is not None:
        kind, content = told
        return _written(file, kind, content, edition.changed)
    if (one := edition.find(file)) is not None:
        made = edition.changed_of(file)
        return OpenedDownload(file, one.media_type, one.size, one.sha256, made, place_of(edition, file), edition=name)
    if any(one.file == file for one in edition.removed):
        raise GoneError(sentence("This file was removed from this edition. The page of the edition says why."))
    raise NotFoundError(NO_SUCH_FILE)


def cited(edition: Edition, address: str) -> CitedEdition:
    """Return an edition as it is cited."""
    day = datetime.fromtimestamp(edition.made, UTC).date().isoformat()
    return CitedEdition(edition.name, day, address, edition.sources, {one.file: one.sha256 for one in edition.files})


def _told(edition: Edition, file: str, address: str) -> tuple[str, bytes] | None:
    """Write what is told of an edition, with its media type; None for other names."""
    if file == LIST_FILE:
        return MEDIA_TYPES[LIST_FILE], msgspec.json.encode(edition)
    if file not in WRITTEN:
        return None
    kind, write = WRITTEN[file]
    return kind, write(cited(edition, address)).encode()


def _is_listed(store: MadeStore, found: OpenedDownload) -> bool:
    """Say whether the list of an edition still has a file as it was found."""
    edition = edition_lists.read_edition(store, found.edition)
    listed = edition.find(found.name) if edition else None
    return listed is not None and listed.sha256 == found.sha256


class DownloadFiles:
    """The files of a store, read while other requests are answered."""

    def __init__(self, store: MadeStore) -> None:
        """Take the store."""
        self._store = store
        self._offered = Lately(store, partial(made_together.read_offered, list_file=LIST_FILE))
        self._editions = Lately(store, edition_lists.read_editions)

    async def read_list(self) -> Downloads | None:
        """Read which files are offered; None when there are none. Raises UnavailableError."""
        return _listed(await self._offered())

    async def find(self, name: str) -> OpenedDownload:
        """Find a file, as of now: whoever has checksums of one server and asks another gets the file that has them.

        Raises NotFoundError, UnavailableError.
        """
        return find_download(await asyncio.to_thread(made_together.read_offered, self._store, LIST_FILE), name)

    async def pieces(self, found: OpenedDownload, first: int, length: int) -> AsyncIterator[bytes]:
        """Open a part of a file. Raises FileNotFoundError where others have taken its place, UnavailableError."""
        if not found.place:
            return _one_piece(found.content[first : first + length])
        opened = await self._store.pieces(found.place, first, length)
        # Before a file was written anew, another list had it: what was opened is what the list says if it still does.
        if found.edition and not await asyncio.to_thread(_is_listed, self._store, found):
            raise FileNotFoundError(found.place)
        return opened

    async def read_editions(self) -> list[Edition]:
        """Read which editions are kept, the newest first. Raises UnavailableError."""
        return await self._editions()

    async def read_edition(self, name: str) -> Edition:
        """Read what an edition has. Raises NotFoundError, UnavailableError."""
        edition = await asyncio.to_thread(edition_lists.read_edition, self._store, name)
        if edition is None:
            raise NotFoundError(NO_SUCH_EDITION)
        return edition

    async def find_in_edition(self, name: str, file: str, address: str) -> OpenedDownload:
        """Find a file of an edition, or what is told of it. Raises NotFoundError, GoneError and UnavailableError."""
        return await asyncio.to_thread(find_in_edition, self._store, name, file, address)


async def _one_piece(content: bytes) -> AsyncIterator[bytes]:
    yield content
