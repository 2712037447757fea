"""Data out: the dictionary, or what is chosen of it, as a file; and the files that anybody may download."""

import fcntl
import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

from abhidhan.domain.catalogue import Catalogue
from abhidhan.domain.lists import ListName
from abhidhan.domain.records import CardSetRecord, SourceRecord
from abhidhan.errors import AbhidhanError, InputError, NotFoundError
from abhidhan.formats.exporters import EXPORTERS, ExportFormat
from abhidhan.formats.writing.anki import write_decks
from abhidhan.formats.writing.book import TITLE, Book
from abhidhan.storage import dump, snapshots
from abhidhan.storage.database import Database, Reader
from abhidhan.storage.dump import Choice

SQLITE: Final = "sqlite"
"""The name of the read-only snapshot, which storage makes itself."""

DOWNLOADS: Final = ("jsonl.gz", "csv", "xlsx", "stardict", "dictd", "tei", "wn-lmf", "cldf", "anki", SQLITE)
LIST_FILE: Final = "downloads.json"
CHUNK: Final = 1024 * 1024


class ExportError(AbhidhanError):
    """A file cannot be written. The sentence says why."""


class Download(msgspec.Struct, frozen=True):
    """A file that anybody may have: its format, name, media type, size in bytes, SHA-256 and licences."""

    format: str
    file: str
    media_type: str
    about: str
    size: int
    sha256: str
    licences: str


class Downloads(msgspec.Struct, frozen=True):
    """The files that were made, of which data version and when (seconds since 1970, UTC)."""

    data_version: int
    made: int
    files: tuple[Download, ...]


def format_names() -> tuple[str, ...]:
    """List the formats that can be written."""
    return (*EXPORTERS, SQLITE)


def file_name(name: str) -> str:
    """Tell how the file of a format is called. Raises InputError."""
    return "abhidhan.sqlite3" if name == SQLITE else _format(name).file


def choose(
    catalogue: Catalogue,
    *,
    languages: Sequence[str] = (),
    sources: Sequence[str] = (),
    contexts: Sequence[str] = (),
    parts_of_speech: Sequence[str] = (),
) -> Choice:
    """Make a choice of names. Raises InputError for a name that the dictionary does not have."""
    codes = {source.code for source in catalogue.sources.values()} | {dump.LOCAL.code}
    for source in sources:
        if source not in codes:
            raise InputError.of("source", f"There is no source {source!r}; there are {', '.join(sorted(codes))}.")
    return Choice(
        frozenset(_language(catalogue, name) for name in languages),
        frozenset(sources),
        frozenset(_with_children(catalogue, [_item(catalogue, ListName.CONTEXTS, name) for name in contexts])),
        frozenset(_item(catalogue, ListName.PARTS_OF_SPEECH, name) for name in parts_of_speech),
    )


def export(database: Database, name: str, target: Path, choice: Choice | None = None) -> Download:
    """Write a file; it is there whole or not at all, and the same data give the same bytes.

    Raises InputError and ExportError.
    """
    wanted = choice or Choice()
    with database.snapshot() as reader, _written(target) as unfinished:
        book = book_of(reader, wanted)
        if name == SQLITE:
            snapshots.write_snapshot(book.records(), unfinished, moment=book.moment)
            media_type, about = "application/vnd.sqlite3", "a read-only SQLite database"
        else:
            chosen = _format(name)
            chosen.write(book, unfinished)
            media_type, about = chosen.media_type, chosen.about
        size, digest = unfinished.stat().st_size, _digest(unfinished)
    return Download(name, target.name, media_type, about, size, digest, book.licences())


def export_card_set(reader: Reader, set_id: int, target: Path) -> None:
    """Write one set of flashcards for Anki. Raises NotFoundError."""
    book = book_of(reader, Choice())
    found = dump.card_set_of(reader, set_id)
    if found is None:
        raise NotFoundError(f"There is no set of flashcards {set_id}.")
    sources = {source.code: f"{source.name}. {source.licence}" for source in book.sources}
    write_decks([found], sources, book.moment, target)


