"""The archive of a backup: writing files with their checksums, and verifying or unpacking them."""

import hashlib
import io
import os
import tarfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

import msgspec

from abhidhan.platform.database.compiled_queries import chunks
from abhidhan.platform.runtime import files
from abhidhan.platform.sandbox.object_store import FileStore, parse_key
from abhidhan.records.errors import AbhidhanError

MANIFEST_FILE: Final = "MANIFEST.json"
DATABASE_FILE: Final = "dictionary.sqlite3"
CHUNK_BYTES: Final = 1024 * 1024
FORMAT_VERSION: Final = 1
"""The format version of the archive; newer versions of this program use greater numbers."""

MAX_CONCURRENT_READS: Final = 8
"""Number of files fetched from a store in parallel and held in memory."""


class BackupError(AbhidhanError):
    """The failure of a backup or a restore; the message gives the reason."""


class BackupManifest(msgspec.Struct, frozen=True):
    """The content of an archive: the SHA-256 of each file, and its creation time (seconds since 1970, UTC)."""

    form: int
    made: int
    program: str
    files: dict[str, str]


def write_archive(
    target: Path, database: Path, locations: Mapping[str, Path | FileStore], *, now: int, program: str
) -> BackupManifest:
    """Write an archive of a database file and of folders and stores, whose names in it are the keys of `locations`."""
    with tarfile.open(target, "w:gz", compresslevel=6) as archive:
        digests = dict([_add_file(archive, database, DATABASE_FILE)])
        for name, location in locations.items():
            added = (
                _add_folder(archive, location, name)
                if isinstance(location, Path)
                else _add_store(archive, location, name)
            )
            digests.update(added)
        manifest = BackupManifest(FORMAT_VERSION, now, program, digests)
        _add_content(archive, MANIFEST_FILE, msgspec.json.format(msgspec.json.encode(manifest)), now)
    return manifest


def _add_folder(archive: tarfile.TarFile, folder: Path, prefix: str) -> Iterator[tuple[str, str]]:
    """Add the files of a folder, and yield their names and checksums; skip files that are deleted during the backup."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            with suppress(FileNotFoundError):
                yield _add_file(archive, path, f"{prefix}/{path.relative_to(folder)}")


def _add_store(archive: tarfile.TarFile, store: FileStore, prefix: str) -> Iterator[tuple[str, str]]:
    """Add the uploads in a store, and yield their names and checksums; skip uploads deleted during the backup."""
    uploads = sorted((file for file in store.list_now() if parse_key(file.name)), key=lambda file: file.name)
    with ThreadPoolExecutor(MAX_CONCURRENT_READS) as threads:
        for batch in chunks(uploads, MAX_CONCURRENT_READS):
            for file, content in zip(batch, threads.map(store.read_now, [file.name for file in batch]), strict=True):
                if content is not None:
                    name = f"{prefix}/{file.name}"
                    _add_content(archive, name, content, file.modified_at)
                    yield name, hashlib.sha256(content).hexdigest()


def _add_file(archive: tarfile.TarFile, path: Path, name: str) -> tuple[str, str]:
    with path.open("rb") as stream:
        information = archive.gettarinfo(arcname=name, fileobj=stream)
        information.uid = information.gid = 0
        information.uname = information.gname = ""
        digest = _DigestStream(stream)
        archive.addfile(information, digest)
        return name, digest.hexdigest()


def _add_content(archive: tarfile.TarFile, name: str, content: bytes, written: int) -> None:
    information = tarfile.TarInfo(name)
    information.size, information.mtime = len(content), written
    archive.addfile(information, io.BytesIO(content))


class _DigestStream:
    """A stream that computes a checksum of the data read from it."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._digest = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self._digest.update(data)
        return data

    def hexdigest(self) -> str:
        return self._digest.hexdigest()


def unpack(archive: Path, folder: Path | None, folders: Mapping[str, Path]) -> BackupManifest:
    """Unpack the database into `folder`, and other files into `folders` by their first folder; else only verify."""
    try:
        with tarfile.open(archive, "r:gz") as tar:
            digests, manifest = _unpack_members(tar, folder, folders)
    except FileNotFoundError:
        raise BackupError(f"There is no backup {archive}.") from None
    except (OSError, EOFError, tarfile.TarError, ValueError, msgspec.DecodeError) as error:
        raise BackupError(f"{archive} is damaged, incomplete or not a backup: {error}.") from error
    if manifest is None:
        raise BackupError(f"{archive} is incomplete or not a backup: it has no {MANIFEST_FILE}.")
    if manifest.form > FORMAT_VERSION:
        raise BackupError(f"{archive} was made by a newer version of Abhidhan ({manifest.program}).")
    mismatches = sorted({*digests.items()} ^ {*manifest.files.items()})
    if mismatches or DATABASE_FILE not in digests:
        names = ", ".join(sorted({name for name, _ in mismatches}) or [DATABASE_FILE])
        raise BackupError(f"{archive} is damaged: {names} differs from the original.")
    return manifest


def _write_file(content: _DigestStream, target: Path) -> None:
    with _translate_errors(target):
        _create_folders(target.parent)
        output = open(target, "wb", opener=_open_privately)  # noqa: SIM115  # closed by the lines below
    with output:
        while chunk := content.read(CHUNK_BYTES):
            # An error here concerns the target, not the archive, which the line above reads.
            with _translate_errors(target):
                output.write(chunk)
                output.flush()


@contextmanager
def _translate_errors(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        folder = next((above.parent for above in target.parents if above.suffix == files.LOCKED_SUFFIX), target.parent)
        raise BackupError(f"{target.name} cannot be unpacked into {folder}: {error.strerror or error}.") from error


def _create_folders(folder: Path) -> None:
    """Create a folder and its parents, accessible to their owner only."""
    if not folder.exists():
        _create_folders(folder.parent)
        folder.mkdir(mode=0o700)


def _open_privately(name: str, flags: int) -> int:
    return os.open(name, flags | os.O_CLOEXEC, 0o600)


def _unpack_members(
    tar: tarfile.TarFile, folder: Path | None, folders: Mapping[str, Path]
) -> tuple[dict[str, str], BackupManifest | None]:
    digests: dict[str, str] = {}
    manifest = None
    for member in tar:
        stream = tar.extractfile(member) if member.isfile() else None
        parts = Path(member.name).parts
        if stream is None or ".." in parts or Path(member.name).is_absolute():
            raise ValueError(f"{member.name} is unexpected")
        if member.name == MANIFEST_FILE:
            manifest = msgspec.json.decode(stream.read(), type=BackupManifest)
            continue
        digested = _DigestStream(stream)
        destination = folders.get(parts[0], folder)
        _write_file(digested, destination.joinpath(*parts) if destination else Path(os.devnull))
        digests[member.name] = digested.hexdigest()
    return digests, manifest
