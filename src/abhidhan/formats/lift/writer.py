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
    VARIANT_OF,
)
from abhidhan.formats.lift.writer_elements import entry_guid, entry_of_key, sense_guid
from abhidhan.formats.lift.writer_entries import (
    EntryContent,
    LiftSense,
    References,
    name_of,
    sense_id,
    write_entry,
    write_proverb,
)
from abhidhan.formats.lift.writer_header import write_header, write_ranges
from abhidhan.formats.lift.writer_kept import StoredEntry, additions_of, sense_ids, write_stored
from abhidhan.formats.writers.export_source import (
    ARCHIVE_DATE,
    ExportRecording,
    ExportSource,
    SpokenText,
    add_file,
    archive,
)
from abhidhan.formats.writers.external_sort import ExternalSorter, SortItem
from abhidhan.records.kinds import FormsRecord, IdeaRecord, ListItemRecord, PhraseRecord, WordRecord
from abhidhan.records.lift_entries import HEADER, RANGE, LiftEdits, LiftEntry
from abhidhan.records.recordings import EXTENSION

WORD_BATCH_SIZE: Final = 200
"""Number of words whose recordings are loaded at a time."""

AUDIO: Final = "audio"
"""FieldWorks' folder for recordings; references to files leave it out."""

_Stored = IdeaRecord | FormsRecord | PhraseRecord | LiftEntry


def write_lift(book: ExportSource, target: Path) -> None:
    """Write the file, its ranges and its recordings into an archive."""
    with ExitStack() as stack:
        zip_file = stack.enter_context(archive(target))
        index = _RecordIndex(book, target.parent, stack)
        stream = stack.enter_context(tempfile.TemporaryFile(dir=target.parent))
        stream.write(write_header(book, sorted(index.own_languages), index.stored_parts).encode())
        for text in _EntryWriter(book, index, zip_file).entries():
            stream.write(text.encode())
        stream.write(b"</lift>\n")
        stream.seek(0)
        add_file(zip_file, f"{book.name}.lift", stream)
        add_file(zip_file, f"{book.name}.lift-ranges", write_ranges(index.items, index.stored_parts).encode())
        add_file(zip_file, "SOURCES.txt", (book.terms() + "\n").encode())


