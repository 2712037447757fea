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
    Headword,
    References,
    Sense,
    name_of,
    sense_id,
    write_entry,
    write_proverb,
)
from abhidhan.formats.lift.writer_header import write_header, write_ranges
from abhidhan.formats.lift.writer_kept import KeptEntry, additions_of, sense_ids, write_kept
from abhidhan.formats.writers.export_source import (
    ARCHIVE_DATE,
    Book,
    Spoken,
    Voice,
    add_file,
    archive,
)
from abhidhan.formats.writers.external_sort import Entry, Sorted
from abhidhan.records.kinds import FormsRecord, IdeaRecord, ListItemRecord, PhraseRecord, WordRecord
from abhidhan.records.lift_entries import HEADER, RANGE, LiftEdits, LiftEntry
from abhidhan.records.recordings import EXTENSION

WORDS_AT_ONCE: Final = 200
"""Number of words whose recordings are loaded at a time."""

AUDIO: Final = "audio"
"""FieldWorks' folder for recordings; references to files leave it out."""

_Stored = IdeaRecord | FormsRecord | PhraseRecord | LiftEntry


def write_lift(book: Book, target: Path) -> None:
    """Write the file, its ranges and its recordings into an archive."""
    with ExitStack() as stack:
        made = stack.enter_context(archive(target))
        gathered = _Gathered(book, target.parent, stack)
        stream = stack.enter_context(tempfile.TemporaryFile(dir=target.parent))
        stream.write(write_header(book, sorted(gathered.own), gathered.kept_parts).encode())
        for text in _Writing(book, gathered, made).entries():
            stream.write(text.encode())
        stream.write(b"</lift>\n")
        stream.seek(0)
        add_file(made, f"{book.name}.lift", stream)
        add_file(made, f"{book.name}.lift-ranges", write_ranges(gathered.items, gathered.kept_parts).encode())
        add_file(made, "SOURCES.txt", (book.terms() + "\n").encode())


class _Gathered:
    """The records to write, on disk, by the word of their entry."""

    def __init__(self, book: Book, folder: Path, stack: ExitStack) -> None:
        self._file: IO[bytes] = stack.enter_context(tempfile.TemporaryFile(dir=folder))  # noqa: SIM115
        self._places = {language.code: place for place, language in enumerate(book.languages)}
        self._sorted = stack.enter_context(Sorted(folder))
        self._senses = array("Q")
        self._end = 0
        self.own: set[str] = set()
        self.items: list[ListItemRecord] = []
        self._kept: dict[str, tuple[str, int, int]] = {}
        """The language, position and length of the stored entry that contains an idea, by the idea's name."""
        self.kept_ids: dict[str, str] = {}
        self.kept_parts: list[LiftEntry] = []
        """Stored headers, ranges and deletions."""
        for entry in book.lift_entries():
            self._take_kept(entry)
        for record in book.records():
            if isinstance(record, ListItemRecord):
                self.items.append(record)
            elif isinstance(record, IdeaRecord):
                self._take(record, [(word.language, word.text) for word in record.words])
                self._note(record)
            elif isinstance(record, FormsRecord | PhraseRecord):
                self._take(record, [(record.language, record.text)])
        if self._senses:
            # In place, since a sorted list would take six times as much memory.
            np.frombuffer(self._senses, dtype=np.uint64).sort()

    def _take_kept(self, entry: LiftEntry) -> None:
        """Add a stored entry under its ideas, or under its word if it has none."""
        if not entry.language:
            self.kept_parts.append(entry)
            return
        names = [f"{entry.source}:{key}" if key else "" for key in entry.ideas]
        place = self._end
        self._take(entry, [] if any(names) else [(entry.language, entry.text)])
        self._kept |= {name: (entry.language, place, self._end - place) for name in names if name}
        for name, identifier in zip(names, sense_ids(entry), strict=False):
            made = sense_guid(name, entry.language)
            if name and identifier and identifier != made:
                self.kept_ids[made] = identifier

    def kept(self, sense: Sense) -> tuple[LiftEntry, str] | None:
        """Return the stored entry that contains a sense, and the key of its idea there; None if there is none."""
        idea, word = sense
        for name in (sense.name, *idea.aliases):
            language, place, length = self._kept.get(name, ("", 0, 0))
            if language != word.language:
                continue
            entry = self._read_at(place, length)
            if isinstance(entry, LiftEntry) and _is_headword(entry, idea, word):
                return entry, name.partition(":")[2]
        return None

    def _take(self, record: _Stored, words: Iterable[tuple[str, str]]) -> None:
        raw = msgspec.msgpack.encode(record)
        self._file.write(raw)
        for language, text in words:
            place = self._places.get(language)
            if place is not None:
                key = place.to_bytes(4, "big") + text.encode()
                self._sorted.add(Entry(key, b"", self._end, (len(raw),)))
        self._end += len(raw)

    def _note(self, idea: IdeaRecord) -> None:
        languages = {word.language for word in idea.words} & self._places.keys()
        self.own |= languages
        self._senses.extend(_mark(name_of(idea), language) for language in languages)

    @property
    def has_kept(self) -> bool:
        """Whether any entry is exported in its original form."""
        return bool(self._kept)

    def has_sense(self, idea: str, language: str) -> bool:
        """Return whether an idea has a word in a language here."""
        mark = _mark(idea, language)
        place = bisect_left(self._senses, mark)
        return place < len(self._senses) and self._senses[place] == mark

    def by_word(self) -> Iterator[tuple[str, str, list[_Stored]]]:
        """Yield the words by language and code points, each with its records."""
        codes = list(self._places)
        for key, entries in groupby(self._sorted, key=lambda entry: entry.key):
            yield codes[int.from_bytes(key[:4], "big")], key[4:].decode(), [*map(self._read, list(entries))]

    def _read(self, entry: Entry) -> _Stored:
        return self._read_at(entry.number, entry.numbers[0])

    def _read_at(self, place: int, length: int) -> _Stored:
        self._file.seek(place)
        found: _Stored = msgspec.msgpack.decode(self._file.read(length), type=_Stored)
        return found


