"""Rows of recordings, the records that they speak, and queries for import and export."""

from typing import Final, NamedTuple

from sqlalchemy import Connection, Integer, Text, bindparam, func, select

from abhidhan.dictionary.store.indexes.perceptual_hash_bands import RECORDING_BANDS
from abhidhan.media.store.uploads import HashIndex, UploadTable
from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.recordings import RECORDING_EXTENSION, ProcessedRecording
from abhidhan.records.submissions import Status
from abhidhan.schema import example, phrase, recording, recording_band, word

LENGTH_TOLERANCE: Final = 0.05
"""Maximum relative difference in length between duplicates: trimming depends on loudness and encoding."""


class RecordingRow(NamedTuple):
    """A row of a submitted recording. Times are seconds since 1970; `likeness` is in hexadecimal digits."""

    id: int
    word_id: int | None
    phrase_id: int | None
    idea_id: int | None
    spoken: str
    language_id: int
    person_id: int | None
    speaker: str | None
    place: str | None
    status: str
    reason: str | None
    submitted: int
    decided: int | None
    key: str
    extension: str
    milliseconds: int
    clipped: int
    size: int
    sha256: str
    likeness: str
    purged: int | None
    licence: str | None


class RecordingTarget(NamedTuple):
    """The record that is spoken: a word, a phrase, or an example of an idea, with its text and language."""

    word_id: int | None
    phrase_id: int | None
    idea_id: int | None
    spoken: str
    language_id: int


class NewRecording(NamedTuple):
    """A recording to store; `key` is the key of its file, `once` the idempotency key of the request."""

    subject: RecordingTarget
    person_id: int
    speaker: str | None
    place: str | None
    key: str
    once: str | None
    licence: str | None


def have_similar_length(first: RecordingRow, second: RecordingRow) -> bool:
    """Return whether two recordings are of similar length; their hashes do not depend on the tempo."""
    return abs(first.milliseconds - second.milliseconds) <= LENGTH_TOLERANCE * max(
        first.milliseconds, second.milliseconds
    )


RECORDINGS: Final = UploadTable(
    recording,
    RecordingRow._fields,
    RecordingRow._make,
    HashIndex(RECORDING_BANDS, recording_band.c.recording_id, have_similar_length),
)

_ID = bindparam("id", type_=Integer)
_WORD = select(word.c.text, word.c.language_id).where(word.c.id == _ID)
_PHRASE = select(phrase.c.text, phrase.c.language_id).where(phrase.c.id == _ID)
_EXAMPLE = (
    select(example.c.text, example.c.language_id)
    .where(example.c.idea_id == _ID, example.c.text == bindparam("text", type_=Text))
    .order_by(example.c.id)
    .limit(1)
)
_READ_WORD, _READ_PHRASE, _READ_EXAMPLE = CompiledQuery(_WORD), CompiledQuery(_PHRASE), CompiledQuery(_EXAMPLE)


def find_word(connection: ReadConnection, word_id: int) -> RecordingTarget | None:
    """Return a word as the target of a recording, or None."""
    row = connection.row(_READ_WORD, id=word_id)
    return RecordingTarget(word_id, None, None, *row) if row else None


def find_phrase(connection: ReadConnection, phrase_id: int) -> RecordingTarget | None:
    """Return a phrase as the target of a recording, or None."""
    row = connection.row(_READ_PHRASE, id=phrase_id)
    return RecordingTarget(None, phrase_id, None, *row) if row else None


def find_example(connection: ReadConnection, idea_id: int, text: str) -> RecordingTarget | None:
    """Return an example of an idea as the target of a recording, or None."""
    row = connection.row(_READ_EXAMPLE, id=idea_id, text=text)
    return RecordingTarget(None, None, idea_id, *row) if row else None


def target_exists(connection: Connection, subject: RecordingTarget) -> bool:
    """Return whether the target of a recording still exists; an example must have the same text."""
    if subject.idea_id is not None:
        result = connection.execute(_EXAMPLE, {"id": subject.idea_id, "text": subject.spoken})
    elif subject.word_id is not None:
        result = connection.execute(_WORD, {"id": subject.word_id})
    else:
        result = connection.execute(_PHRASE, {"id": subject.phrase_id})
    return result.first() is not None