class _RecordIndex:
    """Index of the records to write, by headword; the records are in a temporary file."""

    def __init__(self, book: ExportSource, folder: Path, stack: ExitStack) -> None:
        self._file: IO[bytes] = stack.enter_context(tempfile.TemporaryFile(dir=folder))  # noqa: SIM115
        self._language_indexes = {language.code: index for index, language in enumerate(book.languages)}
        self._sorted = stack.enter_context(ExternalSorter(folder))
        self._senses = array("Q")
        self._end = 0
        self.own_languages: set[str] = set()
        self.items: list[ListItemRecord] = []
        self._stored: dict[str, tuple[str, int, int]] = {}
        """The language, position and length of the stored entry that contains an idea, by the idea's name."""
        self.stored_ids: dict[str, str] = {}
        self.stored_parts: list[LiftEntry] = []
        """Stored headers, ranges and deletions."""
        for entry in book.lift_entries():
            self._add_stored(entry)
        for record in book.records():
            if isinstance(record, ListItemRecord):
                self.items.append(record)
            elif isinstance(record, IdeaRecord):
                self._add(record, [(word.language, word.text) for word in record.words])
                self._add_senses(record)
            elif isinstance(record, FormsRecord | PhraseRecord):
                self._add(record, [(record.language, record.text)])
        if self._senses:
            # In place, since a sorted list would take six times as much memory.
            np.frombuffer(self._senses, dtype=np.uint64).sort()

    def _add_stored(self, entry: LiftEntry) -> None:
        """Add a stored entry under its ideas, or under its word if it has none."""
        if not entry.language:
            self.stored_parts.append(entry)
            return
        names = [f"{entry.source}:{key}" if key else "" for key in entry.ideas]
        offset = self._end
        self._add(entry, [] if any(names) else [(entry.language, entry.text)])
        self._stored |= {name: (entry.language, offset, self._end - offset) for name in names if name}
        for name, identifier in zip(names, sense_ids(entry), strict=False):
            generated = sense_guid(name, entry.language)
            if name and identifier and identifier != generated:
                self.stored_ids[generated] = identifier

    def stored_entry(self, sense: LiftSense) -> tuple[LiftEntry, str] | None:
        """Return the stored entry that contains a sense, and the key of its idea there; None if there is none."""
        idea, word = sense
        for name in (sense.name, *idea.aliases):
            language, offset, length = self._stored.get(name, ("", 0, 0))
            if language != word.language:
                continue
            entry = self._read_at(offset, length)
            if isinstance(entry, LiftEntry) and _is_headword(entry, idea, word):
                return entry, name.partition(":")[2]
        return None

    def _add(self, record: _Stored, words: Iterable[tuple[str, str]]) -> None:
        raw = msgspec.msgpack.encode(record)
        self._file.write(raw)
        for language, text in words:
            index = self._language_indexes.get(language)
            if index is not None:
                key = index.to_bytes(4, "big") + text.encode()
                self._sorted.add(SortItem(key, b"", self._end, (len(raw),)))
        self._end += len(raw)

    def _add_senses(self, idea: IdeaRecord) -> None:
        languages = {word.language for word in idea.words} & self._language_indexes.keys()
        self.own_languages |= languages
        self._senses.extend(_mark(name_of(idea), language) for language in languages)

    @property
    def has_stored(self) -> bool:
        """Whether any entry is exported in its original form."""
        return bool(self._stored)

    def has_sense(self, idea: str, language: str) -> bool:
        """Return whether the file has a sense of an idea (given by name) in a language."""
        mark = _mark(idea, language)
        index = bisect_left(self._senses, mark)
        return index < len(self._senses) and self._senses[index] == mark

    def by_word(self) -> Iterator[tuple[str, str, list[_Stored]]]:
        """Yield the words by language and code points, each with its records."""
        codes = list(self._language_indexes)
        for key, entries in groupby(self._sorted, key=lambda entry: entry.key):
            yield codes[int.from_bytes(key[:4], "big")], key[4:].decode(), [*map(self._read, list(entries))]

    def _read(self, entry: SortItem) -> _Stored:
        return self._read_at(entry.number, entry.numbers[0])

    def _read_at(self, offset: int, length: int) -> _Stored:
        self._file.seek(offset)
        record: _Stored = msgspec.msgpack.decode(self._file.read(length), type=_Stored)
        return record


def _is_headword(entry: LiftEntry, idea: IdeaRecord, word: WordRecord) -> bool:
    """Return whether a word is the headword of a stored entry, possibly respelled since its import."""
    texts = [other.text for other in idea.words if other.language == word.language]
    return word.text == (entry.text if entry.text in texts else texts[0])


def _mark(idea: str, language: str) -> int:
    return int.from_bytes(blake2b(f"{idea}\t{language}".encode(), digest_size=8).digest(), "little")


