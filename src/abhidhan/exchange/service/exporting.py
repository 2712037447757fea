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
from abhidhan.dictionary.store.unrecorded_words import load_word_audio
from abhidhan.exchange.model import LOCAL_SOURCE, ExportSelection
from abhidhan.exchange.service.name_resolution import format_suggestion, format_unknown_name
from abhidhan.exchange.service.recording_exports import RecordingOptions, select_recordings
from abhidhan.exchange.store import database_copies, dump
from abhidhan.exchange.store.dump.lift_entries import dump_lift_entries, read_lift_edits
from abhidhan.formats.registry import EXPORTERS, GZIP_SUFFIX, REMOVED_WRITERS, SQLITE_FORMAT, ExportFormat, map_aliases
from abhidhan.formats.writers.export_source import DEFAULT_TITLE, DeckRecording, ExportSource, SpokenText
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
        raise InputError.of("format", format_unknown_name("format", name, EXPORTERS, map_aliases(EXPORTERS)))
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
    codes = {source.code for source in catalogue.sources.values()} | {LOCAL_SOURCE.code}
    for source in sources:
        if source not in codes:
            raise InputError.of(
                "source", f"There is no source {quoted(source)}; the sources are {', '.join(sorted(codes))}."
            )
    return ExportSelection(
        frozenset(_find_language_id(catalogue, name) for name in languages),
        frozenset(_find_language_id(catalogue, name) for name in extra_languages),
        frozenset(sources),
        frozenset(
            _iter_with_descendants(catalogue, [_find_item_id(catalogue, ListName.CONTEXTS, name) for name in contexts])
        ),
        frozenset(_find_item_id(catalogue, ListName.PARTS_OF_SPEECH, name) for name in parts_of_speech),
    )


def export(
    database: Database,
    format_name: str,
    target: Path,
    selection: ExportSelection | None = None,
    recordings: RecordingOptions | None = None,
) -> ExportedFile:
    """Export to a file, atomically; the same data give the same bytes.

    Without `recordings`, the file has no recordings. Raises InputError, ExportError and UnavailableError.
    """
    with database.snapshot() as reader:
        return export_from(reader, format_name, target, selection or ExportSelection(), recordings)


def export_from(
    connection: ReadConnection,
    format_name: str,
    target: Path,
    selection: ExportSelection,
    recordings: RecordingOptions | None = None,
) -> ExportedFile:
    """Export the data of an open snapshot. Raises InputError, ExportError and UnavailableError."""
    exporter = find_exporter(format_name)
    media_type = "application/gzip" if target.name.endswith(GZIP_SUFFIX) else exporter.media_type
    with atomic_write(target) as temporary_path:
        selected_recordings = select_recordings(connection, selection, format_name, recordings)
        export_source = build_export_source(connection, selection)._replace(
            recordings=selected_recordings, base_url=recordings.base_url if recordings else ""
        )
        if format_name == SQLITE_FORMAT:
            database_copies.write_snapshot(export_source.records(), temporary_path, moment=export_source.moment)
        else:
            exporter.write(export_source, temporary_path)
        size, digest = temporary_path.stat().st_size, compute_sha256(temporary_path)
    return ExportedFile(
        format_name, target.name, media_type, str(exporter.about), size, digest, export_source.format_licences()
    )


def find_card_audio(connection: ReadConnection, set_id: int) -> Mapping[SpokenText, Sequence[Audio]]:
    """Return the approved recordings of the words on both sides of the cards of a set. Raises NotFoundError."""
    card_set = _require_card_set(connection, set_id)
    sides = [
        (card_set.language, [card.clue for card in card_set.cards]),
        (card_set.answer_language, [card.answer for card in card_set.cards]),
    ]
    audio_by_text: dict[SpokenText, Sequence[Audio]] = {}
    for code, texts in sides:
        language = connection.catalogue.find_language(code)
        of_language = load_word_audio(connection, {language.id: texts})[language.id] if language else {}
        audio_by_text |= {SpokenText(code, text): audio for text, audio in of_language.items() if audio}
    return audio_by_text


def build_card_set_deck(
    connection: ReadConnection, set_id: int, sounds: Mapping[SpokenText, Sequence[DeckRecording]] = MappingProxyType({})
) -> bytes:
    """Build an Anki deck from one card set, with the recordings in `sounds`. Raises NotFoundError."""
    from abhidhan.formats.writers.anki import write_decks  # noqa: PLC0415  # writers are imported when used

    card_set = _require_card_set(connection, set_id)
    export_source = build_export_source(connection, ExportSelection())
    sources = {source.code: f"{source.name}. {source.licence}" for source in export_source.sources}
    with TemporaryDirectory() as folder:
        target = Path(folder) / "set.apkg"
        write_decks([card_set], sources, export_source.moment, target, lambda _: sounds)
        return target.read_bytes()


