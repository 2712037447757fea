"""Files that a server makes for everybody, in a folder, read and removed without a server."""

from pathlib import Path

from abhidhan.media.made_store import MadeStore
from abhidhan.services.exchange import edition_lists, edition_requests
from abhidhan.services.exchange.download_files import LIST_FILE
from abhidhan.services.exchange.downloads import OpenedDownload, find_download, find_in_edition
from abhidhan.services.exchange.edition_lists import Edition, place_of
from abhidhan.services.exchange.edition_requests import Wanted
from abhidhan.services.exchange.made_together import read_offered
from abhidhan.storage.engine.database import Database

ADDRESS = "https://abhidhan.example.org/downloads/edition"
NOWHERE = "sqlite:////nowhere/dictionary.sqlite3"
"""A database that is never opened: what is in a folder on one machine needs none."""


def found(folder: Path, name: str) -> OpenedDownload:
    """Find a file that is offered in a folder. Raises NotFoundError."""
    return find_download(read_offered(MadeStore(folder), LIST_FILE), name)


def content(folder: Path, name: str) -> bytes:
    """Read a file that is offered in a folder. Raises NotFoundError."""
    return _read(folder, found(folder, name))


def content_in_edition(folder: Path, edition: str, name: str) -> bytes:
    """Read a file of an edition, or what is told of it. Raises NotFoundError and GoneError."""
    return _read(folder, find_in_edition(MadeStore(folder), edition, name, ADDRESS))


def offered(folder: Path) -> Path:
    """Return the folder of the files that are offered."""
    known = read_offered(MadeStore(folder), LIST_FILE)
    assert known is not None
    return folder / known.folder


def made_folders(folder: Path) -> list[str]:
    """List the folders in which files stand that were made together."""
    return [path.name for path in folder.iterdir() if path.name.startswith("made-")]


def read_editions(folder: Path) -> list[Edition]:
    """Read which editions are kept, the newest first."""
    return edition_lists.read_editions(MadeStore(folder))


def read_edition(folder: Path, name: str) -> Edition | None:
    """Read what an edition has."""
    return edition_lists.read_edition(MadeStore(folder), name)


def file_of(folder: Path, edition: Edition, file: str) -> Path:
    """Return where a file of an edition stands."""
    return folder / place_of(edition, file)


def remove_from_editions(folder: Path, wanted: Wanted, now: int) -> list[Edition]:
    """Remove a text or files from editions."""
    with Database(NOWHERE) as database:
        return edition_requests.remove_from_editions(database, MadeStore(folder), wanted, now)


def _read(folder: Path, opened: OpenedDownload) -> bytes:
    return (folder / opened.place).read_bytes() if opened.place else opened.content
