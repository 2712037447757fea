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


@pytest.mark.parametrize("status", Status)
@pytest.mark.parametrize("step", ReviewStep)
def test_only_the_allowed_changes_of_state_happen(status: Status, step: ReviewStep) -> None:
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


@pytest.mark.parametrize("former", Status)
@pytest.mark.parametrize("status", Status)
def test_undoing_leads_only_where_review_does(status: Status, former: Status) -> None:
    if status is former or (status, former) in RETURNS:
        check_undo(status, former)
    else:
        with pytest.raises(ConflictError):
            check_undo(status, former)


@pytest.mark.parametrize("reason", ["", "   ", "x" * 1001])
def test_a_rejection_has_a_reason(reason: str) -> None:
    with pytest.raises(InputError):
        clean_reason(reason)
