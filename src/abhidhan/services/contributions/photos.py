"""Photos: submitted and opened, and the queue of those that wait by themselves."""

from functools import partial
from typing import Any

from abhidhan.domain.pages import Page
from abhidhan.domain.people import Permission, Person, require
from abhidhan.domain.photos import PhotoName, ProcessedPhoto
from abhidhan.domain.submissions import Status
from abhidhan.media.files import FileStore, new_key
from abhidhan.media.processing import Processor
from abhidhan.services.contributions.photo_checks import CheckedPhoto, PhotoChecks
from abhidhan.services.contributions.photo_steps import PHOTO_KIND, store_photo
from abhidhan.services.contributions.photo_views import PhotoSubmission, SentPhoto, list_photos_of_ideas
from abhidhan.services.contributions.sent_files import OpenedSent, SentFileService
from abhidhan.storage.engine.database import Database
from abhidhan.storage.photos import NewPhoto, PhotoRow, photos_with_words


class Photos(SentFileService[PhotoRow, ProcessedPhoto, PhotoSubmission]):
    """Everything that is done with photos. Each method is one job."""

    def __init__(
        self,
        database: Database,
        files: FileStore,
        processor: Processor[ProcessedPhoto],
        **rest: Any,  # noqa: ANN401  # passed on
    ) -> None:
        """Put the parts together; `rest` is what every kind of file has."""
        super().__init__(database, files, processor, PHOTO_KIND, **rest)
        self._checks = PhotoChecks(database, processor, self.licence)

    async def submit(self, person: Person, sent: SentPhoto) -> PhotoSubmission:
        """Check a photo and all that came with it, and keep it for review.

        Raises InputError with everything that is wrong, ForbiddenError, UnavailableError, QuotaError when too many of
        the person's wait, ReusedKeyError when the client's key came with another request; nothing is kept then.
        """
        require(person, Permission.SUBMIT_PHOTO)
        subject, checked = await self._checks.everything(person, sent)
        shown = str(subject.idea_id) if subject.idea_id else f"word:{subject.submission_id}"
        mark = self.mark(person, sent.idempotency_key, shown.encode(), checked.credit.encode(), sent.photo or b"")
        new = NewPhoto(subject.idea_id, person.id, checked.credit, new_key(), mark, self.licence, subject.submission_id)
        job = partial(store_photo, new=new, processed=checked.processed, now=self.now(), quotas=self.quotas_of(person))
        return await self.show(await self.keep(new.key, checked.processed, job))

    async def checked(self, sent: SentPhoto) -> CheckedPhoto:
        """Check a photo, but not what it shows. Raises InputError with everything that is wrong, UnavailableError."""
        return await self._checks.photo(sent)

    async def throw_away_withdrawn(self, submission_id: int) -> None:
        """Throw away the bytes of the photos that were withdrawn with a word; if that fails, a later round does it."""
        job = partial(photos_with_words, submission_ids=[submission_id], status=Status.WITHDRAWN)
        await self.throw_away_if_possible(await self._database.read(job, long=True))

    async def list_queue(self, person: Person, limit: int) -> Page[PhotoSubmission]:
        """List the photos that wait by themselves; those that came with a word wait with it. Raises ForbiddenError."""
        require(person, Permission.REVIEW)
        return await self._database.read(partial(list_photos_of_ideas, limit=limit), long=True)

    async def open(self, name: PhotoName, person: Person | None) -> OpenedSent:
        """Open the bytes of a photo or its thumbnail. Raises as `open_file` does."""
        return await self.open_file(name.photo_id, name.suffix, person)
