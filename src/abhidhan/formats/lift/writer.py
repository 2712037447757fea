"""Writer of LIFT 0.13 for FieldWorks and related programs: entries, ranges and recordings in a zip file."""

import tempfile
import zipfile
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from hashlib import blake2b
from itertools import groupby, islice
from pathlib import Path
from typing import IO, Final

import msgspec
import numpy as np

from abhidhan.formats.lift.vocabulary import (
    VARIANT_NOTE_PREFIX,
)
from abhidhan.formats.lift.writer_elements import get_entry_guid, get_sense_guid, parse_entry_guid
from abhidhan.formats.lift.writer_entries import (
    EntryContent,
    LiftSense,
    References,
    format_entry,
    format_idea_name,
    format_proverb,
    get_sense_id,
)
from abhidhan.formats.lift.writer_header import format_header, format_ranges
from abhidhan.formats.lift.writer_stored import StoredEntry, find_additions, format_stored_entry, list_sense_ids
from abhidhan.formats.writers.export_source import (
    ARCHIVE_DATE,
    ExportRecording,
    ExportSource,
    SpokenText,
    add_file,
    open_archive,
)
from abhidhan.formats.writers.external_sort import ExternalSorter, SortItem
from abhidhan.records.kinds import FormsRecord, IdeaRecord, ListItemRecord, PhraseRecord, WordRecord
from abhidhan.records.lift_entries import HEADER_KEY, RANGE_KEY_PREFIX, LiftEdits, LiftEntry
from abhidhan.records.recordings import RECORDING_EXTENSION

WORD_BATCH_SIZE: Final = 200
"""Number of words whose recordings are loaded at a time."""

AUDIO_FOLDER: Final = "audio"
"""FieldWorks' folder for recordings; references to files leave it out."""

_StoredRecord = IdeaRecord | FormsRecord | PhraseRecord | LiftEntry


def write_lift(export: ExportSource, target: Path) -> None:
    """Write the file, its ranges and its recordings into an archive."""
    with ExitStack() as stack:
        zip_file = stack.enter_context(open_archive(target))
        index = _RecordIndex(export, target.parent, stack)
        stream = stack.enter_context(tempfile.TemporaryFile(dir=target.parent))
        stream.write(format_header(export, sorted(index.entry_languages), index.stored_elements).encode())
        for text in _EntryWriter(export, index, zip_file).iter_entries():
            stream.write(text.encode())
        stream.write(b"</lift>\n")
        stream.seek(0)
        add_file(zip_file, f"{export.name}.lift", stream)
        add_file(
            zip_file, f"{export.name}.lift-ranges", format_ranges(index.list_items, index.stored_elements).encode()
        )
        add_file(zip_file, "SOURCES.txt", (export.format_terms() + "\n").encode())


