"""The files that are made to be downloaded: which are wanted, and each written and described."""

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
"""Which recordings are in the files, by their IDs, and whom they name: it is not served."""

STEM: Final = "abhidhan"
"""How the name of every file begins; the code of its language stands behind it."""


class Download(Exported, frozen=True):
    """A file that anybody may have, with the codes of the languages in it.

    `language` is the code of the one whose words it explains; empty where it is everything.
    """

    languages: tuple[str, ...] = ()
    language: str = ""


class Notice(msgspec.Struct, frozen=True):
    """What was removed from the downloads: when (seconds since 1970, UTC), why, and from which files.

    `reason` is the operator's; it is empty where a speaker withdrew a recording or has another name now. `files` has
    the SHA-256 of each file that held it, by its name; those of an old edition as `2026-11-23/abhidhan.csv`.
    """

    removed: int
    reason: str = ""
    files: Mapping[str, str] = {}


class Downloads(msgspec.Struct, frozen=True):
    """The files that were made, of which data version and when (seconds since 1970, UTC).

    `languages` are those for which files of their own were asked, whether they have words or not; `formats` those that
    were asked, beside which there are recordings if any are approved. `notices` are of all removals, the newest first.
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
        """The day on which they were made (UTC), such as 2026-11-23."""
        return datetime.fromtimestamp(self.made, UTC).date().isoformat()

    def of_everything(self) -> list[Download]:
        """List the files that hold everything."""
        return [one for one in self.files if not one.language]

    def by_language(self) -> dict[str, list[Download]]:
        """List the files of each language, by its code."""
        listed: dict[str, list[Download]] = {}
        for one in self.files:
            if one.language:
                listed.setdefault(one.language, []).append(one)
        return listed


class MadeFiles(NamedTuple):
    """Files that were made together: their folder in the store and their list, None where it cannot be read.

    `edition` is the name of an old edition, empty for the current files.
    """

    folder: str
    files: tuple[Download, ...] | None
    edition: str = ""


class Wanted(NamedTuple):
    """A file to be made: its format, its name, what is in it, and the language whose words it explains, if one's."""

    format: str
    file: str
    choice: Choice = Choice()
    language: Language | None = None


def wanted_files(
    reader: Reader, formats: Sequence[str], languages: Sequence[str], hearing: Hearing | None
) -> list[Wanted]:
    """List the files of formats and of languages, and the one of recordings if there are any and they can be read.

    A format whose package is not installed has none.
    """
    exporters = {name: find_exporter(name) for name in formats}
    of_everything = [Wanted(name, each.download) for name, each in exporters.items() if each.is_available()]
    if hearing is not None and recording_exports.are_there_any(reader):
        of_everything.append(Wanted(RECORDINGS, EXPORTERS[RECORDINGS].file))
    return of_everything + _of_languages(reader, languages)


def _of_languages(reader: Reader, codes: Sequence[str]) -> list[Wanted]:
    """List the files of languages; those of each have the words of the others beside. One without words has none."""
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
    """Write a file, and describe it. Raises ExportError, UnavailableError."""
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
    """List the languages of a file: those that have words, or those of the flashcards, most words first."""
    counted = sorted(lookup_lists.list_languages(reader), key=lambda language: (-language.words, language.id))
    if wanted.language is not None:
        beside = [language.code for language in counted if language.id in wanted.choice.beside]
        return [wanted.language.code, *beside]
    if wanted.format != "anki":
        return [language.code for language in counted if language.words]
    of_sets = {code for one in dump.dump_card_sets(reader) for code in (one.language, one.answer_language)}
    return [language.code for language in counted if language.code in of_sets]
