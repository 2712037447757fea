"""Editions: the last downloads, each kept under its day, with a notice in place of what was removed from it."""

import os
import shutil
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from abhidhan.domain.editions import beyond, is_edition, next_name, order
from abhidhan.services.exchange import made_folder, recording_exports, voices
from abhidhan.services.exchange.download_files import LIST_FILE, VOICES_FILE, Download, Downloads
from abhidhan.services.exchange.exporting import digest_of

EDITIONS: Final = "editions"
"""The folder of editions, within that of the downloads."""

WITH_VOICES: Final = voices.FORMATS | {recording_exports.FORMAT}
"""The formats in whose files recordings may be."""

FILES_IN_HAND: Final = 2
"""For so many times the size of the files the disk must have room left: the next ones, and what is written beside."""

_NEW, _GONE, _LINK = ".new-", ".gone-", ".link-"
"""How the names of folders begin that become an edition or were one, and those of files that take a place."""


class Why(StrEnum):
    """Why a file was removed from an edition."""

    TAKEN_BACK = "taken_back"
    BY_OPERATOR = "by_operator"


class Notice(NamedTuple):
    """What is told in place of files: when they were removed (seconds since 1970, UTC), why, the operator's reason."""

    removed: int
    why: Why
    reason: str = ""


class RemovedFile(Download, frozen=True):
    """A file that was removed from an edition, with what is told of it."""

    removed: int = 0
    why: Why = Why.BY_OPERATOR
    reason: str = ""


class Edition(Downloads, frozen=True):
    """The downloads of a day, as far as they are still there; `name` is the day, with a number from the second on."""

    name: str = ""
    removed: tuple[RemovedFile, ...] = ()

    @property
    def changed(self) -> int:
        """When the edition was made, or something last removed from it."""
        return max([self.made, *(one.removed for one in self.removed)])

    @property
    def size(self) -> int:
        """How many bytes its files have."""
        return sum(one.size for one in self.files)

    @property
    def is_whole(self) -> bool:
        """Say whether nothing was removed from it."""
        return not self.removed


def read_editions(folder: Path) -> list[Edition]:
    """Read which editions are kept, the newest first."""
    found = (read_edition(folder, name) for name in _names(folder / EDITIONS))
    return [one for one in found if one is not None]


def read_edition(folder: Path, name: str) -> Edition | None:
    """Read what an edition has; None where there is no such edition."""
    if not is_edition(name):
        return None
    with suppress(FileNotFoundError, NotADirectoryError, msgspec.DecodeError):
        return msgspec.json.decode((folder / EDITIONS / name / LIST_FILE).read_bytes(), type=Edition)
    return None


def file_of(folder: Path, edition: Edition, file: str) -> Path:
    """Return where a file of an edition stands."""
    return folder / EDITIONS / edition.name / file


def free_bytes(folder: Path) -> int:
    """Say how many bytes the disk of a folder has left."""
    return shutil.disk_usage(folder).free


def keep(folder: Path, downloads: Downloads, kept: int, free: Callable[[Path], int] = free_bytes) -> None:
    """Keep the downloads that are offered as an edition, and only so many editions. Raises OSError.

    Where no byte has changed since the newest edition, that one stays the newest. A file that an edition has already
    takes no room again: it is one file with several names. The oldest editions go earlier where the disk would have too
    little room left to make the next files: the dictionary is more than its past.
    """
    house = folder / EDITIONS
    if kept and downloads.files:
        house.mkdir(mode=0o700, exist_ok=True)
        _sweep(house)
        known = read_editions(folder)
        if not known or _whole(known[0]) != {one.file: one.sha256 for one in downloads.files}:
            _add(folder, downloads, known)
    for name in beyond(_names(house), kept):
        _forget(house, name)
    needed = FILES_IN_HAND * sum(one.size for one in downloads.files)
    while len(names := _names(house)) > 1 and free(folder) < needed:
        _forget(house, names[-1])


def take_back(folder: Path, names: Mapping[int, str | None], now: int) -> None:
    """Remove the files with a recording that was taken back, or that name its speaker otherwise than now.

    `names` says of each approved recording who is named as its speaker.
    """
    for edition in read_editions(folder):
        with_voices = [one.file for one in edition.files if one.format in WITH_VOICES]
        if with_voices and not read_voices(folder / EDITIONS / edition.name).items() <= names.items():
            remove(folder, edition, with_voices, Notice(now, Why.TAKEN_BACK))