def book_of(reader: Reader, choice: Choice) -> Book:
    """Make the book that writers are given: streams from one snapshot."""
    languages = tuple(
        language
        for language in sorted(reader.catalogue.languages, key=lambda one: one.id)
        if not choice.languages or language.id in choice.languages
    )

    def card_sets() -> Iterator[CardSetRecord]:
        if choice.is_everything:
            yield from dump.dump_card_sets(reader)

    return Book(
        title=TITLE,
        moment=dump.last_change(reader),
        languages=languages,
        sources=tuple(_sources(reader, choice)),
        records=lambda: dump.dump_records(reader, choice),
        ideas=lambda: dump.dump_ideas(reader, choice),
        words=lambda language_id: dump.dump_words(reader, choice, language_id),
        card_sets=card_sets,
    )


def make_downloads(database: Database, folder: Path, *, now: int, formats: Sequence[str] = DOWNLOADS) -> Downloads:
    """Make the files for everybody, unless they are of these data already. Readers never see half a file.

    Only one process makes them; another that comes meanwhile gets what is there.
    """
    version = database.read_now(Reader.data_version)
    known = read_downloads(folder)
    if known is not None and known.data_version == version:
        return known
    folder.mkdir(parents=True, exist_ok=True)
    with _only_one(folder / ".lock") as is_mine:
        if not is_mine:
            return known or Downloads(0, now, ())
        files = tuple(export(database, name, folder / file_name(name)) for name in formats)
        downloads = Downloads(version, now, files)
        with _written(folder / "SHA256SUMS") as unfinished:
            unfinished.write_text("".join(f"{one.sha256}  {one.file}\n" for one in files), "utf-8")
        with _written(folder / LIST_FILE) as unfinished:
            unfinished.write_bytes(msgspec.json.encode(downloads))
        return downloads


def read_downloads(folder: Path) -> Downloads | None:
    """Read which files there are; None when none were made yet."""
    try:
        return msgspec.json.decode((folder / LIST_FILE).read_bytes(), type=Downloads)
    except (FileNotFoundError, msgspec.DecodeError):
        return None


def _sources(reader: Reader, choice: Choice) -> Iterator[SourceRecord]:
    for source in dump.dump_sources(reader):
        if not choice.sources or source.code in choice.sources:
            yield source


def _format(name: str) -> ExportFormat:
    found = EXPORTERS.get(name)
    if found is None:
        raise InputError.of("format", f"There is no format {name!r}; there are {', '.join(format_names())}.")
    return found


def _language(catalogue: Catalogue, name: str) -> int:
    found = catalogue.find_language(name)
    if found is None:
        raise InputError.of("language", f"There is no language {name!r}.")
    return found.id


def _item(catalogue: Catalogue, list_name: ListName, name: str) -> int:
    found = catalogue.item(list_name, name)
    if found is None:
        raise InputError.of("choice", f"There is no {name!r} in the list {list_name}.")
    return found.id


def _with_children(catalogue: Catalogue, item_ids: list[int]) -> Iterator[int]:
    """Give the contexts, and those under them at any depth, each once."""
    children: dict[int, list[int]] = {}
    for item in catalogue.items_of(ListName.CONTEXTS):
        if item.parent_id is not None:
            children.setdefault(item.parent_id, []).append(item.id)
    seen: set[int] = set()
    waiting = list(item_ids)
    while waiting:
        item_id = waiting.pop()
        if item_id not in seen:
            seen.add(item_id)
            waiting.extend(children.get(item_id, ()))
            yield item_id


@contextmanager
def _written(target: Path) -> Iterator[Path]:
    """Give the name under which a file is written before it takes its place."""
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        yield unfinished
        with unfinished.open("rb") as stream:
            os.fsync(stream.fileno())
        unfinished.replace(target)
    except OSError as error:
        raise ExportError(f"{target} cannot be written: {error.strerror or error}.") from error
    finally:
        unfinished.unlink(missing_ok=True)


@contextmanager
def _only_one(file: Path) -> Iterator[bool]:
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(descriptor)


def _digest(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