def add_recording(connection: Connection, new: NewRecording, processed: ProcessedRecording, now: int) -> int:
    """Insert a pending recording; return its ID."""
    values = (
        new._asdict()
        | new.subject._asdict()
        | {
            "submitted": now,
            "extension": RECORDING_EXTENSION,
            "milliseconds": processed.milliseconds,
            "clipped": int(processed.clipped),
            "size": len(processed.body),
            "sha256": processed.sha256,
            "likeness": f"{processed.likeness:016x}",
        }
    )
    del values["subject"]
    return RECORDINGS.add(connection, values)


def find_pending(connection: Connection, new: NewRecording, processed: ProcessedRecording) -> int | None:
    """Return the ID of the same user's pending recording with the same sound and fields, or None."""
    values = new.subject._asdict() | {
        "sha256": processed.sha256,
        "person_id": new.person_id,
        "speaker": new.speaker,
        "place": new.place,
    }
    return RECORDINGS.find_pending(connection, values)


MAX_MATCHES = 10
"""Maximum number of matches loaded per spelling, to list them in the error message for an ambiguous one."""

READ_BATCH_SIZE = 500


class ImportedRecording(NamedTuple):
    """A recording of an earlier import, and its status."""

    id: int
    status: Status


_WORDS, _PHRASES = (
    CompiledQuery(
        select(table.c.id, table.c.text, table.c.language_id)
        .where(
            table.c.exact_key == bindparam("key", type_=Text),
            table.c.language_id == bindparam("language_id", type_=Integer),
        )
        .order_by(table.c.id)
        .limit(MAX_MATCHES)
    )
    for table in (word, phrase)
)
_BY_KEY = CompiledQuery(
    select(recording.c.id, recording.c.status).where(recording.c.once == bindparam("once", type_=Text))
)


def find_words_by_key(connection: ReadConnection, key: str, language_id: int) -> list[RecordingTarget]:
    """Return the words of a language with this exact key."""
    rows = connection.rows(_WORDS, key=key, language_id=language_id)
    return [RecordingTarget(number, None, None, *fields) for number, *fields in rows]


def find_phrases_by_key(connection: ReadConnection, key: str, language_id: int) -> list[RecordingTarget]:
    """Return the phrases of a language with this exact key."""
    rows = connection.rows(_PHRASES, key=key, language_id=language_id)
    return [RecordingTarget(None, number, None, *fields) for number, *fields in rows]


def find_imported(connection: ReadConnection, key: str) -> ImportedRecording | None:
    """Return the recording that an earlier request with this idempotency key has stored, or None."""
    row = connection.row(_BY_KEY, once=key)
    return ImportedRecording(row[0], Status(row[1])) if row else None


class LicenceTotal(NamedTuple):
    """Total size in bytes of the approved recordings of a language under one licence."""

    language_id: int
    licence: str | None
    size: int


_IS_APPROVED = (recording.c.status == str(Status.APPROVED), recording.c.purged.is_(None))
_APPROVED = CompiledQuery(
    select(*RECORDINGS.columns)
    .where(*_IS_APPROVED, recording.c.id > bindparam("after", type_=Integer))
    .order_by(recording.c.id)
    .limit(READ_BATCH_SIZE)
)
_SPEAKERS = CompiledQuery(select(recording.c.id, recording.c.speaker).where(*_IS_APPROVED))
_LICENCE_TOTALS = CompiledQuery(
    select(recording.c.language_id, recording.c.licence, func.sum(recording.c.size))
    .where(*_IS_APPROVED)
    .group_by(recording.c.language_id, recording.c.licence)
    .order_by(recording.c.language_id, recording.c.licence)
)


def list_approved_after(connection: ReadConnection, after: int) -> list[RecordingRow]:
    """Return at most `READ_BATCH_SIZE` approved recordings with IDs greater than `after`, by ID."""
    return [RecordingRow._make(row) for row in connection.rows(_APPROVED, after=after)]


def load_speakers(connection: ReadConnection) -> dict[int, str | None]:
    """Return the speakers of all approved recordings by recording ID; None if the speaker is not named."""
    return {number: speaker for number, speaker in connection.rows(_SPEAKERS)}  # noqa: C416  # rows are tuples of any length


def list_licence_totals(connection: ReadConnection) -> list[LicenceTotal]:
    """Return the total sizes of the approved recordings by language and licence."""
    return [
        LicenceTotal(language_id, licence, int(size)) for language_id, licence, size in connection.rows(_LICENCE_TOTALS)
    ]
