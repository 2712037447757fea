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

from abhidhan.people.model.mails import GIVE_UP_SECONDS, AccountAddress, MailChoice, MailTopic, next_morning
from abhidhan.people.store.mail_addresses import NEVER, is_open
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.history import Change, ChangeSet, PhotoState, RecordingState, SubmissionState
from abhidhan.records.submissions import Status
from abhidhan.schema import mail_choice, mail_outbox, person, photo, recording, submission

SENDER_TABLES: Final[Mapping[str, Table]] = {"submission": submission, "photo": photo, "recording": recording}
"""The tables of contributions, by kind in the history; their senders are notified of decisions."""

DECIDED_STATUSES: Final = frozenset({str(Status.APPROVED), str(Status.REJECTED)})
DAILY: Final = "daily"
_CHOICE: Final = tuple(mail_choice.c[name] for name in ("person_id", "topic", "often", "language", "secret", "agreed"))


class Undelivered(NamedTuple):
    """A decision that has not been mailed to its sender."""

    id: int
    kind: str
    record_id: int
    at: int


class Backlog(NamedTuple):
    """A user's oldest undelivered decisions, with the number and the largest ID of all undelivered ones."""

    first: list[Undelivered]
    total: int
    last: int


class Claim(NamedTuple):
    """A due e-mail leased by a worker: its subscription, due time, failed attempts and address."""

    choice: MailChoice
    due: int
    tries: int
    address: AccountAddress
    is_disabled: bool


# --- subscriptions ------------------------------------------------------------------------------------------------

_FIND_CHOICE: Final = CompiledQuery(
    select(*_CHOICE).where(
        mail_choice.c.person_id == bindparam("person_id", type_=Integer),
        mail_choice.c.topic == str(MailTopic.DECISIONS),
    )
)


def find_choice(reader: ReadConnection, person_id: int) -> MailChoice | None:
    """Return a user's subscription to decisions; None if there never was one."""
    row = reader.row(_FIND_CHOICE, person_id=person_id)
    return _choice(row) if row else None


def read_choice(connection: Connection, person_id: int, topic: MailTopic) -> MailChoice | None:
    """Return a user's subscription to a topic within a transaction."""
    statement = select(*_CHOICE).where(_is_choice_of(person_id, topic))
    row = connection.execute(statement).one_or_none()
    return _choice(tuple(row)) if row else None


def save_choice(connection: Connection, choice: MailChoice) -> None:
    """Insert or replace a subscription."""
    often = DAILY if choice.is_wanted else NEVER
    values = {"often": often, "language": choice.language, "secret": choice.secret, "agreed": choice.agreed}
    changed = connection.execute(
        update(mail_choice).where(_is_choice_of(choice.person_id, choice.topic)).values(values)
    )
    if not changed.rowcount:
        whose = {"person_id": choice.person_id, "topic": str(choice.topic), "not_before": 0, "tries": 0}
        connection.execute(insert(mail_choice).values(whose | values))


def _choice(row: Row) -> MailChoice:
    person_id, topic, often, language, secret, agreed = row
    return MailChoice(person_id, MailTopic(topic), often != NEVER, language, secret, agreed)


def _is_choice_of(person_id: int, topic: MailTopic) -> ColumnElement[bool]:
    return and_(mail_choice.c.person_id == person_id, mail_choice.c.topic == str(topic))


# --- decisions ----------------------------------------------------------------------------------------------------


def note_decisions(connection: Connection, change_set: ChangeSet) -> None:
    """Queue decisions for subscribed senders, and remove queued decisions that a change has undone.

    The history calls this with each change.
    """
    for change in change_set.changes:
        if change.ref.kind in SENDER_TABLES and _status(change.before) != _status(change.after):
            _note_decision(connection, change, change_set.person_id, change_set.at)


def _status(state: object) -> str | None:
    return state.status if isinstance(state, PhotoState | RecordingState | SubmissionState) else None


def _note_decision(connection: Connection, change: Change, by: int | None, at: int) -> None:
    kind, number = change.ref.kind, change.ref.number
    whose = select(SENDER_TABLES[kind].c.person_id).where(SENDER_TABLES[kind].c.id == number)
    person_id = connection.execute(whose).scalar_one_or_none()
    choice = read_choice(connection, person_id, MailTopic.DECISIONS) if person_id else None
    if choice is None or person_id is None:
        return
    connection.execute(delete(mail_outbox).where(mail_outbox.c.kind == kind, mail_outbox.c.record_id == number))
    is_told = _status(change.after) in DECIDED_STATUSES and by != person_id and choice.is_wanted
    if is_told and is_open(connection, person_id):
        values = {"person_id": person_id, "kind": kind, "record_id": number, "at": at}
        connection.execute(insert(mail_outbox).values(values))
    _renew_due(connection, person_id)