def _require_card_set(connection: ReadConnection, set_id: int) -> CardSetRecord:
    card_set = dump.read_card_set(connection, set_id)
    if card_set is None:
        raise NotFoundError(sentence("There is no flashcard set with the ID %(set_id)s.", set_id=set_id))
    return card_set


def build_export_source(connection: ReadConnection, selection: ExportSelection) -> ExportSource:
    """Build the input of the format writers; all its records are read from the snapshot of `connection`."""
    languages = tuple(
        language
        for language in sorted(connection.catalogue.languages, key=lambda one: one.id)
        if not selection.languages or language.id in selection.languages
    )
    gloss_selection = (
        selection
        if selection.extra_languages
        else msgspec.structs.replace(selection, extra_languages=_select_gloss_languages(connection))
    )
    title_languages = languages[:MAX_TITLE_LANGUAGES] if selection.languages else ()

    def card_sets() -> Iterator[CardSetRecord]:
        if selection.is_unfiltered:
            yield from dump.dump_card_sets(connection)

    return ExportSource(
        title=f"{DEFAULT_TITLE}: {', '.join(language.name for language in title_languages)}"
        if title_languages
        else DEFAULT_TITLE,
        moment=dump.read_last_change(connection),
        languages=languages,
        sources=tuple(_selected_sources(connection, selection)),
        records=lambda: dump.dump_records(connection, selection),
        ideas=lambda: dump.dump_ideas(connection, selection),
        numbered_ideas=lambda: dump.dump_numbered_ideas(connection, selection),
        numbered_forms=lambda: dump.dump_numbered_forms(connection, selection),
        words=lambda language_id: dump.dump_words(connection, gloss_selection, language_id),
        stored_forms=lambda word_ids: dump.dump_stored_forms(connection, word_ids),
        card_sets=card_sets,
        name="-".join(["abhidhan", *(language.code for language in title_languages)]),
        font_coverage=GlyphCoverage(),
        lift_entries=lambda: dump_lift_entries(connection, selection),
        lift_edits=lambda: read_lift_edits(connection),
    )


def _select_gloss_languages(connection: ReadConnection) -> frozenset[int]:
    """Return the languages whose glosses appear in entries of StarDict and TEI; empty means all.

    In a dictionary of a thousand languages, each word would otherwise have a hundred glosses.
    """
    language_ids = sorted(language.id for language in lookup_lists.list_languages(connection) if language.words)
    return frozenset(language_ids[:MAX_GLOSS_LANGUAGES] if len(language_ids) > MAX_GLOSS_LANGUAGES else ())


def _selected_sources(connection: ReadConnection, selection: ExportSelection) -> Iterator[SourceRecord]:
    for source in dump.dump_sources(connection):
        if not selection.sources or source.code in selection.sources:
            yield source


def _find_language_id(catalogue: Catalogue, name: str) -> int:
    language = catalogue.find_language(name)
    if language is None:
        names = {known_language.name: known_language.name for known_language in catalogue.languages}
        raise InputError.of("language", f"There is no language {quoted(name)}.{format_suggestion(name, names)}")
    return language.id


def _find_item_id(catalogue: Catalogue, list_name: ListName, name: str) -> int:
    item = catalogue.find_item(list_name, name)
    if item is None:
        names = {known_item.value: known_item.value for known_item in catalogue.list_items(list_name)}
        raise InputError.of(
            "choice", f"There is no {quoted(name)} in the list {list_name}.{format_suggestion(name, names)}"
        )
    return item.id


def _iter_with_descendants(catalogue: Catalogue, item_ids: list[int]) -> Iterator[int]:
    """Yield the contexts and their descendants, each once."""
    children: dict[int, list[int]] = {}
    for item in catalogue.list_items(ListName.CONTEXTS):
        if item.parent_id is not None:
            children.setdefault(item.parent_id, []).append(item.id)
    seen: set[int] = set()
    pending = list(item_ids)
    while pending:
        item_id = pending.pop()
        if item_id not in seen:
            seen.add(item_id)
            pending.extend(children.get(item_id, ()))
            yield item_id


@contextmanager
def atomic_write(target: Path) -> Iterator[Path]:
    """Yield a temporary path, and rename it to the target on success. Raises ExportError."""
    if not target.parent.is_dir():
        raise ExportError(f"{target} cannot be written: there is no folder {target.parent}.")
    try:
        with files.open_staging_folder(target.parent) as folder:
            temporary_path = folder / target.name
            yield temporary_path
            with temporary_path.open("rb") as stream:
                os.fsync(stream.fileno())
            temporary_path.replace(target)
    except OSError as error:
        raise ExportError(f"{target} cannot be written: {error.strerror or error}.") from error


def compute_sha256(file: Path) -> str:
    """Return the SHA-256 of a file."""
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while chunk := stream.read(CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()
