"""Submissions by contributors: send them, with a photo for words, list them, and withdraw them."""

import hashlib
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

from abhidhan.contributions.service.submission_review import SubmissionReview
from abhidhan.contributions.service.submission_transactions import check_submission, store_submission
from abhidhan.contributions.service.submission_views import Similar, Submission, find_similar, list_page, load_subjects
from abhidhan.media.service.photos import PHOTO_KIND, CheckedPhoto, Photos
from abhidhan.media.service.upload_kinds import Problems, store_upload
from abhidhan.media.store.photos import NewPhoto
from abhidhan.people.store import people as stored_people
from abhidhan.platform.database.database import Database, WriteConnection
from abhidhan.platform.sandbox.object_store import create_key
from abhidhan.records.errors import ForbiddenError, InputError, TooManyRequestsError, sentence
from abhidhan.records.paging import Page
from abhidhan.records.people import Permission, Person, Role, require_permission
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
    get_kind,
)
from abhidhan.records.submissions import Quotas, ReviewStep, Status, build_key_mark
from abhidhan.records.throttling import REPORT_ANYWHERE, REPORT_BY_ADDRESS, ClientInfo, Throttle, throttle_key
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
        return await self.load_accepted(submission, await self._store(person, new))

    async def prepare(
        self, person: Person, submission: UserSubmission, idempotency_key: str | None, licence_seen: str | None
    ) -> NewSubmission:
        """Check a submission, and return the values to store. Raises InputError, ForbiddenError."""
        require_permission(person, Permission.SUBMIT_ENTRY)
        licence = check_licence(self.licence, licence_seen)
        seen = await self._check(person, submission)
        payload = encode_submission(submission)
        content_mark = f"same:{person.id}:{hashlib.sha256(payload.encode()).hexdigest()}"
        mark = build_key_mark(person.id, idempotency_key, payload.encode()) if idempotency_key else content_mark
        return NewSubmission(str(get_kind(submission)), payload, person.id, mark, seen, licence)

    async def load_accepted(self, submission: UserSubmission, submission_id: int) -> AcceptedSubmission:
        """Return a pending submission with similar existing records."""
        similar = await self._database.read(partial(find_similar, submission=submission), long=True)
        return AcceptedSubmission(await self.review.show(submission_id), similar)

    async def report(
        self, person: Person | None, report: ReportData, client: ClientInfo, licence_seen: str | None = None
    ) -> Submission:
        """Report an error in a word; needs no account. Raises InputError, NotFoundError, TooManyRequestsError."""
        return await self._submit_report(person, ReportSubmission(report), client, licence_seen)

    async def propose(
        self, person: Person | None, proposal: Proposal, client: ClientInfo, licence_seen: str | None = None
    ) -> Submission:
        """Propose a correction of a record, or another word for an existing idea; needs no account.

        Raises InputError, TooManyRequestsError.
        """
        return await self._submit_report(person, proposal, client, licence_seen)

    async def report_missing(self, missing: MissingData, client: ClientInfo) -> Submission:
        """Report a missing word; needs no account. All reports of a word share one submission, which has no owner.

        Raises InputError, TooManyRequestsError, QuotaError.
        """
        submission = MissingSubmission(missing)
        await self._check(ANONYMOUS, submission)
        await self._check_throttle(
            {throttle_key("report", client.address): REPORT_BY_ADDRESS, throttle_key("report"): REPORT_ANYWHERE}
        )
        catalogue = await self._database.read(lambda reader: reader.catalogue)
        language = catalogue.find_language(str(missing.language).strip())
        mark = f"missing:{language.id if language else 0}:{exact_key(missing.word)}"
        new = NewSubmission(str(Kind.MISSING), encode_submission(submission), None, mark, times=1)
        return await self.review.show(await self._store(None, new))

    async def _submit_report(
        self,
        person: Person | None,
        submission: ReportSubmission | Proposal,
        client: ClientInfo,
        licence_seen: str | None,
    ) -> Submission:
        licence = check_licence(self.licence, licence_seen)
        seen = await self._check(person or ANONYMOUS, submission)
        if person is None:
            await self._check_throttle(
                {throttle_key("report", client.address): REPORT_BY_ADDRESS, throttle_key("report"): REPORT_ANYWHERE}
            )
        payload = encode_submission(submission)
        sender_key = str(person.id) if person else client.address
        mark = f"report:{hashlib.sha256(f'{sender_key}:{payload}'.encode()).hexdigest()}"
        person_id = person.id if person else None
        new = NewSubmission(str(get_kind(submission)), payload, person_id, mark, seen, licence)
        return await self.review.show(await self._store(person, new))

    async def _store(self, person: Person | None, new: NewSubmission) -> int:
        # Reviewers have no quota.
        quotas = None if person and person.has_permission(Permission.REVIEW) else self._quotas
        return await self._database.write(
            partial(store_submission, new=new, now=int(self._clock()), quotas=quotas), public=False
        )

    async def find_similar(self, submission: UserSubmission) -> tuple[Similar, ...]:
        """Return existing records similar to a submission that has not been sent."""
        return await self._database.read(partial(find_similar, submission=submission), long=True)

    async def list_for(self, person: Person, status: Status | None, limit: int, offset: int) -> Page[Submission]:
        """Return a page of submissions: all for editors, their own for others."""
        owner = None if person.has_permission(Permission.REVIEW) else person.id
        job = partial(list_page, status=status, person_id=owner, limit=limit, offset=offset)
        return await self._database.read(job, long=True)

    async def load_subjects(self, submissions: Sequence[Submission]) -> dict[int, str]:
        """Return the display names of the records that submissions concern; empty for deleted records."""
        return await self._database.read(partial(load_subjects, submissions=submissions), long=True)

    async def list_all(self, status: Status | None, limit: int, offset: int = 0) -> Page[Submission]:
        """Return a page of all submissions, without a permission check, for commands."""
        job = partial(list_page, status=status, person_id=None, limit=limit, offset=offset)
        return await self._database.read(job, long=True)

    async def show_to(self, person: Person, submission_id: int) -> Submission:
        """Return a submission to its submitter or an editor. Raises NotFoundError, ForbiddenError."""
        row = await self.review.find_row(submission_id)
        if row.person_id != person.id:
            require_permission(person, Permission.REVIEW)
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

    async def _check_throttle(self, rules: dict[str, Throttle]) -> None:
        wait = await self._database.write(
            partial(stored_people.count_attempts, rules=rules, now=int(self._clock())), public=False
        )
        if wait:
            raise TooManyRequestsError(
                sentence("Too many errors have been reported recently. Try again in %(wait)s s.", wait=wait), wait
            )


