"""Recordings: submitted and opened."""

from functools import partial
from typing import Any

from abhidhan.domain.people import Permission, Person, require
from abhidhan.domain.recordings import SUFFIX, ProcessedRecording
from abhidhan.errors import NotFoundError, UnavailableError
from abhidhan.media.files import FileStore, new_key
from abhidhan.media.processing import Processor
from abhidhan.services.contributions.recording_checks import CheckedRecording, RecordingChecks
from abhidhan.services.contributions.recording_steps import RECORDING_KIND, store_recording
from abhidhan.services.contributions.recording_views import RecordingSubmission, SentRecording
from abhidhan.services.contributions.sent_files import OpenedSent, SentFileService
from abhidhan.storage.engine.database import Database
from abhidhan.storage.recordings import NewRecording, RecordingRow


class Recordings(SentFileService[RecordingRow, ProcessedRecording, RecordingSubmission]):
    """Everything that is done with recordings. Each method is one job."""

    def __init__(
        self,
        database: Database,
        files: FileStore,
        processor: Processor[ProcessedRecording],
        **rest: Any,  # noqa: ANN401  # passed on
    ) -> None:
        """Put the parts together; `rest` is what every kind of file has."""
        super().__init__(database, files, processor, RECORDING_KIND, **rest)
        self._checks = RecordingChecks(database, processor, self.licence)

    async def submit(self, person: Person, sent: SentRecording) -> RecordingSubmission:
        """Check a recording and all that came with it, and keep it for review.

        Raises what submitting a photo raises, and ConflictError when what it says has just been deleted.
        """
        require(person, Permission.SUBMIT_RECORDING)
        checked = await self._checks.everything(sent)
        new = NewRecording(
            checked.subject,
            person.id,
            checked.speaker,
            checked.place,
            new_key(),
            self._mark_of(person, sent, checked),
            self.licence,
        )
        job = partial(
            store_recording, new=new, processed=checked.processed, now=self.now(), quotas=self.quotas_of(person)
        )
        return await self.show(await self.keep(new.key, checked.processed, job))

    def _mark_of(self, person: Person, sent: SentRecording, checked: CheckedRecording) -> str | None:
        said = (*checked.subject, checked.speaker, checked.place)
        return self.mark(person, sent.idempotency_key, *(str(each).encode() for each in said), sent.recording or b"")

    async def decode(self, sent: bytes) -> ProcessedRecording:
        """Decode a recording and encode it anew. Raises RefusedRecordingError, UnavailableError."""
        return await self._processor.process(sent)

    async def take_in(self, new: NewRecording, processed: ProcessedRecording) -> RecordingSubmission:
        """Keep one of many that somebody brings at once: for review as any other, but as many as there are.

        Raises ConflictError when what it says has just been deleted, UnavailableError.
        """
        job = partial(store_recording, new=new, processed=processed, now=self.now(), quotas=None)
        return await self.show(await self.keep(new.key, processed, job))

    async def open(self, recording_id: int, person: Person | None) -> OpenedSent:
        """Open the bytes of a recording. Raises as `open_file` does."""
        return await self.open_file(recording_id, SUFFIX, person)

    async def heard(self, recording_id: int) -> bytes | None:
        """Read the bytes of an approved recording; None where there are none, or the store is not to be reached."""
        try:
            opened = await self.open(recording_id, None)
            return b"".join([piece async for piece in opened.pieces])
        except (NotFoundError, UnavailableError):
            return None
