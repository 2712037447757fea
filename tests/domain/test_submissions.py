import pytest

from abhidhan.domain.submissions import Status, Step, clean_reason, next_status
from abhidhan.errors import ConflictError, InputError

ALLOWED = {
    (Status.PENDING, Step.APPROVE): Status.APPROVED,
    (Status.PENDING, Step.REJECT): Status.REJECTED,
    (Status.PENDING, Step.WITHDRAW): Status.WITHDRAWN,
    (Status.APPROVED, Step.REOPEN): Status.PENDING,
    (Status.REJECTED, Step.REOPEN): Status.PENDING,
}


@pytest.mark.parametrize("status", Status)
@pytest.mark.parametrize("step", Step)
def test_only_the_allowed_changes_of_state_happen(status: Status, step: Step) -> None:
    if (status, step) in ALLOWED:
        assert next_status(status, step) is ALLOWED[status, step]
    else:
        with pytest.raises(ConflictError):
            next_status(status, step)


@pytest.mark.parametrize("reason", ["", "   ", "x" * 1001])
def test_a_rejection_has_a_reason(reason: str) -> None:
    with pytest.raises(InputError):
        clean_reason(reason)
