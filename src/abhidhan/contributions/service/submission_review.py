"""What editors review: submissions that wait, with all that helps to decide, and unchecked ideas."""

import time
from collections.abc import Callable, Sequence
from functools import partial

import msgspec

from abhidhan.contributions.service.corrections import ProposedChange
from abhidhan.contributions.service.submission_transactions import (
    Case,
    approve_submission,
    decide_submission,
    propose_change,
)
from abhidhan.contributions.service.submission_views import Similar, Submission, find_similar, show
from abhidhan.dictionary.store import missing_words
from abhidhan.dictionary.store.confirmations import unchecked_ideas
from abhidhan.dictionary.store.ideas import gather_ideas
from abhidhan.exchange.service.pending_list_values import Need, needs_of
from abhidhan.media.service.photos import NO_PHOTO, Looked, PhotoEntry, photos_with_words
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import NotFoundError, sentence
from abhidhan.records.history import decode_state
from abhidhan.records.ideas import Idea
from abhidhan.records.paging import Page
from abhidhan.records.people import Permission, Person, require
from abhidhan.records.submission_payloads import (
    AnySubmission,
    CorrectionSubmission,
    Kind,
    RecordSubmission,
    decode_submission,
)
from abhidhan.records.submissions import Status, Step, clean_reason
from abhidhan.submissions import store as stored
from abhidhan.submissions.store import SubmissionRow


class PendingSubmission(msgspec.Struct, frozen=True):
    """A submission as an editor looks at it: what is like it already, what a correction would change, its photos.

    `needs` are the values of lists that have to be approved before it.
    """

    submission: Submission
    given: AnySubmission
    similar: tuple[Similar, ...]
    change: ProposedChange | None
    photos: tuple[PhotoEntry, ...] = ()
    needs: tuple[Need, ...] = ()


class SubmissionReview:
    """What editors do with submissions. Each method is one job."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        """Work on a database; `clock` returns the seconds since 1970."""
        self._database = database
        self._clock = clock

    async def list_pending(
        self, person: Person, limit: int, offset: int = 0, kinds: frozenset[Kind] = frozenset()
    ) -> Page[PendingSubmission]:
        """List what waits for an editor, of some kinds (none: of all), with all that helps to decide.

        Raises ForbiddenError.
        """
        require(person, Permission.REVIEW)
        job = partial(
            stored.list_submissions, status=Status.PENDING, person_id=None, limit=limit, offset=offset, kinds=kinds
        )
        found = await self._database.read(job, long=True)
        return Page(await self._all_pending(person, found.items), found.total)

    async def show_pending(self, person: Person, submission_id: int) -> PendingSubmission:
        """Show one submission as an editor looks at it. Raises ForbiddenError, NotFoundError."""
        require(person, Permission.REVIEW)
        return (await self._all_pending(person, [await self.find_row(submission_id)]))[0]

    async def approve(
        self,
        person: Person,
        submission_id: int,
        instead: AnySubmission | None = None,
        looked: Looked = NO_PHOTO,
    ) -> Submission:
        """Put a submission into the dictionary, as it is or as the editor has changed it, with the photos looked at.

        Raises ForbiddenError, NotFoundError, InputError, and ConflictError when it is decided already, or a photo
        waits with it that the editor has not looked at.
        """
        require(person, Permission.REVIEW)
        case = await self._case(person, submission_id)
        await self._database.write(partial(approve_submission, case=case, instead=instead, looked=looked))
        return await self.show(submission_id)

    async def reject(self, person: Person, submission_id: int, reason: str) -> Submission:
        """Refuse a submission, for a reason that its submitter reads. Raises as `approve` does."""
        require(person, Permission.REVIEW)
        return await self.decide(person, submission_id, Step.REJECT, clean_reason(reason))

    async def leave_out(self, person: Person, word: str) -> None:
        """Take a word off the list of those that people look for and do not find. Raises ForbiddenError."""
        require(person, Permission.REVIEW)
        await self._database.write(partial(missing_words.leave_out, text=word), public=False)

    async def decide(self, person: Person, submission_id: int, step: Step, reason: str | None) -> Submission:
        """Take a step with a submission. Raises NotFoundError, ConflictError when it is decided already."""
        case = await self._case(person, submission_id)
        await self._database.write(partial(decide_submission, case=case, step=step, reason=reason), public=False)
        return await self.show(submission_id)

    async def find_row(self, submission_id: int) -> SubmissionRow:
        """Find the row of a submission. Raises NotFoundError."""
        row = await self._database.read(partial(stored.find_submission, submission_id=submission_id))
        if row is None:
            raise NotFoundError(
                sentence("There is no submission with the ID %(submission_id)s.", submission_id=submission_id)
            )
        return row

    async def show(self, submission_id: int) -> Submission:
        """Show a submission, without asking who may see it."""
        return await self._database.read(partial(show, submission_id=submission_id), long=True)

    async def _all_pending(self, person: Person, rows: Sequence[SubmissionRow]) -> tuple[PendingSubmission, ...]:
        words = [row.id for row in rows if row.kind == Kind.WORD]
        photos = await self._database.read(partial(photos_with_words, submission_ids=words), long=True)
        return tuple([await self._pending(person, row, photos.get(row.id, ())) for row in rows])

    async def _pending(self, person: Person, row: SubmissionRow, photos: tuple[PhotoEntry, ...]) -> PendingSubmission:
        given = decode_submission(row.payload)
        change = None
        if isinstance(given, CorrectionSubmission):
            case = await self._case(person, row.id)
            job = partial(propose_change, case=case, data=given.data, seen=decode_state(row.seen))
            change = await self._database.read_transaction(job)
        similar = await self._database.read(partial(find_similar, submission=given), long=True)
        needs = await self._needs(given)
        return PendingSubmission(await self.show(row.id), given, similar, change, photos, needs)

    async def _needs(self, given: AnySubmission) -> tuple[Need, ...]:
        if not isinstance(given, RecordSubmission):
            return ()
        return await self._database.read_transaction(partial(needs_of, record=given.data.record))

    async def _case(self, person: Person, submission_id: int) -> Case:
        catalogue = await self._database.read(lambda reader: reader.catalogue)
        return Case(submission_id, catalogue, person, self._now())

    def _now(self) -> int:
        return int(self._clock())


def list_unchecked(reader: Reader, limit: int, offset: int) -> Page[Idea]:
    """List one page of the unchecked ideas: those of the commonest Assamese words first, ties by ID."""
    found = unchecked_ideas(reader, limit, offset)
    return Page(gather_ideas(reader, found.items), found.total)
