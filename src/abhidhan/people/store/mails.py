"""Mails: what people agreed to, the decisions that nobody has been told of yet, and which worker tells them.

Whoever decides writes the row of the outbox in the same transaction, so that nothing is told that was not decided, and
nothing is lost. What was decided and why stays with the record: it is read when the mail is written.
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

from abhidhan.people.model.mails import GIVEN_UP_AFTER, Choice, KnownAddress, Topic, next_morning
from abhidhan.people.store.mail_addresses import NEVER, is_open
from abhidhan.platform.database.compiled_queries import Query, Row
from abhidhan.platform.database.reader import Reader
from abhidhan.records.history import Change, ChangeSet, PhotoState, RecordingState, SubmissionState
from abhidhan.records.submissions import Status
from abhidhan.schema import mail_choice, mail_outbox, person, photo, recording, submission

TOLD: Final[Mapping[str, Table]] = {"submission": submission, "photo": photo, "recording": recording}
"""The kinds of records whose senders are told of decisions; each table says whose a record is."""

DECIDED: Final = frozenset({str(Status.APPROVED), str(Status.REJECTED)})
DAILY: Final = "daily"
_CHOICE: Final = tuple(mail_choice.c[name] for name in ("person_id", "topic", "often", "language", "secret", "agreed"))


class Undelivered(NamedTuple):
    """A decision that its person has not been told of."""

    id: int
    kind: str
    record_id: int
    at: int


class Backlog(NamedTuple):
    """The oldest decisions that a person has not been told of, how many there are in all, and the ID of the last."""

    first: list[Undelivered]
    total: int
    last: int


class Claim(NamedTuple):
    """A mail that is due and that one worker has taken: for whom, since when it is due, and how often it has failed."""

    choice: Choice
    due: int
    tries: int
    address: KnownAddress
    is_disabled: bool


# --- what people agreed to ----------------------------------------------------------------------------------------

_FIND_CHOICE: Final = Query(
    select(*_CHOICE).where(
        mail_choice.c.person_id == bindparam("person_id", type_=Integer), mail_choice.c.topic == str(Topic.DECISIONS)
    )
)


def find_choice(reader: Reader, person_id: int) -> Choice | None:
    """Read whether a person wants mails about decisions; None where they have never agreed."""
    row = reader.row(_FIND_CHOICE, person_id=person_id)
    return _choice(row) if row else None


def read_choice(connection: Connection, person_id: int, topic: Topic) -> Choice | None:
    """Read what a person agreed to of a topic, in a transaction."""
    wanted = select(*_CHOICE).where(_own(person_id, topic))
    row = connection.execute(wanted).one_or_none()
    return _choice(tuple(row)) if row else None


def keep_choice(connection: Connection, choice: Choice) -> None:
    """Store whether a person wants mails about decisions, in place of what it was before."""
    often = DAILY if choice.is_wanted else NEVER
    values = {"often": often, "language": choice.language, "secret": choice.secret, "agreed": choice.agreed}
    changed = connection.execute(update(mail_choice).where(_own(choice.person_id, choice.topic)).values(values))
    if not changed.rowcount:
        whose = {"person_id": choice.person_id, "topic": str(choice.topic), "not_before": 0, "tries": 0}
        connection.execute(insert(mail_choice).values(whose | values))


def _choice(row: Row) -> Choice:
    person_id, topic, often, language, secret, agreed = row
    return Choice(person_id, Topic(topic), often != NEVER, language, secret, agreed)


def _own(person_id: int, topic: Topic) -> ColumnElement[bool]:
    return and_(mail_choice.c.person_id == person_id, mail_choice.c.topic == str(topic))


# --- decisions ----------------------------------------------------------------------------------------------------


def note_decisions(connection: Connection, change_set: ChangeSet) -> None:
    """Note decisions whose senders want to be told; one that is undone before that is not told.

    A subscriber of the history.
    """
    for change in change_set.changes:
        if change.name.kind in TOLD and _status(change.before) != _status(change.after):
            _note_decision(connection, change, change_set.person_id, change_set.at)


def _status(state: object) -> str | None:
    return state.status if isinstance(state, PhotoState | RecordingState | SubmissionState) else None


def _note_decision(connection: Connection, change: Change, by: int | None, at: int) -> None:
    kind, number = change.name.kind, change.name.number
    whose = select(TOLD[kind].c.person_id).where(TOLD[kind].c.id == number)
    person_id = connection.execute(whose).scalar_one_or_none()
    choice = read_choice(connection, person_id, Topic.DECISIONS) if person_id else None
    if choice is None or person_id is None:
        return
    connection.execute(delete(mail_outbox).where(mail_outbox.c.kind == kind, mail_outbox.c.record_id == number))
    is_told = _status(change.after) in DECIDED and by != person_id and choice.is_wanted
    if is_told and is_open(connection, person_id):
        values = {"person_id": person_id, "kind": kind, "record_id": number, "at": at}
        connection.execute(insert(mail_outbox).values(values))
    _renew_due(connection, person_id)


def _renew_due(connection: Connection, person_id: int) -> None:
    """Hold the moment at which decisions are told to those that there are."""
    own = mail_outbox.c.person_id == person_id
    first = connection.execute(select(func.min(mail_outbox.c.at)).where(own)).scalar_one()
    due = None if first is None else next_morning(first)
    connection.execute(update(mail_choice).where(_own(person_id, Topic.DECISIONS)).values(due=due))


_FIRST: Final = Query(
    select(*(mail_outbox.c[name] for name in Undelivered._fields))
    .where(
        mail_outbox.c.person_id == bindparam("person_id", type_=Integer),
        mail_outbox.c.id <= bindparam("last", type_=Integer),
    )
    .order_by(mail_outbox.c.id)
    .limit(bindparam("most", type_=Integer))
)
_HOW_MANY: Final = Query(
    select(func.count(), func.max(mail_outbox.c.id)).where(
        mail_outbox.c.person_id == bindparam("person_id", type_=Integer)
    )
)


def backlog_of(reader: Reader, person_id: int, most: int) -> Backlog:
    """Read the oldest decisions that a person has not been told of, so many at most, and how many there are."""
    row = reader.row(_HOW_MANY, person_id=person_id)
    count, last = row or (0, None)
    first = reader.rows(_FIRST, person_id=person_id, last=last or 0, most=most) if count else []
    return Backlog([Undelivered._make(each) for each in first], count, last or 0)


# --- delivery -----------------------------------------------------------------------------------------------------

_NOW: Final = bindparam("now", type_=BigInteger)
_IS_DUE: Final = Query(
    select(mail_choice.c.person_id).where(mail_choice.c.due <= _NOW, mail_choice.c.not_before <= _NOW).limit(1)
)


def is_any_due(reader: Reader, now: int) -> bool:
    """Say whether a mail is due that nobody has taken."""
    return reader.row(_IS_DUE, now=now) is not None


def claim(connection: Connection, now: int, until: int) -> Claim | None:
    """Take a mail that is due, the one that is due longest: nobody else takes it before `until`."""
    confirmation = mail_choice.alias()
    confirmed = select(confirmation.c.confirmed).where(
        confirmation.c.person_id == person.c.id, confirmation.c.topic == str(Topic.CONFIRMATION)
    )
    whose = (person.c.email, confirmed.scalar_subquery(), person.c.disabled)
    wanted = (
        select(*_CHOICE, mail_choice.c.due, mail_choice.c.tries, *whose)
        .select_from(mail_choice.join(person, person.c.id == mail_choice.c.person_id))
        .where(mail_choice.c.due <= now, mail_choice.c.not_before <= now)
        .order_by(mail_choice.c.due, mail_choice.c.person_id, mail_choice.c.topic)
        .limit(1)
        .with_for_update(of=mail_choice, skip_locked=True)
    )
    row = connection.execute(wanted).one_or_none()
    if row is None:
        return None
    choice, rest = _choice(tuple(row)[: len(_CHOICE)]), tuple(row)[len(_CHOICE) :]
    due, tries, email, confirmed_one, disabled = rest
    _change(connection, choice, not_before=until)
    address = KnownAddress(choice.person_id, email, confirmed_one)
    return Claim(choice, due, tries, address, disabled is not None)


def put_off(connection: Connection, claimed: Claim, until: int) -> None:
    """Let a mail that could not be delivered wait."""
    _change(connection, claimed.choice, not_before=until, tries=claimed.tries + 1)


def give_up(connection: Connection, claimed: Claim, now: int, until: int) -> None:
    """Note that what is too old is not told any more; fresher decisions wait for another try."""
    whose, too_old = claimed.choice.person_id, now - GIVEN_UP_AFTER
    old = select(func.max(mail_outbox.c.id)).where(mail_outbox.c.person_id == whose, mail_outbox.c.at < too_old)
    settle(connection, claimed, connection.execute(old).scalar_one() or 0)
    fresh = select(func.count()).select_from(mail_outbox).where(mail_outbox.c.person_id == whose)
    if claimed.choice.topic is Topic.DECISIONS and connection.execute(fresh).scalar_one():
        put_off(connection, claimed, until)


def settle(connection: Connection, claimed: Claim, told: int) -> None:
    """Remove the decisions up to the ID `told` from the queue: their mail was delivered, or is not to be sent.

    The decisions made meanwhile set the time of the next mail. One transaction at a time notes decisions, so none of
    them has a smaller ID than one that was seen.
    """
    choice = read_choice(connection, claimed.choice.person_id, claimed.choice.topic)
    if choice is None:
        return
    _change(connection, choice, not_before=0, tries=0)
    if choice.topic is Topic.CONFIRMATION:
        _change(connection, choice, due=None)
        return
    own = mail_outbox.c.person_id == choice.person_id
    connection.execute(delete(mail_outbox).where(own, mail_outbox.c.id <= told))
    _renew_due(connection, choice.person_id)


def _change(connection: Connection, choice: Choice, **values: int | None) -> None:
    connection.execute(update(mail_choice).where(_own(choice.person_id, choice.topic)).values(values))
