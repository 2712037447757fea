"""Submissions: what contributors hand in, what looks like it already, and what editors decide."""

import hashlib
import time
from collections.abc import Callable, Mapping
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
    ReportData,
    ReportSubmission,
    Submitted,
    WordSubmission,
    decode_submission,
    encode_submission,
    kind_of,
)
from abhidhan.domain.history import Action, Change, IdeaState, RecordName, SubmissionState
from abhidhan.domain.lookup import loose_keys, sound_keys
from abhidhan.domain.people import REPORT, REPORT_ANYWHERE, Permission, Person, Role, Slowdown
from abhidhan.domain.submissions import Status, Step, clean_reason, next_status
from abhidhan.domain.text.keys import exact_key
from abhidhan.errors import ConflictError, ForbiddenError, InputError, NotFoundError, Problem, TooManyRequestsError
from abhidhan.services import phrases
from abhidhan.services.accounts import Visit, may, try_key
from abhidhan.services.editing import Editor, changed, open_editor, place_card, place_proverb, place_word
from abhidhan.storage import people as stored_people
from abhidhan.storage import submissions as stored
from abhidhan.storage import words as stored_words
from abhidhan.storage.database import Database, Reader, Writer
from abhidhan.storage.history import Entry, write_entry
from abhidhan.storage.submissions import NewSubmission, SubmissionRow
from abhidhan.storage.words import FoundKey, KeyColumn

MOST_SIMILAR: Final = 10

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


class Similar(msgspec.Struct, frozen=True):
    """A word or proverb that is there already, and how alike it is: `exact`, `loose`, `phonetic` or `similar`."""

    id: int
    text: str
    language_id: int
    match: str


class Submission(msgspec.Struct, frozen=True):
    """A submission as its submitter and editors see it. Times are seconds since 1970; `result` is what came of it."""

    submission_id: int
    kind: Kind
    data: object
    status: Status
    reason: str | None
    submitted: int
    decided: int | None
    submitter: str | None
    result: str | None


class SubmissionPage(NamedTuple):
    """One page of submissions, and how many there are."""

    submissions: tuple[Submission, ...]
    total: int


class Accepted(NamedTuple):
    """A submission that waits now, and what looks like it already: a warning, no hindrance."""

    submission: Submission
    similar: tuple[Similar, ...]


class Case(NamedTuple):
    """A submission that somebody decides about: which, with which languages and lists, who, and when."""

    submission_id: int
    catalogue: Catalogue
    person: Person
    now: int


