"""Submissions: what waits for an editor, the states it goes through, and the program's own reasons to reject it."""

import hashlib
from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Final, NamedTuple

import msgspec

from abhidhan.records.errors import ConflictError, InputError, Sentence, sentence
from assamese.normalization import nfc, squeeze


class Status(StrEnum):
    """Where a submission stands."""

    PENDING = "pending_review"
    APPROVED = "approved"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


class Step(StrEnum):
    """What can be done with something that waits for review, a file or anything else.

    `REOPEN` is what undoing a decision does, `LOSE` what happens to a file whose bytes are gone.
    """

    APPROVE = "approve"
    REJECT = "reject"
    WITHDRAW = "withdraw"
    REOPEN = "reopen"
    LOSE = "lose"


TRANSITIONS: Final[Mapping[tuple[Status, Step], Status]] = {
    (Status.PENDING, Step.APPROVE): Status.APPROVED,
    (Status.PENDING, Step.REJECT): Status.REJECTED,
    (Status.PENDING, Step.WITHDRAW): Status.WITHDRAWN,
    (Status.APPROVED, Step.REOPEN): Status.PENDING,
    (Status.REJECTED, Step.REOPEN): Status.PENDING,
    (Status.PENDING, Step.LOSE): Status.REJECTED,
    (Status.APPROVED, Step.LOSE): Status.REJECTED,
}
"""Every change of state that is allowed. What was withdrawn stays so: it is its submitter's."""

TRANSITIONS_OF_RECORDINGS: Final[Mapping[tuple[Status, Step], Status]] = {
    **TRANSITIONS,
    (Status.APPROVED, Step.WITHDRAW): Status.WITHDRAWN,
}
"""The same of recordings: a voice stays its speaker's, who may take it back at any time."""

SAID: Final[Mapping[Status, Sentence]] = {
    Status.PENDING: sentence("is waiting for review"),
    Status.APPROVED: sentence("has been approved"),
    Status.REJECTED: sentence("has been rejected"),
    Status.WITHDRAWN: sentence("has been withdrawn"),
}

DONE: Final[Mapping[Step, Sentence]] = {
    Step.APPROVE: sentence("approved"),
    Step.REJECT: sentence("rejected"),
    Step.WITHDRAW: sentence("withdrawn"),
    Step.REOPEN: sentence("opened again"),
    Step.LOSE: sentence("given up"),
}
"""What has been done with something after a step."""

LONGEST_REASON: Final = 1000

MARK_OF_KEY: Final = "key:"
"""How the mark begins of what came with a key of the client's own: it stays, and the same request is known again."""


class Quotas(msgspec.Struct, frozen=True):
    """How much may wait for review: of one person, and the reports of all who have no account."""

    photos: int = 50
    submissions: int = 200
    reports: int = 1000
    recordings: int = 100


class Waiting(NamedTuple):
    """How much waits for an editor: submissions by the name of their kind, photos and recordings."""

    submissions: Mapping[str, int]
    photos: int
    recordings: int

    def of(self, kinds: Collection[str]) -> int:
        """Return how many submissions of some kinds wait; of none named, all."""
        return sum(count for kind, count in self.submissions.items() if not kinds or kind in kinds)


def mark_of_key(person_id: int, key: str, *body: bytes) -> str:
    """Write what a request with a key of the client's own is known by: whose it is, its key, and what it says."""
    named = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
    said = hashlib.sha256(b"".join(hashlib.sha256(each).digest() for each in body)).hexdigest()
    return f"{MARK_OF_KEY}{person_id}:{named}:{said}"


def same_key(mark: str) -> str:
    """Return how the marks of all requests with the same key begin."""
    return mark.rpartition(":")[0] + ":"


def next_status(status: Status, step: Step, transitions: Mapping[tuple[Status, Step], Status] = TRANSITIONS) -> Status:
    """Return the state after a step. Raises ConflictError when the state does not allow it."""
    following = transitions.get((status, step))
    if following is None:
        raise ConflictError(
            sentence(
                "This submission %(state)s; it can no longer be %(done)s.",
                state=SAID[status],
                done=DONE[step],
            )
        )
    return following


_STEP_TO: Final[Mapping[Status, Step]] = {
    Status.PENDING: Step.REOPEN,
    Status.APPROVED: Step.APPROVE,
    Status.REJECTED: Step.REJECT,
    Status.WITHDRAWN: Step.WITHDRAW,
}


def check_return(status: Status, former: Status) -> None:
    """Make sure that undoing may lead from a state to a former one. Raises ConflictError."""
    if status is not former:
        next_status(status, _STEP_TO[former])


def clean_reason(reason: str) -> str:
    """Clean the reason of a rejection: some text there must be. Raises InputError."""
    clean = nfc(squeeze(reason))
    if not 1 <= len(clean) <= LONGEST_REASON:
        raise InputError.of(
            "reason",
            sentence(
                "`%(parameter)s` must have from 1 to %(most)s characters.",
                parameter="reason",
                most=f"{LONGEST_REASON:,}",
            ),
        )
    return clean


PHOTO_LEFT_OUT: Final = sentence("The word was accepted without the photo.")
LOST_PHOTO: Final = sentence("The file of this photo is lost.")
LOST_RECORDING: Final = sentence("The file of this recording is lost.")

AUTOMATIC_REASONS: Final[Mapping[str, Sentence]] = {
    str(reason): reason for reason in (PHOTO_LEFT_OUT, LOST_PHOTO, LOST_RECORDING)
}
"""By the text that is stored; any other reason was written by a person, and stays as it is."""
