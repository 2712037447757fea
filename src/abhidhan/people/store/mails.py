"""E-mails: subscriptions, the outbox of undelivered decisions, and the leases of the workers that send them.

A decision and its outbox row are written in one transaction, so that e-mails are neither lost nor sent for decisions
that were rolled back. The outbox refers to records; their status and reason are read when the e-mail is sent.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Integer,
    Table,
    and_,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)

from abhidhan.people.model.mails import (
    MAX_DELIVERY_SECONDS,
    AccountAddress,
    MailSubscription,
    MailTopic,
    next_sending_time,
)
from abhidhan.people.store.mail_addresses import FREQUENCY_NEVER, can_receive_mails
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.history import Change, ChangeSet, PhotoState, RecordingState, SubmissionState
from abhidhan.records.submissions import Status
from abhidhan.schema import mail_choice, mail_outbox, person, photo, recording, submission

CONTRIBUTION_TABLES: Final[Mapping[str, Table]] = {"submission": submission, "photo": photo, "recording": recording}
"""The tables of contributions, by kind in the history; their senders are notified of decisions."""

DECIDED_STATUSES: Final = frozenset({str(Status.APPROVED), str(Status.REJECTED)})
FREQUENCY_DAILY: Final = "daily"
_SUBSCRIPTION_COLUMNS: Final = tuple(
    mail_choice.c[name] for name in ("person_id", "topic", "often", "language", "secret", "agreed")
)


class UndeliveredDecision(NamedTuple):
    """A decision that has not been mailed to its sender."""

    id: int
    kind: str
    record_id: int
    at: int


class DecisionBacklog(NamedTuple):
    """A user's oldest undelivered decisions, with the number and the largest ID of all undelivered ones."""

    oldest: list[UndeliveredDecision]
    total: int
    last_id: int


class ClaimedMail(NamedTuple):
    """A due e-mail leased by a worker: its subscription, due time, failed attempts and address."""

    subscription: MailSubscription
    due: int
    tries: int
    address: AccountAddress
    is_disabled: bool


# --- subscriptions ------------------------------------------------------------------------------------------------

_FIND_SUBSCRIPTION: Final = CompiledQuery(
    select(*_SUBSCRIPTION_COLUMNS).where(
        mail_choice.c.person_id == bindparam("person_id", type_=Integer),
        mail_choice.c.topic == str(MailTopic.DECISIONS),
    )
)


def find_subscription(connection: ReadConnection, person_id: int) -> MailSubscription | None:
    """Return a user's subscription to decisions; None if there never was one."""
    row = connection.row(_FIND_SUBSCRIPTION, person_id=person_id)
    return _build_subscription(row) if row else None


def read_subscription(connection: Connection, person_id: int, topic: MailTopic) -> MailSubscription | None:
    """Return a user's subscription to a topic within a transaction."""
    statement = select(*_SUBSCRIPTION_COLUMNS).where(_is_subscription(person_id, topic))
    row = connection.execute(statement).one_or_none()
    return _build_subscription(tuple(row)) if row else None


def save_subscription(connection: Connection, subscription: MailSubscription) -> None:
    """Insert or replace a subscription."""
    often = FREQUENCY_DAILY if subscription.is_active else FREQUENCY_NEVER
    values = {
        "often": often,
        "language": subscription.language,
        "secret": subscription.secret,
        "agreed": subscription.agreed,
    }
    changed = connection.execute(
        update(mail_choice).where(_is_subscription(subscription.person_id, subscription.topic)).values(values)
    )
    if not changed.rowcount:
        keys = {"person_id": subscription.person_id, "topic": str(subscription.topic), "not_before": 0, "tries": 0}
        connection.execute(insert(mail_choice).values(keys | values))


def _build_subscription(row: Row) -> MailSubscription:
    person_id, topic, often, language, secret, agreed = row
    return MailSubscription(person_id, MailTopic(topic), often != FREQUENCY_NEVER, language, secret, agreed)


def _is_subscription(person_id: int, topic: MailTopic) -> ColumnElement[bool]:
    return and_(mail_choice.c.person_id == person_id, mail_choice.c.topic == str(topic))


# --- decisions ----------------------------------------------------------------------------------------------------


def queue_decisions(connection: Connection, change_set: ChangeSet) -> None:
    """Queue decisions for subscribed senders, and remove queued decisions that a change has undone.

    The history calls this with each change.
    """
    for change in change_set.changes:
        if change.ref.kind in CONTRIBUTION_TABLES and _get_status(change.before) != _get_status(change.after):
            _queue_decision(connection, change, change_set.person_id, change_set.at)


def _get_status(state: object) -> str | None:
    return state.status if isinstance(state, PhotoState | RecordingState | SubmissionState) else None


def _queue_decision(connection: Connection, change: Change, decided_by: int | None, at: int) -> None:
    kind, number = change.ref.kind, change.ref.number
    sender_query = select(CONTRIBUTION_TABLES[kind].c.person_id).where(CONTRIBUTION_TABLES[kind].c.id == number)
    person_id = connection.execute(sender_query).scalar_one_or_none()
    subscription = read_subscription(connection, person_id, MailTopic.DECISIONS) if person_id else None
    if subscription is None or person_id is None:
        return
    connection.execute(delete(mail_outbox).where(mail_outbox.c.kind == kind, mail_outbox.c.record_id == number))
    should_notify = _get_status(change.after) in DECIDED_STATUSES and decided_by != person_id and subscription.is_active
    if should_notify and can_receive_mails(connection, person_id):
        values = {"person_id": person_id, "kind": kind, "record_id": number, "at": at}
        connection.execute(insert(mail_outbox).values(values))
    _update_due_time(connection, person_id)


