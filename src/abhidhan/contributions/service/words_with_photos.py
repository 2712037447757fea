"""Words that are sent with a photo: both are checked, kept and taken back together."""

from functools import partial

from abhidhan.contributions.service.submission_transactions import store_submission
from abhidhan.contributions.service.submission_views import Submission
from abhidhan.contributions.service.submissions import Accepted, Submissions
from abhidhan.media.service.photo_kind import PHOTO_KIND
from abhidhan.media.service.photos import CheckedPhoto, Photos
from abhidhan.media.service.upload_kinds import Problems, store
from abhidhan.media.store.photos import NewPhoto
from abhidhan.platform.database.database import Writer
from abhidhan.platform.sandbox.object_store import new_key
from abhidhan.records.errors import InputError
from abhidhan.records.people import Permission, Person, require
from abhidhan.records.photos import ProcessedPhoto
from abhidhan.records.submission_payloads import WordSubmission
from abhidhan.records.submissions import Quotas
from abhidhan.records.uploads import SentFile
from abhidhan.submissions.store.submissions import NewSubmission


class WordsWithPhotos:
    """What is done with a word and its photo at once. Each method is one job."""

    def __init__(self, submissions: Submissions, photos: Photos) -> None:
        """Work with both services."""
        self._submissions = submissions
        self._photos = photos

    async def submit(
        self, person: Person, submission: WordSubmission, sent: SentFile, licence_seen: str | None = None
    ) -> Accepted:
        """Check a word and its photo, and let both wait for an editor: both are stored, or neither.

        Raises InputError with everything that is wrong with either, and what submitting one of them raises.
        """
        require(person, Permission.SUBMIT_PHOTO)
        problems = Problems()
        word: NewSubmission | None = None
        photo: CheckedPhoto | None = None
        with problems:
            word = await self._submissions.prepare(person, submission, None, licence_seen)
        with problems:
            photo = await self._photos.checked(sent)
        if problems or word is None or photo is None:
            raise InputError(*dict.fromkeys(problems))
        new = NewPhoto(None, person.id, photo.credit, new_key(), None, self._photos.licence)
        job = partial(
            store_both,
            word=word,
            photo=new,
            processed=photo.processed,
            now=self._photos.now(),
            quotas=self._photos.quotas_of(person),
        )
        photo_id = await self._photos.keep(new.key, photo.processed, job)
        kept = await self._photos.show(photo_id)
        return await self._submissions.accepted(submission, kept.word_submission_id or 0)

    async def withdraw(self, person: Person, submission_id: int) -> Submission:
        """Take one's own submission back; the bytes of the photos that came with it are thrown away at once.

        Raises as `Submissions.withdraw` does.
        """
        withdrawn = await self._submissions.withdraw(person, submission_id)
        await self._photos.throw_away_withdrawn(submission_id)
        return withdrawn


def store_both(  # noqa: PLR0913  # each is one part of what is stored
    connection: Writer,
    *,
    word: NewSubmission,
    photo: NewPhoto,
    processed: ProcessedPhoto,
    now: int,
    quotas: Quotas | None,
) -> tuple[int, bool]:
    """Store a word and its photo in one transaction; tells the photo's ID, and whether it is new."""
    submission_id = store_submission(connection, new=word, now=now, quotas=quotas)
    of_word = photo._replace(submission_id=submission_id)
    return store(connection, kind=PHOTO_KIND, new=of_word, processed=processed, now=now, quotas=quotas)