class _RecordIndex:
    """Index of the records to write, by headword; the records are in a temporary file."""

    def __init__(self, export: ExportSource, folder: Path, stack: ExitStack) -> None:
        self._file: IO[bytes] = stack.enter_context(tempfile.TemporaryFile(dir=folder))  # noqa: SIM115
        self._language_indexes = {language.code: index for index, language in enumerate(export.languages)}
        self._sorter = stack.enter_context(ExternalSorter(folder))
        self._sense_hashes = array("Q")
        self._end_offset = 0
        self.entry_languages: set[str] = set()
        self.list_items: list[ListItemRecord] = []
        self._stored_locations: dict[str, tuple[str, int, int]] = {}
        """The language, position and length of the stored entry that contains an idea, by the idea's name."""
        self.stored_ids: dict[str, str] = {}
        self.stored_elements: list[LiftEntry] = []
        """Stored headers, ranges and deletions."""
        for entry in export.lift_entries():
            self._add_stored_entry(entry)
        for record in export.records():
            if isinstance(record, ListItemRecord):
                self.list_items.append(record)
            elif isinstance(record, IdeaRecord):
                self._add_record(record, [(word.language, word.text) for word in record.words])
                self._add_senses(record)
            elif isinstance(record, FormsRecord | PhraseRecord):
                self._add_record(record, [(record.language, record.text)])
        if self._sense_hashes:
            # In place, since a sorted list would take six times as much memory.
            np.frombuffer(self._sense_hashes, dtype=np.uint64).sort()

    def _add_stored_entry(self, entry: LiftEntry) -> None:
        """Add a stored entry under its ideas, or under its word if it has none."""
        if not entry.language:
            self.stored_elements.append(entry)
            return
        names = [f"{entry.source}:{key}" if key else "" for key in entry.ideas]
        offset = self._end_offset
        self._add_record(entry, [] if any(names) else [(entry.language, entry.text)])
        self._stored_locations |= {name: (entry.language, offset, self._end_offset - offset) for name in names if name}
        for name, identifier in zip(names, list_sense_ids(entry), strict=False):
            generated = get_sense_guid(name, entry.language)
            if name and identifier and identifier != generated:
                self.stored_ids[generated] = identifier

    def find_stored_entry(self, sense: LiftSense) -> tuple[LiftEntry, str] | None:
        """Return the stored entry that contains a sense, and the key of its idea there; None if there is none."""
        idea, word = sense
        for name in (sense.idea_name, *idea.aliases):
            language, offset, length = self._stored_locations.get(name, ("", 0, 0))
            if language != word.language:
                continue
            entry = self._read_record(offset, length)
            if isinstance(entry, LiftEntry) and _is_headword(entry, idea, word):
                return entry, name.partition(":")[2]
        return None

    def _add_record(self, record: _StoredRecord, words: Iterable[tuple[str, str]]) -> None:
        raw = msgspec.msgpack.encode(record)
        self._file.write(raw)
        for language, text in words:
            index = self._language_indexes.get(language)
            if index is not None:
                key = index.to_bytes(4, "big") + text.encode()
                self._sorter.add(SortItem(key, b"", self._end_offset, (len(raw),)))
        self._end_offset += len(raw)

    def _add_senses(self, idea: IdeaRecord) -> None:
        languages = {word.language for word in idea.words} & self._language_indexes.keys()
        self.entry_languages |= languages
        self._sense_hashes.extend(_hash_sense(format_idea_name(idea), language) for language in languages)

    @property
    def has_stored_entries(self) -> bool:
        """True if any entry is exported in its original form."""
        return bool(self._stored_locations)

    def has_sense(self, idea: str, language: str) -> bool:
        """Return whether the file has a sense of an idea (given by name) in a language."""
        sense_hash = _hash_sense(idea, language)
        index = bisect_left(self._sense_hashes, sense_hash)
        return index < len(self._sense_hashes) and self._sense_hashes[index] == sense_hash

    def iter_words(self) -> Iterator[tuple[str, str, list[_StoredRecord]]]:
        """Yield the words by language and code points, each with its records."""
        codes = list(self._language_indexes)
        for key, entries in groupby(self._sorter, key=lambda entry: entry.key):
            yield codes[int.from_bytes(key[:4], "big")], key[4:].decode(), [*map(self._read_item, list(entries))]

    def _read_item(self, entry: SortItem) -> _StoredRecord:
        return self._read_record(entry.number, entry.data[0])

    def _read_record(self, offset: int, length: int) -> _StoredRecord:
        self._file.seek(offset)
        record: _StoredRecord = msgspec.msgpack.decode(self._file.read(length), type=_StoredRecord)
        return record


def _is_headword(entry: LiftEntry, idea: IdeaRecord, word: WordRecord) -> bool:
    """Return whether a word is the headword of a stored entry, possibly respelled since its import."""
    texts = [other.text for other in idea.words if other.language == word.language]
    return word.text == (entry.text if entry.text in texts else texts[0])


def _hash_sense(idea: str, language: str) -> int:
    return int.from_bytes(blake2b(f"{idea}\t{language}".encode(), digest_size=8).digest(), "little")


