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
from abhidhan.exchange.model import LOCAL, ExportSelection
from abhidhan.exchange.service.name_resolution import did_you_mean, no_such
from abhidhan.exchange.service.recording_exports import RecordingOptions, select_recordings
from abhidhan.exchange.store import database_copies, dump
from abhidhan.exchange.store.dump.lift_entries import dump_lift_entries, read_lift_edits
from abhidhan.formats.registry import EXPORTERS, GZIP, REMOVED_WRITERS, SQLITE, ExportFormat, other_names
from abhidhan.formats.writers.export_source import TITLE, DeckRecording, ExportSource, SpokenText
from abhidhan.media.service.glyph_coverage import GlyphCoverage
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.platform.runtime import files
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import AbhidhanError, InputError, NotFoundError, quoted, sentence
from abhidhan.records.kinds import CardSetRecord, SourceRecord
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.recordings import Audio

MAX_GLOSS_LANGUAGES: Final = 40
"""Maximum number of languages whose glosses appear in entries of StarDict and TEI; those with the lowest IDs."""

MAX_TITLE_LANGUAGES: Final = 5
"""Maximum number of selected languages named in the title."""

CHUNK_BYTES: Final = 1024 * 1024


class ExportError(AbhidhanError):
    """The failure to write a file; the message gives the reason."""


class ExportedFile(msgspec.Struct, frozen=True):
    """An exported file: format, name, media type, description, size in bytes, SHA-256 and licences."""

    format: str
    file: str
    media_type: str
    about: str
    size: int
    sha256: str
    licences: str


def find_exporter(name: str) -> ExportFormat:
    """Return the exporter of a format. Raises InputError with a suggestion for an unknown name."""
    if name in REMOVED_WRITERS:
        raise InputError.of("format", REMOVED_WRITERS[name])
    exporter = EXPORTERS.get(name)
    if exporter is None:
        raise InputError.of("format", no_such("format", name, EXPORTERS, other_names(EXPORTERS)))
    return exporter


def build_selection(  # noqa: PLR0913  # each is an option of the command
    catalogue: Catalogue,
    *,
    languages: Sequence[str] = (),
    extra_languages: Sequence[str] = (),
    sources: Sequence[str] = (),
    contexts: Sequence[str] = (),
    parts_of_speech: Sequence[str] = (),
) -> ExportSelection:
    """Build a filter from names. Raises InputError for a name that the dictionary lacks."""
    if extra_languages and not languages:
        raise InputError.of("beside", "--beside needs --language, the languages of the words.")
    codes = {source.code for source in catalogue.sources.values()} | {LOCAL.code}
    for source in sources:
        if source not in codes:
            raise InputError.of(
                "source", f"There is no source {quoted(source)}; the sources are {', '.join(sorted(codes))}."
            )
    return ExportSelection(
        frozenset(_language(catalogue, name) for name in languages),
        frozenset(_language(catalogue, name) for name in extra_languages),
        frozenset(sources),
        frozenset(_with_children(catalogue, [_item(catalogue, ListName.CONTEXTS, name) for name in contexts])),
        frozenset(_item(catalogue, ListName.PARTS_OF_SPEECH, name) for name in parts_of_speech),
    )


def export(
    database: Database,
    name: str,
    target: Path,
    choice: ExportSelection | None = None,
    recordings: RecordingOptions | None = None,
) -> ExportedFile:
    """Export to a file, atomically; the same data give the same bytes.

    Without `recordings`, the file has no recordings. Raises InputError, ExportError and UnavailableError.
    """
    with database.snapshot() as reader:
        return export_from(reader, name, target, choice or ExportSelection(), recordings)


def export_from(
    reader: ReadConnection, name: str, target: Path, choice: ExportSelection, recordings: RecordingOptions | None = None
) -> ExportedFile:
    """Export the data of an open snapshot. Raises InputError, ExportError and UnavailableError."""
    exporter = find_exporter(name)
    media_type = "application/gzip" if target.name.endswith(GZIP) else exporter.media_type
    with atomic_write(target) as unfinished:
        voices = select_recordings(reader, choice, name, recordings)
        book = build_book(reader, choice)._replace(voices=voices, base_url=recordings.base_url if recordings else "")
        if name == SQLITE:
            database_copies.write_snapshot(book.records(), unfinished, moment=book.moment)
        else:
            exporter.write(book, unfinished)
        size, digest = unfinished.stat().st_size, digest_of(unfinished)
    return ExportedFile(name, target.name, media_type, str(exporter.about), size, digest, book.licences())


