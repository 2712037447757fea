"""Editions: the last downloads, each kept under its day, with a notice in place of what was removed from it."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec

from abhidhan.domain.editions import beyond, next_name
from abhidhan.errors import UnwritableError
from abhidhan.media.made_store import MadeStore
from abhidhan.services.exchange import made_together
from abhidhan.services.exchange.download_files import LIST_FILE, VOICES_FILE, Downloads
from abhidhan.services.exchange.edition_lists import EDITIONS, Edition, names_of, place_of, read_editions
from abhidhan.services.exchange.exporting import digest_of

FILES_IN_HAND: Final = 2
"""For so many times the size of the files the disk must have room left: the next ones, and what is written beside."""


def keep(
    store: MadeStore, downloads: Downloads, kept: int, free: Callable[[MadeStore], int | None] = MadeStore.free_bytes
) -> None:
    """Keep the downloads that are offered as an edition, and only so many editions. Raises OSError, UnavailableError.

    Where no byte has changed since the newest edition, that one stays the newest. In a folder, a file that an edition
    has already takes no room again: it is one file with several names. The oldest editions go earlier where the disk
    would have too little room left to make the next files: the dictionary is more than its past.
    """
    needed = FILES_IN_HAND * sum(one.size for one in downloads.files)

    def is_too_full() -> bool:
        left = free(store)
        return left is not None and left < needed

    if not kept and not names_of(store):
        return
    _sweep(store)
    _forget_oldest(store, kept, is_too_full)
    known = read_editions(store)
    if kept and downloads.files and not _is_kept(downloads, known):
        _add(store, downloads, known)
        _forget_oldest(store, kept, is_too_full)


def read_voices(store: MadeStore, made: str) -> dict[int, str | None] | None:
    """Read which recordings are in files that were made together, by their IDs, and whom they name.

    None if nobody can tell. Raises UnavailableError.
    """
    content = store.read(f"{made}/{VOICES_FILE}")
    if content is None:
        return {}
    with suppress(msgspec.DecodeError):
        return msgspec.json.decode(content, type=dict[int, str | None])
    return None


def note_voices(store: MadeStore, edition: Edition, voices: Mapping[int, str | None] | None) -> None:
    """Note which recordings are in the files of an edition, and whom they name; None if nobody can tell.

    Raises UnavailableError.
    """
    store.write(place_of(edition, VOICES_FILE), msgspec.json.encode(voices))


def write_list(store: MadeStore, edition: Edition) -> None:
    """Let an edition have this list, and drop the bytes that are not on it. Raises UnavailableError, UnwritableError.

    The list comes first: what a crash leaves then is offered to nobody, and goes the next time. Where the disk has no
    room for the list, the bytes go all the same.
    """
    try:
        store.write(place_of(edition, LIST_FILE), msgspec.json.encode(edition))
    finally:
        _drop_unlisted(store, edition)


@contextmanager
def beside(store: MadeStore) -> Iterator[Path]:
    """Return a folder for files that are to be an edition's; what is left in it at the end, or by a crash, goes.

    A full disk may have no room for it: then nothing can be written in it either.
    """
    with ExitStack() as stack:
        place = Path(os.devnull)
        with suppress(UnwritableError):
            place = stack.enter_context(store.scratch())
        yield place


def share(store: MadeStore, file: Path, digest: str) -> None:
    """Let a file take no room of its own where an edition in the same folder has its bytes already."""
    same = _places(read_editions(store)).get(digest) if store.folder is not None else None
    if same is None or not _has(store, same, digest):
        return
    link = file.with_name(f"link-{file.name}")
    with suppress(OSError), store.at_hand(same) as known:
        link.hardlink_to(known)
        link.replace(file)


def bytes_beside(store: MadeStore, offered: Downloads | None) -> int:
    """Return how many bytes editions take beside the files that are offered now. Raises UnavailableError."""
    now = offered.files if offered else ()
    kept = [one for edition in read_editions(store) for one in edition.files]
    if store.folder is None:
        return sum(one.size for one in kept)
    sizes = {one.sha256: one.size for one in kept}
    return sum(size for digest, size in sizes.items() if all(digest != one.sha256 for one in now))


def _is_kept(downloads: Downloads, known: Sequence[Edition]) -> bool:
    """Say whether the downloads are an edition already: the newest, or one of that moment if clocks were set back."""
    whole = {one.file: one.sha256 for one in downloads.files}
    return any(_whole(one) == whole for one in known if one is known[0] or one.made == downloads.made)


def _whole(edition: Edition) -> dict[str, str]:
    """Return the checksums of all files that an edition had when it was made: of one written anew, the first."""
    return {one.file: one.sha256 for one in (*edition.files, *reversed(edition.removed))}


def _places(known: Sequence[Edition]) -> dict[str, str]:
    """Return the names of files in the store, by their checksums."""
    return {one.sha256: place_of(edition, one.file) for edition in reversed(known) for one in edition.files}


def _add(store: MadeStore, downloads: Downloads, known: Sequence[Edition]) -> None:
    """Keep the files that are offered. The list comes last: without it there is no edition."""
    offered = made_together.read_offered(store, LIST_FILE)
    if offered is None:
        return
    edition = Edition(**msgspec.structs.asdict(downloads), name=next_name(downloads.made, names_of(store)))
    older = _places(known) if store.folder is not None else {}
    for one in downloads.files:
        same, made = older.get(one.sha256), f"{offered.folder}/{one.file}"
        if same is not None and _has(store, same, one.sha256):
            store.copy(same, made)
        store.copy(made, place_of(edition, one.file))
    note_voices(store, edition, read_voices(store, offered.folder))
    store.write(place_of(edition, LIST_FILE), msgspec.json.encode(edition))


def _has(store: MadeStore, name: str, digest: str) -> bool:
    """Say whether a file has these bytes: a disk that has lost bits of it must not spoil another."""
    with suppress(FileNotFoundError), store.at_hand(name) as file:
        return digest_of(file) == digest
    return False


def _forget_oldest(store: MadeStore, kept: int, is_too_full: Callable[[], bool]) -> None:
    """Forget the editions that are too many, and more where the disk is too full, but for the newest."""
    for name in beyond(names_of(store), kept):
        _forget(store, name)
    while len(names := names_of(store)) > 1 and is_too_full():
        _forget(store, names[-1])


def _forget(store: MadeStore, name: str) -> None:
    store.remove([f"{EDITIONS}/{name}/{LIST_FILE}"])
    store.remove_folder(f"{EDITIONS}/{name}")


def _sweep(store: MadeStore) -> None:
    """Remove what a crash left: what has no list is no edition, and what a list does not have belongs to none."""
    for name in names_of(store):
        if f"{EDITIONS}/{name}/{LIST_FILE}" not in store.names(f"{EDITIONS}/{name}"):
            store.remove_folder(f"{EDITIONS}/{name}")
    for edition in read_editions(store):
        _drop_unlisted(store, edition)


def _drop_unlisted(store: MadeStore, edition: Edition) -> None:
    listed = {place_of(edition, name) for name in (LIST_FILE, VOICES_FILE, *(one.file for one in edition.files))}
    store.remove(name for name in store.names(f"{EDITIONS}/{edition.name}") if name not in listed)
