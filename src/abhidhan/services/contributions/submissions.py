"""Submissions: what contributors hand in, what looks like it already, and what editors decide."""

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple

import msgspec

from abhidhan.domain.catalogue import Catalogue
from abhidhan.domain.drafts import (
    AnySubmission,
    CardSubmission,
    CorrectionData,
    CorrectionSubmission,
    ExampleSubmission,
    Kind,
    ProverbSubmission,
    RecordSubmission,
    ReportData,
    ReportSubmission,
    Submitted,
    WordSubmission,
    decode_submission,
    encode_submission,
    kind_of,
)
from abhidhan.domain.history import (
    Action,
    AnyState,
    Change,
    IdeaState,
    RecordName,
    SubmissionState,
    decode_state,
    encode_state,
)
from abhidhan.domain.people import Permission, Person, Role, require
from abhidhan.domain.slowdown import REPORT, REPORT_ANYWHERE, Slowdown
from abhidhan.domain.submissions import MARK_OF_KEY, Quotas, Status, Step, clean_reason, mark_of_key, next_status
from abhidhan.domain.visits import Visit, try_key
from abhidhan.errors import (
    ConflictError,
    ForbiddenError,
    InputError,
    NotFoundError,
    Problem,
    TooManyRequestsError,
    sentence,
)
from abhidhan.services.contributions.corrections import ProposedChange, apply_correction, corrected_record, weigh
from abhidhan.services.contributions.duplicates import Similar, find_similar
from abhidhan.services.contributions.quotas import allow_report, allow_submission, earlier
from abhidhan.services.contributions.views import Submission, SubmissionPage, list_page, show, subjects_of
from abhidhan.services.editing import Editor, open_editor, place_card, place_proverb, place_word
from abhidhan.services.exchange.review import place_record
from abhidhan.storage import people as stored_people
from abhidhan.storage import submissions as stored
from abhidhan.storage.engine.database import Database, Writer
from abhidhan.storage.history import Entry, write_entry
from abhidhan.storage.pending import PendingKind, lock_person
from abhidhan.storage.submissions import NewSubmission, SubmissionRow

ANYBODY: Final = Person(id=0, username="", role=Role.READER, email=None, created=0, disabled=0)
"""Stands for whoever reports an error without an account."""

_SUBMITTED: Final[Mapping[Kind, Action]] = {
    Kind.WORD: Action.WORD_SUBMITTED,
    Kind.PROVERB: Action.PROVERB_SUBMITTED,
    Kind.REPORT: Action.CHALLENGED,
}
_APPROVED: Final[Mapping[Kind, Action]] = {
    Kind.WORD: Action.WORD_APPROVED,
    Kind.PROVERB: Action.PROVERB_APPROVED,
    Kind.REPORT: Action.CHALLENGE_RESOLVED,
}
_REJECTED: Final[Mapping[Kind, Action]] = {
    Kind.WORD: Action.WORD_REJECTED,
    Kind.REPORT: Action.CHALLENGE_RESOLVED,
}


class Accepted(NamedTuple):
    """A submission that waits now, and what looks like it already: a warning, no hindrance."""

    submission: Submission
    similar: tuple[Similar, ...]


class PendingSubmission(msgspec.Struct, frozen=True):
    """A submission as an editor looks at it: what is like it already, and what a correction would change."""

    submission: Submission
    given: AnySubmission
    similar: tuple[Similar, ...]
    change: ProposedChange | None


class PendingPage(NamedTuple):
    """One page of what waits, and how much there is."""

    pending: tuple[PendingSubmission, ...]
    total: int


class Case(NamedTuple):
    """A submission that somebody decides about: which, with which languages and lists, who, and when."""

    submission_id: int
    catalogue: Catalogue
    person: Person
    now: int


