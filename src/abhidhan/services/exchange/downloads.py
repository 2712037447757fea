"""The files that anybody may download: made together in a folder of their own, which then takes its place as one."""

import asyncio
import hashlib
import io
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from abhidhan.domain.editions import CitedEdition, as_bibtex, as_cff, as_licences, as_sums
from abhidhan.errors import GoneError, NotFoundError, sentence
from abhidhan.services.exchange import edition_lists, edition_removal, editions, made_folder
from abhidhan.services.exchange.download_files import (
    LIST_FILE,
    SUMS_FILE,
    VOICES_FILE,
    Downloads,
    wanted_files,
    write_download,
)
from abhidhan.services.exchange.edition_lists import Edition
from abhidhan.services.exchange.exporting import SQLITE
from abhidhan.services.exchange.voices import Hearing
from abhidhan.storage import dump
from abhidhan.storage.engine.database import Database
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.spoken import approved_names

FORMATS: Final = (
    *("jsonl.gz", "csv", "xlsx", "stardict", "dsl", "yomitan", "dictd"),
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

TRIES: Final = 3
"""How often a file is looked for: between two looks, newer files may have taken the place of the older ones."""


class OpenedDownload(msgspec.Struct, frozen=True):
    """A file opened to be read; it stays whole whatever takes its place meanwhile."""

    stream: BinaryIO
    name: str
    media_type: str
    size: int
    sha256: str
    made: int


def make_downloads(  # noqa: PLR0913  # the options of the command, each by its name
    database: Database,
    folder: Path,
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
    of them first. Only one process makes files; another that comes meanwhile gets what is there. Raises ExportError,
    UnavailableError; the older files are then offered as before.
    """
    with made_folder.made_alone(folder) as is_mine:
        known = read_downloads(folder)
        if not is_mine:
            return known or Downloads(0, now, ())
        edition_removal.take_back(folder, database.read_now(approved_names), now)
        if known is None or not _is_of_today(known, database, formats, languages):
            made_folder.sweep(folder)
            try:
                known = _make(database, folder, (formats, languages), now, hearing)
            finally:
                made_folder.sweep(folder)
        editions.keep(folder, known, kept)
        return known


def read_downloads(folder: Path) -> Downloads | None:
    """Read which files there are; None when none were made yet."""
    try:
        return msgspec.json.decode((folder / made_folder.CURRENT / LIST_FILE).read_bytes(), type=Downloads)
    except (FileNotFoundError, msgspec.DecodeError):
        return None


def open_download(folder: Path, name: str) -> OpenedDownload:
    """Open a file of those that are offered, or their list or checksums. Raises NotFoundError."""
    for _ in range(TRIES):
        with suppress(FileNotFoundError):
            return _open(made_folder.offered(folder), name)
    raise NotFoundError(sentence("There is no such file. /downloads lists the files you can download."))


def _open(made: Path, name: str) -> OpenedDownload:
    listed = (made / LIST_FILE).read_bytes()
    downloads = msgspec.json.decode(listed, type=Downloads)
    offered = next((one for one in downloads.files if one.file == name), None)
    if offered is None and name not in MEDIA_TYPES:
        raise NotFoundError(sentence("There is no such file. /downloads lists the files you can download."))
    stream = (made / name).open("rb")
    if offered is not None:
        kind, size, digest = offered.media_type, offered.size, offered.sha256
    else:
        content = stream.read()
        stream.seek(0)
        kind, size, digest = MEDIA_TYPES[name], len(content), hashlib.sha256(content).hexdigest()
    return OpenedDownload(stream, name, kind, size, digest, downloads.made)


def _is_of_today(known: Downloads, database: Database, formats: Sequence[str], languages: Sequence[str]) -> bool:
    if known.formats != tuple(formats) or known.languages != tuple(languages):
        return False
    version, sources = database.read_now(lambda reader: (reader.data_version(), tuple(dump.dump_sources(reader))))
    # A list that an older version of the program has written names no sources.
    return known.data_version == version and known.sources == sources


def _make(
    database: Database,
    folder: Path,
    asked: tuple[Sequence[str], Sequence[str]],
    now: int,
    hearing: Hearing | None,
) -> Downloads:
    formats, languages = asked
    unfinished = made_folder.begin(folder, now)
    with database.snapshot() as reader:
        wanted = wanted_files(reader, formats, languages, hearing)
        files = tuple(write_download(reader, one, unfinished, hearing) for one in wanted)
        sources = tuple(dump.dump_sources(reader))
        downloads = Downloads(reader.data_version(), now, files, tuple(languages), tuple(formats), sources)
        voices = approved_names(reader) if hearing else {}
    sums = "".join(f"{one.sha256}  {one.file}\n" for one in files)
    made_folder.write(unfinished / SUMS_FILE, sums.encode())
    made_folder.write(unfinished / VOICES_FILE, msgspec.json.encode(voices))
    made_folder.write(unfinished / LIST_FILE, msgspec.json.encode(downloads))
    made_folder.offer(folder, unfinished)
    return downloads


def holds_what_was_taken_back(reader: Reader, folder: Path) -> bool:
    """Say whether the files hold a recording that was taken back, or name its speaker otherwise than now.

    What nobody may have any more is in the files until they are made anew.
    """
    known = editions.read_voices(folder / made_folder.CURRENT)
    return known is None or (bool(known) and not known.items() <= approved_names(reader).items())


def open_in_edition(folder: Path, name: str, file: str, address: str) -> OpenedDownload:
    """Open a file of an edition, or what is told of it; `address` is that of its page.

    Raises NotFoundError, and GoneError for a file that was removed.
    """
    edition = edition_lists.read_edition(folder, name)
    if edition is None:
        raise NotFoundError(sentence("There is no such edition. /downloads lists those that are kept."))
    if (told := _told(edition, file, address)) is not None:
        kind, content = told
        digest = hashlib.sha256(content).hexdigest()
        return OpenedDownload(io.BytesIO(content), file, kind, len(content), digest, edition.changed)
    for _ in range(TRIES):
        if (opened := _open_listed(folder, name, file)) is not None:
            return opened
    if any(one.file == file for one in edition.removed):
        raise GoneError(sentence("This file was removed from this edition. The page of the edition says why."))
    raise NotFoundError(sentence("There is no such file. /downloads lists the files you can download."))


def _open_listed(folder: Path, name: str, file: str) -> OpenedDownload | None:
    """Open a file of an edition; None where there is none, or another one has just taken its place."""
    edition = edition_lists.read_edition(folder, name)
    listed = edition and edition.find(file)
    if not edition or not listed:
        return None
    try:
        stream = edition_lists.file_of(folder, edition, file).open("rb")
    except FileNotFoundError:
        return None
    # Before a file was written anew, another list had it: what was opened is what the list says only if it still does.
    if edition_lists.read_edition(folder, name) != edition:
        stream.close()
        return None
    return OpenedDownload(stream, file, listed.media_type, listed.size, listed.sha256, edition.changed_of(file))


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


class DownloadFiles:
    """The files of a folder, read while other requests are answered."""

    def __init__(self, folder: Path) -> None:
        """Take the folder."""
        self._folder = folder

    async def read_list(self) -> Downloads | None:
        """Read which files are offered; None when there are none."""
        return await asyncio.to_thread(read_downloads, self._folder)

    async def open(self, name: str) -> OpenedDownload:
        """Open a file. Raises NotFoundError."""
        return await asyncio.to_thread(open_download, self._folder, name)

    async def read_editions(self) -> list[Edition]:
        """Read which editions are kept, the newest first."""
        return await asyncio.to_thread(edition_lists.read_editions, self._folder)

    async def read_edition(self, name: str) -> Edition:
        """Read what an edition has. Raises NotFoundError."""
        edition = await asyncio.to_thread(edition_lists.read_edition, self._folder, name)
        if edition is None:
            raise NotFoundError(sentence("There is no such edition. /downloads lists those that are kept."))
        return edition

    async def open_in_edition(self, name: str, file: str, address: str) -> OpenedDownload:
        """Open a file of an edition, or what is told of it. Raises NotFoundError and GoneError."""
        return await asyncio.to_thread(open_in_edition, self._folder, name, file, address)
