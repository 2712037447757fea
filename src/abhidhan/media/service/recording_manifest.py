"""Rows of a list of recordings: find the file and the spoken word, proverb or example of each, or report problems."""

from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from abhidhan.formats.recording_lists import ListedRecording
from abhidhan.media.service.upload_kinds import Problems
from abhidhan.media.store import recordings
from abhidhan.media.store import recordings as stored
from abhidhan.media.store.recordings import RecordingTarget
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import InputError, Sentence, quoted
from abhidhan.records.ids import parse_number
from abhidhan.records.recordings import MAX_RECORDING_BYTES, clean_place, clean_speaker
from abhidhan.records.sources import MAX_LICENCE_LENGTH
from abhidhan.records.uploads import RECORDING_FIELD, RefusedFileError, UploadRefusal
from assamese.normalization import collapse_whitespace, exact_key, nfc

TARGET_KINDS: Final = ("word", "proverb", "example")
LICENCE_REQUIRED: Final = (
    "Under which licence is it? Give it in the column licence, or for all, such as: --licence CC-BY-4.0."
)
LANGUAGE_REQUIRED: Final = "Which language is it in? Give it in the column language, or for all: --language as."


class RecordingDefaults(msgspec.Struct, frozen=True):
    """Defaults for all recordings of an import; values of a row take precedence."""

    language: str | None = None
    speaker: str | None = None
    place: str | None = None
    licence: str | None = None


class ResolvedRecording(NamedTuple):
    """A resolved row of a list, ready to be decoded."""

    line: int
    file: str
    content: bytes
    subject: RecordingTarget
    speaker: str | None
    place: str | None
    licence: str


def resolve_file(folder: Path, name: str) -> Path:
    """Return the path of a file that a list names; it must be within the list's folder. Raises InputError."""
    # Lists made on Windows separate folders with backslashes.
    relative_name = name.replace("\\", "/")
    try:
        file = (folder / relative_name).resolve()
        is_inside = file.is_relative_to(folder.resolve()) and not relative_name.startswith("/")
        exists = is_inside and file.is_file()
    except (OSError, ValueError, RuntimeError):
        raise InputError.of("file", "The name of the file is not valid.") from None
    if not is_inside:
        raise InputError.of("file", "The file is outside the folder of the list: it is not read.")
    if not exists:
        raise InputError.of("file", "There is no such file.")
    return file


def resolve_row(
    connection: ReadConnection, row: ListedRecording, folder: Path, defaults: RecordingDefaults
) -> ResolvedRecording:
    """Read the file of a row, and find what it records. Raises InputError with all problems of the row."""
    problems = Problems()
    content: bytes | None = None
    subject: RecordingTarget | None = None
    speaker: str | None = None
    place: str | None = None
    licence: str | None = None
    with problems:
        content = _read_content(folder, row.file)
    with problems:
        subject = _resolve_target(connection, row, defaults.language)
    with problems:
        speaker = clean_speaker(row.speaker or defaults.speaker)
    with problems:
        place = clean_place(row.place or defaults.place)
    with problems:
        licence = _clean_licence(row.licence or defaults.licence)
    if problems or content is None or subject is None or licence is None:
        raise InputError(*problems)
    return ResolvedRecording(row.line, row.file, content, subject, speaker, place, licence)


def format_problems(file: str, error: InputError) -> str:
    """Format the problems of a recording, with the file name in place of the field name."""
    return " ".join(_with_file_name(file, problem.detail) for problem in error.problems)


def _with_file_name(file: str, message: str) -> str:
    if isinstance(message, Sentence) and message.values.get("parameter") == "recording":
        return message.pattern % {**message.values, "parameter": file}
    return message if not file else f"{file}: {message}"


def _read_content(folder: Path, name: str) -> bytes:
    if not name:
        raise InputError.of("file", "The row names no file.")
    file = resolve_file(folder, name)
    try:
        if file.stat().st_size > MAX_RECORDING_BYTES:
            raise RefusedFileError(RECORDING_FIELD, UploadRefusal.TOO_BIG)
        return file.read_bytes()
    except OSError as error:
        raise InputError.of("file", f"The file cannot be read: {error.strerror or error}.") from None


def _resolve_target(connection: ReadConnection, row: ListedRecording, language: str | None) -> RecordingTarget:
    """Find the word, proverb or example that a row names by ID or by spelling. Raises InputError."""
    by_id = {name: text for name in ("word_id", "phrase_id", "idea_id") if (text := getattr(row, name))}
    if len(by_id) > 1:
        raise InputError.of("word_id", "Give only one of word_id, phrase_id and idea_id.")
    if row.what and row.what not in TARGET_KINDS:
        raise InputError.of(
            "what", f"The column what must be one of {', '.join(TARGET_KINDS)}, not {quoted(row.what)}."
        )
    for name, text in by_id.items():
        return _find_by_id(connection, name, text, row.text)
    return _find_by_spelling(connection, row, language)


def _find_by_id(connection: ReadConnection, name: str, text: str, expected: str) -> RecordingTarget:
    number = parse_number(text)
    subject = None
    if number:
        if name == "idea_id":
            subject = stored.find_example(connection, number, expected)
        else:
            subject = (stored.find_word if name == "word_id" else stored.find_phrase)(connection, number)
    if subject is None:
        kind = {"word_id": "word", "phrase_id": "proverb", "idea_id": f"example {quoted(expected)} of an idea"}[name]
        raise InputError.of(name, f"There is no {kind} with the ID {quoted(text)}.")
    if expected and exact_key(subject.spoken) != exact_key(expected):
        raise InputError.of(name, f"The {name} {text} is {quoted(subject.spoken)} here, not {quoted(expected)}.")
    return subject


def _find_by_spelling(connection: ReadConnection, row: ListedRecording, language: str | None) -> RecordingTarget:
    text = nfc(collapse_whitespace(row.text))
    if not text:
        raise InputError.of("word", "The row names no word.")
    if row.what == "example":
        raise InputError.of("idea_id", "An example needs idea_id, the number of its idea.")
    language_id = _resolve_language(connection, row.language or language)
    find = recordings.find_phrases_by_key if row.what == "proverb" else recordings.find_words_by_key
    matches = find(connection, exact_key(text), language_id)
    exact_matches = [match for match in matches if match.spoken == text]
    chosen = exact_matches or matches
    if not chosen:
        raise InputError.of("word", f"There is no {row.what or 'word'} {quoted(text)}.")
    if len(chosen) > 1:
        ids = ", ".join(f"{match.word_id or match.phrase_id} ({match.spoken})" for match in chosen)
        raise InputError.of("word", f"{quoted(text)} is ambiguous: choose one with word_id or phrase_id: {ids}.")
    return chosen[0]


def _resolve_language(connection: ReadConnection, name: str | None) -> int:
    if not name:
        raise InputError.of("language", LANGUAGE_REQUIRED)
    language = connection.catalogue.find_language(name)
    if language is None:
        raise InputError.of("language", f"There is no language {quoted(name)}.")
    return language.id


def _clean_licence(licence: str | None) -> str:
    cleaned = nfc(collapse_whitespace(licence or ""))
    if not cleaned:
        raise InputError.of("licence", LICENCE_REQUIRED)
    if len(cleaned) > MAX_LICENCE_LENGTH or not cleaned.isprintable():
        raise InputError.of("licence", f"The name of a licence is one line of at most {MAX_LICENCE_LENGTH} characters.")
    return cleaned