def _renew_due(connection: Connection, person_id: int) -> None:
    """Update the time at which a user's e-mail is due, after a change of the outbox."""
    condition = mail_outbox.c.person_id == person_id
    first = connection.execute(select(func.min(mail_outbox.c.at)).where(condition)).scalar_one()
    due = None if first is None else next_morning(first)
    connection.execute(update(mail_choice).where(_is_choice_of(person_id, MailTopic.DECISIONS)).values(due=due))


_FIRST: Final = CompiledQuery(
    select(*(mail_outbox.c[name] for name in Undelivered._fields))
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


def backlog_of(reader: ReadConnection, person_id: int, limit: int) -> Backlog:
    """Return at most `limit` of a user's oldest undelivered decisions, and their total number."""
    row = reader.row(_COUNT, person_id=person_id)
    count, last = row or (0, None)
    first = reader.rows(_FIRST, person_id=person_id, last=last or 0, most=limit) if count else []
    return Backlog([Undelivered._make(each) for each in first], count, last or 0)


# --- delivery -----------------------------------------------------------------------------------------------------

_NOW: Final = bindparam("now", type_=BigInteger)
_IS_DUE: Final = CompiledQuery(
    select(mail_choice.c.person_id).where(mail_choice.c.due <= _NOW, mail_choice.c.not_before <= _NOW).limit(1)
)


def is_any_due(reader: ReadConnection, now: int) -> bool:
    """Return whether an e-mail is due that no worker has leased."""
    return reader.row(_IS_DUE, now=now) is not None


def claim(connection: Connection, now: int, until: int) -> Claim | None:
    """Lease the most overdue e-mail to this worker until the time `until`; return None if no e-mail is due."""
    confirmation = mail_choice.alias()
    confirmed = select(confirmation.c.confirmed).where(
        confirmation.c.person_id == person.c.id, confirmation.c.topic == str(MailTopic.CONFIRMATION)
    )
    whose = (person.c.email, confirmed.scalar_subquery(), person.c.disabled)
    statement = (
        select(*_CHOICE, mail_choice.c.due, mail_choice.c.tries, *whose)
        .select_from(mail_choice.join(person, person.c.id == mail_choice.c.person_id))
        .where(mail_choice.c.due <= now, mail_choice.c.not_before <= now)
        .order_by(mail_choice.c.due, mail_choice.c.person_id, mail_choice.c.topic)
        .limit(1)
        .with_for_update(of=mail_choice, skip_locked=True)
    )
    row = connection.execute(statement).one_or_none()
    if row is None:
        return None
    choice, extra = _choice(tuple(row)[: len(_CHOICE)]), tuple(row)[len(_CHOICE) :]
    due, tries, email, confirmed_one, disabled = extra
    _change(connection, choice, not_before=until)
    address = AccountAddress(choice.person_id, email, confirmed_one)
    return Claim(choice, due, tries, address, disabled is not None)


def postpone(connection: Connection, claimed: Claim, until: int) -> None:
    """Postpone an undeliverable e-mail to the time `until`, and count the failed attempt."""
    _change(connection, claimed.choice, not_before=until, tries=claimed.tries + 1)


def give_up(connection: Connection, claimed: Claim, now: int, until: int) -> None:
    """Drop decisions older than `MAX_DELIVERY_SECONDS`, and postpone the e-mail about newer ones to `until`."""
    whose, too_old = claimed.choice.person_id, now - GIVE_UP_SECONDS
    old = select(func.max(mail_outbox.c.id)).where(mail_outbox.c.person_id == whose, mail_outbox.c.at < too_old)
    settle(connection, claimed, connection.execute(old).scalar_one() or 0)
    fresh = select(func.count()).select_from(mail_outbox).where(mail_outbox.c.person_id == whose)
    if claimed.choice.topic is MailTopic.DECISIONS and connection.execute(fresh).scalar_one():
        postpone(connection, claimed, until)


def settle(connection: Connection, claimed: Claim, last_id: int) -> None:
    """Remove the decisions up to the ID `last_id`, which were delivered or dropped, from the outbox.

    Newer decisions determine the time of the next e-mail. Only one transaction at a time inserts decisions, so their
    IDs are greater.
    """
    choice = read_choice(connection, claimed.choice.person_id, claimed.choice.topic)
    if choice is None:
        return
    _change(connection, choice, not_before=0, tries=0)
    if choice.topic is MailTopic.CONFIRMATION:
        _change(connection, choice, due=None)
        return
    condition = mail_outbox.c.person_id == choice.person_id
    connection.execute(delete(mail_outbox).where(condition, mail_outbox.c.id <= last_id))
    _renew_due(connection, choice.person_id)


def _change(connection: Connection, choice: MailChoice, **values: int | None) -> None:
    connection.execute(update(mail_choice).where(_is_choice_of(choice.person_id, choice.topic)).values(values))
