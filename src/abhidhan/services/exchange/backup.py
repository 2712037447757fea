"""Backups: database, photos and recordings in one archive with checksums, and the way back."""

import hashlib
import io
import os
import shutil
import tarfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Final

import msgspec

from abhidhan import disk
from abhidhan.errors import AbhidhanError
from abhidhan.storage.engine import sqlite_backup

MANIFEST: Final = "MANIFEST.json"
DATABASE: Final = "dictionary.sqlite3"
PHOTOS: Final = "photos"
RECORDINGS: Final = "recordings"
LAST: Final = "last-backup"
"""An empty file in the folder of backups; its time is that of the last backup, wherever that was written."""

CHUNK: Final = 1024 * 1024
FORM: Final = 1
"""The form of the archive; a greater number is of a newer version of this program."""


class BackupError(AbhidhanError):
    """A backup cannot be made or restored. The sentence says why."""


class Folders(msgspec.Struct, frozen=True):
    """The folders that go with a database. None: there is none of recordings."""

    photos: Path
    recordings: Path | None = None

    @property
    def named(self) -> dict[str, Path]:
        """The folders by the names that an archive has for them."""
        return {PHOTOS: self.photos} | ({RECORDINGS: self.recordings} if self.recordings else {})


class Manifest(msgspec.Struct, frozen=True):
    """What an archive holds: the SHA-256 of each of its files, and when it was made (seconds since 1970, UTC)."""

    form: int
    made: int
    program: str
    files: dict[str, str]


def back_up(database_url: str, folders: Folders, target: Path, *, now: int, program: str) -> Manifest:
    """Write a backup while the server serves, and read it back; it is there whole or not at all.

    Raises BackupError, DatabaseError.
    """
    file = sqlite_backup.file_of(database_url)
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with disk.unfinished(target.parent) as folder:
            whole = disk.make_private(folder / target.name)
            manifest = _write_archive(
                whole, disk.make_private(folder / f"copy-{DATABASE}"), file, folders, now, program
            )
            with whole.open("rb") as stream:
                os.fsync(stream.fileno())
            verify(whole)
            whole.replace(target)
    except OSError as error:
        raise BackupError(f"{target} cannot be written: {error.strerror or error}.") from error
    return manifest


def note_backup(folder: Path, now: int) -> None:
    """Note when the last backup was made, for whoever watches. Where nothing can be noted, the backup counts still."""
    with suppress(OSError, AbhidhanError):
        mark = folder / LAST
        disk.make_private_folder(folder)
        disk.make_private(mark)
        os.utime(mark, (now, now))


def last_backup(folder: Path) -> float | None:
    """Return when the last backup was made; None when nobody has noted one."""
    try:
        return (folder / LAST).stat().st_mtime
    except OSError:
        return None


def _write_archive(  # noqa: PLR0913, PLR0917  # where it goes, what goes into it, and what it says of itself
    whole: Path, copy: Path, file: Path, folders: Folders, now: int, program: str
) -> Manifest:
    sqlite_backup.copy_database(file, copy)
    with tarfile.open(whole, "w:gz", compresslevel=6) as archive:
        manifest = Manifest(FORM, now, program, dict(_add(archive, copy, folders)))
        content = msgspec.json.format(msgspec.json.encode(manifest))
        information = tarfile.TarInfo(MANIFEST)
        information.size, information.mtime = len(content), now
        archive.addfile(information, io.BytesIO(content))
    return manifest


def verify(archive: Path) -> Manifest:
    """Read a backup to its end and compare every checksum. Raises BackupError."""
    return _unpack(archive, None, {})


def restore(archive: Path, database_url: str, folders: Folders, *, overwrite: bool) -> Manifest:
    """Put a backup in its place: verified first, and nothing that is there is lost unless `overwrite` says so.

    Raises BackupError or DatabaseError, and then everything is as it was.
    """
    file = sqlite_backup.file_of(database_url)
    if not archive.is_file():
        raise BackupError(f"There is no backup {archive}.")
    places = folders.named
    if not overwrite and (file.exists() or any(place.is_dir() and any(place.iterdir()) for place in places.values())):
        raise BackupError(f"There is already a dictionary in {file.parent}: use --force to replace it with the backup.")
    for place in (file, *places.values()):
        disk.make_private_folder(place.parent)
    try:
        # All beside what they replace: photos may be on another disk, and only names are to change at the end.
        with ExitStack() as stack:
            folder = stack.enter_context(disk.unfinished(file.parent))
            beside = {name: stack.enter_context(disk.unfinished(place.parent)) for name, place in places.items()}
            manifest = _unpack(archive, folder, beside)
            sqlite_backup.check_copy(folder / DATABASE)
            for name, place in places.items():
                stack.enter_context(_swapped(beside[name] / name, place))
            sqlite_backup.put_in_place(folder / DATABASE, file)
    except OSError as error:
        raise BackupError(f"{error.filename or file} cannot be written: {error.strerror or error}.") from error
    return manifest