class Submissions:
    """Everything that is done with submissions. Each method is one job."""

    def __init__(
        self,
        database: Database,
        *,
        quotas: Quotas = Quotas(),  # noqa: B008  # frozen
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Work on a database. `clock` tells the seconds since 1970."""
        self._database = database
        self._quotas = quotas
        self._clock = clock

    async def submit(self, person: Person, submission: Submitted, idempotency_key: str | None = None) -> Accepted:
        """Check a submission, and let it wait for an editor. The same one again, while it waits, is the first one.

        `idempotency_key` is the client's own key for it. Raises InputError with everything that is wrong,
        ForbiddenError, QuotaError when too much of the person's waits, ReusedKeyError when the key came with another
        request.
        """
        require(person, Permission.SUBMIT_ENTRY)
        seen = await self._check(person, submission)
        payload = encode_submission(submission)
        same = f"same:{person.id}:{hashlib.sha256(payload.encode()).hexdigest()}"
        mark = mark_of_key(person.id, idempotency_key, payload.encode()) if idempotency_key else same
        new = NewSubmission(str(kind_of(submission)), payload, person.id, mark, seen)
        submission_id = await self._keep(person, new)
        similar = await self._database.read(partial(find_similar, submission=submission), long=True)
        return Accepted(await self._shown(submission_id), similar)

    async def report(self, person: Person | None, report: ReportData, visit: Visit) -> Submission:
        """Let anybody tell of an error in a word. Raises InputError, NotFoundError, TooManyRequestsError."""
        return await self._tell(person, ReportSubmission(report), visit)

    async def suggest(self, person: Person | None, correction: CorrectionData, visit: Visit) -> Submission:
        """Let anybody tell what would be right in one record. Raises InputError, TooManyRequestsError."""
        return await self._tell(person, CorrectionSubmission(correction), visit)

    async def _tell(
        self, person: Person | None, submission: ReportSubmission | CorrectionSubmission, visit: Visit
    ) -> Submission:
        seen = await self._check(person or ANYBODY, submission)
        if person is None:
            await self._count({try_key("report", visit.address): REPORT, try_key("report"): REPORT_ANYWHERE})
        payload = encode_submission(submission)
        whose = str(person.id) if person else visit.address
        mark = f"report:{hashlib.sha256(f'{whose}:{payload}'.encode()).hexdigest()}"
        new = NewSubmission(str(kind_of(submission)), payload, person.id if person else None, mark, seen)
        return await self._shown(await self._keep(person, new))

    async def _keep(self, person: Person | None, new: NewSubmission) -> int:
        # Who decides on what others send has no queue before their own door.
        quotas = None if person and person.may(Permission.REVIEW) else self._quotas
        return await self._database.write(partial(_stored, new=new, now=self._now(), quotas=quotas), public=False)

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

    async def list_pending(self, person: Person, limit: int, offset: int = 0) -> PendingPage:
        """List what waits for an editor, with all that helps to decide. Raises ForbiddenError."""
        require(person, Permission.REVIEW)
        job = partial(stored.list_submissions, status=Status.PENDING, person_id=None, limit=limit, offset=offset)
        rows, total = await self._database.read(job, long=True)
        return PendingPage(tuple([await self._pending(person, row) for row in rows]), total)

    async def show_pending(self, person: Person, submission_id: int) -> PendingSubmission:
        """Show one submission as an editor looks at it. Raises ForbiddenError, NotFoundError."""
        require(person, Permission.REVIEW)
        return await self._pending(person, await self._row(submission_id))

    async def _pending(self, person: Person, row: SubmissionRow) -> PendingSubmission:
        given = decode_submission(row.payload)
        change = None
        if isinstance(given, CorrectionSubmission):
            case = await self._case(person, row.id)
            job = partial(_proposed, case=case, data=given.data, seen=decode_state(row.seen))
            change = await self._database.read_transaction(job)
        similar = await self._database.read(partial(find_similar, submission=given), long=True)
        return PendingSubmission(await self._shown(row.id), given, similar, change)

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

    async def approve(self, person: Person, submission_id: int, instead: Submitted | None = None) -> Submission:
        """Put a submission into the dictionary, as it is or as the editor has changed it.

        Raises ForbiddenError, NotFoundError, InputError, and ConflictError when it is decided already.
        """
        require(person, Permission.REVIEW)
        case = await self._case(person, submission_id)
        await self._database.write(partial(_approve, case=case, instead=instead))
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
        await self._database.write(partial(_decide, case=case, step=step, reason=reason), public=False)
        return await self._shown(submission_id)

    async def _case(self, person: Person, submission_id: int) -> Case:
        catalogue = await self._database.read(lambda reader: reader.catalogue)
        return Case(submission_id, catalogue, person, self._now())

    async def _check(self, person: Person, submission: AnySubmission) -> str | None:
        catalogue = await self._database.read(lambda reader: reader.catalogue)
        job = partial(_check, submission=submission, catalogue=catalogue, person=person)
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


# --- the steps --------------------------------------------------------------------------------------------------------


def _stored(connection: Writer, *, new: NewSubmission, now: int, quotas: Quotas | None) -> int:
    if new.person_id is not None:
        lock_person(connection, new.person_id)
    known = earlier(connection, new.once, PendingKind.SUBMISSION) if new.once.startswith(MARK_OF_KEY) else None
    known = known or stored.find_marked(connection, new.once)
    if known is not None:
        return known
    if quotas and new.person_id is not None:
        allow_submission(connection, new.person_id, quotas)
    elif quotas:
        allow_report(connection, quotas)
    submission_id, fresh = stored.add_submission(connection, new, now)
    if fresh:
        name = RecordName("submission", str(submission_id))
        change = Change(name, None, SubmissionState(str(Status.PENDING)))
        action = _SUBMITTED.get(Kind(new.kind), Action.SUBMITTED)
        write_entry(connection, Entry(action, new.person_id, now, name), [change])
    return submission_id


def _check(connection: Writer, *, submission: AnySubmission, catalogue: Catalogue, person: Person) -> str | None:
    """Find everything that is wrong with a submission: by approving it, and taking that back at once.

    Gives what the record of a correction holds now, as it is kept.
    """
    trial = connection.begin_nested()
    try:
        editor, seen = open_editor(connection, catalogue, person, 0), None
        if isinstance(submission, CorrectionSubmission):
            seen = editor.ledger.current(corrected_record(editor, submission.data))
        # That it is there already is for the editor to judge; the submitter is warned.
        with suppress(ConflictError):
            _placed(editor, submission)
        return encode_state(seen)
    finally:
        trial.rollback()


def _proposed(connection: Writer, *, case: Case, data: CorrectionData, seen: AnyState | None) -> ProposedChange | None:
    """Return what a correction would change; None when its record is gone, or does not take it any more."""
    try:
        editor = open_editor(connection, case.catalogue, case.person, case.now)
        name, current, rebased = weigh(editor, data, seen)
    except InputError:
        return None
    return ProposedChange(str(name), current, rebased.after, rebased.clashes)


def _approve(connection: Writer, *, case: Case, instead: Submitted | None) -> None:
    row, editor = _locked(connection, case)
    status = next_status(Status(row.status), Step.APPROVE)
    submission = instead or decode_submission(row.payload)
    if kind_of(submission) != row.kind:
        raise InputError.of(
            "kind", sentence("This submission is a %(kind)s; it cannot be approved as another kind.", kind=row.kind)
        )
    # What an editor has mended was held against the record as it is now, not as the submitter saw it.
    result = _placed(editor, submission, None if instead else decode_state(row.seen))
    own = RecordName("submission", str(row.id))
    editor.ledger.put(own, SubmissionState(str(status), None, str(result)))
    stored.note_decision(connection, row.id, case.person.id, case.now)
    mended = instead is not None and encode_submission(instead) != row.payload
    action = Action.APPROVED_WITH_CHANGES if mended else _APPROVED.get(Kind(row.kind), Action.APPROVED)
    editor.entry(action, result)


def _placed(  # noqa: PLR0911  # one for each kind
    editor: Editor, submission: AnySubmission, seen: AnyState | None = None
) -> RecordName:
    """Put what was submitted into the dictionary, and name the record that came of it.

    `seen` is what the record of a correction held when it was sent.
    """
    match submission:
        case WordSubmission(data):
            return place_word(editor, data)
        case ProverbSubmission(data):
            return place_proverb(editor, data)
        case CardSubmission(data):
            return place_card(editor, data)
        case ExampleSubmission(data):
            name = RecordName("idea", str(data.idea_id))
            state = editor.ledger.current(name)
            if not isinstance(state, IdeaState):
                raise InputError.of(
                    "idea_id", sentence("There is no idea with the ID %(idea_id)s.", idea_id=data.idea_id)
                )
            after = editor.draft.with_example(state, data)
            editor.draft.finish()
            editor.ledger.put(name, after)
            return name
        case CorrectionSubmission(data):
            return apply_correction(editor, data, seen)
        case ReportSubmission(data):
            return _challenged(editor, data)
        case RecordSubmission(data):
            return place_record(editor, data)


def _challenged(editor: Editor, data: ReportData) -> RecordName:
    """Name the word that a report is about: an editor mends it by hand, and then closes the report."""
    name = RecordName("word", str(data.word_id))
    editor.draft.comment("text", data.text)
    if editor.ledger.current(name) is None:
        editor.draft.problems.append(
            Problem("word_id", sentence("There is no word with the ID %(word_id)s.", word_id=data.word_id))
        )
    editor.draft.finish()
    return name


def _decide(connection: Writer, *, case: Case, step: Step, reason: str | None) -> None:
    row, editor = _locked(connection, case)
    status = next_status(Status(row.status), step)
    own = RecordName("submission", str(row.id))
    editor.ledger.put(own, SubmissionState(str(status), reason))
    stored.note_decision(connection, row.id, case.person.id, case.now)
    kind = Kind(row.kind)
    editor.entry(Action.WITHDRAWN if step is Step.WITHDRAW else _REJECTED.get(kind, Action.REJECTED), own)


def _locked(connection: Writer, case: Case) -> tuple[SubmissionRow, Editor]:
    row = stored.lock_submission(connection, case.submission_id)
    if row is None:
        raise NotFoundError(
            sentence("There is no submission with the ID %(submission_id)s.", submission_id=case.submission_id)
        )
    return row, open_editor(connection, case.catalogue, case.person, case.now)
