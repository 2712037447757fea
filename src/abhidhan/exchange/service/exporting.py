"""Export of the dictionary, or of a selection, to a file."""

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Final

import msgspec

from abhidhan.dictionary.service import lookup_lists
from abhidhan.dictionary.store.unrecorded_words import audio_of_words
from abhidhan.exchange.model import LOCAL, Choice
from abhidhan.exchange.service.name_resolution import did_you_mean, no_such
from abhidhan.exchange.service.recording_exports import Hearing, voices_of
from abhidhan.exchange.store import database_copies, dump
from abhidhan.exchange.store.dump.lift_entries import dump_lift_entries, read_lift_edits
from abhidhan.formats.registry import EXPORTERS, GZIP, REMOVED_WRITERS, SQLITE, ExportFormat, other_names
from abhidhan.formats.writers.export_source import TITLE, Book, Sound, Spoken
from abhidhan.media.service.glyph_coverage import Lettering
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import Reader
from abhidhan.platform.runtime import files
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import AbhidhanError, InputError, NotFoundError, quoted, sentence
from abhidhan.records.kinds import CardSetRecord, SourceRecord
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.recordings import Audio

MOST_FOR_READERS: Final = 40
"""Maximum number of languages whose glosses appear in entries for dictionary readers (StarDict, TEI), by ID."""

MOST_NAMED: Final = 5
"""Maximum number of selected languages named in the title."""

CHUNK: Final = 1024 * 1024


class ExportError(AbhidhanError):
    """A file cannot be written; the message says why."""


class Exported(msgspec.Struct, frozen=True):
    """An exported file: format, name, media type, description, size in bytes, SHA-256 and licences."""

    format: str
    file: str
    media_type: str
    about: str
    size: int
    sha256: str
    licences: str


def find_exporter(name: str) -> ExportFormat:
    """Return the exporter of a format. Raises InputError, which suggests a replacement or a similar name."""
    if name in REMOVED_WRITERS:
        raise InputError.of("format", REMOVED_WRITERS[name])
    found = EXPORTERS.get(name)
    if found is None:
        raise InputError.of("format", no_such("format", name, EXPORTERS, other_names(EXPORTERS)))
    return found


def choose(  # noqa: PLR0913  # each is an option of the command
    catalogue: Catalogue,
    *,
    languages: Sequence[str] = (),
    beside: Sequence[str] = (),
    sources: Sequence[str] = (),
    contexts: Sequence[str] = (),
    parts_of_speech: Sequence[str] = (),
) -> Choice:
    """Build a filter from names. Raises InputError for a name that the dictionary lacks."""
    if beside and not languages:
        raise InputError.of("beside", "--beside needs --language, the languages of the words.")
    codes = {source.code for source in catalogue.sources.values()} | {LOCAL.code}
    for source in sources:
        if source not in codes:
            raise InputError.of(
                "source", f"There is no source {quoted(source)}; the sources are {', '.join(sorted(codes))}."
            )
    return Choice(
        frozenset(_language(catalogue, name) for name in languages),
        frozenset(_language(catalogue, name) for name in beside),
        frozenset(sources),
        frozenset(_with_children(catalogue, [_item(catalogue, ListName.CONTEXTS, name) for name in contexts])),
        frozenset(_item(catalogue, ListName.PARTS_OF_SPEECH, name) for name in parts_of_speech),
    )


def export(
    database: Database, name: str, target: Path, choice: Choice | None = None, hearing: Hearing | None = None
) -> Exported:
    """Export to a file, atomically; the same data give the same bytes.

    Without `hearing`, the file has no recordings. Raises InputError, ExportError and UnavailableError.
    """
    with database.snapshot() as reader:
        return export_from(reader, name, target, choice or Choice(), hearing)


def export_from(reader: Reader, name: str, target: Path, choice: Choice, hearing: Hearing | None = None) -> Exported:
    """Export the data that one reader sees. Raises InputError, ExportError and UnavailableError."""
    exporter = find_exporter(name)
    media_type = "application/gzip" if target.name.endswith(GZIP) else exporter.media_type
    with written(target) as unfinished:
        voices = voices_of(reader, choice, name, hearing)
        book = book_of(reader, choice)._replace(voices=voices, base_url=hearing.base_url if hearing else "")
        if name == SQLITE:
            database_copies.write_snapshot(book.records(), unfinished, moment=book.moment)
        else:
            exporter.write(book, unfinished)
        size, digest = unfinished.stat().st_size, digest_of(unfinished)
    return Exported(name, target.name, media_type, str(exporter.about), size, digest, book.licences())


