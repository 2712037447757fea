"""E-mail addresses: their confirmation, and refusals of e-mails by their owners."""

from typing import Any, Final

from sqlalchemy import Connection, Integer, Select, Text, and_, bindparam, case, delete, insert, select, update

from abhidhan.people.model.mails import AccountAddress, MailTopic, mailbox_key
from abhidhan.people.store.people import FORMER_ROLE
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row, dialect_insert
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.schema import mail_choice, mail_refusal, person

FREQUENCY_NEVER: Final = "never"
FREQUENCY_IMMEDIATE: Final = "at_once"
_IS_CONFIRMATION: Final = mail_choice.c.topic == str(MailTopic.CONFIRMATION)
_ADDRESS: Final[Select[Any]] = (
    select(
        person.c.id,
        person.c.email,
        mail_choice.c.confirmed,
        mail_choice.c.secret,
        case((mail_choice.c.often != FREQUENCY_NEVER, mail_choice.c.agreed), else_=0),
    )
    .select_from(person.outerjoin(mail_choice, and_(mail_choice.c.person_id == person.c.id, _IS_CONFIRMATION)))
    .where(person.c.id == bindparam("person_id", type_=Integer), person.c.role != FORMER_ROLE)
)
_FIND: Final = CompiledQuery(_ADDRESS)
_REFUSAL: Final = select(mail_refusal.c.at).where(mail_refusal.c.mailbox == bindparam("mailbox", type_=Text))
_FIND_REFUSAL: Final = CompiledQuery(_REFUSAL)


def find_address(connection: ReadConnection, person_id: int) -> AccountAddress:
    """Return the address of an account; its e-mail is None if there is no such account."""
    return _build_address(person_id, connection.row(_FIND, person_id=person_id))


def read_address(connection: Connection, person_id: int) -> AccountAddress:
    """Return the address of an account within a write transaction; its e-mail is None if there is no such account."""
    row = connection.execute(_ADDRESS, {"person_id": person_id}).one_or_none()
    return _build_address(person_id, tuple(row) if row else None)


def _build_address(person_id: int, row: Row | None) -> AccountAddress:
    return AccountAddress(*row) if row else AccountAddress(person_id, None)


def has_refused_mails(connection: ReadConnection, email: str) -> bool:
    """Return whether the owner of an address refuses e-mails."""
    return connection.row(_FIND_REFUSAL, mailbox=mailbox_key(email)) is not None


def can_receive_mails(connection: Connection, person_id: int) -> bool:
    """Return whether e-mails may be sent to a user: the address is confirmed, and its owner has not blocked e-mails."""
    address = read_address(connection, person_id)
    return address.email is not None and address.is_confirmed and not is_refused(connection, address.email)


def is_refused(connection: Connection, email: str) -> bool:
    """Return whether the owner of an address refuses e-mails, within a write transaction."""
    return connection.execute(_REFUSAL, {"mailbox": mailbox_key(email)}).one_or_none() is not None


def queue_confirmation(connection: Connection, person_id: int, language: str, secret: str, now: int) -> None:
    """Queue a confirmation e-mail to the address of an account. An existing secret is not replaced."""
    values = {"often": FREQUENCY_IMMEDIATE, "language": language, "agreed": now}
    _upsert(connection, person_id, {**values, "due": now, "not_before": 0, "tries": 0}, secret)


def cancel_confirmation(connection: Connection, person_id: int) -> None:
    """Cancel a confirmation e-mail that has not been sent yet."""
    condition = (mail_choice.c.person_id == person_id) & _IS_CONFIRMATION
    connection.execute(update(mail_choice).where(condition).values(often=FREQUENCY_NEVER, due=None))


def confirm(connection: Connection, person_id: int, email: str, secret: str, now: int) -> None:
    """Mark an address as confirmed, and cancel a queued confirmation e-mail."""
    _upsert(connection, person_id, {"confirmed": email, "agreed": now, "due": None}, secret)


def _upsert(connection: Connection, person_id: int, values: dict[str, Any], secret: str) -> None:
    condition = (mail_choice.c.person_id == person_id) & _IS_CONFIRMATION
    if connection.execute(update(mail_choice).where(condition).values(values)).rowcount:
        return
    initial_values = {"often": FREQUENCY_NEVER, "language": "", "not_before": 0, "tries": 0, "secret": secret}
    keys = {"person_id": person_id, "topic": str(MailTopic.CONFIRMATION)}
    connection.execute(insert(mail_choice).values(initial_values | values | keys))


def add_refusal(connection: Connection, mailbox: str, now: int) -> None:
    """Block all e-mails to a mailbox, given by its key, whatever account has its address."""
    refusal = dialect_insert(connection, mail_refusal).values(mailbox=mailbox, at=now)
    connection.execute(refusal.on_conflict_do_nothing())


def delete_refusal(connection: Connection, email: str) -> bool:
    """Delete the refusal of an address; return whether there was one."""
    return connection.execute(delete(mail_refusal).where(mail_refusal.c.mailbox == mailbox_key(email))).rowcount > 0
