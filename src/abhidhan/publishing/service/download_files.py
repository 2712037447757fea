"""The files to generate for download, and the writing and description of each."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from abhidhan.dictionary.service import lookup_lists
from abhidhan.exchange.model import Choice
from abhidhan.exchange.service import recording_exports
from abhidhan.exchange.service.exporting import Exported, digest_of, export_from, find_exporter, written
from abhidhan.exchange.service.recording_exports import Hearing, Sounds
from abhidhan.exchange.store import dump
from abhidhan.formats.registry import EXPORTERS, LANGUAGE_DOWNLOADS, RECORDINGS
from abhidhan.platform.database.reader import Reader
from abhidhan.records.kinds import SourceRecord
from abhidhan.records.languages import Language

LIST_FILE: Final = "downloads.json"
VOICES_FILE: Final = "voices.json"
"""The IDs of the recordings in the files, with the speakers named; not served."""

STEM: Final = "abhidhan"
"""Prefix of every file name; the language code follows it."""


class Download(Exported, frozen=True):
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

    def of_everything(self) -> list[Download]:
        """List the files of the whole dictionary."""
        return [one for one in self.files if not one.language]

    def by_language(self) -> dict[str, list[Download]]:
        """Group the files of single languages by code."""
        listed: dict[str, list[Download]] = {}
        for one in self.files:
            if one.language:
                listed.setdefault(one.language, []).append(one)
        return listed


class MadeFiles(NamedTuple):
    """A batch of files: its folder in the store, and its list, which is None if it cannot be read.

    `edition` is the name of an old edition, empty for the current files.
    """

    folder: str
    files: tuple[Download, ...] | None
    edition: str = ""


class Wanted(NamedTuple):
    """A file to generate: its format, name and selection, and the language whose words it explains, if it is one's."""

    format: str
    file: str
    choice: Choice = Choice()
    language: Language | None = None


def wanted_files(
    reader: Reader, formats: Sequence[str], languages: Sequence[str], hearing: Hearing | None
) -> list[Wanted]:
    """List the files of the formats and languages, plus the recordings if there are any and they can be read.

    Formats whose package is not installed are skipped.
    """
    exporters = {name: find_exporter(name) for name in formats}
    of_everything = [Wanted(name, each.download) for name, each in exporters.items() if each.is_available()]
    if hearing is not None and recording_exports.are_there_any(reader):
        of_everything.append(Wanted(RECORDINGS, EXPORTERS[RECORDINGS].file))
    return of_everything + _of_languages(reader, languages)


def _of_languages(reader: Reader, codes: Sequence[str]) -> list[Wanted]:
    """List the files of languages with words; each file also has the words of the other languages in its glosses."""
    counted = {language.id: language.words for language in lookup_lists.list_languages(reader)}
    named = dict.fromkeys(reader.catalogue.find_language(code) for code in codes)
    there = [language for language in named if language is not None and counted[language.id]]
    together = frozenset(language.id for language in there)
    return [
        Wanted(
            name,
            EXPORTERS[name].download.replace(STEM, f"{STEM}-{language.code}", 1),
            Choice(languages=frozenset({language.id}), beside=together - {language.id}),
            language,
        )
        for language in there
        for name in LANGUAGE_DOWNLOADS
    ]


def write_download(reader: Reader, wanted: Wanted, folder: Path, hearing: Hearing | None) -> Download:
    """Write a file and describe it. Raises ExportError, UnavailableError."""
    if wanted.format == RECORDINGS and hearing is not None:
        return _write_recordings(reader, folder / wanted.file, hearing.sounds)
    made = export_from(reader, wanted.format, folder / wanted.file, wanted.choice, hearing)
    codes = tuple(_languages(reader, wanted))
    code = wanted.language.code if wanted.language else ""
    return Download(**msgspec.structs.asdict(made), languages=codes, language=code)


def _write_recordings(reader: Reader, file: Path, sounds: Sounds) -> Download:
    with written(file) as unfinished:
        found = recording_exports.export_recordings(reader, sounds, unfinished)
        size, digest = unfinished.stat().st_size, digest_of(unfinished)
    exporter = EXPORTERS[RECORDINGS]
    return Download(
        RECORDINGS,
        file.name,
        exporter.media_type,
        str(exporter.about),
        size,
        digest,
        found.licences,
        found.languages,
    )


def _languages(reader: Reader, wanted: Wanted) -> list[str]:
    """List the languages of a file, most words first: those with words, or those of the flashcards."""
    counted = sorted(lookup_lists.list_languages(reader), key=lambda language: (-language.words, language.id))
    if wanted.language is not None:
        beside = [language.code for language in counted if language.id in wanted.choice.beside]
        return [wanted.language.code, *beside]
    if wanted.format != "anki":
        return [language.code for language in counted if language.words]
    of_sets = {code for one in dump.dump_card_sets(reader) for code in (one.language, one.answer_language)}
    return [language.code for language in counted if language.code in of_sets]
