"""Rows of a list of recordings: resolve the file and the subject of each, and collect its problems."""

from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from abhidhan.formats.recording_lists import ListedRecording
from abhidhan.media.service.upload_kinds import Problems
from abhidhan.media.store import recordings
from abhidhan.media.store import recordings as stored
from abhidhan.media.store.recordings import Subject
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import InputError, Sentence, quoted
from abhidhan.records.ids import read_number
from abhidhan.records.recordings import MAX_RECORDING_BYTES, clean_place, clean_speaker
from abhidhan.records.sources import LONGEST_LICENCE
from abhidhan.records.uploads import RECORDING, Refusal, RefusedFileError
from assamese.normalization import exact_key, nfc, squeeze

WHAT: Final = ("word", "proverb", "example")
NO_LICENCE: Final = (
    "Under which licence is it? Give it in the column licence, or for all, such as: --licence CC-BY-4.0."
)
NO_LANGUAGE: Final = "Which language is it in? Give it in the column language, or for all: --language as."


class Told(msgspec.Struct, frozen=True):
    """Defaults for all recordings of an import; values of a row take precedence."""

    language: str | None = None
    speaker: str | None = None
    place: str | None = None
    licence: str | None = None


class ReadyRecording(NamedTuple):
    """A resolved row of a list, ready to be decoded."""

    line: int
    file: str
    content: bytes
    subject: Subject
    speaker: str | None
    place: str | None
    licence: str


def file_within(folder: Path, name: str) -> Path:
    """Return the path of a file in a list, which must be within the list's folder. Raises InputError."""
    # Lists made on Windows separate folders with backslashes.
    plain = name.replace("\\", "/")
    try:
        file = (folder / plain).resolve()
        inside = file.is_relative_to(folder.resolve()) and not plain.startswith("/")
        there = inside and file.is_file()
    except (OSError, ValueError, RuntimeError):
        raise InputError.of("file", "The name of the file is not valid.") from None
    if not inside:
        raise InputError.of("file", "The file is outside the folder of the list: it is not read.")
    if not there:
        raise InputError.of("file", "There is no such file.")
    return file


def make_ready(reader: Reader, row: ListedRecording, folder: Path, told: Told) -> ReadyRecording:
    """Resolve a row. Raises InputError with all its problems."""
    problems = Problems()
    content: bytes | None = None
    subject: Subject | None = None
    speaker: str | None = None
    place: str | None = None
    licence: str | None = None
    with problems:
        content = _content(folder, row.file)
    with problems:
        subject = _subject(reader, row, told.language)
    with problems:
        speaker = clean_speaker(row.speaker or told.speaker)
    with problems:
        place = clean_place(row.place or told.place)
    with problems:
        licence = _licence(row.licence or told.licence)
    if problems or content is None or subject is None or licence is None:
        raise InputError(*problems)
    return ReadyRecording(row.line, row.file, content, subject, speaker, place, licence)


def refusal_of(file: str, error: InputError) -> str:
    """Format the problems of a recording, with the file name in place of the field name."""
    return " ".join(_of_file(file, problem.detail) for problem in error.problems)


def _of_file(file: str, said: str) -> str:
    if isinstance(said, Sentence) and said.values.get("parameter") == "recording":
        return said.pattern % {**said.values, "parameter": file}
    return said if not file else f"{file}: {said}"


def _content(folder: Path, name: str) -> bytes:
    if not name:
        raise InputError.of("file", "The row names no file.")
    file = file_within(folder, name)
    try:
        if file.stat().st_size > MAX_RECORDING_BYTES:
            raise RefusedFileError(RECORDING, Refusal.TOO_BIG)
        return file.read_bytes()
    except OSError as error:
        raise InputError.of("file", f"The file cannot be read: {error.strerror or error}.") from None


def _subject(reader: Reader, row: ListedRecording, language: str | None) -> Subject:
    """Return the subject of a recording, by ID or by spelling. Raises InputError."""
    by_id = {name: text for name in ("word_id", "phrase_id", "idea_id") if (text := getattr(row, name))}
    if len(by_id) > 1:
        raise InputError.of("word_id", "Give only one of word_id, phrase_id and idea_id.")
    if row.what and row.what not in WHAT:
        raise InputError.of("what", f"The column what must be one of {', '.join(WHAT)}, not {quoted(row.what)}.")
    for name, text in by_id.items():
        return _by_id(reader, name, text, row.text)
    return _by_spelling(reader, row, language)


def _by_id(reader: Reader, name: str, text: str, said: str) -> Subject:
    number = read_number(text)
    found = None
    if number:
        if name == "idea_id":
            found = stored.find_example(reader, number, said)
        else:
            found = (stored.find_word if name == "word_id" else stored.find_phrase)(reader, number)
    if found is None:
        kind = {"word_id": "word", "phrase_id": "proverb", "idea_id": f"example {quoted(said)} of an idea"}[name]
        raise InputError.of(name, f"There is no {kind} with the ID {quoted(text)}.")
    if said and exact_key(found.spoken) != exact_key(said):
        raise InputError.of(name, f"The {name} {text} is {quoted(found.spoken)} here, not {quoted(said)}.")
    return found


def _by_spelling(reader: Reader, row: ListedRecording, language: str | None) -> Subject:
    text = nfc(squeeze(row.text))
    if not text:
        raise InputError.of("word", "The row names no word.")
    if row.what == "example":
        raise InputError.of("idea_id", "An example needs idea_id, the number of its idea.")
    language_id = _language(reader, row.language or language)
    find = recordings.phrases_spelled if row.what == "proverb" else recordings.words_spelled
    found = find(reader, exact_key(text), language_id)
    same = [each for each in found if each.spoken == text]
    chosen = same or found
    if not chosen:
        raise InputError.of("word", f"There is no {row.what or 'word'} {quoted(text)}.")
    if len(chosen) > 1:
        ids = ", ".join(f"{each.word_id or each.phrase_id} ({each.spoken})" for each in chosen)
        raise InputError.of("word", f"{quoted(text)} is ambiguous: choose one with word_id or phrase_id: {ids}.")
    return chosen[0]


def _language(reader: Reader, name: str | None) -> int:
    if not name:
        raise InputError.of("language", NO_LANGUAGE)
    found = reader.catalogue.find_language(name)
    if found is None:
        raise InputError.of("language", f"There is no language {quoted(name)}.")
    return found.id


def _licence(licence: str | None) -> str:
    plain = nfc(squeeze(licence or ""))
    if not plain:
        raise InputError.of("licence", NO_LICENCE)
    if len(plain) > LONGEST_LICENCE or not plain.isprintable():
        raise InputError.of("licence", f"The name of a licence is one line of at most {LONGEST_LICENCE} characters.")
    return plain
