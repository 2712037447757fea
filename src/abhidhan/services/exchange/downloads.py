"""The files that anybody may download: made together in a folder of their own, which then takes its place as one."""

import asyncio
import hashlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from abhidhan.errors import NotFoundError, sentence
from abhidhan.services.exchange import made_folder
from abhidhan.services.exchange.download_files import Download, wanted_files, write_download
from abhidhan.services.exchange.exporting import SQLITE
from abhidhan.services.exchange.voices import Hearing
from abhidhan.storage.engine.database import Database
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.spoken import approved_names

FORMATS: Final = ("jsonl.gz", "csv", "xlsx", "stardict", "dictd", "tei", "wn-lmf", "cldf", "lift", "anki", SQLITE)
LIST_FILE: Final = "downloads.json"
SUMS_FILE: Final = "SHA256SUMS"
VOICES_FILE: Final = "voices.json"
"""Which recordings are in the files, by their IDs, and whom they name: nobody is offered it."""

MEDIA_TYPES: Final = {LIST_FILE: "application/json", SUMS_FILE: "text/plain"}
TRIES: Final = 3
"""How often a file is looked for: between two looks, newer files may have taken the place of the older ones."""


class Downloads(msgspec.Struct, frozen=True):
    """The files that were made, of which data version and when (seconds since 1970, UTC).

    `languages` are those for which files of their own were asked, whether they have words or not; `formats` those that
    were asked, beside which there are recordings if any are approved.
    """

    data_version: int
    made: int
    files: tuple[Download, ...]
    languages: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()

    def of_everything(self) -> list[Download]:
        """List the files that hold everything."""
        return [one for one in self.files if not one.language]

    def by_language(self) -> dict[str, list[Download]]:
        """List the files of each language, by its code."""
        listed: dict[str, list[Download]] = {}
        for one in self.files:
            if one.language:
                listed.setdefault(one.language, []).append(one)
        return listed


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
) -> Downloads:
    """Make the files for everybody, unless they are of these data already. All are offered at once, or none.

    Each of the `languages` (codes) that has words gets smaller files of its own besides; `hearing` is how recordings
    are read, without which no file has any. Only one process makes them; another that comes meanwhile gets what is
    there. Raises ExportError, UnavailableError; the older files are then offered as before.
    """
    with made_folder.made_alone(folder) as is_mine:
        known = read_downloads(folder)
        if not is_mine:
            return known or Downloads(0, now, ())
        if known is not None and _is_of_today(known, database, formats, languages):
            return known
        made_folder.sweep(folder)
        try:
            return _make(database, folder, (formats, languages), now, hearing)
        finally:
            made_folder.sweep(folder)


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
    same = known.formats == tuple(formats) and known.languages == tuple(languages)
    return same and known.data_version == database.read_now(Reader.data_version)


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
        downloads = Downloads(reader.data_version(), now, files, tuple(languages), tuple(formats))
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
    try:
        held = (folder / made_folder.CURRENT / VOICES_FILE).read_bytes()
    except FileNotFoundError:
        return False
    known = msgspec.json.decode(held, type=dict[int, str | None])
    return bool(known) and not known.items() <= approved_names(reader).items()


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