def _is_headword(entry: LiftEntry, idea: IdeaRecord, word: WordRecord) -> bool:
    """Return whether a word is the headword of an entry, or its current spelling."""
    texts = [one.text for one in idea.words if one.language == word.language]
    return word.text == (entry.text if entry.text in texts else texts[0])


def _mark(idea: str, language: str) -> int:
    return int.from_bytes(blake2b(f"{idea}\t{language}".encode(), digest_size=8).digest(), "little")


class _Writing:
    """Writer of the entries of a file, and of the recordings that they name."""

    def __init__(self, book: Book, gathered: _Gathered, made: zipfile.ZipFile) -> None:
        self._book = book
        self._gathered = gathered
        self._made = made
        self._own = frozenset(gathered.own)
        self._in_order = [language.code for language in book.languages if language.code in self._own]
        self._taken: dict[int, bool] = {}
        self._references = References(self._own, self._target, gathered.kept_ids)
        self._edits = book.lift_edits() if gathered.has_kept else LiftEdits()
        self._written: set[tuple[str, str]] = set()
        """The written entries in their original form, by source and key."""

    def entries(self) -> Iterator[str]:
        """Yield the entries as XML."""
        words = self._gathered.by_word()
        while some := list(islice(words, WORDS_AT_ONCE)):
            heard = self._heard([Spoken(language, text) for language, text, _ in some])
            for language, text, stored in some:
                yield from self._of_word(language, text, stored, heard.get(Spoken(language, text), ()))
        for one in self._gathered.kept_parts:
            if not one.key.startswith((HEADER, RANGE)):
                yield write_kept(KeptEntry.of(one, {}), self._references)

    def _heard(self, words: Sequence[Spoken]) -> Mapping[Spoken, Sequence[Voice]]:
        return self._book.voices.of_words(words) if self._book.voices else {}

    def _of_word(self, language: str, text: str, stored: list[_Stored], voices: Sequence[Voice]) -> Iterator[str]:
        """Yield the entries of a word: one, or as many homographs as in the file of origin."""
        ideas = [one for one in stored if isinstance(one, IdeaRecord)]
        tagged = [pair for one in stored if isinstance(one, FormsRecord) for pair in one.forms]
        senses = [
            Sense(idea, word) for idea in ideas for word in idea.words if (word.language, word.text) == (language, text)
        ]
        senses.sort(key=lambda sense: (sense.word.position or 1, sense.name))
        heard = [(voice, file) for voice in voices if (file := self._file_of(voice.id)) is not None]
        alone = [KeptEntry.of(one, {}) for one in stored if isinstance(one, LiftEntry)]
        kept, senses = self._kept_entries(senses)
        for one in alone:
            # A variant shares the senses of its main entry.
            senses = [each for each in senses if not (each.word.note or "").startswith(VARIANT_OF)]
            yield write_kept(one, self._references)
        if kept:
            first = next(iter(kept[0].senses.values())).word
            added = additions_of(kept, first, senses, tagged, heard)
            yield write_kept(kept[0], self._references, self._edits, added)
            yield from (write_kept(one, self._references, self._edits) for one in kept[1:])
        else:
            yield from self._made_entries(language, text, senses, tagged, heard)
        yield from (write_proverb(one) for one in stored if isinstance(one, PhraseRecord))

    def _kept_entries(self, senses: Sequence[Sense]) -> tuple[list[KeptEntry], list[Sense]]:
        """Return the stored entries of a word, each once, and the senses that are in none."""
        found: dict[tuple[str, str], tuple[LiftEntry, dict[str, Sense]]] = {}
        others = []
        for sense in senses:
            entry, key = self._gathered.kept(sense) or (None, "")
            name = (entry.source, entry.key) if entry is not None else ("", "")
            if entry is None or name in self._written:
                others.append(sense)
            else:
                found.setdefault(name, (entry, {}))[1][key] = sense
        self._written |= found.keys()
        return [KeptEntry.of(*one) for one in found.values()], others

    def _made_entries(
        self,
        language: str,
        text: str,
        senses: Sequence[Sense],
        tagged: Sequence[tuple[str, str]],
        heard: Sequence[tuple[Voice, str]],
    ) -> Iterator[str]:
        homographs = _homographs(senses)
        for number, (entry, mine) in enumerate(homographs.items(), 1):
            guid = entry_guid(language, text, entry)
            head = Headword(mine, guid, number if len(homographs) > 1 else None)
            if number == 1:
                head = head._replace(tagged=tagged, voices=heard)
            yield write_entry(head, self._references)

    def _file_of(self, number: int) -> str | None:
        """Write a recording once; return its name, or None if its file is lost."""
        name = f"{number}.{EXTENSION}"
        if number not in self._taken:
            body = self._book.voices.read(number) if self._book.voices else None
            self._taken[number] = body is not None
            if body is not None:
                # Not compressed, since MP3 does not compress.
                information = zipfile.ZipInfo(f"{AUDIO}/{name}", ARCHIVE_DATE)
                information.external_attr = 0o644 << 16
                self._made.writestr(information, body)
        return name if self._taken[number] else None

    def _target(self, idea: str, language: str) -> str | None:
        """Return the ID of an idea's sense: in the same language, else in the first one that has a word for it."""
        for code in (language, *self._in_order):
            if self._gathered.has_sense(idea, code):
                return sense_guid(idea, code)
        return None


def _homographs(senses: Sequence[Sense]) -> dict[str, list[Sense]]:
    """Group the senses of a word by their original entries; those added here join the first one."""
    found: dict[str, list[Sense]] = {}
    for sense in senses:
        idea, word = sense
        is_own = sense_id(idea, word) == sense_guid(name_of(idea), word.language)
        found.setdefault(entry_of_key(idea.key, word.language) if is_own else "", []).append(sense)
    added = found.pop("", [])
    if added:
        first = next(iter(found), "")
        found[first] = sorted([*found.get(first, ()), *added], key=lambda one: (one.word.position or 1, one.name))
    return found