def audio_of_cards(reader: ReadConnection, set_id: int) -> Mapping[SpokenText, Sequence[Audio]]:
    """Return the approved recordings of the words on both sides of the cards of a set. Raises NotFoundError."""
    card_set = _card_set(reader, set_id)
    sides = [
        (card_set.language, [card.clue for card in card_set.cards]),
        (card_set.answer_language, [card.answer for card in card_set.cards]),
    ]
    audio_by_text: dict[SpokenText, Sequence[Audio]] = {}
    for code, texts in sides:
        language = reader.catalogue.find_language(code)
        of_language = audio_of_words(reader, {language.id: texts})[language.id] if language else {}
        audio_by_text |= {SpokenText(code, text): audio for text, audio in of_language.items() if audio}
    return audio_by_text


def card_set_package(
    reader: ReadConnection, set_id: int, sounds: Mapping[SpokenText, Sequence[DeckRecording]] = MappingProxyType({})
) -> bytes:
    """Build an Anki deck from one card set, with the recordings in `sounds`. Raises NotFoundError."""
    from abhidhan.formats.writers.anki import write_decks  # noqa: PLC0415  # writers are imported when used

    card_set = _card_set(reader, set_id)
    book = build_book(reader, ExportSelection())
    sources = {source.code: f"{source.name}. {source.licence}" for source in book.sources}
    with TemporaryDirectory() as folder:
        target = Path(folder) / "set.apkg"
        write_decks([card_set], sources, book.moment, target, lambda _: sounds)
        return target.read_bytes()


def _card_set(reader: ReadConnection, set_id: int) -> CardSetRecord:
    card_set = dump.card_set_of(reader, set_id)
    if card_set is None:
        raise NotFoundError(sentence("There is no flashcard set with the ID %(set_id)s.", set_id=set_id))
    return card_set


def build_book(reader: ReadConnection, choice: ExportSelection) -> ExportSource:
    """Build the input of the format writers; all its records are read from the snapshot of `reader`."""
    languages = tuple(
        language
        for language in sorted(reader.catalogue.languages, key=lambda one: one.id)
        if not choice.languages or language.id in choice.languages
    )
    for_readers = (
        choice
        if choice.extra_languages
        else msgspec.structs.replace(choice, extra_languages=_languages_for_readers(reader))
    )
    named = languages[:MAX_TITLE_LANGUAGES] if choice.languages else ()

    def card_sets() -> Iterator[CardSetRecord]:
        if choice.is_everything:
            yield from dump.dump_card_sets(reader)

    return ExportSource(
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
        lettering=GlyphCoverage(),
        lift_entries=lambda: dump_lift_entries(reader, choice),
        lift_edits=lambda: read_lift_edits(reader),
    )


def _languages_for_readers(reader: ReadConnection) -> frozenset[int]:
    """Return the languages whose glosses appear in entries of StarDict and TEI; empty means all.

    In a dictionary of a thousand languages, each word would otherwise have a hundred glosses.
    """
    language_ids = sorted(language.id for language in lookup_lists.list_languages(reader) if language.words)
    return frozenset(language_ids[:MAX_GLOSS_LANGUAGES] if len(language_ids) > MAX_GLOSS_LANGUAGES else ())


def _sources(reader: ReadConnection, choice: ExportSelection) -> Iterator[SourceRecord]:
    for source in dump.dump_sources(reader):
        if not choice.sources or source.code in choice.sources:
            yield source


def _language(catalogue: Catalogue, name: str) -> int:
    language = catalogue.find_language(name)
    if language is None:
        names = {known_language.name: known_language.name for known_language in catalogue.languages}
        raise InputError.of("language", f"There is no language {quoted(name)}.{did_you_mean(name, names)}")
    return language.id


def _item(catalogue: Catalogue, list_name: ListName, name: str) -> int:
    item = catalogue.item(list_name, name)
    if item is None:
        names = {known_item.value: known_item.value for known_item in catalogue.items_of(list_name)}
        raise InputError.of("choice", f"There is no {quoted(name)} in the list {list_name}.{did_you_mean(name, names)}")
    return item.id


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
def atomic_write(target: Path) -> Iterator[Path]:
    """Yield a temporary path, and rename it to the target on success. Raises ExportError."""
    if not target.parent.is_dir():
        raise ExportError(f"{target} cannot be written: there is no folder {target.parent}.")
    try:
        with files.staging_folder(target.parent) as folder:
            temporary_path = folder / target.name
            yield temporary_path
            with temporary_path.open("rb") as stream:
                os.fsync(stream.fileno())
            temporary_path.replace(target)
    except OSError as error:
        raise ExportError(f"{target} cannot be written: {error.strerror or error}.") from error


def digest_of(file: Path) -> str:
    """Return the SHA-256 of a file."""
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while chunk := stream.read(CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()