def audio_of_cards(reader: Reader, set_id: int) -> Mapping[Spoken, Sequence[Audio]]:
    """Return the approved recordings of the words on the cards of a set. Raises NotFoundError."""
    found = _card_set(reader, set_id)
    sides = [
        (found.language, [card.clue for card in found.cards]),
        (found.answer_language, [card.answer for card in found.cards]),
    ]
    heard: dict[Spoken, Sequence[Audio]] = {}
    for code, texts in sides:
        language = reader.catalogue.find_language(code)
        of_language = audio_of_words(reader, {language.id: texts})[language.id] if language else {}
        heard |= {Spoken(code, text): audio for text, audio in of_language.items() if audio}
    return heard


def card_set_package(
    reader: Reader, set_id: int, sounds: Mapping[Spoken, Sequence[Sound]] = MappingProxyType({})
) -> bytes:
    """Build a deck for Anki from one card set, with the recordings in `sounds`. Raises NotFoundError."""
    from abhidhan.formats.writers.anki import write_decks  # noqa: PLC0415  # writers are imported when used

    found = _card_set(reader, set_id)
    book = book_of(reader, Choice())
    sources = {source.code: f"{source.name}. {source.licence}" for source in book.sources}
    with TemporaryDirectory() as folder:
        target = Path(folder) / "set.apkg"
        write_decks([found], sources, book.moment, target, lambda _: sounds)
        return target.read_bytes()


def _card_set(reader: Reader, set_id: int) -> CardSetRecord:
    found = dump.card_set_of(reader, set_id)
    if found is None:
        raise NotFoundError(sentence("There is no flashcard set with the ID %(set_id)s.", set_id=set_id))
    return found


def book_of(reader: Reader, choice: Choice) -> Book:
    """Build the input of the writers: streams from one snapshot."""
    languages = tuple(
        language
        for language in sorted(reader.catalogue.languages, key=lambda one: one.id)
        if not choice.languages or language.id in choice.languages
    )
    for_readers = choice if choice.beside else msgspec.structs.replace(choice, beside=_languages_for_readers(reader))
    named = languages[:MOST_NAMED] if choice.languages else ()

    def card_sets() -> Iterator[CardSetRecord]:
        if choice.is_everything:
            yield from dump.dump_card_sets(reader)

    return Book(
        title=f"{TITLE}: {', '.join(language.name for language in named)}" if named else TITLE,
        moment=dump.last_change(reader),
        languages=languages,
        sources=tuple(_sources(reader, choice)),
        records=lambda: dump.dump_records(reader, choice),
        ideas=lambda: dump.dump_ideas(reader, choice),
        numbered_ideas=lambda: dump.dump_numbered_ideas(reader, choice),
        numbered_forms=lambda: dump.dump_numbered_forms(reader, choice),
        words=lambda language_id: dump.dump_words(reader, for_readers, language_id),
        stored_forms=lambda word_ids: dump.dump_stored_forms(reader, word_ids),
        card_sets=card_sets,
        name="-".join(["abhidhan", *(language.code for language in named)]),
        lettering=Lettering(),
        lift_entries=lambda: dump_lift_entries(reader, choice),
        lift_edits=lambda: read_lift_edits(reader),
    )


def _languages_for_readers(reader: Reader) -> frozenset[int]:
    """Return the languages whose glosses appear in entries for dictionary readers; empty means all.

    In a dictionary of a thousand languages, all of them would give each word a hundred glosses.
    """
    there = sorted(language.id for language in lookup_lists.list_languages(reader) if language.words)
    return frozenset(there[:MOST_FOR_READERS] if len(there) > MOST_FOR_READERS else ())


def _sources(reader: Reader, choice: Choice) -> Iterator[SourceRecord]:
    for source in dump.dump_sources(reader):
        if not choice.sources or source.code in choice.sources:
            yield source


def _language(catalogue: Catalogue, name: str) -> int:
    found = catalogue.find_language(name)
    if found is None:
        names = {one.name: one.name for one in catalogue.languages}
        raise InputError.of("language", f"There is no language {quoted(name)}.{did_you_mean(name, names)}")
    return found.id


def _item(catalogue: Catalogue, list_name: ListName, name: str) -> int:
    found = catalogue.item(list_name, name)
    if found is None:
        names = {one.value: one.value for one in catalogue.items_of(list_name)}
        raise InputError.of("choice", f"There is no {quoted(name)} in the list {list_name}.{did_you_mean(name, names)}")
    return found.id


def _with_children(catalogue: Catalogue, item_ids: list[int]) -> Iterator[int]:
    """Yield the contexts and their descendants, each once."""
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
def written(target: Path) -> Iterator[Path]:
    """Yield a temporary path, and rename it to the target on success. Raises ExportError."""
    if not target.parent.is_dir():
        raise ExportError(f"{target} cannot be written: there is no folder {target.parent}.")
    try:
        with files.unfinished(target.parent) as folder:
            whole = folder / target.name
            yield whole
            with whole.open("rb") as stream:
                os.fsync(stream.fileno())
            whole.replace(target)
    except OSError as error:
        raise ExportError(f"{target} cannot be written: {error.strerror or error}.") from error


def digest_of(file: Path) -> str:
    """Return the SHA-256 of a file."""
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
