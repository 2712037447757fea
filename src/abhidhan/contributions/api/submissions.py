"""/api/submissions and /api/reports: contributions for review by editors."""

from typing import Annotated, Literal

import msgspec
from litestar import get, post
from litestar.params import JSONBody, Parameter, QueryParameter

from abhidhan.contributions.service.submission_views import Similar, Submission
from abhidhan.contributions.service.submissions import AcceptedSubmission, Submissions, WordPhotoSubmissions
from abhidhan.dictionary.api.parameters import MAX_IDS, NUMBER_PATTERN, parse_ids
from abhidhan.media.service.photos import Photos, ReviewedPhotos
from abhidhan.platform.http.authentication import (
    ANONYMOUS,
    AUTH_OPTION,
    SignedInRequest,
    client_info,
    find_user,
    require_access,
    require_own_site_or_token,
)
from abhidhan.platform.http.parameters import (
    MAX_LIMIT,
    LimitUpTo1000,
    Offset,
    build_id_parameter,
    build_list_pattern,
    build_text_examples,
    read_idempotency_key,
)
from abhidhan.platform.http.services import get_service
from abhidhan.records.api_tokens import Scope
from abhidhan.records.people import Permission
from abhidhan.records.submission_payloads import Kind, MissingData, ReportData, UserSubmission
from abhidhan.records.submissions import Status
from abhidhan.records.timestamps import Timestamp, format_timestamp
from abhidhan.submissions.api import Rejection

MAX_BODY_BYTES = 512 * 1024
MAX_SMALL_BODY_BYTES = 64 * 1024

CONTRIBUTE_OR_REVIEW_GUARDS = [require_access(scopes=(Scope.CONTRIBUTE, Scope.REVIEW))]
CONTRIBUTE_GUARDS = [require_access(scopes=(Scope.CONTRIBUTE,))]

SubmissionID = Annotated[int, build_id_parameter("The ID of a submission.")]
StatusFilter = Annotated[
    Status | None,
    Parameter(description="Only those with this status: pending_review, approved, rejected or withdrawn."),
]

CheckedPhotosParam = Annotated[
    str | None,
    QueryParameter(
        description="The IDs of the photos that came with the word and are approved with it, separated by commas.",
        examples=build_text_examples("1,2"),
        schema_extra={"pattern": build_list_pattern(NUMBER_PATTERN, MAX_IDS)},
    ),
]


class SubmissionEntry(msgspec.Struct, frozen=True):
    """A submission: its kind and data as submitted, its status, and its result.

    `times` counts the reports of a missing word; null for other kinds.
    `licence` is the licence of the contribution; null if none was stated.
    """

    submission_id: int
    kind: Kind
    data: object
    status: Status
    reason: str | None
    submitted: Timestamp
    decided: Timestamp | None
    submitter: str | None
    result: str | None
    licence: str | None
    times: int | None = None
    hidden: str | None = None

    @classmethod
    def of(cls, submission: Submission) -> "SubmissionEntry":
        """Return the API representation of a submission."""
        decided_at = None if submission.decided is None else format_timestamp(submission.decided)
        times = {"submitted": format_timestamp(submission.submitted), "decided": decided_at}
        # Deleted accounts without a name are null.
        return cls(**(msgspec.structs.asdict(submission) | times | {"submitter": submission.submitter or None}))


class SubmissionsAnswer(msgspec.Struct, frozen=True):
    """A page of submissions, and their total number."""

    data: tuple[SubmissionEntry, ...]
    total: int


class AcceptedAnswer(msgspec.Struct, frozen=True):
    """A submission that is now pending, under the server's `licence` for contributions.

    `similar` lists similar existing records.
    """

    submission_id: int
    status: Status
    similar: tuple[Similar, ...] = ()
    success: Literal[True] = True
    licence: str | None = None

    @classmethod
    def of(cls, accepted: AcceptedSubmission) -> "AcceptedAnswer":
        """Return the API representation of an accepted submission."""
        submission = accepted.submission
        return cls(submission.submission_id, submission.status, accepted.similar, licence=submission.licence)


class SimilarAnswer(msgspec.Struct, frozen=True):
    """Existing records similar to a submission that has not been sent yet.

    `licence` is the licence under which it would be submitted.
    """

    data: tuple[Similar, ...]
    count: int
    licence: str


@post(
    "/api/submissions",
    tags=["Contributing"],
    summary="Submit a word, a correction, a proverb, an example or a flashcard",
    status_code=201,
    guards=[require_access(Permission.SUBMIT_ENTRY)],
    request_max_body_size=MAX_BODY_BYTES,
)
async def submit(request: SignedInRequest, data: JSONBody[UserSubmission]) -> AcceptedAnswer:
    """Submit a contribution for review. Submitting the same data again while it is pending returns the first one.

    If you send an `Idempotency-Key` header, repeating the request with the same key returns the first response.
    """
    key = read_idempotency_key(request)
    return AcceptedAnswer.of(await get_service(request, Submissions).submit(request.user.person, data, key))


@post(
    "/api/submissions/similar",
    tags=["Contributing"],
    summary="Find records similar to a submission",
    status_code=200,
    guards=CONTRIBUTE_OR_REVIEW_GUARDS,
    request_max_body_size=MAX_BODY_BYTES,
)
async def find_similar(request: SignedInRequest, data: JSONBody[UserSubmission]) -> SimilarAnswer:
    """Find words with a similar spelling or pronunciation, and similar proverbs. Nothing is saved."""
    submissions = get_service(request, Submissions)
    similar = await submissions.find_similar(data)
    return SimilarAnswer(similar, len(similar), submissions.licence)


