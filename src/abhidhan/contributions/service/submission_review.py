"""Review by editors: pending submissions with the context for a decision, and unchecked ideas."""

import time
from collections.abc import Callable, Sequence
from functools import partial

import msgspec

from abhidhan.contributions.service.corrections import ProposedChange
from abhidhan.contributions.service.submission_transactions import (
    DecisionContext,
    approve_submission,
    decide_submission,
    propose_change,
)
from abhidhan.contributions.service.submission_views import Similar, Submission, find_similar, get_submission
from abhidhan.dictionary.store import missing_words
from abhidhan.dictionary.store.confirmations import list_unchecked_ideas
from abhidhan.dictionary.store.ideas import load_ideas
from abhidhan.exchange.service.pending_list_values import NeededValue, find_needed_values
from abhidhan.media.service.photos import NO_REVIEWED_PHOTOS, PhotoEntry, ReviewedPhotos, list_word_photos
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import NotFoundError, sentence
from abhidhan.records.history import decode_state
from abhidhan.records.ideas import Idea
from abhidhan.records.paging import Page
from abhidhan.records.people import Permission, Person, require_permission
from abhidhan.records.submission_payloads import (
    AnySubmission,
    CorrectionSubmission,
    Kind,
    RecordSubmission,
    decode_submission,
)
from abhidhan.records.submissions import ReviewStep, Status, clean_reason
from abhidhan.submissions import store as stored
from abhidhan.submissions.store import SubmissionRow


class PendingSubmission(msgspec.Struct, frozen=True):
    """A submission as shown to editors, with similar records, the changes of a correction, and its photos.

    `needs` are the list values that have to be approved before it.
    """

    submission: Submission
    data: AnySubmission
    similar: tuple[Similar, ...]
    change: ProposedChange | None
    photos: tuple[PhotoEntry, ...] = ()
    needs: tuple[NeededValue, ...] = ()


class SubmissionReview:
    """Service for editors who review submissions."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        """Initialise with a database. `clock` returns the seconds since 1970."""
        self._database = database
        self._clock = clock

    async def list_pending(
        self, person: Person, limit: int, offset: int = 0, kinds: frozenset[Kind] = frozenset()
    ) -> Page[PendingSubmission]:
        """Return a page of the pending submissions of these kinds (empty: all).

        Raises ForbiddenError.
        """
        require_permission(person, Permission.REVIEW)
        job = partial(
            stored.list_submissions, status=Status.PENDING, person_id=None, limit=limit, offset=offset, kinds=kinds
        )
        page = await self._database.read(job, long=True)
        return Page(await self._load_all_pending(person, page.items), page.total)

    async def show_pending(self, person: Person, submission_id: int) -> PendingSubmission:
        """Return one submission as shown to editors. Raises ForbiddenError, NotFoundError."""
        require_permission(person, Permission.REVIEW)
        return (await self._load_all_pending(person, [await self.find_row(submission_id)]))[0]

    async def approve(
        self,
        person: Person,
        submission_id: int,
        replacement: AnySubmission | None = None,
        reviewed_photos: ReviewedPhotos = NO_REVIEWED_PHOTOS,
    ) -> Submission:
        """Approve a submission with the photos in `reviewed_photos` and, if given, the data in `replacement`.

        Raises ForbiddenError, NotFoundError, InputError, and ConflictError if it is already decided, or has a pending
        photo that the editor has not seen.
        """
        require_permission(person, Permission.REVIEW)
        context = await self._build_context(person, submission_id)
        await self._database.write(
            partial(approve_submission, context=context, replacement=replacement, reviewed_photos=reviewed_photos)
        )
        return await self.show(submission_id)

    async def reject(self, person: Person, submission_id: int, reason: str) -> Submission:
        """Reject a submission, with a reason for its submitter. Raises the same errors as `approve`."""
        require_permission(person, Permission.REVIEW)
        return await self.decide(person, submission_id, ReviewStep.REJECT, clean_reason(reason))

    async def exclude_missing_word(self, person: Person, word: str) -> None:
        """Remove a word from the list of frequent searches without results. Raises ForbiddenError."""
        require_permission(person, Permission.REVIEW)
        await self._database.write(partial(missing_words.exclude_word, text=word), public=False)

    async def decide(self, person: Person, submission_id: int, step: ReviewStep, reason: str | None) -> Submission:
        """Reject or withdraw a submission. Raises NotFoundError, ConflictError if it is already decided."""
        context = await self._build_context(person, submission_id)
        await self._database.write(partial(decide_submission, context=context, step=step, reason=reason), public=False)
        return await self.show(submission_id)

    async def find_row(self, submission_id: int) -> SubmissionRow:
        """Return the row of a submission. Raises NotFoundError."""
        row = await self._database.read(partial(stored.find_submission, submission_id=submission_id))
        if row is None:
            raise NotFoundError(
                sentence("There is no submission with the ID %(submission_id)s.", submission_id=submission_id)
            )
        return row

    async def show(self, submission_id: int) -> Submission:
        """Return a submission, without a permission check. Raises NotFoundError."""
        return await self._database.read(partial(get_submission, submission_id=submission_id), long=True)

    async def _load_all_pending(self, person: Person, rows: Sequence[SubmissionRow]) -> tuple[PendingSubmission, ...]:
        words = [row.id for row in rows if row.kind == Kind.WORD]
        photos = await self._database.read(partial(list_word_photos, submission_ids=words), long=True)
        return tuple([await self._load_pending(person, row, photos.get(row.id, ())) for row in rows])

    async def _load_pending(
        self, person: Person, row: SubmissionRow, photos: tuple[PhotoEntry, ...]
    ) -> PendingSubmission:
        submission = decode_submission(row.payload)
        change = None
        if isinstance(submission, CorrectionSubmission):
            context = await self._build_context(person, row.id)
            job = partial(propose_change, context=context, data=submission.data, seen_state=decode_state(row.seen))
            change = await self._database.read_transaction(job)
        similar = await self._database.read(partial(find_similar, submission=submission), long=True)
        needs = await self._find_needed_values(submission)
        return PendingSubmission(await self.show(row.id), submission, similar, change, photos, needs)

    async def _find_needed_values(self, submission: AnySubmission) -> tuple[NeededValue, ...]:
        if not isinstance(submission, RecordSubmission):
            return ()
        return await self._database.read_transaction(partial(find_needed_values, record=submission.data.record))

    async def _build_context(self, person: Person, submission_id: int) -> DecisionContext:
        catalogue = await self._database.read(lambda reader: reader.catalogue)
        return DecisionContext(submission_id, catalogue, person, self._now())

    def _now(self) -> int:
        return int(self._clock())


def list_unchecked(connection: ReadConnection, limit: int, offset: int) -> Page[Idea]:
    """Return a page of the unchecked ideas, by descending frequency of their Assamese words, then by ID."""
    page = list_unchecked_ideas(connection, limit, offset)
    return Page(load_ideas(connection, page.items), page.total)