@contextmanager
def _swapped(new: Path, place: Path) -> Iterator[None]:
    """Put a folder in the place of another one, and put that back if what follows fails.

    The older one waits under a name of its own, which no later run sweeps away: killed midway, nothing is lost.
    """
    old = place.with_name(f"{place.name}-before-{int(time.time())}-{os.getpid()}")
    if place.exists():
        place.rename(old)
    try:
        if new.exists():
            new.rename(place)
        yield
    except BaseException:
        if place.exists():
            place.rename(new)
        if old.exists():
            old.rename(place)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _add(archive: tarfile.TarFile, copy: Path, folders: Folders) -> Iterator[tuple[str, str]]:
    """Add the files, each with its checksum. One that is thrown away meanwhile is passed over."""
    sent = [
        (path, f"{name}/{path.relative_to(folder)}")
        for name, folder in folders.named.items()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    ]
    for path, name in [(copy, DATABASE), *sent]:
        try:
            stream = path.open("rb")
        except FileNotFoundError:
            continue
        with stream:
            information = archive.gettarinfo(arcname=name, fileobj=stream)
            information.uid = information.gid = 0
            information.uname = information.gname = ""
            digest = _Digested(stream)
            archive.addfile(information, digest)
            yield name, digest.hexdigest()


class _Digested:
    """A stream of which a checksum is made while it is read."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._digest = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        found = self._stream.read(size)
        self._digest.update(found)
        return found

    def hexdigest(self) -> str:
        return self._digest.hexdigest()


def _unpack(archive: Path, folder: Path | None, beside: Mapping[str, Path]) -> Manifest:
    """Unpack the database into one folder and photos and recordings into others; without folders only read them."""
    try:
        with tarfile.open(archive, "r:gz") as opened:
            digests, manifest = _unpack_members(opened, folder, beside)
    except FileNotFoundError:
        raise BackupError(f"There is no backup {archive}.") from None
    except (OSError, EOFError, tarfile.TarError, ValueError, msgspec.DecodeError) as error:
        raise BackupError(f"{archive} is damaged, cut short or not a backup: {error}.") from error
    if manifest is None:
        raise BackupError(f"{archive} is cut short or not a backup: it has no {MANIFEST}.")
    if manifest.form > FORM:
        raise BackupError(f"{archive} was made by a newer version of Abhidhan ({manifest.program}).")
    wrong = sorted({*digests.items()} ^ {*manifest.files.items()})
    if wrong or DATABASE not in digests:
        names = ", ".join(sorted({name for name, _ in wrong}) or [DATABASE])
        raise BackupError(f"{archive} is damaged: {names} is not what was put in.")
    return manifest


def _write(content: _Digested, target: Path) -> None:
    with _translating_errors(target):
        _make_folders(target.parent)
        written = open(target, "wb", opener=_open_privately)  # noqa: SIM115  # closed by the lines below
    with written:
        while chunk := content.read(CHUNK):
            # What goes wrong here is no fault of the archive, which is read in the line above.
            with _translating_errors(target):
                written.write(chunk)
                written.flush()


@contextmanager
def _translating_errors(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        folder = next((above.parent for above in target.parents if above.suffix == disk.LOCKED), target.parent)
        raise BackupError(f"{target.name} cannot be unpacked into {folder}: {error.strerror or error}.") from error


def _make_folders(folder: Path) -> None:
    """Make a folder and those above it, which their owner alone can look into."""
    if not folder.exists():
        _make_folders(folder.parent)
        folder.mkdir(mode=0o700)


def _open_privately(name: str, flags: int) -> int:
    return os.open(name, flags | os.O_CLOEXEC, 0o600)


def _unpack_members(
    opened: tarfile.TarFile, folder: Path | None, beside: Mapping[str, Path]
) -> tuple[dict[str, str], Manifest | None]:
    digests: dict[str, str] = {}
    manifest = None
    for member in opened:
        stream = opened.extractfile(member) if member.isfile() else None
        parts = Path(member.name).parts
        if stream is None or ".." in parts or Path(member.name).is_absolute():
            raise ValueError(f"{member.name} has no business there")
        if member.name == MANIFEST:
            manifest = msgspec.json.decode(stream.read(), type=Manifest)
            continue
        digested = _Digested(stream)
        place = beside.get(parts[0], folder)
        _write(digested, place.joinpath(*parts) if place else Path(os.devnull))
        digests[member.name] = digested.hexdigest()
    return digests, manifest
