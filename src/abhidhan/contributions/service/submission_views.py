"""What was submitted, as its submitters and editors see it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from abhidhan.dictionary.store import phrases, word_rows
from abhidhan.dictionary.store.ideas import gather_idea
from abhidhan.editing.store import redactions
from abhidhan.people.store import people as stored_people
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import NotFoundError, sentence
from abhidhan.records.paging import Page
from abhidhan.records.submission_payloads import Kind, decode_submission
from abhidhan.records.submissions import Status
from abhidhan.submissions.store import submissions as stored
from abhidhan.submissions.store.submissions import SubmissionRow

MOST_WORDS: Final = 3
"""By how many of its words an idea is known."""

NAMES: Final = ("word", "text", "clue")
"""Where the text stands by which something new is known, the first that is there."""

CHANGES: Final = ("word", "idea", "phrase", "sense")
"""Where a correction says what shall be different."""


class Submission(msgspec.Struct, frozen=True):
    """A submission as its submitter and editors see it. Times are seconds since 1970; `result` is what came of it.

    `times` is how many have told of a missing word; None for other kinds.
    `licence` is that under which it was given; None where nobody has stated it.
    `hidden` is the reason why an operator has hidden what was submitted; `data` is empty then.
    """

    submission_id: int
    kind: Kind
    data: object
    status: Status
    reason: str | None
    submitted: int
    decided: int | None
    submitter: str | None
    result: str | None
    licence: str | None
    times: int | None = None
    hidden: str | None = None


def show(reader: Reader, submission_id: int) -> Submission:
    """Read one submission. Raises NotFoundError."""
    row = stored.find_submission(reader, submission_id)
    if row is None:
        raise NotFoundError(
            sentence("There is no submission with the ID %(submission_id)s.", submission_id=submission_id)
        )
    return _shown(reader, [row])[0]


def list_page(
    reader: Reader, *, status: Status | None, person_id: int | None, limit: int, offset: int
) -> Page[Submission]:
    """Read a page of submissions: of a status, or of any (None); of a person, or of everybody (None)."""
    found = stored.list_submissions(reader, status, person_id, limit, offset)
    return Page(_shown(reader, found.items), found.total)


def subjects_of(reader: Reader, *, submissions: Iterable[Submission]) -> dict[int, str]:
    """Return by which text the record is known that each submission is about; one that is gone is known by none."""
    return {each.submission_id: _subject(reader, each.data) for each in submissions if isinstance(each.data, dict)}


def _subject(reader: Reader, data: Mapping[str, Any]) -> str:
    if data.get("word_id"):
        return ", ".join(word.word for word in word_rows.gather(reader, [data["word_id"]]))
    if data.get("phrase_id"):
        return ", ".join(one.text for one in phrases.read(reader, [data["phrase_id"]]))
    idea = gather_idea(reader, data["idea_id"]) if data.get("idea_id") else None
    return ", ".join(word.word for word in idea.words[:MOST_WORDS]) if idea else ""


def name_of(submission: Submission, subject: str) -> str:
    """Return by which text a submission is known; `subject` is that of the record that it is about."""
    data = submission.data if isinstance(submission.data, dict) else {}
    if data.get("word_id") or any(isinstance(data.get(each), dict) for each in CHANGES):
        return subject
    return next((str(data[each]) for each in NAMES if data.get(each)), subject)


def _shown(reader: Reader, rows: Sequence[SubmissionRow]) -> tuple[Submission, ...]:
    names = stored_people.names_of(reader, [row.person_id for row in rows if row.person_id is not None])
    reasons = redactions.reasons(reader, "submission", [str(row.id) for row in rows])
    return tuple(_as_submission(row, names, reasons.get(str(row.id))) for row in rows)


def _as_submission(row: SubmissionRow, names: Mapping[int, str], hidden: str | None) -> Submission:
    return Submission(
        submission_id=row.id,
        kind=Kind(row.kind),
        data={} if hidden else msgspec.to_builtins(decode_submission(row.payload).data),
        status=Status(row.status),
        reason=row.reason,
        submitted=row.submitted,
        decided=row.decided,
        submitter=names.get(row.person_id or 0),
        result=row.result,
        licence=row.licence,
        times=row.times,
        hidden=hidden,
    )
