"""Recordings: their checks, views and review, as one kind of upload."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final, NamedTuple

import msgspec

from abhidhan.media.service.upload_kinds import Problems, UploadKind
from abhidhan.media.service.uploads import OpenedUpload, UploadService
from abhidhan.media.store import recordings as stored
from abhidhan.media.store.recordings import RECORDINGS, NewRecording, RecordingRow, RecordingTarget
from abhidhan.media.store.uploads import Duplicate
from abhidhan.platform.database.database import WriteConnection
from abhidhan.platform.sandbox.object_store import create_key
from abhidhan.records.errors import ConflictError, InputError, NotFoundError, Sentence, UnavailableError, sentence
from abhidhan.records.history import HistoryAction, RecordingState
from abhidhan.records.ids import parse_number
from abhidhan.records.people import Permission, Person, require_permission
from abhidhan.records.recordings import RECORDING_SUFFIX, ProcessedRecording, clean_place, clean_speaker, recording_path
from abhidhan.records.sources import check_licence
from abhidhan.records.submissions import LOST_RECORDING, RECORDING_TRANSITIONS, ReviewStep, Status, next_status
from abhidhan.records.timestamps import Timestamp, format_timestamp
from abhidhan.records.uploads import UploadedFile


class AlikeRecording(msgspec.Struct, frozen=True):
    """An identical (`exact`) or similar recording, shown to moderators."""

    submission_id: int
    status: Status
    spoken: str
    exact: bool
    url: str | None


class RecordingEntry(msgspec.Struct, frozen=True):
    """A submitted recording."""

    submission_id: int
    status: Status
    word_id: int | None
    phrase_id: int | None
    idea_id: int | None
    spoken: str
    language_id: int
    speaker: str | None
    place: str | None
    reason: str | None
    submitted: Timestamp
    url: str | None
    milliseconds: int
    clipped: bool
    duplicates: tuple[AlikeRecording, ...]
    licence: str | None


def build_recording_entry(row: RecordingRow, duplicates: Iterable[Duplicate[RecordingRow]]) -> RecordingEntry:
    """Build the response for a recording, with its duplicates."""
    return RecordingEntry(
        submission_id=row.id,
        status=Status(row.status),
        word_id=row.word_id,
        phrase_id=row.phrase_id,
        idea_id=row.idea_id,
        spoken=row.spoken,
        language_id=row.language_id,
        speaker=row.speaker,
        place=row.place,
        reason=row.reason,
        submitted=format_timestamp(row.submitted),
        url=_recording_url(row),
        milliseconds=row.milliseconds,
        clipped=bool(row.clipped),
        duplicates=tuple(
            AlikeRecording(
                other.row.id, Status(other.row.status), other.row.spoken, other.is_identical, _recording_url(other.row)
            )
            for other in duplicates
        ),
        licence=row.licence,
    )


def _recording_url(row: RecordingRow) -> str | None:
    return None if row.purged else recording_path(row.id)


TARGET_DELETED: Final = sentence("The word, phrase or example in this recording has been deleted or changed.")


def _check_new_recording(connection: WriteConnection, new: NewRecording) -> None:
    if not stored.target_exists(connection, new.subject):
        raise ConflictError(TARGET_DELETED)


def _build_state(row: RecordingRow, status: str, reason: str | None) -> RecordingState:
    return RecordingState(row.word_id, row.phrase_id, row.idea_id, status, row.spoken, row.speaker, row.place, reason)


def _check_approval(row: RecordingRow) -> None:
    if (row.word_id, row.phrase_id, row.idea_id) == (None, None, None):
        raise ConflictError(TARGET_DELETED)


def _not_found_message(number: int) -> Sentence:
    return sentence("There is no recording with the ID %(recording_id)s.", recording_id=number)


RECORDING_KIND: Final[UploadKind[RecordingRow, RecordingEntry]] = UploadKind(
    name="recording",
    table=RECORDINGS,
    build_view=build_recording_entry,
    suffixes=lambda _: (RECORDING_SUFFIX,),
    find_pending=stored.find_pending,
    check_new=_check_new_recording,
    add_row=stored.add_recording,
    build_state=_build_state,
    check_approval=_check_approval,
    submitted_action=HistoryAction.RECORDING_SUBMITTED,
    actions={
        ReviewStep.APPROVE: HistoryAction.RECORDING_APPROVED,
        ReviewStep.REJECT: HistoryAction.RECORDING_REJECTED,
        ReviewStep.WITHDRAW: HistoryAction.RECORDING_WITHDRAWN,
        ReviewStep.LOSE: HistoryAction.RECORDING_REJECTED,
    },
    public_steps=frozenset({ReviewStep.APPROVE, ReviewStep.WITHDRAW}),
    not_found_message=_not_found_message,
    missing_file_message=sentence("There is no such recording."),
    not_owner_message=sentence("Only the person who submitted a recording can withdraw it."),
    lost_file_reason=str(LOST_RECORDING),
    find_next_status=partial(next_status, transitions=RECORDING_TRANSITIONS),
)


CONSENT_VALUE: Final = "yes"
TARGET_REQUIRED: Final = sentence(
    "Say what the recording contains: give exactly one of `wordID`, `phraseID`, or `ideaID` with `example`."
)
CONSENT_REQUIRED: Final = sentence(
    "`%(parameter)s` is missing: send `yes` if the speaker agrees that everyone may listen to and share the recording.",
    parameter="consent",
)
NOT_FOUND_MESSAGES: Final[Mapping[str, Callable[[int], Sentence]]] = {
    "wordID": lambda number: sentence("There is no word with the ID %(word_id)s.", word_id=number),
    "phraseID": lambda number: sentence("There is no phrase with the ID %(phrase_id)s.", phrase_id=number),
    "ideaID": lambda number: sentence("The idea %(idea_id)s has no such example.", idea_id=number),
}


class CheckedRecording(NamedTuple):
    """A valid, processed recording."""

    subject: RecordingTarget
    speaker: str | None
    place: str | None
    processed: ProcessedRecording


class Recordings(UploadService[RecordingRow, ProcessedRecording, RecordingEntry]):
    """Service for recordings."""

    kind = RECORDING_KIND

    async def submit(self, person: Person, upload: UploadedFile) -> RecordingEntry:
        """Check a recording and its fields, and store it for review.

        Raises the same errors as submitting a photo, and ConflictError if the word or text has just been deleted.
        """
        require_permission(person, Permission.SUBMIT_RECORDING)
        subject, speaker, place, processed = await self._check_upload(upload)
        values = (str(value).encode() for value in (*subject, speaker, place))
        mark = self.build_mark(person, upload.idempotency_key, *values, upload.file or b"")
        new = NewRecording(subject, person.id, speaker, place, create_key(), mark, self.licence)
        return await self.store(new, processed, self.get_quotas(person))

    async def _check_upload(self, upload: UploadedFile) -> CheckedRecording:
        """Check a recording and its fields. Raises InputError with all problems."""
        problems = Problems(upload.problems)
        subject: RecordingTarget | None = None
        speaker: str | None = None
        place: str | None = None
        processed: ProcessedRecording | None = None
        with problems:
            subject = await self._resolve_target(upload)
        with problems:
            speaker = clean_speaker(upload.fields.get("speaker"))
        with problems:
            place = clean_place(upload.fields.get("place"))
        if upload.can_check("consent") and upload.fields.get("consent", "").strip() != CONSENT_VALUE:
            problems.extend(InputError.of("consent", CONSENT_REQUIRED).problems)
        with problems:
            check_licence(self.licence, upload.fields.get("licence"))
        with problems:
            processed = await self.process(upload)
        if problems or subject is None or processed is None:
            raise InputError(*dict.fromkeys(problems))
        return CheckedRecording(subject, speaker, place, processed)

    async def _resolve_target(self, upload: UploadedFile) -> RecordingTarget | None:
        example = upload.fields.get("example", "")
        identifiers = {name: text for name in NOT_FOUND_MESSAGES if (text := upload.fields.get(name, "")).strip()}
        if any(problem.parameter in {*NOT_FOUND_MESSAGES, "example"} for problem in upload.problems) or (
            not identifiers and not upload.is_complete
        ):
            return None
        if len(identifiers) != 1 or (bool(example) != ("ideaID" in identifiers) and upload.is_complete):
            raise InputError.of("wordID", TARGET_REQUIRED)
        [(name, text)] = identifiers.items()
        number = _parse_id(name, text)
        jobs = {
            "wordID": partial(stored.find_word, word_id=number),
            "phraseID": partial(stored.find_phrase, phrase_id=number),
            "ideaID": partial(stored.find_example, idea_id=number, text=_normalize_example(example)),
        }
        subject = await self._database.read(jobs[name])
        if subject is None:
            raise InputError.of(name, NOT_FOUND_MESSAGES[name](number))
        return subject

    async def open(self, recording_id: int, person: Person | None) -> OpenedUpload:
        """Open the file of a recording. Raises the same errors as `open_file`."""
        return await self.open_file(recording_id, RECORDING_SUFFIX, person)

    async def read_approved(self, recording_id: int) -> bytes | None:
        """Return the bytes of an approved recording; None if there is none, or the store is unavailable."""
        try:
            opened = await self.open(recording_id, None)
            return b"".join([piece async for piece in opened.pieces])
        except (NotFoundError, UnavailableError):
            return None


def _parse_id(parameter: str, text: str) -> int:
    number = parse_number(text.strip())
    if not number:
        raise InputError.of(
            parameter, sentence("`%(parameter)s` must be the number of a record, such as 88.", parameter=parameter)
        )
    return number


def _normalize_example(example: str) -> str:
    """Normalise an example as stored: forms send CRLF line ends, and texts contain no NUL."""
    return example.replace("\r\n", "\n").replace("\0", "").strip()
