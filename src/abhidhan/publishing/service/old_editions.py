"""Old editions: dated copies of the downloads, which earlier versions made and served under the day.

They stay in `editions` beside the downloads, and are served no longer. One goes when it holds what may not be offered.
"""

import re
from collections.abc import Collection
from contextlib import suppress
from typing import Final

import msgspec

from abhidhan.platform.sandbox.artifact_store import MadeStore
from abhidhan.publishing.service.download_files import LIST_FILE, Download, MadeFiles, Notice
from abhidhan.records.errors import UnwritableError

FOLDER: Final = "editions"
"""The name below which old editions stand, among the downloads."""

_NAME: Final = re.compile(r"\d{4}-\d\d-\d\d(?:-[1-9]\d{0,3})?", re.ASCII)


class _RemovedFile(msgspec.Struct, frozen=True):
    """A file that an earlier version removed from an edition, or wrote anew without what had to go."""

    file: str
    sha256: str
    removed: int
    reason: str = ""


class _List(msgspec.Struct, frozen=True):
    """The list of an old edition, as earlier versions wrote it."""

    files: tuple[Download, ...]
    removed: tuple[_RemovedFile, ...] = ()


def is_edition(name: str) -> bool:
    """Say whether a name is that of an edition: a day, and a number from the second of one day on."""
    return _NAME.fullmatch(name) is not None


def edition_names(store: MadeStore) -> list[str]:
    """List the names of the old editions in a store, by their days. Raises UnavailableError."""
    names = (each.rpartition("/")[2] for each in store.folders(FOLDER))
    return sorted(name for name in names if is_edition(name))


def read_editions(store: MadeStore) -> list[MadeFiles]:
    """Read which files the old editions have. Raises UnavailableError."""
    listed = ((name, _read_list(store, name)) for name in edition_names(store))
    return [MadeFiles(f"{FOLDER}/{name}", one.files if one else None, name) for name, one in listed]


def read_notices(store: MadeStore) -> list[Notice]:
    """Read the notices that earlier versions put into editions: one for all that was removed together.

    Raises UnavailableError.
    """
    files: dict[tuple[int, str], dict[str, str]] = {}
    for name in edition_names(store):
        listed = _read_list(store, name)
        for one in listed.removed if listed else ():
            files.setdefault((one.removed, one.reason), {})[f"{name}/{one.file}"] = one.sha256
    return [Notice(removed, reason, sums) for (removed, reason), sums in files.items()]


def _read_list(store: MadeStore, name: str) -> _List | None:
    with suppress(msgspec.DecodeError):
        return msgspec.json.decode(store.read(f"{FOLDER}/{name}/{LIST_FILE}") or b"", type=_List)
    return None


def delete_editions(store: MadeStore, names: Collection[str]) -> None:
    """Delete old editions. Raises UnwritableError for those that cannot be deleted, UnavailableError."""
    for name in names:
        store.remove_folder(f"{FOLDER}/{name}")
    if left := sorted(set(names).intersection(edition_names(store))):
        raise UnwritableError(f"These old editions cannot be deleted: {', '.join(left)}.")
