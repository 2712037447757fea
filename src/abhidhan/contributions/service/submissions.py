"""Submissions by contributors: send them, with a photo for words, list them, and withdraw them."""

import hashlib
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

from abhidhan.contributions.service.submission_review import SubmissionReview
from abhidhan.contributions.service.submission_transactions import check_submission, store_submission
from abhidhan.contributions.service.submission_views import Similar, Submission, find_similar, list_page, subjects_of
from abhidhan.media.service.photos import PHOTO_KIND, CheckedPhoto, Photos
from abhidhan.media.service.upload_kinds import Problems, store
from abhidhan.media.store.photos import NewPhoto
from abhidhan.people.store import people as stored_people
from abhidhan.platform.database.database import Database, WriteConnection
from abhidhan.platform.sandbox.object_store import new_key
from abhidhan.records.errors import ForbiddenError, InputError, TooManyRequestsError, sentence
from abhidhan.records.paging import Page
from abhidhan.records.people import Permission, Person, Role, require
from abhidhan.records.photos import ProcessedPhoto
from abhidhan.records.sources import DEFAULT_LICENCE, check_licence
from abhidhan.records.submission_payloads import (
    AnySubmission,
    CorrectionSubmission,
    Kind,
    MissingData,
    MissingSubmission,
    ReportData,
    ReportSubmission,
    UserSubmission,
    WordSubmission,
    encode_submission,
    kind_of,
)
from abhidhan.records.submissions import Quotas, ReviewStep, Status, mark_of_key
from abhidhan.records.throttling import REPORT, REPORT_ANYWHERE, ClientInfo, Throttle, throttle_key
from abhidhan.records.uploads import UploadedFile
from abhidhan.submissions.store import NewSubmission
from assamese.normalization import exact_key

Proposal = CorrectionSubmission | WordSubmission
"""A proposal that needs no account: a change of an entry, or another word for its idea."""

ANONYMOUS: Final = Person(id=0, username="", role=Role.READER, email=None, created=0, disabled=0)
"""Placeholder for users who report an error without an account."""


class AcceptedSubmission(NamedTuple):
    """A pending submission, and similar existing records as a warning."""

    submission: Submission
    similar: tuple[Similar, ...]


