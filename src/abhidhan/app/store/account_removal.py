"""The deletion of an account, and the redaction of its name and e-mail address in the data that stay."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, bindparam, case, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from abhidhan.app.store.personal_data import BATCH_SIZE
from abhidhan.dictionary.store.indexes import record_changes
from abhidhan.editing.store.history import notify_subscribers
from abhidhan.media.store.photos import PHOTOS, PhotoRow
from abhidhan.people.store.people import FORMER_ROLE, PERSON_COLUMNS, build_person
from abhidhan.platform.database.compiled_queries import chunks, dialect_insert
from abhidhan.records.change_feed import Followed, TransactionChanges
from abhidhan.records.errors import ConflictError, quoted, sentence
from abhidhan.records.history import Change, ChangeSet, PhotoState, RecordRef
from abhidhan.records.people import Person, username_key
from abhidhan.records.personal_data import ANONYMOUS, Redactor
from abhidhan.records.submission_payloads import Kind
from abhidhan.records.submissions import Status
from abhidhan.schema import (
    hidden_entry,
    history,
    history_record,
    metadata,
    person,
    photo,
    recording,
    sense,
    submission,
    tries,
)
from abhidhan.submissions.store import PERMANENT_MARK_PREFIX

NO_LIKENESS = "0" * 16
"""The perceptual hash (column `likeness`) of a photo or recording whose file is deleted."""


def read_account(connection: Connection, person_id: int) -> Person | None:
    """Return an account by ID; None for a deleted one."""
    query = select(*PERSON_COLUMNS).where(person.c.id == person_id, person.c.role != FORMER_ROLE)
    row = connection.execute(query).one_or_none()
    return build_person(tuple(row)) if row else None


def add_former_person(connection: Connection, account: Person, name: str, now: int) -> int:
    """Create the row that replaces a deleted account as the author: under `ref`, or the shared anonymous person.

    It cannot sign in. Return its ID. Raises ConflictError if another account has the name.
    """
    former = {"role": FORMER_ROLE, "created": now, "disabled": now}
    if name == ANONYMOUS:
        nameless = dialect_insert(connection, person).values(username=ANONYMOUS, username_key=ANONYMOUS, **former)
        connection.execute(nameless.on_conflict_do_nothing())
        return int(connection.execute(select(person.c.id).where(person.c.username_key == ANONYMOUS)).scalar_one())
    # Free the account's own name, which may be chosen. No name contains a colon.
    connection.execute(update(person).where(person.c.id == account.id).values(username_key=f":{account.id}"))
    values = {"username": name, "username_key": username_key(name), **former}
    try:
        with connection.begin_nested():
            return int(connection.execute(insert(person).values(values).returning(person.c.id)).scalar_one())
    except IntegrityError:
        raise ConflictError(
            sentence("The name %(username)s is already taken; choose another.", username=quoted(name))
        ) from None


def retained_statuses(*, keep_waiting: bool) -> tuple[str, ...]:
    """Return the statuses of the contributions that stay when an account is deleted."""
    return (str(Status.APPROVED), str(Status.PENDING)) if keep_waiting else (str(Status.APPROVED),)


def reassign_submissions(
    connection: Connection, person_id: int, former_id: int, statuses: Sequence[str], redaction: Redactor
) -> tuple[set[RecordRef], set[RecordRef]]:
    """Redact submissions with one of the `statuses` and assign them to the former person; delete the others.

    Return references to both.
    """
    is_own = submission.c.person_id == person_id
    columns = (submission.c.id, submission.c.kind, submission.c.payload, submission.c.seen, submission.c.reason)
    kept_rows = connection.execute(select(*columns).where(is_own, submission.c.status.in_(statuses))).all()
    kept_key = case(
        (submission.c.once.startswith(PERMANENT_MARK_PREFIX, autoescape=True), submission.c.once), else_=None
    )
    _update_changed_rows(
        connection,
        submission,
        [
            ((number, payload, seen, reason), (number, *_redact_submission(kind, payload, seen, reason, redaction)))
            for number, kind, payload, seen, reason in kept_rows
        ],
        ("id", "payload", "seen", "reason"),
    )
    values = {"person_id": former_id, "once": kept_key}
    connection.execute(update(submission).where(is_own, submission.c.status.in_(statuses)).values(values))
    # Detach photos from deleted words: each is kept with its idea or emptied later.
    own_ids = select(submission.c.id).where(is_own)
    connection.execute(update(photo).where(photo.c.submission_id.in_(own_ids)).values(submission_id=None))
    deleted_ids = connection.execute(delete(submission).where(is_own).returning(submission.c.id)).scalars().all()
    return record_refs("submission", (row[0] for row in kept_rows)), record_refs("submission", deleted_ids)


def _redact_submission(
    kind: str, payload: str, seen: str | None, reason: str | None, redaction: Redactor
) -> tuple[str, str | None, str | None]:
    redacted_reason = redaction.redact_prose(reason) if reason else reason
    return redaction.redact_payload(payload, Kind(kind)), redaction.redact_json(seen), redacted_reason


def _update_changed_rows(
    connection: Connection,
    table: Table,
    rows: Iterable[tuple[tuple[Any, ...], tuple[Any, ...]]],
    names: tuple[str, ...],
) -> None:
    """Update the rows that differ; `rows` are pairs of old and new values of the columns `refs`, first the ID."""
    key, *changed = names
    # In an update, a bind parameter must not have the name of a column.
    parameter_names = [f"{name}_of_row" for name in names]
    values = [dict(zip(parameter_names, after, strict=True)) for before, after in rows if before != after]
    if values:
        statement = update(table).where(table.c[key] == bindparam(parameter_names[0]))
        new: dict[str, Any] = {name: bindparam(mark) for name, mark in zip(changed, parameter_names[1:], strict=True)}
        connection.execute(statement.values(new), values)


def reassign_photos(  # noqa: PLR0913, PLR0917  # parameters of one deletion
    connection: Connection, person_id: int, former_id: int, statuses: Sequence[str], redaction: Redactor, now: int
) -> tuple[set[RecordRef], set[RecordRef]]:
    """Assign photos with one of the `statuses` to the former person; clear the others. Return references to both.

    Cleared rows count as withdrawn, so that the periodic cleanup deletes their files even if this process ends.
    """
    query = select(*PHOTOS.columns).where(photo.c.person_id == person_id)
    rows = connection.execute(query).all()
    photos = [PhotoRow._make(row) for row in rows]
    changes = []
    for row in photos:
        if row.status in statuses:
            changes.append(_reassign_photo(connection, row, former_id, redaction))
        else:
            _clear_photo(connection, row)
    notify_subscribers(connection, ChangeSet(changes, None, now))
    kept_ids = [row.id for row in photos if row.status in statuses]
    return record_refs("photo", kept_ids), record_refs(
        "photo", (row.id for row in photos if row.status not in statuses)
    )


def _reassign_photo(connection: Connection, row: PhotoRow, former_id: int, redaction: Redactor) -> Change:
    credit, reason = (
        redaction.redact_credit(row.credit),
        redaction.redact_prose(row.reason) if row.reason else row.reason,
    )
    values = {"credit": credit, "reason": reason, "person_id": former_id, "once": None}
    connection.execute(update(photo).where(photo.c.id == row.id).values(values))
    return _build_photo_change(row, credit)


def _build_photo_change(row: PhotoRow, credit: str) -> Change:
    before = PhotoState(row.idea_id, row.status, row.credit)
    return Change(RecordRef("photo", str(row.id)), before, PhotoState(row.idea_id, row.status, credit))


def _clear_photo(connection: Connection, row: PhotoRow) -> None:
    PHOTOS.remove_hashes(connection, row.id)
    values: dict[str, Any] = dict.fromkeys(("person_id", "reason", "once", "decided_by", "submission_id"))
    values |= {"credit": ANONYMOUS, "status": str(Status.WITHDRAWN), "sha256": "", "likeness": NO_LIKENESS}
    connection.execute(update(photo).where(photo.c.id == row.id).values(values))


def record_refs(kind: str, numbers: Iterable[int]) -> set[RecordRef]:
    """Return references to the records of one kind."""
    return {RecordRef(kind, str(number)) for number in numbers}


def mentions(columns: Sequence[ColumnElement[Any]], *texts: str | None) -> ColumnElement[bool]:
    """Build the condition that one of the columns contains one of the texts, case-insensitively."""
    # SQLite folds the case of ASCII letters only; others must match exactly there.
    return or_(
        *(
            func.lower(column).contains(text.lower(), autoescape=True) | column.contains(text, autoescape=True)
            for column in columns
            for text in texts
            if text
        )
    )


def redact_senses(
    connection: Connection, account: Person, records: set[RecordRef], redaction: Redactor, now: int
) -> None:
    """Remove name and e-mail address from the references and notes of senses that the user sent or edited.

    References to the changed senses are added to `records`.
    """
    columns = (sense.c.reference, sense.c.note)
    rows = connection.execute(
        select(sense.c.id, sense.c.word_id, *columns).where(mentions(columns, account.username, account.email))
    )
    candidates = {str(row.id): row for row in rows}
    sense_ids = {
        number
        for batch in chunks([*candidates], BATCH_SIZE)
        for number in _find_senses_changed_by(connection, account.id, batch)
    }
    sense_ids |= {number for number in _find_related_senses(connection, records) if number in candidates}
    feed_changes = TransactionChanges()
    for number in sorted(sense_ids):
        row = candidates[number]
        values = {"reference": redaction.redact_remark(row.reference), "note": redaction.redact_remark(row.note)}
        connection.execute(update(sense).where(sense.c.id == row.id).values(values))
        records.add(RecordRef("sense", number))
        feed_changes.add_changed(Followed.WORD, [row.word_id])
    record_changes.save_changes(connection, feed_changes, now)


def _find_senses_changed_by(connection: Connection, person_id: int, sense_ids: Sequence[str]) -> Iterable[str]:
    mentioned = history_record.join(history, history.c.id == history_record.c.history_id)
    query = select(history_record.c.record_id).select_from(mentioned)
    of_person = (history.c.person_id == person_id, history_record.c.kind == "sense")
    return connection.execute(query.where(*of_person, history_record.c.record_id.in_(sense_ids))).scalars()


def _find_related_senses(connection: Connection, refs: Iterable[RecordRef]) -> set[str]:
    """Return the IDs of senses that changed in the same history entries as the records."""
    entries = _find_history_ids(connection, refs)
    return {
        number
        for batch in chunks(sorted(entries), BATCH_SIZE)
        for number in connection.execute(
            select(history_record.c.record_id).where(
                history_record.c.kind == "sense", history_record.c.history_id.in_(batch)
            )
        ).scalars()
    }


def _find_history_ids(connection: Connection, refs: Iterable[RecordRef]) -> set[int]:
    entry_ids: set[int] = set()
    by_kind: dict[str, list[str]] = {}
    for ref in refs:
        by_kind.setdefault(ref.kind, []).append(ref.id)
    for kind, numbers in by_kind.items():
        for batch in chunks(sorted(numbers), BATCH_SIZE):
            conditions = (history_record.c.kind == kind, history_record.c.record_id.in_(batch))
            entry_ids |= {*connection.execute(select(history_record.c.history_id).where(*conditions)).scalars()}
    return entry_ids


def redact_history(
    connection: Connection,
    account: Person,
    kept_records: set[RecordRef],
    removed_records: set[RecordRef],
    redaction: Redactor,
) -> None:
    """Remove name and e-mail address from the history; delete entries that concern only deleted records."""
    states = (history.c.before, history.c.after)
    is_own = (history.c.person_id == account.id) & mentions(states, account.username, account.email)
    entries = {*connection.execute(select(history.c.id).where(is_own)).scalars()}
    if account.email:
        entries |= {*connection.execute(select(history.c.id).where(mentions(states, account.email))).scalars()}
    entries |= _find_history_ids(connection, kept_records | removed_records)
    removed_keys = {str(name) for name in removed_records}
    for batch in chunks(sorted(entries), BATCH_SIZE):
        rows = connection.execute(select(history.c.id, *states).where(history.c.id.in_(batch))).all()
        _rewrite_entries(connection, [tuple(row) for row in rows], removed_keys, redaction)


def _rewrite_entries(
    connection: Connection, rows: Iterable[tuple[Any, ...]], removed_keys: set[str], redaction: Redactor
) -> None:
    rewritten = [
        (row, (row[0], redaction.redact_json(row[1], removed_keys), redaction.redact_json(row[2], removed_keys)))
        for row in rows
    ]
    emptied = [row[0] for row, after in rewritten if after[1:] == ("{}", "{}") and row[1:] != ("{}", "{}")]
    _update_changed_rows(connection, history, rewritten, ("id", "before", "after"))
    connection.execute(delete(history_record).where(history_record.c.history_id.in_(emptied)))
    connection.execute(delete(hidden_entry).where(hidden_entry.c.history_id.in_(emptied)))
    connection.execute(delete(history).where(history.c.id.in_(emptied)))


def redact_mentions(connection: Connection, account: Person, redaction: Redactor, now: int) -> None:
    """Remove the e-mail address from other users' submissions and photos, and from the reasons of decisions."""
    if not account.email:
        return
    columns = (submission.c.payload, submission.c.seen, submission.c.reason)
    for row in connection.execute(select(submission.c.id, *columns).where(mentions(columns, account.email))).all():
        values = {
            "payload": redaction.redact_email(row.payload),
            "seen": row.seen and redaction.redact_email(row.seen),
            "reason": row.reason and redaction.redact_email(row.reason),
        }
        connection.execute(update(submission).where(submission.c.id == row.id).values(values))
    texts = (photo.c.credit, photo.c.reason)
    photo_rows = connection.execute(select(*PHOTOS.columns).where(mentions(texts, account.email))).all()
    changes = [_redact_photo(connection, PhotoRow._make(row), redaction) for row in photo_rows]
    notify_subscribers(connection, ChangeSet(changes, None, now))


def _redact_photo(connection: Connection, row: PhotoRow, redaction: Redactor) -> Change:
    values = {
        "credit": redaction.redact_email(row.credit),
        "reason": row.reason and redaction.redact_email(row.reason),
    }
    connection.execute(update(photo).where(photo.c.id == row.id).values(values))
    return _build_photo_change(row, values["credit"] or ANONYMOUS)


def remove_account(connection: Connection, person_id: int, former_id: int, throttle_keys: Sequence[str]) -> None:
    """Delete an account and all rows that belong to it; assign its history and decisions to the former person."""
    for column in (history.c.person_id, submission.c.decided_by, photo.c.decided_by, recording.c.decided_by):
        connection.execute(update(column.table).where(column == person_id).values({column.name: former_id}))
    connection.execute(delete(tries).where(tries.c.key.in_(throttle_keys)))
    for table in reversed(metadata.sorted_tables):
        for key in table.foreign_keys:
            if key.column is person.c.id:
                connection.execute(delete(table).where(key.parent == person_id))
    connection.execute(delete(person).where(person.c.id == person_id))