@get("/api/submissions", tags=["Contributing"], summary="List submissions", guards=CONTRIBUTE_OR_REVIEW_GUARDS)
async def list_submissions(
    request: SignedInRequest, status: StatusFilter = None, limit: LimitUpTo1000 = 50, offset: Offset = 0
) -> SubmissionsAnswer:
    """List submissions: editors see all of them, others only their own. Pending ones are listed oldest first."""
    submissions = get_service(request, Submissions)
    page = await submissions.list_for(request.user.person, status, min(limit, MAX_LIMIT), offset)
    return SubmissionsAnswer(tuple(map(SubmissionEntry.of, page.items)), page.total)


@get(
    "/api/submissions/{submission_id:int}",
    tags=["Contributing"],
    summary="Read one submission",
    guards=CONTRIBUTE_OR_REVIEW_GUARDS,
)
async def show_submission(request: SignedInRequest, submission_id: SubmissionID) -> SubmissionEntry:
    """Return a submission: one of your own or, for editors, any."""
    return SubmissionEntry.of(await get_service(request, Submissions).show_to(request.user.person, submission_id))


@post(
    "/api/submissions/{submission_id:int}/approve",
    tags=["Contributing"],
    summary="Approve a submission",
    status_code=200,
    guards=[require_access(Permission.REVIEW)],
    request_max_body_size=MAX_BODY_BYTES,
)
async def approve_submission(
    request: SignedInRequest,
    submission_id: SubmissionID,
    data: JSONBody[UserSubmission | None] = None,
    photos: CheckedPhotosParam = None,
) -> SubmissionEntry:
    """Approve a submission. A request body in the format of a submission replaces the submitted data.

    This lets editors change a submission, or assign a word to an idea, and approve it in one request. Returns 409 with
    both states if the record of a correction has changed since it was submitted.

    The photos submitted with a word are approved with it: list the IDs of those that you have checked in `photos`.
    Returns 409 if a pending photo is not listed, as it may be newer than your check. To approve the word without a
    photo, reject the photo first, at `/api/photos`.
    """
    submissions = get_service(request, Submissions)
    reviewed_photos = ReviewedPhotos(frozenset(parse_ids("photos", photos, "photos") if photos is not None else ()))
    return SubmissionEntry.of(
        await submissions.review.approve(request.user.person, submission_id, data, reviewed_photos)
    )


@post(
    "/api/submissions/{submission_id:int}/reject",
    tags=["Contributing"],
    summary="Reject a submission",
    status_code=200,
    guards=[require_access(Permission.REVIEW)],
    request_max_body_size=MAX_SMALL_BODY_BYTES,
)
async def reject_submission(
    request: SignedInRequest, submission_id: SubmissionID, data: JSONBody[Rejection]
) -> SubmissionEntry:
    """Reject a pending submission, with a reason. Returns 409 if it has already been decided."""
    submissions = get_service(request, Submissions)
    return SubmissionEntry.of(await submissions.review.reject(request.user.person, submission_id, data.reason))


@post(
    "/api/submissions/{submission_id:int}/withdraw",
    tags=["Contributing"],
    summary="Withdraw your own submission",
    status_code=200,
    guards=CONTRIBUTE_GUARDS,
)
async def withdraw_submission(request: SignedInRequest, submission_id: SubmissionID) -> SubmissionEntry:
    """Withdraw your own submission while it is pending. Returns 409 if it has already been decided."""
    word_photos = WordPhotoSubmissions(get_service(request, Submissions), get_service(request, Photos))
    return SubmissionEntry.of(await word_photos.withdraw(request.user.person, submission_id))


@post(
    "/api/reports",
    tags=["Contributing"],
    summary="Report an error in a word",
    status_code=201,
    guards=[require_own_site_or_token],
    opt={AUTH_OPTION: ANONYMOUS},
    request_max_body_size=MAX_SMALL_BODY_BYTES,
)
async def report_error(request: SignedInRequest, data: JSONBody[ReportData]) -> AcceptedAnswer:
    """Report an error to the editors. No account is needed. The number of reports is limited."""
    signed_in = await find_user(request)
    person = signed_in.person if signed_in else None
    submission = await get_service(request, Submissions).report(person, data, client_info(request))
    return AcceptedAnswer(submission.submission_id, submission.status, licence=submission.licence)


@post(
    "/api/reports/missing",
    tags=["Contributing"],
    summary="Report a missing word",
    status_code=201,
    guards=[require_own_site_or_token],
    opt={AUTH_OPTION: ANONYMOUS},
    request_max_body_size=MAX_SMALL_BODY_BYTES,
)
async def report_missing(request: SignedInRequest, data: JSONBody[MissingData]) -> AcceptedAnswer:
    """Report a word that is not in the dictionary. No account is needed. The number of reports is limited.

    Reports of the same word are counted in one submission.
    """
    await find_user(request)
    submission = await get_service(request, Submissions).report_missing(data, client_info(request))
    return AcceptedAnswer(submission.submission_id, submission.status)


SUBMISSION_HANDLERS = (
    submit,
    find_similar,
    list_submissions,
    show_submission,
    approve_submission,
    reject_submission,
    withdraw_submission,
    report_error,
    report_missing,
)