class WordPhotoSubmissions:
    """Service for words that are submitted together with a photo."""

    def __init__(self, submissions: Submissions, photos: Photos) -> None:
        """Combine the services for submissions and photos."""
        self._submissions = submissions
        self._photos = photos

    async def submit(
        self, person: Person, submission: WordSubmission, upload: UploadedFile, licence_seen: str | None = None
    ) -> AcceptedSubmission:
        """Check a word and its photo, and store both as pending in one transaction.

        Raises InputError with all problems of both, and the errors of submitting either.
        """
        require_permission(person, Permission.SUBMIT_PHOTO)
        problems = Problems()
        word: NewSubmission | None = None
        photo: CheckedPhoto | None = None
        with problems:
            word = await self._submissions.prepare(person, submission, None, licence_seen)
        with problems:
            photo = await self._photos.check_upload(upload)
        if problems or word is None or photo is None:
            raise InputError(*dict.fromkeys(problems))
        new = NewPhoto(None, person.id, photo.credit, create_key(), None, self._photos.licence)
        job = partial(
            store_word_with_photo,
            word=word,
            photo=new,
            processed=photo.processed,
            now=self._photos.now(),
            quotas=self._photos.get_quotas(person),
        )
        photo_id = await self._photos.store_files(new.key, photo.processed, job)
        stored_photo = await self._photos.load(photo_id)
        return await self._submissions.load_accepted(submission, stored_photo.word_submission_id or 0)

    async def withdraw(self, person: Person, submission_id: int) -> Submission:
        """Withdraw the user's own submission, and immediately delete the files of its photos.

        Raises the same errors as `Submissions.withdraw`.
        """
        withdrawn = await self._submissions.withdraw(person, submission_id)
        await self._photos.delete_withdrawn(submission_id)
        return withdrawn


def store_word_with_photo(  # noqa: PLR0913  # the parts of the two rows
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
    linked_photo = photo._replace(submission_id=submission_id)
    return store_upload(connection, kind=PHOTO_KIND, new=linked_photo, processed=processed, now=now, quotas=quotas)
