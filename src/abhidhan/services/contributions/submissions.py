"""Submissions: what contributors hand in, what looks like it already, and what editors decide."""

import hashlib
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

import msgspec

from abhidhan.domain.drafts import (
    AnySubmission,
    CorrectionSubmission,
    Kind,
    MissingData,
    MissingSubmission,
    RecordSubmission,
    ReportData,
    ReportSubmission,
    Submitted,
    WordSubmission,
    decode_submission,
    encode_submission,
    kind_of,
)
from abhidhan.domain.history import decode_state
from abhidhan.domain.licences import DEFAULT_LICENCE, agreed
from abhidhan.domain.people import Permission, Person, Role, require
from abhidhan.domain.slowdown import REPORT, REPORT_ANYWHERE, Slowdown
from abhidhan.domain.submissions import Quotas, Status, Step, Waiting, clean_reason, mark_of_key
from abhidhan.domain.text.normal import exact_key
from abhidhan.domain.visits import Visit, try_key
from abhidhan.errors import ForbiddenError, NotFoundError, TooManyRequestsError, sentence
from abhidhan.services.contributions.corrections import ProposedChange
from abhidhan.services.contributions.duplicates import Similar, find_similar
from abhidhan.services.contributions.photo_views import PhotoSubmission, photos_with_words
from abhidhan.services.contributions.photos_of_words import NO_PHOTO, Looked
from abhidhan.services.contributions.submission_steps import (
    Case,
    approve_submission,
    check_submission,
    decide_submission,
    propose_change,
    store_submission,
)
from abhidhan.services.contributions.views import Submission, SubmissionPage, list_page, show, subjects_of
from abhidhan.services.exchange.waiting_values import Need, needs_of
from abhidhan.storage import missing_words
from abhidhan.storage import people as stored_people
from abhidhan.storage import submissions as stored
from abhidhan.storage.engine.database import Database
from abhidhan.storage.submissions import NewSubmission, SubmissionRow

Proposal = CorrectionSubmission | WordSubmission
"""What anybody may propose for an entry: a change of it, or another word of its idea."""

ANYBODY: Final = Person(id=0, username="", role=Role.READER, email=None, created=0, disabled=0)
"""Stands for whoever reports an error without an account."""


class Accepted(NamedTuple):
    """A submission that waits now, and what looks like it already: a warning, no hindrance."""

    submission: Submission
    similar: tuple[Similar, ...]


class PendingSubmission(msgspec.Struct, frozen=True):
    """A submission as an editor looks at it: what is like it already, what a correction would change, its photos.

    `needs` are the values of lists that have to be approved before it.
    """

    submission: Submission
    given: AnySubmission
    similar: tuple[Similar, ...]
    change: ProposedChange | None
    photos: tuple[PhotoSubmission, ...] = ()
    needs: tuple[Need, ...] = ()


class PendingPage(NamedTuple):
    """One page of what waits, and how much there is."""

    pending: tuple[PendingSubmission, ...]
    total: int


