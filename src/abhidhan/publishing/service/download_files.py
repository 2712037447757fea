"""The files to generate for download, and the writing and description of each."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from abhidhan.dictionary.service import lookup_lists
from abhidhan.exchange.model import ExportSelection
from abhidhan.exchange.service import recording_exports
from abhidhan.exchange.service.exporting import ExportedFile, atomic_write, compute_sha256, export_from, find_exporter
from abhidhan.exchange.service.recording_exports import RecordingOptions, RecordingReader
from abhidhan.exchange.store import dump
from abhidhan.formats.registry import EXPORTERS, LANGUAGE_DOWNLOAD_FORMATS, RECORDINGS_FORMAT
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.kinds import SourceRecord
from abhidhan.records.languages import Language

LIST_FILE: Final = "downloads.json"
SPEAKER_NAMES_FILE: Final = "voices.json"
"""File with the IDs of the recordings in the downloads and their speakers' names; it is not served."""

FILE_PREFIX: Final = "abhidhan"
"""Prefix of every file name; the language code follows it."""


class Download(ExportedFile, frozen=True):
    """A public file, with the codes of the languages in it.

    `language` is the code of the language whose words the file explains; empty for a file of the whole dictionary.
    """

    languages: tuple[str, ...] = ()
    language: str = ""


class Notice(msgspec.Struct, frozen=True):
    """A removal from the downloads: time (seconds since 1970, UTC), reason, and affected files.

    `reason` is the operator's; it is empty if a speaker withdrew a recording or changed the name. `files` maps the name
    of each affected file to its SHA-256; those of an old edition are named like `2026-11-23/abhidhan.csv`.
    """

    removed: int
    reason: str = ""
    files: Mapping[str, str] = {}


class Downloads(msgspec.Struct, frozen=True):
    """The generated files, with their data version and time (seconds since 1970, UTC).

    `languages` are those for which separate files were requested, even if they have no words; `formats` the requested
    ones, to which recordings are added if any are approved. `notices` lists all removals, newest first.
    """

    data_version: int
    made: int
    files: tuple[Download, ...]
    languages: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    sources: tuple[SourceRecord, ...] = ()
    notices: tuple[Notice, ...] = ()

    @property
    def day(self) -> str:
        """The date on which the files were generated (UTC), such as 2026-11-23."""
        return datetime.fromtimestamp(self.made, UTC).date().isoformat()

    def has_settings(self, formats: Sequence[str], languages: Sequence[str]) -> bool:
        """Return whether files of these formats and languages were requested."""
        return (self.formats, self.languages) == (tuple(formats), tuple(languages))

    def of_everything(self) -> list[Download]:
        """List the files of the whole dictionary."""
        return [download for download in self.files if not download.language]

    def by_language(self) -> dict[str, list[Download]]:
        """Group the files of single languages by code."""
        groups: dict[str, list[Download]] = {}
        for download in self.files:
            if download.language:
                groups.setdefault(download.language, []).append(download)
        return groups


class StoredBatch(NamedTuple):
    """A batch of files: its folder in the store, and its list, which is None if it cannot be read.

    `edition` is the name of an old edition, empty for the current files.
    """

    folder: str
    files: tuple[Download, ...] | None
    edition: str = ""


class DownloadSpec(NamedTuple):
    """A file to generate: its format, name and selection and, for a file of one language, that language."""

    format: str
    file: str
    selection: ExportSelection = ExportSelection()
    language: Language | None = None


def list_download_specs(
    connection: ReadConnection,
    formats: Sequence[str],
    languages: Sequence[str],
    recording_options: RecordingOptions | None,
) -> list[DownloadSpec]:
    """List the files of the formats and languages, plus the recordings if there are any and they can be read.

    Formats whose package is not installed are skipped.
    """
    exporters = {name: find_exporter(name) for name in formats}
    specs = [DownloadSpec(name, exporter.download) for name, exporter in exporters.items() if exporter.is_available()]
    if formats and recording_options is not None and recording_exports.has_approved_recording(connection):
        specs.append(DownloadSpec(RECORDINGS_FORMAT, EXPORTERS[RECORDINGS_FORMAT].file))
    return specs + _list_language_specs(connection, formats, languages)


def _list_language_specs(
    connection: ReadConnection, formats: Sequence[str], codes: Sequence[str]
) -> list[DownloadSpec]:
    """List the files of languages with words; each file also has the words of the other languages in its glosses."""
    word_counts = {language.id: language.words for language in lookup_lists.list_languages(connection)}
    candidates = dict.fromkeys(connection.catalogue.find_language(code) for code in codes)
    languages = [language for language in candidates if language is not None and word_counts[language.id]]
    language_ids = frozenset(language.id for language in languages)
    return [
        DownloadSpec(
            name,
            EXPORTERS[name].download.replace(FILE_PREFIX, f"{FILE_PREFIX}-{language.code}", 1),
            ExportSelection(languages=frozenset({language.id}), extra_languages=language_ids - {language.id}),
            language,
        )
        for language in languages
        for name in LANGUAGE_DOWNLOAD_FORMATS
        if name in formats
    ]


def write_download(
    connection: ReadConnection, spec: DownloadSpec, folder: Path, recording_options: RecordingOptions | None
) -> Download:
    """Write a file and describe it. Raises ExportError, UnavailableError."""
    if spec.format == RECORDINGS_FORMAT and recording_options is not None:
        return _write_recordings(connection, folder / spec.file, recording_options.reader)
    exported = export_from(connection, spec.format, folder / spec.file, spec.selection, recording_options)
    codes = tuple(_list_language_codes(connection, spec))
    code = spec.language.code if spec.language else ""
    return Download(**msgspec.structs.asdict(exported), languages=codes, language=code)


def _write_recordings(connection: ReadConnection, file: Path, sounds: RecordingReader) -> Download:
    with atomic_write(file) as unfinished:
        exported = recording_exports.export_recordings(connection, sounds, unfinished)
        size, digest = unfinished.stat().st_size, compute_sha256(unfinished)
    exporter = EXPORTERS[RECORDINGS_FORMAT]
    return Download(
        RECORDINGS_FORMAT,
        file.name,
        exporter.media_type,
        str(exporter.about),
        size,
        digest,
        exported.licences,
        exported.languages,
    )


def _list_language_codes(connection: ReadConnection, spec: DownloadSpec) -> list[str]:
    """List the codes of the languages in a file, most words first; for Anki, those of the flashcards."""
    languages = sorted(lookup_lists.list_languages(connection), key=lambda language: (-language.words, language.id))
    if spec.language is not None:
        other_codes = [language.code for language in languages if language.id in spec.selection.extra_languages]
        return [spec.language.code, *other_codes]
    if spec.format != "anki":
        return [language.code for language in languages if language.words]
    card_set_codes = {
        code for card_set in dump.dump_card_sets(connection) for code in (card_set.language, card_set.answer_language)
    }
    return [language.code for language in languages if language.code in card_set_codes]
