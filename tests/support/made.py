"""Files that a server makes for everybody, read without one."""

from pathlib import Path

from abhidhan.media.made_store import MadeStore
from abhidhan.services.exchange.download_files import LIST_FILE
from abhidhan.services.exchange.downloads import OpenedDownload, find_download, find_in_edition
from abhidhan.services.exchange.made_together import read_offered

ADDRESS = "https://abhidhan.example.org/downloads/edition"


def found(folder: Path, name: str) -> OpenedDownload:
    """Find a file that is offered in a folder. Raises NotFoundError."""
    return find_download(read_offered(MadeStore(folder), LIST_FILE), name)


def content(folder: Path, name: str) -> bytes:
    """Read a file that is offered in a folder. Raises NotFoundError."""
    return _read(folder, found(folder, name))


def content_in_edition(folder: Path, edition: str, name: str) -> bytes:
    """Read a file of an edition, or what is told of it. Raises NotFoundError and GoneError."""
    return _read(folder, find_in_edition(MadeStore(folder), edition, name, ADDRESS))


def made_folders(folder: Path) -> list[str]:
    """List the folders in which files stand that were made together."""
    return [path.name for path in folder.iterdir() if path.name.startswith("made-")]


def _read(folder: Path, opened: OpenedDownload) -> bytes:
    return (folder / opened.place).read_bytes() if opened.place else opened.content
