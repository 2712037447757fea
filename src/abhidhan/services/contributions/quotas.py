"""What one person may let wait, and requests that come again: looked at within the transaction that stores them."""

from abhidhan.domain.submissions import Quotas, same_key
from abhidhan.errors import QuotaError, ReusedKeyError, sentence
from abhidhan.storage import pending as stored
from abhidhan.storage.engine.database import Writer

ANOTHER_REQUEST = sentence(
    "This `Idempotency-Key` was already used for a different request: use a new key for each thing you send."
)


def earlier(connection: Writer, mark: str, kind: stored.PendingKind) -> int | None:
    """Find what an earlier request with the same key of the client's has stored; None when there was none.

    Raises ReusedKeyError when that request was another one.
    """
    found = stored.find_by_key(connection, same_key(mark))
    if found is None:
        return None
    if (found.kind, found.mark) != (kind, mark):
        raise ReusedKeyError(ANOTHER_REQUEST)
    return found.id


def allow_photo(connection: Writer, person_id: int, quotas: Quotas) -> None:
    """Make sure that a person may let one more photo wait. Raises QuotaError."""
    pending = stored.count_pending(connection, stored.PendingKind.PHOTO, person_id)
    if pending >= quotas.photos:
        raise QuotaError(
            sentence(
                "You already have %(count)s photos waiting for review, and the limit is %(most)s. "
                "Send more once some have been reviewed, or withdraw one.",
                count=pending,
                most=quotas.photos,
            )
        )


def allow_recording(connection: Writer, person_id: int, quotas: Quotas) -> None:
    """Make sure that a person may let one more recording wait. Raises QuotaError."""
    pending = stored.count_pending(connection, stored.PendingKind.RECORDING, person_id)
    if pending >= quotas.recordings:
        raise QuotaError(
            sentence(
                "You already have %(count)s recordings waiting for review, and the limit is %(most)s. "
                "Send more once some have been reviewed, or withdraw one.",
                count=pending,
                most=quotas.recordings,
            )
        )


def allow_submission(connection: Writer, person_id: int, quotas: Quotas) -> None:
    """Make sure that a person may let one more submission wait. Raises QuotaError."""
    pending = stored.count_pending(connection, stored.PendingKind.SUBMISSION, person_id)
    if pending >= quotas.submissions:
        raise QuotaError(
            sentence(
                "You already have %(count)s submissions waiting for review, and the limit is %(most)s. "
                "Send more once some have been reviewed, or withdraw one.",
                count=pending,
                most=quotas.submissions,
            )
        )


def allow_report(connection: Writer, quotas: Quotas) -> None:
    """Make sure that one more report of somebody without an account may wait. Raises QuotaError."""
    if stored.count_reports(connection, quotas.reports) >= quotas.reports:
        raise QuotaError(
            sentence(
                "Too many reports are waiting for the editors, so none can be taken without an account right now. "
                "Sign in, or try again tomorrow."
            )
        )