class _EntryWriter:
    """Writer of the entries of a file, and of the recordings that they name."""

    def __init__(self, book: ExportSource, index: _RecordIndex, zip_file: zipfile.ZipFile) -> None:
        self._book = book
        self._index = index
        self._made = zip_file
        self._own_languages = frozenset(index.own_languages)
        self._in_order = [language.code for language in book.languages if language.code in self._own_languages]
        self._availability: dict[int, bool] = {}
        self._references = References(self._own_languages, self._target, index.stored_ids)
        self._edits = book.lift_edits() if index.has_stored else LiftEdits()
        self._written: set[tuple[str, str]] = set()
        """Source and key of each stored entry that was written."""

    def entries(self) -> Iterator[str]:
        """Yield the entries as XML."""
        words = self._index.by_word()
        while batch := list(islice(words, WORD_BATCH_SIZE)):
            recordings = self._recordings([SpokenText(language, text) for language, text, _ in batch])
            for language, text, stored in batch:
                yield from self._word_entries(language, text, stored, recordings.get(SpokenText(language, text), ()))
        for part in self._index.stored_parts:
            if not part.key.startswith((HEADER, RANGE)):
                yield write_stored(StoredEntry.parse(part, {}), self._references)

    def _recordings(self, words: Sequence[SpokenText]) -> Mapping[SpokenText, Sequence[ExportRecording]]:
        return self._book.voices.of_words(words) if self._book.voices else {}

    def _word_entries(
        self, language: str, text: str, stored: list[_Stored], voices: Sequence[ExportRecording]
    ) -> Iterator[str]:
        """Yield the entries of a word: one, or one for each homograph of the imported file."""
        ideas = [item for item in stored if isinstance(item, IdeaRecord)]
        tagged = [pair for item in stored if isinstance(item, FormsRecord) for pair in item.forms]
        senses = [
            LiftSense(idea, word)
            for idea in ideas
            for word in idea.words
            if (word.language, word.text) == (language, text)
        ]
        senses.sort(key=lambda sense: (sense.word.position or 1, sense.name))
        recordings = [(voice, file) for voice in voices if (file := self._write_recording(voice.id)) is not None]
        separate_entries = [StoredEntry.parse(item, {}) for item in stored if isinstance(item, LiftEntry)]
        stored_entries, senses = self._stored_entries(senses)
        for item in separate_entries:
            # A variant shares the senses of its main entry.
            senses = [each for each in senses if not (each.word.note or "").startswith(VARIANT_OF)]
            yield write_stored(item, self._references)
        if stored_entries:
            first = next(iter(stored_entries[0].senses.values())).word
            added = additions_of(stored_entries, first, senses, tagged, recordings)
            yield write_stored(stored_entries[0], self._references, self._edits, added)
            yield from (write_stored(item, self._references, self._edits) for item in stored_entries[1:])
        else:
            yield from self._new_entries(language, text, senses, tagged, recordings)
        yield from (write_proverb(item) for item in stored if isinstance(item, PhraseRecord))

    def _stored_entries(self, senses: Sequence[LiftSense]) -> tuple[list[StoredEntry], list[LiftSense]]:
        """Return the stored entries of a word's senses, and the senses that are in no stored entry."""
        entries: dict[tuple[str, str], tuple[LiftEntry, dict[str, LiftSense]]] = {}
        remaining = []
        for sense in senses:
            entry, key = self._index.stored_entry(sense) or (None, "")
            name = (entry.source, entry.key) if entry is not None else ("", "")
            if entry is None or name in self._written:
                remaining.append(sense)
            else:
                entries.setdefault(name, (entry, {}))[1][key] = sense
        self._written |= entries.keys()
        return [StoredEntry.parse(*pair) for pair in entries.values()], remaining

    def _new_entries(
        self,
        language: str,
        text: str,
        senses: Sequence[LiftSense],
        tagged: Sequence[tuple[str, str]],
        recordings: Sequence[tuple[ExportRecording, str]],
    ) -> Iterator[str]:
        homographs = _homographs(senses)
        for number, (entry, entry_senses) in enumerate(homographs.items(), 1):
            guid = entry_guid(language, text, entry)
            head = EntryContent(entry_senses, guid, number if len(homographs) > 1 else None)
            if number == 1:
                head = head._replace(tagged=tagged, voices=recordings)
            yield write_entry(head, self._references)

    def _write_recording(self, number: int) -> str | None:
        """Write a recording unless already written; return its file name, or None if the recording is unavailable."""
        name = f"{number}.{EXTENSION}"
        if number not in self._availability:
            body = self._book.voices.read(number) if self._book.voices else None
            self._availability[number] = body is not None
            if body is not None:
                # Not compressed, since MP3 does not compress.
                information = zipfile.ZipInfo(f"{AUDIO}/{name}", ARCHIVE_DATE)
                information.external_attr = 0o644 << 16
                self._made.writestr(information, body)
        return name if self._availability[number] else None

    def _target(self, idea: str, language: str) -> str | None:
        """Return the ID of an idea's sense: in the same language, else in the first one that has a word for it."""
        for code in (language, *self._in_order):
            if self._index.has_sense(idea, code):
                return sense_guid(idea, code)
        return None


def _homographs(senses: Sequence[LiftSense]) -> dict[str, list[LiftSense]]:
    """Group the senses of a word by their original entries; senses added later join the first entry."""
    groups: dict[str, list[LiftSense]] = {}
    for sense in senses:
        idea, word = sense
        is_own = sense_id(idea, word) == sense_guid(name_of(idea), word.language)
        groups.setdefault(entry_of_key(idea.key, word.language) if is_own else "", []).append(sense)
    added = groups.pop("", [])
    if added:
        first = next(iter(groups), "")
        groups[first] = sorted([*groups.get(first, ()), *added], key=lambda one: (one.word.position or 1, one.name))
    return groups
