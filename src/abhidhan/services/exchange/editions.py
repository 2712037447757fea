"""Editions: the last downloads, each kept under its day, with a notice in place of what was removed from it."""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from abhidhan.domain.editions import beyond, is_edition, next_name, order
from abhidhan.media.made_store import MadeStore
from abhidhan.services.exchange import made_together, recording_exports, voices
from abhidhan.services.exchange.download_files import LIST_FILE, VOICES_FILE, Download, Downloads
from abhidhan.services.exchange.exporting import digest_of

EDITIONS: Final = "editions"
"""The name below which editions stand, among the downloads."""

WITH_VOICES: Final = voices.FORMATS | {recording_exports.FORMAT}
"""The formats in whose files recordings may be."""

FILES_IN_HAND: Final = 2
"""For so many times the size of the files the disk must have room left: the next ones, and what is written beside."""


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


def read_editions(store: MadeStore) -> list[Edition]:
    """Read which editions are kept, the newest first. Raises UnavailableError."""
    found = (read_edition(store, name) for name in _names(store))
    return [one for one in found if one is not None]


def read_edition(store: MadeStore, name: str) -> Edition | None:
    """Read what an edition has; None where there is no such edition. Raises UnavailableError."""
    content = store.read(f"{EDITIONS}/{name}/{LIST_FILE}") if is_edition(name) else None
    with suppress(msgspec.DecodeError):
        return None if content is None else msgspec.json.decode(content, type=Edition)
    return None


def name_in(edition: Edition, file: str) -> str:
    """Return the name of a file of an edition in the store."""
    return f"{EDITIONS}/{edition.name}/{file}"


def keep(
    store: MadeStore, downloads: Downloads, kept: int, free: Callable[[MadeStore], int | None] = MadeStore.free_bytes
) -> None:
    """Keep the downloads that are offered as an edition, and only so many editions. Raises OSError, UnavailableError.

    Where no byte has changed since the newest edition, that one stays the newest. In a folder, a file that an edition
    has already takes no room again: it is one file with several names. The oldest editions go earlier where the disk
    would have too little room left to make the next files: the dictionary is more than its past.
    """
    _sweep(store)
    if kept and downloads.files:
        known = read_editions(store)
        if not known or _whole(known[0]) != {one.file: one.sha256 for one in downloads.files}:
            _add(store, downloads, known)
    for name in beyond(_names(store), kept):
        _forget(store, name)
    needed = FILES_IN_HAND * sum(one.size for one in downloads.files)
    while len(names := _names(store)) > 1 and (left := free(store)) is not None and left < needed:
        _forget(store, names[-1])


def take_back(store: MadeStore, names: Mapping[int, str | None], now: int) -> None:
    """Remove the files with a recording that was taken back, or that name its speaker otherwise than now.

    `names` says of each approved recording who is named as its speaker. Raises UnavailableError.
    """
    for edition in read_editions(store):
        with_voices = [one.file for one in edition.files if one.format in WITH_VOICES]
        if with_voices and not read_voices(store, f"{EDITIONS}/{edition.name}").items() <= names.items():
            remove(store, edition, with_voices, Notice(now, Why.TAKEN_BACK))


def read_voices(store: MadeStore, made: str) -> dict[int, str | None]:
    """Read which recordings are in files that were made together, by their IDs, and whom they name."""
    content = store.read(f"{made}/{VOICES_FILE}")
    return {} if content is None else msgspec.json.decode(content, type=dict[int, str | None])


def remove(store: MadeStore, edition: Edition, files: Collection[str], notice: Notice) -> Edition:
    """Remove files from an edition, with a notice in their place. Raises UnavailableError.

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
    store.write(name_in(edition, LIST_FILE), msgspec.json.encode(left))
    _drop_unlisted(store, left)
    if not any(one.format in WITH_VOICES for one in left.files):
        store.write(name_in(edition, VOICES_FILE), b"{}")
    return left


def bytes_beside(store: MadeStore) -> int:
    """Say how many bytes editions take beside the files that are offered now. Raises UnavailableError."""
    offered = made_together.read_offered(store, LIST_FILE)
    now = msgspec.json.decode(offered.listed, type=Downloads).files if offered else ()
    kept = [one for edition in read_editions(store) for one in edition.files]
    if store.folder is None:
        return sum(one.size for one in kept)
    sizes = {one.sha256: one.size for one in kept}
    return sum(size for digest, size in sizes.items() if all(digest != one.sha256 for one in now))


def _names(store: MadeStore) -> list[str]:
    """List the names of the editions, the newest first."""
    found = (each.rpartition("/")[2] for each in store.folders(EDITIONS))
    return sorted((name for name in found if is_edition(name)), key=order, reverse=True)


def _whole(edition: Edition) -> dict[str, str]:
    """Return the checksums of all files that an edition had when it was made."""
    return {one.file: one.sha256 for one in (*edition.files, *edition.removed)}


def _add(store: MadeStore, downloads: Downloads, known: list[Edition]) -> None:
    offered = made_together.read_offered(store, LIST_FILE)
    if offered is None:
        return
    edition = Edition(**msgspec.structs.asdict(downloads), name=next_name(downloads.made, _names(store)))
    if store.folder is not None:
        _share(store, store.folder, edition, offered.folder, known)
    for one in downloads.files:
        store.copy(f"{offered.folder}/{one.file}", name_in(edition, one.file))
    voices_of_it = read_voices(store, offered.folder)
    store.write(name_in(edition, VOICES_FILE), msgspec.json.encode(voices_of_it))
    store.write(name_in(edition, LIST_FILE), msgspec.json.encode(edition))


def _share(store: MadeStore, folder: Path, edition: Edition, made: str, known: list[Edition]) -> None:
    """Let files of older editions take the places of those with the same bytes, which take no room then."""
    older = {one.sha256: name_in(each, one.file) for each in reversed(known) for one in each.files}
    for one in edition.files:
        same = older.get(one.sha256)
        # A disk that has lost bits of the older one must not spoil the newer.
        if same is not None and (folder / same).is_file() and digest_of(folder / same) == one.sha256:
            store.copy(same, f"{made}/{one.file}")


def _forget(store: MadeStore, name: str) -> None:
    store.remove([f"{EDITIONS}/{name}/{LIST_FILE}"])
    store.remove_folder(f"{EDITIONS}/{name}")


def _sweep(store: MadeStore) -> None:
    """Remove what a crash left: what has no list is no edition, and what a list does not have belongs to none."""
    for name in _names(store):
        if f"{EDITIONS}/{name}/{LIST_FILE}" not in store.names(f"{EDITIONS}/{name}"):
            store.remove_folder(f"{EDITIONS}/{name}")
    for edition in read_editions(store):
        _drop_unlisted(store, edition)


def _drop_unlisted(store: MadeStore, edition: Edition) -> None:
    listed = {name_in(edition, name) for name in (LIST_FILE, VOICES_FILE, *(one.file for one in edition.files))}
    store.remove(name for name in store.names(f"{EDITIONS}/{edition.name}") if name not in listed)