class Submissions:
    """Everything that is done with submissions. Each method is one job."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        """Work on a database. `clock` tells the seconds since 1970."""
        self._database = database
        self._clock = clock

    async def submit(self, person: Person, submission: Submitted, once: str | None = None) -> Accepted:
        """Check a submission, and let it wait for an editor. The same one again, while it waits, is the first one.

        `once` is the client's own key for it. Raises InputError with everything that is wrong, ForbiddenError.
        """
        may(person, Permission.SUBMIT_ENTRY)
        await self._check(person, submission)
        payload = encode_submission(submission)
        mark = f"key:{person.id}:{once}" if once else f"same:{person.id}:{hashlib.sha256(payload.encode()).hexdigest()}"
        new = NewSubmission(str(kind_of(submission)), payload, person.id, mark)
        submission_id = await self._database.write(partial(_stored, new=new, now=self._now()), public=False)
        similar = await self._database.read(partial(_similar, submission=submission), long=True)
        return Accepted(await self._shown(submission_id), similar)

    async def report(self, person: Person | None, report: ReportData, visit: Visit) -> Submission:
        """Let anybody tell of an error in a word. Raises InputError, NotFoundError, TooManyRequestsError."""
        submission = ReportSubmission(report)
        await self._check(person or ANYBODY, submission)
        if person is None:
            await self._count({try_key("report", visit.address): REPORT, try_key("report"): REPORT_ANYWHERE})
        payload = encode_submission(submission)
        whose = str(person.id) if person else visit.address
        mark = f"report:{hashlib.sha256(f'{whose}:{payload}'.encode()).hexdigest()}"
        new = NewSubmission(Kind.REPORT, payload, person.id if person else None, mark)
        return await self._shown(await self._database.write(partial(_stored, new=new, now=self._now()), public=False))

    async def similar_to(self, submission: Submitted) -> tuple[Similar, ...]:
        """Find what looks like a submission before it is made."""
        return await self._database.read(partial(_similar, submission=submission), long=True)

    async def list_for(self, person: Person, status: Status | None, most: int, skipped: int) -> SubmissionPage:
        """List submissions: editors see all, others their own."""
        owner = None if person.may(Permission.REVIEW) else person.id
        job = partial(_listed, status=status, person_id=owner, most=most, skipped=skipped)
        return await self._database.read(job, long=True)

    async def list_all(self, status: Status | None, most: int, skipped: int = 0) -> SubmissionPage:
        """List submissions of everybody, for whoever has the machine itself."""
        job = partial(_listed, status=status, person_id=None, most=most, skipped=skipped)
        return await self._database.read(job, long=True)

    async def show_to(self, person: Person, submission_id: int) -> Submission:
        """Show a submission to its submitter or an editor. Raises NotFoundError, ForbiddenError."""
        row = await self._row(submission_id)
        if row.person_id != person.id:
            may(person, Permission.REVIEW)
        return await self._shown(submission_id)

    async def approve(self, person: Person, submission_id: int, instead: Submitted | None = None) -> Submission:
        """Put a submission into the dictionary, as it is or as the editor has changed it.

        Raises ForbiddenError, NotFoundError, InputError, and ConflictError when it is decided already.
        """
        may(person, Permission.REVIEW)
        case = await self._case(person, submission_id)
        await self._database.write(partial(_approve, case=case, instead=instead))
        return await self._shown(submission_id)

    async def reject(self, person: Person, submission_id: int, reason: str) -> Submission:
        """Refuse a submission, for a reason that its submitter reads. Raises as `approve` does."""
        may(person, Permission.REVIEW)
        return await self._decide(person, submission_id, Step.REJECT, clean_reason(reason))

    async def withdraw(self, person: Person, submission_id: int) -> Submission:
        """Take one's own submission back. Raises as `approve` does."""
        row = await self._row(submission_id)
        if row.person_id != person.id:
            raise ForbiddenError("Only who has submitted something can withdraw it.")
        return await self._decide(person, submission_id, Step.WITHDRAW, None)

    async def _decide(self, person: Person, submission_id: int, step: Step, reason: str | None) -> Submission:
        case = await self._case(person, submission_id)
        await self._database.write(partial(_decide, case=case, step=step, reason=reason), public=False)
        return await self._shown(submission_id)

    async def _case(self, person: Person, submission_id: int) -> Case:
        catalogue = await self._database.read(lambda reader: reader.catalogue)
        return Case(submission_id, catalogue, person, self._now())

    async def _check(self, person: Person, submission: AnySubmission) -> None:
        catalogue = await self._database.read(lambda reader: reader.catalogue)
        job = partial(_check, submission=submission, catalogue=catalogue, person=person)
        await self._database.write(job, public=False)

    async def _count(self, rules: dict[str, Slowdown]) -> None:
        wait = await self._database.write(
            partial(stored_people.count_tries, rules=rules, now=self._now()), public=False
        )
        if wait:
            raise TooManyRequestsError(f"Too many errors were reported of late. Try again in {wait} s.", wait)

    async def _row(self, submission_id: int) -> SubmissionRow:
        row = await self._database.read(partial(stored.find_submission, submission_id=submission_id))
        if row is None:
            raise NotFoundError(f"There is no submission with the ID {submission_id}.")
        return row

    async def _shown(self, submission_id: int) -> Submission:
        return await self._database.read(partial(_show, submission_id=submission_id), long=True)

    def _now(self) -> int:
        return int(self._clock())


# --- the steps --------------------------------------------------------------------------------------------------------


def _stored(connection: Writer, *, new: NewSubmission, now: int) -> int:
    submission_id, fresh = stored.add_submission(connection, new, now)
    if fresh:
        name = RecordName("submission", str(submission_id))
        change = Change(name, None, SubmissionState(str(Status.PENDING)))
        action = _SUBMITTED.get(Kind(new.kind), Action.SUBMITTED)
        write_entry(connection, Entry(action, new.person_id, now, name), [change])
    return submission_id


def _check(connection: Writer, *, submission: AnySubmission, catalogue: Catalogue, person: Person) -> None:
    """Find everything that is wrong with a submission: by approving it, and taking that back at once."""
    trial = connection.begin_nested()
    try:
        _placed(open_editor(connection, catalogue, person, 0), submission)
    except ConflictError:
        # That it is there already is for the editor to judge; the submitter is warned.
        return
    finally:
        trial.rollback()


def _corrected(editor: Editor, data: CorrectionData) -> RecordName:
    """Find out which record a correction is of. Raises InputError."""
    named = {
        kind: (record_id, changes)
        for kind, record_id, changes in (
            ("word", data.word_id, data.word),
            ("idea", data.idea_id, data.idea),
            ("phrase", data.phrase_id, data.phrase),
        )
        if record_id is not None or changes is not None
    }
    if len(named) != 1:
        raise InputError.of(
            "data", "Correct one record: give `word_id` and `word`, or `idea_id` and `idea`, and so on."
        )
    kind, (record_id, changes) = next(iter(named.items()))
    if record_id is None or changes is None:
        raise InputError.of(kind, f"Give both `{kind}_id` and `{kind}`: which record, and what shall be different.")
    name = RecordName(kind, str(record_id))
    if editor.ledger.current(name) is None:
        raise InputError.of(f"{kind}_id", f"There is no record with the ID {record_id}.")
    return name


