"""Submissions: their states and transitions, quotas, and automatic reasons for rejection."""

import hashlib
from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Final, NamedTuple

import msgspec

from abhidhan.records.errors import ConflictError, InputError, Sentence, sentence
from assamese.normalization import collapse_whitespace, nfc


class Status(StrEnum):
    """The review status of a submission or file."""

    PENDING = "pending_review"
    APPROVED = "approved"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


class ReviewStep(StrEnum):
    """A transition of a submission or file.

    `REOPEN` undoes a decision, `LOSE` rejects a file whose bytes are lost.
    """

    APPROVE = "approve"
    REJECT = "reject"
    WITHDRAW = "withdraw"
    REOPEN = "reopen"
    LOSE = "lose"


TRANSITIONS: Final[Mapping[tuple[Status, ReviewStep], Status]] = {
    (Status.PENDING, ReviewStep.APPROVE): Status.APPROVED,
    (Status.PENDING, ReviewStep.REJECT): Status.REJECTED,
    (Status.PENDING, ReviewStep.WITHDRAW): Status.WITHDRAWN,
    (Status.APPROVED, ReviewStep.REOPEN): Status.PENDING,
    (Status.REJECTED, ReviewStep.REOPEN): Status.PENDING,
    (Status.PENDING, ReviewStep.LOSE): Status.REJECTED,
    (Status.APPROVED, ReviewStep.LOSE): Status.REJECTED,
}
"""All allowed transitions. A withdrawn submission stays withdrawn: it belongs to its submitter."""

RECORDING_TRANSITIONS: Final[Mapping[tuple[Status, ReviewStep], Status]] = {
    **TRANSITIONS,
    (Status.APPROVED, ReviewStep.WITHDRAW): Status.WITHDRAWN,
}
"""The allowed transitions of recordings, which their speaker may also withdraw after approval."""

STATUS_PHRASES: Final[Mapping[Status, Sentence]] = {
    Status.PENDING: sentence("is waiting for review"),
    Status.APPROVED: sentence("has been approved"),
    Status.REJECTED: sentence("has been rejected"),
    Status.WITHDRAWN: sentence("has been withdrawn"),
}

STEP_PARTICIPLES: Final[Mapping[ReviewStep, Sentence]] = {
    ReviewStep.APPROVE: sentence("approved"),
    ReviewStep.REJECT: sentence("rejected"),
    ReviewStep.WITHDRAW: sentence("withdrawn"),
    ReviewStep.REOPEN: sentence("reopened"),
    ReviewStep.LOSE: sentence("given up"),
}
"""The participle for each step, used in messages."""

MAX_REASON_LENGTH: Final = 1000

KEY_MARK_PREFIX: Final = "key:"
"""The prefix of marks that contain an idempotency key; they identify repeated requests permanently."""


class Quotas(msgspec.Struct, frozen=True):
    """The maximum numbers of pending items: per user, and for reports, of all people without an account together."""

    photos: int = 50
    submissions: int = 200
    reports: int = 1000
    recordings: int = 100


class PendingCounts(NamedTuple):
    """The numbers of pending items: submissions by kind, photos and recordings."""

    submissions: Mapping[str, int]
    photos: int
    recordings: int

    def count_submissions(self, kinds: Collection[str]) -> int:
        """Return the number of pending submissions of the given kinds, or of all if `kinds` is empty."""
        return sum(count for kind, count in self.submissions.items() if not kinds or kind in kinds)


def build_key_mark(person_id: int, key: str, *body: bytes) -> str:
    """Build the mark of a request with an idempotency key: the user's ID, and hashes of the key and the content."""
    key_hash = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
    body_hash = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in body)).hexdigest()
    return f"{KEY_MARK_PREFIX}{person_id}:{key_hash}:{body_hash}"


def common_mark_prefix(mark: str) -> str:
    """Return the prefix that the marks of all requests with the same idempotency key share."""
    return mark.rpartition(":")[0] + ":"


def next_status(
    status: Status, step: ReviewStep, transitions: Mapping[tuple[Status, ReviewStep], Status] = TRANSITIONS
) -> Status:
    """Return the status after a step. Raises ConflictError if the transition is not allowed."""
    new_status = transitions.get((status, step))
    if new_status is None:
        raise ConflictError(
            sentence(
                "This submission %(state)s; it can no longer be %(done)s.",
                state=STATUS_PHRASES[status],
                done=STEP_PARTICIPLES[step],
            )
        )
    return new_status


_STEP_BY_NEW_STATUS: Final[Mapping[Status, ReviewStep]] = {
    Status.PENDING: ReviewStep.REOPEN,
    Status.APPROVED: ReviewStep.APPROVE,
    Status.REJECTED: ReviewStep.REJECT,
    Status.WITHDRAWN: ReviewStep.WITHDRAW,
}


def check_undo(status: Status, earlier_status: Status) -> None:
    """Check that undo may restore an earlier status. Raises ConflictError."""
    if status is not earlier_status:
        next_status(status, _STEP_BY_NEW_STATUS[earlier_status])


def clean_reason(reason: str) -> str:
    """Validate and clean the reason of a rejection, which must not be blank. Raises InputError."""
    clean = nfc(collapse_whitespace(reason))
    if not 1 <= len(clean) <= MAX_REASON_LENGTH:
        raise InputError.of(
            "reason",
            sentence(
                "`%(parameter)s` must have from 1 to %(most)s characters.",
                parameter="reason",
                most=f"{MAX_REASON_LENGTH:,}",
            ),
        )
    return clean


PHOTO_OMITTED: Final = sentence("The word was accepted without the photo.")
LOST_PHOTO: Final = sentence("The file of this photo is lost.")
LOST_RECORDING: Final = sentence("The file of this recording is lost.")

AUTOMATIC_REASONS: Final[Mapping[str, Sentence]] = {
    str(reason): reason for reason in (PHOTO_OMITTED, LOST_PHOTO, LOST_RECORDING)
}
"""The reasons for rejection that the program gives, by their stored text, so that pages can translate them."""
