"""Editions: the last downloads, each kept under its day, with a notice in place of what was removed from it."""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec

from abhidhan.domain.editions import beyond, next_name
from abhidhan.services.exchange import made_folder
from abhidhan.services.exchange.download_files import LIST_FILE, VOICES_FILE, Downloads
from abhidhan.services.exchange.edition_lists import EDITIONS, Edition, file_of, names_of, read_editions
from abhidhan.services.exchange.exporting import digest_of

FILES_IN_HAND: Final = 2
"""For so many times the size of the files the disk must have room left: the next ones, and what is written beside."""

_NEW, _GONE, _LINK = ".new-", ".gone-", ".link-"
"""How the names of folders begin that become an edition or were one, and those of files that take a place."""


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
    if not kept and not house.is_dir():
        return
    house.mkdir(mode=0o700, exist_ok=True)
    _sweep(house)
    needed = FILES_IN_HAND * sum(one.size for one in downloads.files)
    _forget_oldest(house, kept, lambda: free(folder) < needed)
    known = read_editions(folder)
    if kept and downloads.files and not _is_kept(downloads, known):
        _add(folder, downloads, known)
        _forget_oldest(house, kept, lambda: free(folder) < needed)


def read_voices(made: Path) -> dict[int, str | None] | None:
    """Read which recordings are in the files of a folder, by their IDs, and whom they name; None if nobody can tell."""
    try:
        return msgspec.json.decode((made / VOICES_FILE).read_bytes(), type=dict[int, str | None])
    except FileNotFoundError:
        return {}
    except msgspec.DecodeError:
        return None


def note_voices(folder: Path, edition: Edition, voices: Mapping[int, str | None]) -> None:
    """Note which recordings are in the files of an edition, and whom they name. Raises OSError."""
    _replace(folder / EDITIONS / edition.name / VOICES_FILE, msgspec.json.encode(voices))


def store(folder: Path, edition: Edition) -> None:
    """Let an edition have this list, and drop the bytes that are not on it. Raises OSError.

    The list comes first: what a crash leaves then is offered to nobody, and goes the next time. Where the disk has no
    room for the list, the bytes go all the same.
    """
    place = folder / EDITIONS / edition.name
    try:
        _replace(place / LIST_FILE, msgspec.json.encode(edition))
    finally:
        _drop_unlisted(place, edition)


@contextmanager
def beside(folder: Path, edition: Edition) -> Iterator[Path]:
    """Return a folder for files that are to be an edition's; what is left in it at the end, or by a crash, goes.

    A full disk may have no room for it: then nothing can be written in it either.
    """
    unfinished = folder / EDITIONS / f"{_NEW}{edition.name}"
    with suppress(OSError):
        unfinished.mkdir(exist_ok=True)
    try:
        yield unfinished
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def share(folder: Path, file: Path, digest: str) -> None:
    """Let a file take no room of its own where an edition has its bytes already."""
    same = _places(folder, read_editions(folder)).get(digest)
    if same is not None:
        _take_place_of_same(same, file, digest)


def bytes_on_disk(folder: Path) -> int:
    """Say how many bytes editions have on the disk beside the files that are offered now."""
    offered = {_inode(file) for file in (folder / made_folder.CURRENT).glob("*")}
    kept = {_inode(file): file.stat().st_size for file in (folder / EDITIONS).glob("*/*")}
    return sum(size for inode, size in kept.items() if inode not in offered)


def _inode(file: Path) -> tuple[int, int]:
    told = file.stat()
    return told.st_dev, told.st_ino


def _is_kept(downloads: Downloads, known: Sequence[Edition]) -> bool:
    """Say whether the downloads are an edition already: the newest, or one of that moment if clocks were set back."""
    whole = {one.file: one.sha256 for one in downloads.files}
    return any(_whole(one) == whole for one in known if one is known[0] or one.made == downloads.made)


def _whole(edition: Edition) -> dict[str, str]:
    """Return the checksums of all files that an edition had when it was made: of one written anew, the first."""
    return {one.file: one.sha256 for one in (*edition.files, *reversed(edition.removed))}


def _places(folder: Path, known: Sequence[Edition]) -> dict[str, Path]:
    """Return where the bytes of files are, by their checksums."""
    return {one.sha256: file_of(folder, edition, one.file) for edition in reversed(known) for one in edition.files}


def _add(folder: Path, downloads: Downloads, known: Sequence[Edition]) -> None:
    house, made = folder / EDITIONS, made_folder.offered(folder)
    older = _places(folder, known)
    name = next_name(downloads.made, names_of(house))
    unfinished = house / f"{_NEW}{name}"
    unfinished.mkdir()
    for one in downloads.files:
        same = older.get(one.sha256)
        if same is not None:
            _take_place_of_same(same, made / one.file, one.sha256)
        _link(made / one.file, unfinished / one.file)
    made_folder.write(unfinished / VOICES_FILE, msgspec.json.encode(read_voices(made)))
    edition = Edition(**msgspec.structs.asdict(downloads), name=name)
    made_folder.write(unfinished / LIST_FILE, msgspec.json.encode(edition))
    made_folder.settle(unfinished)
    unfinished.rename(house / name)
    made_folder.settle(house)


def _forget_oldest(house: Path, kept: int, is_too_full: Callable[[], bool]) -> None:
    """Forget the editions that are too many, and more where the disk is too full, but for the newest."""
    for name in beyond(names_of(house), kept):
        _forget(house, name)
    while len(names := names_of(house)) > 1 and is_too_full():
        _forget(house, names[-1])


def _forget(house: Path, name: str) -> None:
    gone = house / f"{_GONE}{name}"
    (house / name).rename(gone)
    shutil.rmtree(gone, ignore_errors=True)


def _take_place_of_same(same: Path, file: Path, digest: str) -> None:
    """Let a file that is there already take the place of one with the same bytes.

    It is read first: a disk that has lost bits of the older one must not spoil the newer.
    """
    if not same.is_file() or digest_of(same) != digest:
        return
    link = file.with_name(f"{_LINK}{file.name}")
    link.unlink(missing_ok=True)
    with suppress(OSError):
        link.hardlink_to(same)
        link.replace(file)


def _link(file: Path, name: Path) -> None:
    """Make a second name of a file; where the file system knows no such thing, a copy."""
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


def _replace(file: Path, content: bytes) -> None:
    new = file.with_name(f"{_LINK}{file.name}")
    made_folder.write(new, content)
    new.replace(file)
    made_folder.settle(file.parent)


def _unlink(files: Iterable[Path]) -> None:
    for file in list(files):
        file.unlink(missing_ok=True)
