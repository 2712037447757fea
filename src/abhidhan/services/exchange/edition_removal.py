"""What goes from editions: files, with a notice in their place, or written anew without what speakers took back."""

import csv
import os
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from abhidhan.media.made_store import MadeStore
from abhidhan.services.exchange import editions, recording_exports, voices
from abhidhan.services.exchange.download_files import Download
from abhidhan.services.exchange.edition_lists import (
    EDITIONS,
    Edition,
    Notice,
    RemovedFile,
    Why,
    place_of,
    read_editions,
)
from abhidhan.services.exchange.exporting import digest_of
from abhidhan.services.exchange.recording_cuts import Names, recordings_in, without_media, without_recordings

WITH_VOICES: Final = voices.FORMATS | {recording_exports.FORMAT}
"""The formats in whose files recordings may be."""

DAMAGED: Final = (
    OSError, EOFError, ValueError, LookupError, zlib.error, zipfile.BadZipFile, csv.Error, msgspec.MsgspecError,
)  # fmt: skip
"""What reading a file raises that is not as it was written, and what writing another raises on a full disk."""

Anew = Callable[[Download, Path, Path], Download | None]
"""Writes a file, which stands somewhere, anew without what is to go, and describes it; None: the whole file goes."""


def nothing_left(one: Download, file: Path, target: Path) -> None:
    """Let the whole file go."""
    del one, file, target


def remove(
    store: MadeStore, edition: Edition, files: Collection[str], notice: Notice, anew: Anew = nothing_left
) -> Edition:
    """Remove files from an edition, with a notice in their place. Raises UnavailableError, UnwritableError.

    What can be written `anew` keeps its name, and has another checksum; a file that comes out the same stays. The new
    one takes its place when the older is gone: a crash may leave too little, never too much.
    """
    with editions.beside(store) as unfinished:
        written = dict(_written(store, edition, files, unfinished, anew))
        going = [one for one in edition.files if one.file in files and not _is_same(one, written.get(one.file))]
        if not going:
            return edition
        left = _without(edition, going, notice)
        editions.write_list(store, left)
        coming = {one.file: written[one.file] for one in going if one.file in written}
        if not coming:
            return left
        for file in coming:
            store.take(place_of(edition, file), unfinished / file)
        kept = {one.file: one for one in left.files} | coming
        whole = msgspec.structs.replace(left, files=tuple(kept[one.file] for one in edition.files if one.file in kept))
        editions.write_list(store, whole)
        return whole


def take_back(store: MadeStore, names: Names, now: int) -> None:
    """Remove recordings that were taken back, and their speakers' names where these are others now.

    `names` says of each approved recording who is named as its speaker.
    """
    for edition in read_editions(store):
        known = editions.read_voices(store, f"{EDITIONS}/{edition.name}")
        if known is not None and known.items() <= names.items():
            continue
        stale = None if known is None else {number for number, _ in known.items() - names.items()}
        files = [one.file for one in edition.files if one.format in WITH_VOICES and has_any(store, edition, one, stale)]
        left = remove(store, edition, files, Notice(now, Why.TAKEN_BACK), partial(with_voices_left, names))
        are_some_left = any(one.format in WITH_VOICES for one in left.files)
        there = (names if known is None else known) if are_some_left else ()
        editions.note_voices(store, left, {number: names[number] for number in there if number in names})


def described(one: Download, target: Path) -> Download:
    """Describe a file that was written anew, and let it outlive a crash."""
    with target.open("rb") as stream:
        os.fsync(stream.fileno())
    return msgspec.structs.replace(one, size=target.stat().st_size, sha256=digest_of(target))


def with_voices_left(names: Names, one: Download, file: Path, target: Path) -> Download | None:
    """Write a file anew with the recordings that may stay, each with the name of its speaker; a deck of cards goes."""
    if one.format == recording_exports.FORMAT:
        left = without_recordings(file, target, names)
        named = left and msgspec.structs.replace(one, licences=left.licences, languages=left.languages)
        return described(named, target) if named else None
    if one.format == "cldf":
        without_media(file, target, names)
        return described(one, target)
    return None


def has_any(store: MadeStore, edition: Edition, one: Download, numbers: Collection[int] | None) -> bool:
    """Say whether a file has one of some recordings; where nobody can tell, one that may have any counts."""
    if numbers is None or one.format not in WITH_VOICES:
        return one.format in WITH_VOICES
    try:
        with store.at_hand(place_of(edition, one.file)) as file:
            return not recordings_in(one.format, file).isdisjoint(numbers)
    except DAMAGED:
        return True


def _written(
    store: MadeStore, edition: Edition, files: Collection[str], unfinished: Path, anew: Anew
) -> Iterator[tuple[str, Download]]:
    """Write files anew, as far as that can be done, and yield each with what it is now."""
    for one in edition.files:
        if one.file in files:
            target = unfinished / one.file
            if (made := _one_written(store, place_of(edition, one.file), one, target, anew)) is not None:
                editions.share(store, target, made.sha256)
                yield one.file, made


def _one_written(store: MadeStore, place: str, one: Download, target: Path, anew: Anew) -> Download | None:
    try:
        with store.at_hand(place) as file:
            return anew(one, file, target) if digest_of(file) == one.sha256 else None
    except DAMAGED:
        return None


def _is_same(one: Download, written: Download | None) -> bool:
    return written is not None and written.sha256 == one.sha256


def _without(edition: Edition, going: Collection[Download], notice: Notice) -> Edition:
    notices = tuple(
        RemovedFile(**msgspec.structs.asdict(one), removed=notice.removed, why=notice.why, reason=notice.reason)
        for one in going
    )
    files = tuple(one for one in edition.files if one not in going)
    return msgspec.structs.replace(edition, files=files, removed=(*edition.removed, *notices))