class Submissions:
    """Everything that is done with submissions. Each method is one job."""

    def __init__(
        self,
        database: Database,
        *,
        quotas: Quotas = Quotas(),  # noqa: B008  # frozen
        licence: str = DEFAULT_LICENCE,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Work on a database. Contributions come under `licence`; `clock` tells the seconds since 1970."""
        self._database = database
        self._quotas = quotas
        self.licence = licence
        self._clock = clock

    async def submit(
        self,
        person: Person,
        submission: Submitted,
        idempotency_key: str | None = None,
        licence_seen: str | None = None,
    ) -> Accepted:
        """Check a submission, and let it wait for an editor. The same one again, while it waits, is the first one.

        `idempotency_key` is the client's own key for it, `licence_seen` the licence as the sender has read it. Raises
        InputError with everything that is wrong, ForbiddenError, QuotaError when too much of the person's waits,
        ReusedKeyError when the key came with another request.
        """
        new = await self.prepare(person, submission, idempotency_key, licence_seen)
        return await self.accepted(submission, await self._keep(person, new))

    async def prepare(
        self, person: Person, submission: Submitted, idempotency_key: str | None, licence_seen: str | None
    ) -> NewSubmission:
        """Check a submission, and write it as it is stored. Raises InputError, ForbiddenError."""
        require(person, Permission.SUBMIT_ENTRY)
        licence = agreed(self.licence, licence_seen)
        seen = await self._check(person, submission)
        payload = encode_submission(submission)
        same = f"same:{person.id}:{hashlib.sha256(payload.encode()).hexdigest()}"
        mark = mark_of_key(person.id, idempotency_key, payload.encode()) if idempotency_key else same
        return NewSubmission(str(kind_of(submission)), payload, person.id, mark, seen, licence)

    async def accepted(self, submission: Submitted, submission_id: int) -> Accepted:
        """Show what waits now, and what looks like it already."""
        similar = await self._database.read(partial(find_similar, submission=submission), long=True)
        return Accepted(await self._shown(submission_id), similar)

    async def report(
        self, person: Person | None, report: ReportData, visit: Visit, licence_seen: str | None = None
    ) -> Submission:
        """Let anybody tell of an error in a word. Raises InputError, NotFoundError, TooManyRequestsError."""
        return await self._tell(person, ReportSubmission(report), visit, licence_seen)

    async def suggest(
        self, person: Person | None, proposal: Proposal, visit: Visit, licence_seen: str | None = None
    ) -> Submission:
        """Let anybody tell what would be right in one record, or a word more for an idea that is there.

        Raises InputError, TooManyRequestsError.
        """
        return await self._tell(person, proposal, visit, licence_seen)

    async def report_missing(self, missing: MissingData, visit: Visit) -> Submission:
        """Let anybody tell of a missing word: one entry a word, which counts how many have. It is nobody's own.

        Raises InputError, TooManyRequestsError, QuotaError.
        """
        submission = MissingSubmission(missing)
        await self._check(ANYBODY, submission)
        await self._count({try_key("report", visit.address): REPORT, try_key("report"): REPORT_ANYWHERE})
        catalogue = await self._database.read(lambda reader: reader.catalogue)
        language = catalogue.find_language(str(missing.language).strip())
        mark = f"missing:{language.id if language else 0}:{exact_key(missing.word)}"
        new = NewSubmission(str(Kind.MISSING), encode_submission(submission), None, mark, times=1)
        return await self._shown(await self._keep(None, new))

    async def leave_out(self, person: Person, word: str) -> None:
        """Take a word off the list of those that people look for and do not find. Raises ForbiddenError."""
        require(person, Permission.REVIEW)
        await self._database.write(partial(missing_words.leave_out, text=word), public=False)

    async def _tell(
        self, person: Person | None, submission: ReportSubmission | Proposal, visit: Visit, licence_seen: str | None
    ) -> Submission:
        licence = agreed(self.licence, licence_seen)
        seen = await self._check(person or ANYBODY, submission)
        if person is None:
            await self._count({try_key("report", visit.address): REPORT, try_key("report"): REPORT_ANYWHERE})
        payload = encode_submission(submission)
        whose = str(person.id) if person else visit.address
        mark = f"report:{hashlib.sha256(f'{whose}:{payload}'.encode()).hexdigest()}"
        person_id = person.id if person else None
        new = NewSubmission(str(kind_of(submission)), payload, person_id, mark, seen, licence)
        return await self._shown(await self._keep(person, new))

    async def _keep(self, person: Person | None, new: NewSubmission) -> int:
        # Who decides on what others send has no queue before their own door.
        quotas = None if person and person.may(Permission.REVIEW) else self._quotas
        return await self._database.write(
            partial(store_submission, new=new, now=self._now(), quotas=quotas), public=False
        )

    async def similar_to(self, submission: Submitted) -> tuple[Similar, ...]:
        """Find what looks like a submission before it is made."""
        return await self._database.read(partial(find_similar, submission=submission), long=True)

    async def list_for(self, person: Person, status: Status | None, limit: int, offset: int) -> SubmissionPage:
        """List submissions: editors see all, others their own."""
        owner = None if person.may(Permission.REVIEW) else person.id
        job = partial(list_page, status=status, person_id=owner, limit=limit, offset=offset)
        return await self._database.read(job, long=True)

    async def subjects_of(self, submissions: Sequence[Submission]) -> dict[int, str]:
        """Return by which text the record is known that each submission is about; one that is gone is known by none."""
        return await self._database.read(partial(subjects_of, submissions=submissions), long=True)

    async def count_waiting(self, person: Person) -> Waiting:
        """Count what waits for an editor. Raises ForbiddenError."""
        require(person, Permission.REVIEW)
        return await self._database.read(stored.count_waiting, long=True)

    async def list_pending(
        self, person: Person, limit: int, offset: int = 0, kinds: frozenset[Kind] = frozenset()
    ) -> PendingPage:
        """List what waits for an editor, of some kinds (none: of all), with all that helps to decide.

        Raises ForbiddenError.
        """
        require(person, Permission.REVIEW)
        job = partial(
            stored.list_submissions, status=Status.PENDING, person_id=None, limit=limit, offset=offset, kinds=kinds
        )
        rows, total = await self._database.read(job, long=True)
        return PendingPage(await self._all_pending(person, rows), total)

    async def show_pending(self, person: Person, submission_id: int) -> PendingSubmission:
        """Show one submission as an editor looks at it. Raises ForbiddenError, NotFoundError."""
        require(person, Permission.REVIEW)
        return (await self._all_pending(person, [await self._row(submission_id)]))[0]

    async def _all_pending(self, person: Person, rows: Sequence[SubmissionRow]) -> tuple[PendingSubmission, ...]:
        words = [row.id for row in rows if row.kind == Kind.WORD]
        photos = await self._database.read(partial(photos_with_words, submission_ids=words), long=True)
        return tuple([await self._pending(person, row, photos.get(row.id, ())) for row in rows])

    async def _pending(
        self, person: Person, row: SubmissionRow, photos: tuple[PhotoSubmission, ...]
    ) -> PendingSubmission:
        given = decode_submission(row.payload)
        change = None
        if isinstance(given, CorrectionSubmission):
            case = await self._case(person, row.id)
            job = partial(propose_change, case=case, data=given.data, seen=decode_state(row.seen))
            change = await self._database.read_transaction(job)
        similar = await self._database.read(partial(find_similar, submission=given), long=True)
        needs = await self._needs(given)
        return PendingSubmission(await self._shown(row.id), given, similar, change, photos, needs)

    async def _needs(self, given: AnySubmission) -> tuple[Need, ...]:
        if not isinstance(given, RecordSubmission):
            return ()
        return await self._database.read_transaction(partial(needs_of, record=given.data.record))

    async def list_all(self, status: Status | None, limit: int, offset: int = 0) -> SubmissionPage:
        """List submissions of everybody, for whoever has the machine itself."""
        job = partial(list_page, status=status, person_id=None, limit=limit, offset=offset)
        return await self._database.read(job, long=True)

    async def show_to(self, person: Person, submission_id: int) -> Submission:
        """Show a submission to its submitter or an editor. Raises NotFoundError, ForbiddenError."""
        row = await self._row(submission_id)
        if row.person_id != person.id:
            require(person, Permission.REVIEW)
        return await self._shown(submission_id)

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
        return await self._shown(submission_id)

    async def reject(self, person: Person, submission_id: int, reason: str) -> Submission:
        """Refuse a submission, for a reason that its submitter reads. Raises as `approve` does."""
        require(person, Permission.REVIEW)
        return await self._decide(person, submission_id, Step.REJECT, clean_reason(reason))

    async def withdraw(self, person: Person, submission_id: int) -> Submission:
        """Take one's own submission back. Raises as `approve` does."""
        row = await self._row(submission_id)
        if row.person_id != person.id:
            raise ForbiddenError(sentence("Only the person who submitted something can withdraw it."))
        return await self._decide(person, submission_id, Step.WITHDRAW, None)

    async def _decide(self, person: Person, submission_id: int, step: Step, reason: str | None) -> Submission:
        case = await self._case(person, submission_id)
        await self._database.write(partial(decide_submission, case=case, step=step, reason=reason), public=False)
        return await self._shown(submission_id)

    async def _case(self, person: Person, submission_id: int) -> Case:
        catalogue = await self._database.read(lambda reader: reader.catalogue)
        return Case(submission_id, catalogue, person, self._now())

    async def _check(self, person: Person, submission: AnySubmission) -> str | None:
        catalogue = await self._database.read(lambda reader: reader.catalogue)
        job = partial(check_submission, submission=submission, catalogue=catalogue, person=person)
        return await self._database.write(job, public=False)

    async def _count(self, rules: dict[str, Slowdown]) -> None:
        wait = await self._database.write(
            partial(stored_people.count_tries, rules=rules, now=self._now()), public=False
        )
        if wait:
            raise TooManyRequestsError(
                sentence("Too many errors have been reported recently. Try again in %(wait)s s.", wait=wait), wait
            )

    async def _row(self, submission_id: int) -> SubmissionRow:
        row = await self._database.read(partial(stored.find_submission, submission_id=submission_id))
        if row is None:
            raise NotFoundError(
                sentence("There is no submission with the ID %(submission_id)s.", submission_id=submission_id)
            )
        return row

    async def _shown(self, submission_id: int) -> Submission:
        return await self._database.read(partial(show, submission_id=submission_id), long=True)

    def _now(self) -> int:
        return int(self._clock())