def read_voices(made: Path) -> dict[int, str | None]:
    """Read which recordings are in the files of a folder, by their IDs, and whom they name."""
    try:
        return msgspec.json.decode((made / VOICES_FILE).read_bytes(), type=dict[int, str | None])
    except FileNotFoundError:
        return {}


def remove(folder: Path, edition: Edition, files: Collection[str], notice: Notice) -> Edition:
    """Remove files from an edition, with a notice in their place. Raises OSError.

    The list comes first: what a crash leaves then is offered to nobody, and goes the next time.
    """
    notices = tuple(
        RemovedFile(**msgspec.structs.asdict(one), removed=notice.removed, why=notice.why, reason=notice.reason)
        for one in edition.files
        if one.file in files
    )
    left = msgspec.structs.replace(
        edition,
        files=tuple(one for one in edition.files if one.file not in files),
        removed=(*edition.removed, *notices),
    )
    place = folder / EDITIONS / edition.name
    new = place / f"{_LINK}{LIST_FILE}"
    made_folder.write(new, msgspec.json.encode(left))
    new.replace(place / LIST_FILE)
    made_folder.settle(place)
    _drop_unlisted(place, left)
    if not any(one.format in WITH_VOICES for one in left.files):
        made_folder.write(place / VOICES_FILE, b"{}")
    return left


def bytes_on_disk(folder: Path) -> int:
    """Say how many bytes editions have on the disk beside the files that are offered now."""
    offered = {_inode(file) for file in (folder / made_folder.CURRENT).glob("*")}
    kept = {_inode(file): file.stat().st_size for file in (folder / EDITIONS).glob("*/*")}
    return sum(size for inode, size in kept.items() if inode not in offered)


def _inode(file: Path) -> tuple[int, int]:
    told = file.stat()
    return told.st_dev, told.st_ino


def _names(house: Path) -> list[str]:
    """List the names of the editions, the newest first."""
    if not house.is_dir():
        return []
    return sorted((one.name for one in house.iterdir() if is_edition(one.name)), key=order, reverse=True)


def _whole(edition: Edition) -> dict[str, str]:
    """Return the checksums of all files that an edition had when it was made."""
    return {one.file: one.sha256 for one in (*edition.files, *edition.removed)}


def _add(folder: Path, downloads: Downloads, known: list[Edition]) -> None:
    house, made = folder / EDITIONS, made_folder.offered(folder)
    older = {one.sha256: file_of(folder, edition, one.file) for edition in reversed(known) for one in edition.files}
    name = next_name(downloads.made, _names(house))
    unfinished = house / f"{_NEW}{name}"
    unfinished.mkdir()
    for one in downloads.files:
        same = older.get(one.sha256)
        # A disk that has lost bits of the older one must not spoil the newer.
        if same is not None and same.is_file() and digest_of(same) == one.sha256:
            _take_place(same, made / one.file)
        _link(made / one.file, unfinished / one.file)
    made_folder.write(unfinished / VOICES_FILE, msgspec.json.encode(read_voices(made)))
    edition = Edition(**msgspec.structs.asdict(downloads), name=name)
    made_folder.write(unfinished / LIST_FILE, msgspec.json.encode(edition))
    made_folder.settle(unfinished)
    unfinished.rename(house / name)
    made_folder.settle(house)


def _forget(house: Path, name: str) -> None:
    gone = house / f"{_GONE}{name}"
    (house / name).rename(gone)
    shutil.rmtree(gone, ignore_errors=True)


def _take_place(same: Path, file: Path) -> None:
    """Let a file that is there already take the place of one with the same bytes."""
    link = file.with_name(f"{_LINK}{file.name}")
    link.unlink(missing_ok=True)
    with suppress(OSError):
        link.hardlink_to(same)
        link.replace(file)


def _link(file: Path, name: Path) -> None:
    """Give a file a second name; where the file system knows no such thing, a copy."""
    try:
        name.hardlink_to(file)
    except OSError:
        shutil.copyfile(file, name)
        with name.open("rb") as stream:
            os.fsync(stream.fileno())


def _sweep(house: Path) -> None:
    """Remove what a crash left."""
    for left in (*house.glob(f"{_NEW}*"), *house.glob(f"{_GONE}*")):
        shutil.rmtree(left, ignore_errors=True)
    for edition in read_editions(house.parent):
        _drop_unlisted(house / edition.name, edition)


def _drop_unlisted(place: Path, edition: Edition) -> None:
    listed = {LIST_FILE, VOICES_FILE, *(one.file for one in edition.files)}
    _unlink(file for file in place.iterdir() if file.name not in listed)


def _unlink(files: Iterable[Path]) -> None:
    for file in list(files):
        file.unlink(missing_ok=True)
