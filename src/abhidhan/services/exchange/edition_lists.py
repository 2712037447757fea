"""Editions as they are listed: what each has, what was removed from it and why, and where its files stand."""

from contextlib import suppress
from enum import StrEnum
from typing import Final, NamedTuple

import msgspec

from abhidhan.domain.editions import is_edition, order
from abhidhan.media.made_store import MadeStore
from abhidhan.services.exchange.download_files import LIST_FILE, Download, Downloads

EDITIONS: Final = "editions"
"""The name below which editions stand, among the downloads."""


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
    """A file that was removed from an edition, as it was, with what is told of it.

    Where the edition has another file of that name, it was written anew without what was to go.
    """

    removed: int = 0
    why: Why = Why.BY_OPERATOR
    reason: str = ""


class Told(NamedTuple):
    """A notice, and the files that it is about: those that went, and those that were made again."""

    notice: Notice
    gone: tuple[RemovedFile, ...]
    made_again: tuple[RemovedFile, ...]


class Edition(Downloads, frozen=True):
    """The downloads of a day, as far as they are still there; `name` is the day, with a number from the second on."""

    name: str = ""
    removed: tuple[RemovedFile, ...] = ()

    @property
    def changed(self) -> int:
        """When the edition was made, or something last removed from it."""
        return max([self.made, *(one.removed for one in self.removed)])

    def changed_of(self, file: str) -> int:
        """Return when a file was made, or written anew."""
        return max([self.made, *(one.removed for one in self.removed if one.file == file)])

    def find(self, file: str) -> Download | None:
        """Find a file of this name that it has."""
        return next((one for one in self.files if one.file == file), None)

    @property
    def gone(self) -> int:
        """How many files were removed and not written anew."""
        return len({one.file for one in self.removed if not self.find(one.file)})

    @property
    def rewritten(self) -> int:
        """How many files were written anew without what was to go."""
        return len({one.file for one in self.removed if self.find(one.file)})

    def notices(self) -> list[Told]:
        """List what is told of what was removed, the oldest first: of files that went together, once."""
        told: dict[Notice, Told] = {}
        later = [one.file for one in (*self.removed, *self.files)]
        for one in self.removed:
            later.remove(one.file)
            notice = Notice(one.removed, one.why, one.reason)
            before = told.get(notice, Told(notice, (), ()))
            if one.file in later:
                told[notice] = before._replace(made_again=(*before.made_again, one))
            else:
                told[notice] = before._replace(gone=(*before.gone, one))
        return list(told.values())

    @property
    def size(self) -> int:
        """How many bytes its files have."""
        return sum(one.size for one in self.files)


def read_editions(store: MadeStore) -> list[Edition]:
    """Read which editions are kept, the newest first. Raises UnavailableError."""
    found = (read_edition(store, name) for name in names_of(store))
    return [one for one in found if one is not None]


def read_edition(store: MadeStore, name: str) -> Edition | None:
    """Read what an edition has; None where there is no such edition. Raises UnavailableError."""
    content = store.read(f"{EDITIONS}/{name}/{LIST_FILE}") if is_edition(name) else None
    with suppress(msgspec.DecodeError):
        return None if content is None else msgspec.json.decode(content, type=Edition)
    return None


def place_of(edition: Edition, file: str) -> str:
    """Return the name of a file of an edition in the store."""
    return f"{EDITIONS}/{edition.name}/{file}"


def names_of(store: MadeStore) -> list[str]:
    """List the names of the editions in a store, the newest first. Raises UnavailableError."""
    found = (each.rpartition("/")[2] for each in store.folders(EDITIONS))
    return sorted((name for name in found if is_edition(name)), key=order, reverse=True)
