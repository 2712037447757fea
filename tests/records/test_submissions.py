from itertools import product

import pytest

from abhidhan.records.errors import ConflictError, InputError
from abhidhan.records.submissions import ReviewStep, Status, check_undo, clean_reason, next_status

ALLOWED = {
    (Status.PENDING, ReviewStep.APPROVE): Status.APPROVED,
    (Status.PENDING, ReviewStep.REJECT): Status.REJECTED,
    (Status.PENDING, ReviewStep.WITHDRAW): Status.WITHDRAWN,
    (Status.APPROVED, ReviewStep.REOPEN): Status.PENDING,
    (Status.REJECTED, ReviewStep.REOPEN): Status.PENDING,
    (Status.PENDING, ReviewStep.LOSE): Status.REJECTED,
    (Status.APPROVED, ReviewStep.LOSE): Status.REJECTED,
}


def test_only_the_allowed_changes_of_status_are_possible(subtests: pytest.Subtests) -> None:
    for status, step in product(Status, ReviewStep):
        with subtests.test(f"{status} {step}"):
            if (status, step) in ALLOWED:
                assert next_status(status, step) is ALLOWED[status, step]
            else:
                with pytest.raises(ConflictError):
                    next_status(status, step)


RETURNS = {
    (Status.APPROVED, Status.PENDING),
    (Status.REJECTED, Status.PENDING),
    (Status.PENDING, Status.APPROVED),
    (Status.PENDING, Status.REJECTED),
    (Status.PENDING, Status.WITHDRAWN),
}


def test_undoing_leads_only_to_a_status_that_review_can_reach(subtests: pytest.Subtests) -> None:
    for status, former in product(Status, Status):
        with subtests.test(f"{status} {former}"):
            if status is former or (status, former) in RETURNS:
                check_undo(status, former)
            else:
                with pytest.raises(ConflictError):
                    check_undo(status, former)


def test_a_rejection_requires_a_reason_of_at_most_1000_characters() -> None:
    for reason in ("", "   ", "x" * 1001):
        with pytest.raises(InputError):
            clean_reason(reason)
