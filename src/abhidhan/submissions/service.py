"""Quotas of pending contributions, and idempotency of the requests that send them."""

from collections.abc import Callable, Mapping
from typing import Final

from abhidhan.platform.database.database import WriteConnection
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import QuotaError, ReusedKeyError, Sentence, sentence
from abhidhan.records.people import Permission, Person, require_permission
from abhidhan.records.submissions import PendingCounts, Quotas, common_mark_prefix
from abhidhan.submissions import store as stored

KEY_REUSED_MESSAGE = sentence(
    "This `Idempotency-Key` was already used for a different request. Use a new key for each submission."
)

QUOTA_MESSAGES: Final[Mapping[stored.PendingKind, Callable[[int, int], Sentence]]] = {
    stored.PendingKind.PHOTO: lambda count, most: sentence(
        "You already have %(count)s photos waiting for review, and the limit is %(most)s. "
        "Send more once some have been reviewed, or withdraw one.",
        count=count,
        most=most,
    ),
    stored.PendingKind.RECORDING: lambda count, most: sentence(
        "You already have %(count)s recordings waiting for review, and the limit is %(most)s. "
        "Send more once some have been reviewed, or withdraw one.",
        count=count,
        most=most,
    ),
    stored.PendingKind.SUBMISSION: lambda count, most: sentence(
        "You already have %(count)s submissions waiting for review, and the limit is %(most)s. "
        "Send more once some have been reviewed, or withdraw one.",
        count=count,
        most=most,
    ),
}


def find_repeated_request(connection: WriteConnection, mark: str, kind: stored.PendingKind) -> int | None:
    """Return the ID of the record that an earlier request with the same idempotency key stored, or None.

    Raises ReusedKeyError if that request was a different one.
    """
    request = stored.find_earlier_request(connection, common_mark_prefix(mark))
    if request is None:
        return None
    if (request.kind, request.mark) != (kind, mark):
        raise ReusedKeyError(KEY_REUSED_MESSAGE)
    return request.id


def check_quota(connection: WriteConnection, kind: stored.PendingKind, person_id: int, quotas: Quotas) -> None:
    """Check that a user may send one more contribution of a kind. Raises QuotaError."""
    pending = stored.count_pending(connection, kind, person_id)
    limit: int = getattr(quotas, f"{kind}s")
    if pending >= limit:
        raise QuotaError(QUOTA_MESSAGES[kind](pending, limit))


def check_report_quota(connection: WriteConnection, quotas: Quotas) -> None:
    """Check that one more report may be sent without an account. Raises QuotaError."""
    if stored.count_reports(connection, quotas.reports) >= quotas.reports:
        raise QuotaError(sentence("Too many reports are waiting. Sign in to report this, or try again tomorrow."))


def count_pending_contributions(connection: ReadConnection, person: Person) -> PendingCounts:
    """Count the contributions that wait for review, for a user who may review them. Raises ForbiddenError."""
    require_permission(person, Permission.REVIEW)
    return stored.count_all_pending(connection)
