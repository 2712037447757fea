"""E-mail addresses: confirmed, waiting for confirmation, or refusing mails."""

from typing import Any, Final

from sqlalchemy import Connection, Integer, Select, Text, and_, bindparam, case, delete, insert, select, update

from abhidhan.people.model.mails import KnownAddress, Topic, mailbox_key
from abhidhan.people.store.people import FORMER
from abhidhan.platform.database.compiled_queries import Query, Row, insert_new
from abhidhan.platform.database.reader import Reader
from abhidhan.schema import mail_choice, mail_refusal, person

NEVER: Final = "never"
AT_ONCE: Final = "at_once"
_IS_CONFIRMATION: Final = mail_choice.c.topic == str(Topic.CONFIRMATION)
_ADDRESS: Final[Select[Any]] = (
    select(
        person.c.id,
        person.c.email,
        mail_choice.c.confirmed,
        mail_choice.c.secret,
        case((mail_choice.c.often != NEVER, mail_choice.c.agreed), else_=0),
    )
    .select_from(person.outerjoin(mail_choice, and_(mail_choice.c.person_id == person.c.id, _IS_CONFIRMATION)))
    .where(person.c.id == bindparam("person_id", type_=Integer), person.c.role != FORMER)
)
_FIND: Final = Query(_ADDRESS)
_REFUSAL: Final = select(mail_refusal.c.at).where(mail_refusal.c.mailbox == bindparam("mailbox", type_=Text))
_FIND_REFUSAL: Final = Query(_REFUSAL)


def find_address(reader: Reader, person_id: int) -> KnownAddress:
    """Return the address of an account; without an account, an empty one."""
    return _address(person_id, reader.row(_FIND, person_id=person_id))


def address_in(connection: Connection, person_id: int) -> KnownAddress:
    """Return the same within a write transaction."""
    row = connection.execute(_ADDRESS, {"person_id": person_id}).one_or_none()
    return _address(person_id, tuple(row) if row else None)


def _address(person_id: int, row: Row | None) -> KnownAddress:
    return KnownAddress(*row) if row else KnownAddress(person_id, None)


def refuses_mails(reader: Reader, email: str) -> bool:
    """Return whether the owner of an address refuses mails."""
    return reader.row(_FIND_REFUSAL, mailbox=mailbox_key(email)) is not None


def is_open(connection: Connection, person_id: int) -> bool:
    """Return whether a user can receive mails: the address is confirmed and does not refuse them."""
    known = address_in(connection, person_id)
    return known.email is not None and known.is_confirmed and not is_refused(connection, known.email)


def is_refused(connection: Connection, email: str) -> bool:
    """Return, within a write transaction, whether the owner of an address refuses mails."""
    return connection.execute(_REFUSAL, {"mailbox": mailbox_key(email)}).one_or_none() is not None


def ask(connection: Connection, person_id: int, language: str, secret: str, now: int) -> None:
    """Queue a confirmation mail to the address of an account. An existing secret is not replaced."""
    asked = {"often": AT_ONCE, "language": language, "agreed": now}
    _keep(connection, person_id, {**asked, "due": now, "not_before": 0, "tries": 0}, secret)


def ask_no_more(connection: Connection, person_id: int) -> None:
    """Cancel a confirmation mail that has not been sent yet."""
    own = (mail_choice.c.person_id == person_id) & _IS_CONFIRMATION
    connection.execute(update(mail_choice).where(own).values(often=NEVER, due=None))


def confirm(connection: Connection, person_id: int, email: str, secret: str, now: int) -> None:
    """Mark an address as confirmed, and cancel a queued confirmation mail."""
    _keep(connection, person_id, {"confirmed": email, "agreed": now, "due": None}, secret)


def _keep(connection: Connection, person_id: int, values: dict[str, Any], secret: str) -> None:
    own = (mail_choice.c.person_id == person_id) & _IS_CONFIRMATION
    if connection.execute(update(mail_choice).where(own).values(values)).rowcount:
        return
    fresh = {"often": NEVER, "language": "", "not_before": 0, "tries": 0, "secret": secret}
    whose = {"person_id": person_id, "topic": str(Topic.CONFIRMATION)}
    connection.execute(insert(mail_choice).values(fresh | values | whose))


def refuse(connection: Connection, mailbox: str, now: int) -> None:
    """Refuse mails of all accounts to a mailbox, given by its key."""
    refusal = insert_new(connection, mail_refusal).values(mailbox=mailbox, at=now)
    connection.execute(refusal.on_conflict_do_nothing())


def allow(connection: Connection, email: str) -> bool:
    """Delete the refusal of an address; return whether there was one."""
    return connection.execute(delete(mail_refusal).where(mail_refusal.c.mailbox == mailbox_key(email))).rowcount > 0