class _EntryWriter:
    """Writer of the entries of a file, and of the recordings that they name."""

    def __init__(self, export: ExportSource, index: _RecordIndex, zip_file: zipfile.ZipFile) -> None:
        self._export = export
        self._index = index
        self._zip_file = zip_file
        self._entry_languages = frozenset(index.entry_languages)
        self._ordered_languages = [
            language.code for language in export.languages if language.code in self._entry_languages
        ]
        self._availability: dict[int, bool] = {}
        self._references = References(self._entry_languages, self._find_target, index.stored_ids)
        self._edits = export.lift_edits() if index.has_stored_entries else LiftEdits()
        self._written_keys: set[tuple[str, str]] = set()
        """Source and key of each stored entry that was written."""

    def iter_entries(self) -> Iterator[str]:
        """Yield the entries as XML."""
        words = self._index.iter_words()
        while batch := list(islice(words, WORD_BATCH_SIZE)):
            recordings = self._load_recordings([SpokenText(language, text) for language, text, _ in batch])
            for language, text, stored in batch:
                yield from self._iter_word_entries(
                    language, text, stored, recordings.get(SpokenText(language, text), ())
                )
        for part in self._index.stored_elements:
            if not part.key.startswith((HEADER_KEY, RANGE_KEY_PREFIX)):
                yield format_stored_entry(StoredEntry.parse(part, {}), self._references)

    def _load_recordings(self, words: Sequence[SpokenText]) -> Mapping[SpokenText, Sequence[ExportRecording]]:
        return self._export.recordings.find_by_words(words) if self._export.recordings else {}

    def _iter_word_entries(
        self, language: str, text: str, records: list[_StoredRecord], export_recordings: Sequence[ExportRecording]
    ) -> Iterator[str]:
        """Yield the entries of a word: one, or one for each homograph of the imported file."""
        ideas = [item for item in records if isinstance(item, IdeaRecord)]
        tagged_forms = [pair for item in records if isinstance(item, FormsRecord) for pair in item.forms]
        senses = [
            LiftSense(idea, word)
            for idea in ideas
            for word in idea.words
            if (word.language, word.text) == (language, text)
        ]
        senses.sort(key=lambda sense: (sense.word.position or 1, sense.idea_name))
        recordings = [
            (recording, file)
            for recording in export_recordings
            if (file := self._write_recording(recording.id)) is not None
        ]
        separate_entries = [StoredEntry.parse(item, {}) for item in records if isinstance(item, LiftEntry)]
        stored_entries, senses = self._find_stored_entries(senses)
        for item in separate_entries:
            # A variant shares the senses of its main entry.
            senses = [each for each in senses if not (each.word.note or "").startswith(VARIANT_NOTE_PREFIX)]
            yield format_stored_entry(item, self._references)
        if stored_entries:
            first = next(iter(stored_entries[0].senses.values())).word
            additions = find_additions(stored_entries, first, senses, tagged_forms, recordings)
            yield format_stored_entry(stored_entries[0], self._references, self._edits, additions)
            yield from (format_stored_entry(item, self._references, self._edits) for item in stored_entries[1:])
        else:
            yield from self._iter_new_entries(language, text, senses, tagged_forms, recordings)
        yield from (format_proverb(item) for item in records if isinstance(item, PhraseRecord))

    def _find_stored_entries(self, senses: Sequence[LiftSense]) -> tuple[list[StoredEntry], list[LiftSense]]:
        """Return the stored entries of a word's senses, and the senses that are in no stored entry."""
        entries: dict[tuple[str, str], tuple[LiftEntry, dict[str, LiftSense]]] = {}
        remaining = []
        for sense in senses:
            entry, key = self._index.find_stored_entry(sense) or (None, "")
            name = (entry.source, entry.key) if entry is not None else ("", "")
            if entry is None or name in self._written_keys:
                remaining.append(sense)
            else:
                entries.setdefault(name, (entry, {}))[1][key] = sense
        self._written_keys |= entries.keys()
        return [StoredEntry.parse(*pair) for pair in entries.values()], remaining

    def _iter_new_entries(
        self,
        language: str,
        text: str,
        senses: Sequence[LiftSense],
        tagged_forms: Sequence[tuple[str, str]],
        recordings: Sequence[tuple[ExportRecording, str]],
    ) -> Iterator[str]:
        homographs = _group_homographs(senses)
        for number, (entry, entry_senses) in enumerate(homographs.items(), 1):
            guid = get_entry_guid(language, text, entry)
            head = EntryContent(entry_senses, guid, number if len(homographs) > 1 else None)
            if number == 1:
                head = head._replace(tagged_forms=tagged_forms, recordings=recordings)
            yield format_entry(head, self._references)

    def _write_recording(self, recording_id: int) -> str | None:
        """Write a recording unless already written; return its file name, or None if the recording is unavailable."""
        name = f"{recording_id}.{RECORDING_EXTENSION}"
        if recording_id not in self._availability:
            body = self._export.recordings.read(recording_id) if self._export.recordings else None
            self._availability[recording_id] = body is not None
            if body is not None:
                # Not compressed, since MP3 does not compress.
                information = zipfile.ZipInfo(f"{AUDIO_FOLDER}/{name}", ARCHIVE_DATE)
                information.external_attr = 0o644 << 16
                self._zip_file.writestr(information, body)
        return name if self._availability[recording_id] else None

    def _find_target(self, idea: str, language: str) -> str | None:
        """Return the ID of an idea's sense: in the same language, else in the first one that has a word for it."""
        for code in (language, *self._ordered_languages):
            if self._index.has_sense(idea, code):
                return get_sense_guid(idea, code)
        return None


def _group_homographs(senses: Sequence[LiftSense]) -> dict[str, list[LiftSense]]:
    """Group the senses of a word by their original entries; senses added later join the first entry."""
    groups: dict[str, list[LiftSense]] = {}
    for sense in senses:
        idea, word = sense
        is_own = get_sense_id(idea, word) == get_sense_guid(format_idea_name(idea), word.language)
        groups.setdefault(parse_entry_guid(idea.key, word.language) if is_own else "", []).append(sense)
    added = groups.pop("", [])
    if added:
        first = next(iter(groups), "")
        groups[first] = sorted(
            [*groups.get(first, ()), *added], key=lambda one: (one.word.position or 1, one.idea_name)
        )
    return groups