def _approve(connection: Writer, *, case: Case, instead: Submitted | None) -> None:
    row, editor = _locked(connection, case)
    status = next_status(Status(row.status), Step.APPROVE)
    submission = instead or decode_submission(row.payload)
    if kind_of(submission) != row.kind:
        raise InputError.of("kind", f"This submission is a {row.kind}; it cannot be approved as another kind.")
    result = _placed(editor, submission)
    own = RecordName("submission", str(row.id))
    editor.ledger.put(own, SubmissionState(str(status), None, str(result)))
    stored.note_decision(connection, row.id, case.person.id, case.now)
    editor.entry(_APPROVED.get(Kind(row.kind), Action.APPROVED), result)


def _placed(editor: Editor, submission: AnySubmission) -> RecordName:
    """Put what was submitted into the dictionary, and name the record that came of it."""
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
                raise InputError.of("idea_id", f"There is no idea with the ID {data.idea_id}.")
            after = editor.draft.with_example(state, data)
            editor.draft.finish()
            editor.ledger.put(name, after)
            return name
        case CorrectionSubmission(data):
            return _apply_correction(editor, data)
        case ReportSubmission(data):
            return _challenged(editor, data)


def _challenged(editor: Editor, data: ReportData) -> RecordName:
    """Name the word that a report is about: an editor mends it by hand, and then closes the report."""
    name = RecordName("word", str(data.word_id))
    editor.draft.comment("text", data.text)
    if editor.ledger.current(name) is None:
        editor.draft.problems.append(Problem("word_id", f"There is no word with the ID {data.word_id}."))
    editor.draft.finish()
    return name


def _apply_correction(editor: Editor, data: CorrectionData) -> RecordName:
    if data.comment:
        editor.draft.comment("comment", data.comment)
    name = _corrected(editor, data)
    state, changes = editor.ledger.current(name), data.word or data.idea or data.phrase
    if state is not None and changes is not None:
        editor.ledger.put(name, changed(editor.draft, state, changes))
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
        raise NotFoundError(f"There is no submission with the ID {case.submission_id}.")
    return row, open_editor(connection, case.catalogue, case.person, case.now)


# --- looking ----------------------------------------------------------------------------------------------------------


def _show(reader: Reader, submission_id: int) -> Submission:
    row = stored.find_submission(reader, submission_id)
    if row is None:
        raise NotFoundError(f"There is no submission with the ID {submission_id}.")
    return _as_submission(row, stored_people.names_of(reader, [row.person_id or 0]))


def _listed(reader: Reader, *, status: Status | None, person_id: int | None, most: int, skipped: int) -> SubmissionPage:
    rows, total = stored.list_submissions(reader, status, person_id, most, skipped)
    names = stored_people.names_of(reader, [row.person_id for row in rows if row.person_id is not None])
    return SubmissionPage(tuple(_as_submission(row, names) for row in rows), total)


def _as_submission(row: SubmissionRow, names: Mapping[int, str]) -> Submission:
    return Submission(
        submission_id=row.id,
        kind=Kind(row.kind),
        data=msgspec.to_builtins(decode_submission(row.payload).data),
        status=Status(row.status),
        reason=row.reason,
        submitted=row.submitted,
        decided=row.decided,
        submitter=names.get(row.person_id or 0),
        result=row.result,
    )


def _similar(reader: Reader, submission: AnySubmission) -> tuple[Similar, ...]:
    match submission:
        case WordSubmission(data):
            return _similar_words(reader, data.word, str(data.language))
        case ProverbSubmission(data):
            language = reader.catalogue.find_language(str(data.language))
            found = phrases.find_similar(reader, data.text, language.id, MOST_SIMILAR) if language else ()
            return tuple(
                Similar(one.id, one.phrase, one.language_id, "exact" if one.exact else "similar") for one in found
            )
        case _:
            return ()


def _similar_words(reader: Reader, text: str, language_name: str) -> tuple[Similar, ...]:
    """Find the words of a language that have a key of this one, the nearest kind of key first."""
    language = reader.catalogue.find_language(language_name)
    if language is None:
        return ()
    keys_of = (
        (KeyColumn.EXACT, "exact", {exact_key(text)}),
        (KeyColumn.LOOSE, "loose", {*loose_keys(text, (language,)).values()}),
        (KeyColumn.SOUND, "phonetic", {*sound_keys(text, (language,)).get(language.id, ())}),
    )
    found: dict[int, Similar] = {}
    for column, match, keys in keys_of:
        hits: list[FoundKey] = stored_words.find(reader, column, sorted(keys), language.id, most=MOST_SIMILAR)
        for hit in hits:
            found.setdefault(hit.word_id, Similar(hit.word_id, hit.text, hit.language_id, match))
    return tuple(found.values())[:MOST_SIMILAR]
