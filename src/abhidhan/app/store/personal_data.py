"""The export of a user's data: a SELECT for each list, and the columns left out, with the reasons."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import BigInteger, Column, Integer, Select, Table, Text, bindparam, case, cast, or_, select

from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.lookup_lists import ListName
from abhidhan.schema import (
    hidden_entry,
    history,
    history_record,
    known_address,
    list_item,
    mail_choice,
    mail_outbox,
    own_lists,
    person,
    personal_token,
    photo,
    recording,
    recovery_code,
    session,
    submission,
    ticket,
    two_factor,
)

BATCH_SIZE: Final = 500
"""Number of rows that are read for an export, or rewritten, in one step."""

_PERSON_ID: Final = bindparam("person_id", type_=Integer)
_AFTER_ID: Final = bindparam("after", type_=Integer)


def _select_own(table: Table, *names: str) -> Select[Any]:
    return select(*(table.c[name] for name in names)).where(table.c.person_id == _PERSON_ID)


_CONTRIBUTION_COLUMNS: Final = ("id", "status", "reason", "submitted", "decided", "licence")
_UPLOAD_COLUMNS: Final = (*_CONTRIBUTION_COLUMNS, "idea_id", "extension", "size", "purged")
_ACTION_NAME: Final = (
    select(list_item.c.value)
    .where(list_item.c.list == str(ListName.HISTORY_ACTIONS), list_item.c.id == history.c.action_id)
    .scalar_subquery()
)
_IS_VISIBLE: Final = hidden_entry.c.history_id.is_(None)
_HIDDEN_SUBMISSION_REASON: Final = (
    select(hidden_entry.c.reason)
    .join(history_record, history_record.c.history_id == hidden_entry.c.history_id)
    .where(history_record.c.kind == "submission", history_record.c.record_id == cast(submission.c.id, Text))
    .limit(1)
    .scalar_subquery()
)

EXPORT_SELECTS: Final[Mapping[str, Select[Any]]] = {
    "account": select(*(person.c[name] for name in ("id", "username", "email", "role", "created", "disabled"))).where(
        person.c.id == _PERSON_ID
    ),
    "sessions": _select_own(session, "id", "created", "seen", "expires", "agent"),
    "known_addresses": _select_own(known_address, "seen"),
    "two_factor": _select_own(two_factor, "begun", "confirmed"),
    # A password link belongs to its issuer too, but without the address it was mailed to.
    "links": select(
        *(ticket.c[name] for name in ("id", "kind", "role", "created", "expires", "uses")),
        case((ticket.c.person_id == _PERSON_ID, ticket.c.mailed_to)).label("mailed_to"),
    ).where(or_(ticket.c.person_id == _PERSON_ID, ticket.c.issuer_id == _PERSON_ID)),
    "tokens": _select_own(personal_token, "id", "name", "scopes", "created", "expires", "used"),
    "mails": _select_own(mail_choice, "topic", "often", "language", "agreed", "due", "confirmed"),
    "undelivered": _select_own(mail_outbox, "id", "kind", "record_id", "at"),
    "own_lists": _select_own(own_lists, "lists", "cards", "version", "changed"),
    "submissions": select(
        *(submission.c[name] for name in (*_CONTRIBUTION_COLUMNS, "kind", "result", "times")),
        _HIDDEN_SUBMISSION_REASON.label("hidden"),
        case((_HIDDEN_SUBMISSION_REASON.is_(None), submission.c.payload)).label("payload"),
    ).where(submission.c.person_id == _PERSON_ID),
    "photos": _select_own(photo, *_UPLOAD_COLUMNS, "submission_id", "credit", "width", "height", "frames"),
    "recordings": _select_own(
        recording,
        *(
            *_UPLOAD_COLUMNS,
            "word_id",
            "phrase_id",
            "language_id",
            "spoken",
            "speaker",
            "place",
            "milliseconds",
            "clipped",
        ),
    ),
    # An entry or submission that the operator has hidden shows the reason instead of its content.
    "changes": select(
        *(history.c[name] for name in ("id", "at", "record", "record_id")),
        _ACTION_NAME.label("action"),
        hidden_entry.c.reason.label("hidden"),
        case((_IS_VISIBLE, history.c.before)).label("before"),
        case((_IS_VISIBLE, history.c.after)).label("after"),
    )
    .select_from(history.outerjoin(hidden_entry))
    .where(history.c.person_id == _PERSON_ID),
}
"""The lists of an export by name. Lists with IDs are read in pages; the others have few rows."""

OMITTED_COLUMNS: Final[Mapping[str, tuple[Column[Any], ...]]] = {
    "a secret, or a hash of one": (
        person.c.password_hash,
        session.c.token_hash,
        known_address.c.address_hash,
        two_factor.c.secret,
        two_factor.c.last_step,
        recovery_code.c.person_id,
        recovery_code.c.code_hash,
        ticket.c.token_hash,
        personal_token.c.token_hash,
        mail_choice.c.secret,
    ),
    "decisions of other users": (submission.c.decided_by, photo.c.decided_by, recording.c.decided_by),
    "content of the dictionary": (submission.c.seen,),
    "derived from other values, or a mark of the server": (
        person.c.username_key,
        mail_choice.c.not_before,
        mail_choice.c.tries,
        submission.c.once,
        *(table.c[name] for table in (photo, recording) for name in ("key", "sha256", "likeness", "once")),
    ),
}
"""The columns of these tables that are not exported, by reason."""


def _build_page_query(statement: Select[Any]) -> CompiledQuery:
    if "id" not in statement.selected_columns:
        return CompiledQuery(statement)
    row_id = statement.selected_columns["id"]
    return CompiledQuery(statement.where(row_id > _AFTER_ID).order_by(row_id).limit(BATCH_SIZE))


_PAGE_QUERIES: Final = {name: _build_page_query(statement) for name, statement in EXPORT_SELECTS.items()}


def read_page(connection: ReadConnection, name: str, person_id: int, after: int) -> list[dict[str, Any]]:
    """Return at most `BATCH_SIZE` rows of a list with IDs above `after`, as values by name."""
    columns = EXPORT_SELECTS[name].selected_columns.items()
    # In the schema, exactly the timestamps are big integers.
    converters = {key: _to_datetime if isinstance(column.type, BigInteger) else _identity for key, column in columns}
    rows = connection.rows(_PAGE_QUERIES[name], person_id=person_id, after=after)
    return [{key: converters[key](value) for key, value in zip(converters, row, strict=True)} for row in rows]


def _to_datetime(seconds: int | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _identity(value: object) -> object:
    return value
