"""Access to published downloads in a folder, without a server."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import msgspec

from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.publishing.service.batch_publishing import read_published
from abhidhan.publishing.service.download_files import LIST_FILE
from abhidhan.publishing.service.downloads import OpenedDownload, find_download, read_downloads

DOWNLOADS_URL = "https://abhidhan.example.org/downloads"


def open_published(folder: Path, name: str) -> OpenedDownload:
    """Return a published file of a folder. Raises NotFoundError."""
    return find_download(read_published(ArtifactStore(folder), LIST_FILE), name, DOWNLOADS_URL)


def read_published_file(folder: Path, name: str) -> bytes:
    """Return the content of a published file of a folder. Raises NotFoundError."""
    opened = open_published(folder, name)
    return (folder / opened.stored_name).read_bytes() if opened.stored_name else opened.content


def find_published_folder(folder: Path) -> Path:
    """Return the folder of the published files."""
    known = read_published(ArtifactStore(folder), LIST_FILE)
    assert known is not None
    return folder / known.folder


def list_generated_folders(folder: Path) -> list[str]:
    """Return the names of the folders with generated files."""
    return [path.name for path in folder.iterdir() if path.name.startswith("made-")]


def make_old_edition(folder: Path, name: str, removed: Sequence[object] = ()) -> Path:
    """Copy the published files to an edition, as in earlier versions, and return its folder."""
    edition = folder / "editions" / name
    shutil.copytree(find_published_folder(folder), edition)
    listed = msgspec.to_builtins(read_downloads(ArtifactStore(folder)))
    listed.pop("notices")
    (edition / LIST_FILE).write_bytes(msgspec.json.encode({**listed, "name": name, "removed": removed}))
    return edition