class Submissions:
    """Service for contributors; its attribute `review` is the service for editors."""

    def __init__(
        self,
        database: Database,
        *,
        quotas: Quotas = Quotas(),  # noqa: B008  # frozen
        licence: str = DEFAULT_LICENCE,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Initialise with a database. `licence` is that of all contributions; `clock` returns seconds since 1970."""
        self._database = database
        self._quotas = quotas
        self.licence = licence
        self._clock = clock
        self.review = SubmissionReview(database, clock=clock)

    async def submit(
        self,
        person: Person,
        submission: UserSubmission,
        idempotency_key: str | None = None,
        licence_seen: str | None = None,
    ) -> AcceptedSubmission:
        """Check a submission and store it as pending. Sending the same data again returns the pending one.

        `idempotency_key` is the client's own key for it, `licence_seen` the licence that the sender has read.

        Raises InputError with all problems, ForbiddenError, QuotaError if the user has too many pending submissions,
        ReusedKeyError if the key was used for another request.
        """
        new = await self.prepare(person, submission, idempotency_key, licence_seen)
        return await self.show_accepted(submission, await self._store(person, new))

    async def prepare(
        self, person: Person, submission: UserSubmission, idempotency_key: str | None, licence_seen: str | None
    ) -> NewSubmission:
        """Check a submission, and return the values to store. Raises InputError, ForbiddenError."""
        require(person, Permission.SUBMIT_ENTRY)
        licence = check_licence(self.licence, licence_seen)
        seen = await self._check(person, submission)
        payload = encode_submission(submission)
        same = f"same:{person.id}:{hashlib.sha256(payload.encode()).hexdigest()}"
        mark = mark_of_key(person.id, idempotency_key, payload.encode()) if idempotency_key else same
        return NewSubmission(str(kind_of(submission)), payload, person.id, mark, seen, licence)

    async def show_accepted(self, submission: UserSubmission, submission_id: int) -> AcceptedSubmission:
        """Return a pending submission with similar existing records."""
        similar = await self._database.read(partial(find_similar, submission=submission), long=True)
        return AcceptedSubmission(await self.review.show(submission_id), similar)

    async def report(
        self, person: Person | None, report: ReportData, visit: ClientInfo, licence_seen: str | None = None
    ) -> Submission:
        """Report an error in a word; needs no account. Raises InputError, NotFoundError, TooManyRequestsError."""
        return await self._submit_report(person, ReportSubmission(report), visit, licence_seen)

    async def suggest(
        self, person: Person | None, proposal: Proposal, visit: ClientInfo, licence_seen: str | None = None
    ) -> Submission:
        """Propose a correction of a record, or another word for an existing idea; needs no account.

        Raises InputError, TooManyRequestsError.
        """
        return await self._submit_report(person, proposal, visit, licence_seen)

    async def report_missing(self, missing: MissingData, visit: ClientInfo) -> Submission:
        """Report a missing word; needs no account. All reports of a word share one submission, which has no owner.

        Raises InputError, TooManyRequestsError, QuotaError.
        """
        submission = MissingSubmission(missing)
        await self._check(ANONYMOUS, submission)
        await self._count({throttle_key("report", visit.address): REPORT, throttle_key("report"): REPORT_ANYWHERE})
        catalogue = await self._database.read(lambda reader: reader.catalogue)
        language = catalogue.find_language(str(missing.language).strip())
        mark = f"missing:{language.id if language else 0}:{exact_key(missing.word)}"
        new = NewSubmission(str(Kind.MISSING), encode_submission(submission), None, mark, times=1)
        return await self.review.show(await self._store(None, new))

    async def _submit_report(
        self,
        person: Person | None,
        submission: ReportSubmission | Proposal,
        visit: ClientInfo,
        licence_seen: str | None,
    ) -> Submission:
        licence = check_licence(self.licence, licence_seen)
        seen = await self._check(person or ANONYMOUS, submission)
        if person is None:
            await self._count({throttle_key("report", visit.address): REPORT, throttle_key("report"): REPORT_ANYWHERE})
        payload = encode_submission(submission)
        whose = str(person.id) if person else visit.address
        mark = f"report:{hashlib.sha256(f'{whose}:{payload}'.encode()).hexdigest()}"
        person_id = person.id if person else None
        new = NewSubmission(str(kind_of(submission)), payload, person_id, mark, seen, licence)
        return await self.review.show(await self._store(person, new))

    async def _store(self, person: Person | None, new: NewSubmission) -> int:
        # Reviewers have no quota.
        quotas = None if person and person.may(Permission.REVIEW) else self._quotas
        return await self._database.write(
            partial(store_submission, new=new, now=int(self._clock()), quotas=quotas), public=False
        )

    async def similar_to(self, submission: UserSubmission) -> tuple[Similar, ...]:
        """Return existing records similar to a submission that has not been sent."""
        return await self._database.read(partial(find_similar, submission=submission), long=True)

    async def list_for(self, person: Person, status: Status | None, limit: int, offset: int) -> Page[Submission]:
        """Return a page of submissions: all for editors, their own for others."""
        owner = None if person.may(Permission.REVIEW) else person.id
        job = partial(list_page, status=status, person_id=owner, limit=limit, offset=offset)
        return await self._database.read(job, long=True)

    async def subjects_of(self, submissions: Sequence[Submission]) -> dict[int, str]:
        """Return the display names of the records that submissions concern; empty for deleted records."""
        return await self._database.read(partial(subjects_of, submissions=submissions), long=True)

    async def list_all(self, status: Status | None, limit: int, offset: int = 0) -> Page[Submission]:
        """Return a page of all submissions, without a permission check, for commands."""
        job = partial(list_page, status=status, person_id=None, limit=limit, offset=offset)
        return await self._database.read(job, long=True)

    async def show_to(self, person: Person, submission_id: int) -> Submission:
        """Return a submission to its submitter or an editor. Raises NotFoundError, ForbiddenError."""
        row = await self.review.find_row(submission_id)
        if row.person_id != person.id:
            require(person, Permission.REVIEW)
        return await self.review.show(submission_id)

    async def withdraw(self, person: Person, submission_id: int) -> Submission:
        """Withdraw the user's own submission. Raises NotFoundError, ForbiddenError, ConflictError if it is decided."""
        row = await self.review.find_row(submission_id)
        if row.person_id != person.id:
            raise ForbiddenError(sentence("Only the person who submitted something can withdraw it."))
        return await self.review.decide(person, submission_id, ReviewStep.WITHDRAW, None)

    async def _check(self, person: Person, submission: AnySubmission) -> str | None:
        catalogue = await self._database.read(lambda reader: reader.catalogue)
        job = partial(check_submission, submission=submission, catalogue=catalogue, person=person)
        return await self._database.write(job, public=False)

    async def _count(self, rules: dict[str, Throttle]) -> None:
        wait = await self._database.write(
            partial(stored_people.count_tries, rules=rules, now=int(self._clock())), public=False
        )
        if wait:
            raise TooManyRequestsError(
                sentence("Too many errors have been reported recently. Try again in %(wait)s s.", wait=wait), wait
            )


class WordsWithPhotos:
    """Service for words that are submitted together with a photo."""

    def __init__(self, submissions: Submissions, photos: Photos) -> None:
        """Combine the services for submissions and photos."""
        self._submissions = submissions
        self._photos = photos

    async def submit(
        self, person: Person, submission: WordSubmission, sent: UploadedFile, licence_seen: str | None = None
    ) -> AcceptedSubmission:
        """Check a word and its photo, and store both as pending in one transaction.

        Raises InputError with all problems of both, and the errors of submitting either.
        """
        require(person, Permission.SUBMIT_PHOTO)
        problems = Problems()
        word: NewSubmission | None = None
        photo: CheckedPhoto | None = None
        with problems:
            word = await self._submissions.prepare(person, submission, None, licence_seen)
        with problems:
            photo = await self._photos.check(sent)
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
        photo_id = await self._photos.store_files(new.key, photo.processed, job)
        stored_photo = await self._photos.show(photo_id)
        return await self._submissions.show_accepted(submission, stored_photo.word_submission_id or 0)

    async def withdraw(self, person: Person, submission_id: int) -> Submission:
        """Withdraw the user's own submission, and immediately delete the files of its photos.

        Raises the same errors as `Submissions.withdraw`.
        """
        withdrawn = await self._submissions.withdraw(person, submission_id)
        await self._photos.delete_withdrawn(submission_id)
        return withdrawn


def store_both(  # noqa: PLR0913  # the parts of the two rows
    connection: WriteConnection,
    *,
    word: NewSubmission,
    photo: NewPhoto,
    processed: ProcessedPhoto,
    now: int,
    quotas: Quotas | None,
) -> tuple[int, bool]:
    """Store a word and its photo in one transaction; return the photo's ID, and whether it is new."""
    submission_id = store_submission(connection, new=word, now=now, quotas=quotas)
    of_word = photo._replace(submission_id=submission_id)
    return store(connection, kind=PHOTO_KIND, new=of_word, processed=processed, now=now, quotas=quotas)