def _update_due_time(connection: Connection, person_id: int) -> None:
    """Update the time at which a user's e-mail is due, after a change of the outbox."""
    condition = mail_outbox.c.person_id == person_id
    first = connection.execute(select(func.min(mail_outbox.c.at)).where(condition)).scalar_one()
    due = None if first is None else next_sending_time(first)
    connection.execute(update(mail_choice).where(_is_subscription(person_id, MailTopic.DECISIONS)).values(due=due))


_OLDEST_DECISIONS: Final = CompiledQuery(
    select(*(mail_outbox.c[name] for name in UndeliveredDecision._fields))
    .where(
        mail_outbox.c.person_id == bindparam("person_id", type_=Integer),
        mail_outbox.c.id <= bindparam("last", type_=Integer),
    )
    .order_by(mail_outbox.c.id)
    .limit(bindparam("most", type_=Integer))
)
_COUNT: Final = CompiledQuery(
    select(func.count(), func.max(mail_outbox.c.id)).where(
        mail_outbox.c.person_id == bindparam("person_id", type_=Integer)
    )
)


def load_backlog(connection: ReadConnection, person_id: int, limit: int) -> DecisionBacklog:
    """Return at most `limit` of a user's oldest undelivered decisions, and their total number."""
    row = connection.row(_COUNT, person_id=person_id)
    count, last = row or (0, None)
    first = connection.rows(_OLDEST_DECISIONS, person_id=person_id, last=last or 0, most=limit) if count else []
    return DecisionBacklog([UndeliveredDecision._make(each) for each in first], count, last or 0)


# --- delivery -----------------------------------------------------------------------------------------------------

_NOW: Final = bindparam("now", type_=BigInteger)
_IS_DUE: Final = CompiledQuery(
    select(mail_choice.c.person_id).where(mail_choice.c.due <= _NOW, mail_choice.c.not_before <= _NOW).limit(1)
)


def has_due_mail(connection: ReadConnection, now: int) -> bool:
    """Return whether an e-mail is due that no worker has leased."""
    return connection.row(_IS_DUE, now=now) is not None


def claim_due_mail(connection: Connection, now: int, until: int) -> ClaimedMail | None:
    """Lease the most overdue e-mail to this worker until the time `until`; return None if no e-mail is due."""
    confirmation = mail_choice.alias()
    confirmed = select(confirmation.c.confirmed).where(
        confirmation.c.person_id == person.c.id, confirmation.c.topic == str(MailTopic.CONFIRMATION)
    )
    account_columns = (person.c.email, confirmed.scalar_subquery(), person.c.disabled)
    statement = (
        select(*_SUBSCRIPTION_COLUMNS, mail_choice.c.due, mail_choice.c.tries, *account_columns)
        .select_from(mail_choice.join(person, person.c.id == mail_choice.c.person_id))
        .where(mail_choice.c.due <= now, mail_choice.c.not_before <= now)
        .order_by(mail_choice.c.due, mail_choice.c.person_id, mail_choice.c.topic)
        .limit(1)
        .with_for_update(of=mail_choice, skip_locked=True)
    )
    row = connection.execute(statement).one_or_none()
    if row is None:
        return None
    subscription, extra = (
        _build_subscription(tuple(row)[: len(_SUBSCRIPTION_COLUMNS)]),
        tuple(row)[len(_SUBSCRIPTION_COLUMNS) :],
    )
    due, tries, email, confirmed_email, disabled = extra
    _update_subscription(connection, subscription, not_before=until)
    address = AccountAddress(subscription.person_id, email, confirmed_email)
    return ClaimedMail(subscription, due, tries, address, disabled is not None)


def postpone(connection: Connection, mail: ClaimedMail, until: int) -> None:
    """Postpone an undeliverable e-mail to the time `until`, and count the failed attempt."""
    _update_subscription(connection, mail.subscription, not_before=until, tries=mail.tries + 1)


def drop_expired_decisions(connection: Connection, mail: ClaimedMail, now: int, until: int) -> None:
    """Drop decisions older than `MAX_DELIVERY_SECONDS`, and postpone the e-mail about newer ones to `until`."""
    person_id, too_old = mail.subscription.person_id, now - MAX_DELIVERY_SECONDS
    old = select(func.max(mail_outbox.c.id)).where(mail_outbox.c.person_id == person_id, mail_outbox.c.at < too_old)
    remove_delivered(connection, mail, connection.execute(old).scalar_one() or 0)
    remaining_count = select(func.count()).select_from(mail_outbox).where(mail_outbox.c.person_id == person_id)
    if mail.subscription.topic is MailTopic.DECISIONS and connection.execute(remaining_count).scalar_one():
        postpone(connection, mail, until)


def remove_delivered(connection: Connection, mail: ClaimedMail, last_id: int) -> None:
    """Remove the decisions up to the ID `last_id`, which were delivered or dropped, from the outbox.

    Newer decisions determine the time of the next e-mail. Only one transaction at a time inserts decisions, so their
    IDs are greater.
    """
    subscription = read_subscription(connection, mail.subscription.person_id, mail.subscription.topic)
    if subscription is None:
        return
    _update_subscription(connection, subscription, not_before=0, tries=0)
    if subscription.topic is MailTopic.CONFIRMATION:
        _update_subscription(connection, subscription, due=None)
        return
    condition = mail_outbox.c.person_id == subscription.person_id
    connection.execute(delete(mail_outbox).where(condition, mail_outbox.c.id <= last_id))
    _update_due_time(connection, subscription.person_id)


def _update_subscription(connection: Connection, subscription: MailSubscription, **values: int | None) -> None:
    connection.execute(
        update(mail_choice).where(_is_subscription(subscription.person_id, subscription.topic)).values(values)
    )
