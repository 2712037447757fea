"""Photos: checked, submitted and opened, and the queue of those that wait by themselves."""

from functools import partial
from typing import NamedTuple

from abhidhan.media.service.photo_kind import PHOTO_KIND, PhotoEntry, check_word_waits, list_photos_of_ideas
from abhidhan.media.service.upload_kinds import Problems
from abhidhan.media.service.uploads import OpenedSent, SentFileService
from abhidhan.media.store import photos as stored
from abhidhan.media.store.photos import NewPhoto, PhotoRow
from abhidhan.platform.sandbox.object_store import new_key
from abhidhan.records.errors import InputError, sentence
from abhidhan.records.licences import agreed
from abhidhan.records.paging import Page
from abhidhan.records.people import Permission, Person, require
from abhidhan.records.photos import PhotoName, ProcessedPhoto, clean_credit, read_idea_id, read_submission_id
from abhidhan.records.sent_files import SentFile
from abhidhan.records.submissions import Status
from abhidhan.submissions.store import submissions


class Subject(NamedTuple):
    """What a photo shows: an idea, or a word that waits for an editor, by its submission."""

    idea_id: int | None
    submission_id: int | None = None


class CheckedPhoto(NamedTuple):
    """A photo in which nothing is wrong."""

    credit: str
    processed: ProcessedPhoto


class Photos(SentFileService[PhotoRow, ProcessedPhoto, PhotoEntry]):
    """Everything that is done with photos. Each method is one job."""

    kind = PHOTO_KIND

    async def submit(self, person: Person, sent: SentFile) -> PhotoEntry:
        """Check a photo and all that came with it, and keep it for review.

        Raises InputError with everything that is wrong, ForbiddenError, UnavailableError, QuotaError when too many of
        the person's wait, ReusedKeyError when the client's key came with another request; nothing is kept then.
        """
        require(person, Permission.SUBMIT_PHOTO)
        problems = Problems(sent.problems)
        subject: Subject | None = None
        checked: CheckedPhoto | None = None
        if sent.fields.get("submissionID") or sent.can_check("ideaID"):
            with problems:
                subject = await self._subject(person, sent)
        with problems:
            checked = await self.checked(sent)
        if problems or subject is None or checked is None:
            raise InputError(*dict.fromkeys(problems))
        shown = str(subject.idea_id) if subject.idea_id else f"word:{subject.submission_id}"
        mark = self.mark(person, sent.idempotency_key, shown.encode(), checked.credit.encode(), sent.file or b"")
        new = NewPhoto(subject.idea_id, person.id, checked.credit, new_key(), mark, self.licence, subject.submission_id)
        return await self.store(new, checked.processed, self.quotas_of(person))

    async def checked(self, sent: SentFile) -> CheckedPhoto:
        """Check a photo, but not what it shows. Raises InputError with everything that is wrong, UnavailableError."""
        problems = Problems(sent.problems)
        credit: str | None = None
        processed: ProcessedPhoto | None = None
        if sent.can_check("photoCredit"):
            with problems:
                credit = _credit(sent)
        with problems:
            agreed(self.licence, sent.fields.get("licence"))
        with problems:
            processed = await self.processed(sent)
        if problems or credit is None or processed is None:
            raise InputError(*problems)
        return CheckedPhoto(credit, processed)

    async def _subject(self, person: Person, sent: SentFile) -> Subject:
        idea, submission = sent.fields.get("ideaID", ""), sent.fields.get("submissionID", "")
        if not submission:
            return Subject(await self._idea_id(idea))
        if idea:
            raise InputError.of(
                "submissionID", sentence("Give either `ideaID` or `submissionID`: a photo shows one thing.")
            )
        submission_id = read_submission_id(submission)
        job = partial(submissions.find_submission, submission_id=submission_id)
        check_word_waits(await self._database.read(job), person.id)
        return Subject(None, submission_id)

    async def _idea_id(self, text: str) -> int:
        if not text.strip():
            raise InputError.of(
                "ideaID",
                sentence(
                    "`%(parameter)s` is missing: give the number of the idea that the photo shows.", parameter="ideaID"
                ),
            )
        idea_id = read_idea_id(text)
        if not await self._database.read(partial(stored.finds_idea, idea_id=idea_id)):
            raise InputError.of("ideaID", sentence("There is no idea with the ID %(idea_id)s.", idea_id=idea_id))
        return idea_id

    async def throw_away_withdrawn(self, submission_id: int) -> None:
        """Throw away the bytes of the photos that were withdrawn with a word; if that fails, a later round does it."""
        job = partial(stored.photos_with_words, submission_ids=[submission_id], status=Status.WITHDRAWN)
        await self.cleanup.throw_away_if_possible(await self._database.read(job, long=True))

    async def list_queue(self, person: Person, limit: int) -> Page[PhotoEntry]:
        """List the photos that wait by themselves; those that came with a word wait with it. Raises ForbiddenError."""
        require(person, Permission.REVIEW)
        return await self._database.read(partial(list_photos_of_ideas, limit=limit), long=True)

    async def open(self, name: PhotoName, person: Person | None) -> OpenedSent:
        """Open the bytes of a photo or its thumbnail. Raises as `open_file` does."""
        return await self.open_file(name.photo_id, name.suffix, person)


def _credit(sent: SentFile) -> str:
    if "photoCredit" not in sent.fields:
        raise InputError.of(
            "photoCredit",
            sentence(
                "`%(parameter)s` is missing: say who made the photo, in at least 2 characters.", parameter="photoCredit"
            ),
        )
    return clean_credit(sent.fields["photoCredit"])
