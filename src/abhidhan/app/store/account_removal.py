"""The deletion of an account, and the redaction of its name and e-mail address in the data that stay."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, bindparam, case, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from abhidhan.app.store.personal_data import AT_ONCE
from abhidhan.dictionary.store.indexes import record_changes
from abhidhan.editing.store.history import notify_subscribers
from abhidhan.media.store.photos import PHOTOS, PhotoRow
from abhidhan.people.store.people import FORMER, PERSON_COLUMNS, person_of
from abhidhan.platform.database.compiled_queries import chunks, insert_new
from abhidhan.records.change_feed import Followed, Noted
from abhidhan.records.errors import ConflictError, quoted, sentence
from abhidhan.records.history import Change, ChangeSet, PhotoState, RecordName
from abhidhan.records.people import Person, username_key
from abhidhan.records.personal_data import ANONYMOUS, Redaction
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
from abhidhan.submissions.store import MARK_FOR_GOOD

NO_LIKENESS = "0" * 16


def read_account(connection: Connection, person_id: int) -> Person | None:
    """Return an account by ID; None for a deleted one."""
    own = select(*PERSON_COLUMNS).where(person.c.id == person_id, person.c.role != FORMER)
    row = connection.execute(own).one_or_none()
    return person_of(tuple(row)) if row else None


def add_former(connection: Connection, leaving: Person, name: str, now: int) -> int:
    """Create the former person that replaces a deleted account, with a reserved name or the shared anonymous one.

    It cannot sign in. Return its ID. Raises ConflictError if the name is taken.
    """
    former = {"role": FORMER, "created": now, "disabled": now}
    if name == ANONYMOUS:
        nameless = insert_new(connection, person).values(username=ANONYMOUS, username_key=ANONYMOUS, **former)
        connection.execute(nameless.on_conflict_do_nothing())
        return int(connection.execute(select(person.c.id).where(person.c.username_key == ANONYMOUS)).scalar_one())
    # Free the account's own name, which may be chosen. No name contains a colon.
    connection.execute(update(person).where(person.c.id == leaving.id).values(username_key=f":{leaving.id}"))
    values = {"username": name, "username_key": username_key(name), **former}
    try:
        with connection.begin_nested():
            return int(connection.execute(insert(person).values(values).returning(person.c.id)).scalar_one())
    except IntegrityError:
        raise ConflictError(
            sentence("The name %(username)s is already taken; choose another.", username=quoted(name))
        ) from None


def kept_statuses(*, keep_waiting: bool) -> tuple[str, ...]:
    """Return the statuses of contributions that are kept."""
    return (str(Status.APPROVED), str(Status.PENDING)) if keep_waiting else (str(Status.APPROVED),)


def leave_submissions(
    connection: Connection, person_id: int, former_id: int, kept: Sequence[str], redaction: Redaction
) -> tuple[set[RecordName], set[RecordName]]:
    """Assign kept submissions to the former person, redacted; delete the others. Return references to both."""
    own = submission.c.person_id == person_id
    columns = (submission.c.id, submission.c.kind, submission.c.payload, submission.c.seen, submission.c.reason)
    staying = connection.execute(select(*columns).where(own, submission.c.status.in_(kept))).all()
    marked = case((submission.c.once.startswith(MARK_FOR_GOOD, autoescape=True), submission.c.once), else_=None)
    _write_anew(
        connection,
        submission,
        [
            ((number, payload, seen, reason), (number, *_without_name(kind, payload, seen, reason, redaction)))
            for number, kind, payload, seen, reason in staying
        ],
        ("id", "payload", "seen", "reason"),
    )
    values = {"person_id": former_id, "once": marked}
    connection.execute(update(submission).where(own, submission.c.status.in_(kept)).values(values))
    # Detach photos from deleted words: each is kept with its idea or emptied later.
    going = select(submission.c.id).where(own)
    connection.execute(update(photo).where(photo.c.submission_id.in_(going)).values(submission_id=None))
    gone = connection.execute(delete(submission).where(own).returning(submission.c.id)).scalars().all()
    return named("submission", (row[0] for row in staying)), named("submission", gone)


def _without_name(
    kind: str, payload: str, seen: str | None, reason: str | None, redaction: Redaction
) -> tuple[str, str | None, str | None]:
    without = redaction.prose(reason) if reason else reason
    return redaction.payload(payload, Kind(kind)), redaction.json(seen), without


def _write_anew(
    connection: Connection,
    table: Table,
    rows: Iterable[tuple[tuple[Any, ...], tuple[Any, ...]]],
    names: tuple[str, ...],
) -> None:
    """Update the rows that have changed, given as pairs before and after; the first of `names` is the ID."""
    key, *changed = names
    # In an update, a bind parameter must not have the name of a column.
    marks = [f"{name}_of_row" for name in names]
    values = [dict(zip(marks, after, strict=True)) for before, after in rows if before != after]
    if values:
        chosen = update(table).where(table.c[key] == bindparam(marks[0]))
        new: dict[str, Any] = {name: bindparam(mark) for name, mark in zip(changed, marks[1:], strict=True)}
        connection.execute(chosen.values(new), values)


def leave_photos(  # noqa: PLR0913, PLR0917  # parameters of one deletion
    connection: Connection, person_id: int, former_id: int, kept: Sequence[str], redaction: Redaction, now: int
) -> tuple[set[RecordName], set[RecordName]]:
    """Assign kept photos to the former person, with the new credit; empty the others. Return references to both.

    Emptied rows count as withdrawn, so that the periodic cleanup deletes their files even if this process ends.
    """
    wanted = select(*PHOTOS.columns).where(photo.c.person_id == person_id)
    rows = connection.execute(wanted).all()
    photos = [PhotoRow._make(row) for row in rows]
    changes = []
    for row in photos:
        if row.status in kept:
            changes.append(_leave_photo(connection, row, former_id, redaction))
        else:
            _empty_photo(connection, row)
    notify_subscribers(connection, ChangeSet(changes, None, now))
    staying = [row.id for row in photos if row.status in kept]
    return named("photo", staying), named("photo", (row.id for row in photos if row.status not in kept))


def _leave_photo(connection: Connection, row: PhotoRow, former_id: int, redaction: Redaction) -> Change:
    credit, reason = redaction.credit(row.credit), redaction.prose(row.reason) if row.reason else row.reason
    values = {"credit": credit, "reason": reason, "person_id": former_id, "once": None}
    connection.execute(update(photo).where(photo.c.id == row.id).values(values))
    return _change_of(row, credit)


def _change_of(row: PhotoRow, credit: str) -> Change:
    before = PhotoState(row.idea_id, row.status, row.credit)
    return Change(RecordName("photo", str(row.id)), before, PhotoState(row.idea_id, row.status, credit))


def _empty_photo(connection: Connection, row: PhotoRow) -> None:
    PHOTOS.forget_likeness(connection, row.id)
    values: dict[str, Any] = dict.fromkeys(("person_id", "reason", "once", "decided_by", "submission_id"))
    values |= {"credit": ANONYMOUS, "status": str(Status.WITHDRAWN), "sha256": "", "likeness": NO_LIKENESS}
    connection.execute(update(photo).where(photo.c.id == row.id).values(values))


def named(kind: str, numbers: Iterable[int]) -> set[RecordName]:
    """Return references to the records of one kind."""
    return {RecordName(kind, str(number)) for number in numbers}


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


def leave_senses(
    connection: Connection, leaving: Person, touched: set[RecordName], redaction: Redaction, now: int
) -> None:
    """Remove name and e-mail address from the references and notes of senses that the user sent or edited."""
    columns = (sense.c.reference, sense.c.note)
    found = connection.execute(
        select(sense.c.id, sense.c.word_id, *columns).where(mentions(columns, leaving.username, leaving.email))
    )
    candidates = {str(row.id): row for row in found}
    own = {number for some in chunks([*candidates], AT_ONCE) for number in _changed_by(connection, leaving.id, some)}
    own |= {number for number in _beside(connection, touched) if number in candidates}
    noted = Noted()
    for number in sorted(own):
        row = candidates[number]
        values = {"reference": redaction.remark(row.reference), "note": redaction.remark(row.note)}
        connection.execute(update(sense).where(sense.c.id == row.id).values(values))
        touched.add(RecordName("sense", number))
        noted.change(Followed.WORD, [row.word_id])
    record_changes.note(connection, noted, now)


def _changed_by(connection: Connection, person_id: int, sense_ids: Sequence[str]) -> Iterable[str]:
    mentioned = history_record.join(history, history.c.id == history_record.c.history_id)
    wanted = select(history_record.c.record_id).select_from(mentioned)
    of_person = (history.c.person_id == person_id, history_record.c.kind == "sense")
    return connection.execute(wanted.where(*of_person, history_record.c.record_id.in_(sense_ids))).scalars()


def _beside(connection: Connection, names: Iterable[RecordName]) -> set[str]:
    """Return the IDs of senses that changed in the same history entries as the records, and so resulted from them."""
    entries = _entries_about(connection, names)
    return {
        number
        for some in chunks(sorted(entries), AT_ONCE)
        for number in connection.execute(
            select(history_record.c.record_id).where(
                history_record.c.kind == "sense", history_record.c.history_id.in_(some)
            )
        ).scalars()
    }


def _entries_about(connection: Connection, names: Iterable[RecordName]) -> set[int]:
    found: set[int] = set()
    by_kind: dict[str, list[str]] = {}
    for name in names:
        by_kind.setdefault(name.kind, []).append(name.id)
    for kind, numbers in by_kind.items():
        for some in chunks(sorted(numbers), AT_ONCE):
            wanted = (history_record.c.kind == kind, history_record.c.record_id.in_(some))
            found |= {*connection.execute(select(history_record.c.history_id).where(*wanted)).scalars()}
    return found


def leave_history(
    connection: Connection, leaving: Person, kept: set[RecordName], gone: set[RecordName], redaction: Redaction
) -> None:
    """Remove name and e-mail address from the history; delete entries that concern only deleted records."""
    states = (history.c.before, history.c.after)
    own = (history.c.person_id == leaving.id) & mentions(states, leaving.username, leaving.email)
    entries = {*connection.execute(select(history.c.id).where(own)).scalars()}
    if leaving.email:
        entries |= {*connection.execute(select(history.c.id).where(mentions(states, leaving.email))).scalars()}
    entries |= _entries_about(connection, kept | gone)
    without = {str(name) for name in gone}
    for some in chunks(sorted(entries), AT_ONCE):
        rows = connection.execute(select(history.c.id, *states).where(history.c.id.in_(some))).all()
        _rewrite(connection, [tuple(row) for row in rows], without, redaction)


def _rewrite(connection: Connection, rows: Iterable[tuple[Any, ...]], gone: set[str], redaction: Redaction) -> None:
    written = [(row, (row[0], redaction.json(row[1], gone), redaction.json(row[2], gone))) for row in rows]
    emptied = [row[0] for row, after in written if after[1:] == ("{}", "{}") and row[1:] != ("{}", "{}")]
    _write_anew(connection, history, written, ("id", "before", "after"))
    connection.execute(delete(history_record).where(history_record.c.history_id.in_(emptied)))
    connection.execute(delete(hidden_entry).where(hidden_entry.c.history_id.in_(emptied)))
    connection.execute(delete(history).where(history.c.id.in_(emptied)))


def forget_mentions(connection: Connection, leaving: Person, redaction: Redaction, now: int) -> None:
    """Remove the e-mail address from other users' submissions and photos, and from the reasons of decisions."""
    if not leaving.email:
        return
    columns = (submission.c.payload, submission.c.seen, submission.c.reason)
    for row in connection.execute(select(submission.c.id, *columns).where(mentions(columns, leaving.email))).all():
        values = {
            "payload": redaction.without_email(row.payload),
            "seen": row.seen and redaction.without_email(row.seen),
            "reason": row.reason and redaction.without_email(row.reason),
        }
        connection.execute(update(submission).where(submission.c.id == row.id).values(values))
    texts = (photo.c.credit, photo.c.reason)
    found = connection.execute(select(*PHOTOS.columns).where(mentions(texts, leaving.email))).all()
    changes = [_without_email(connection, PhotoRow._make(row), redaction) for row in found]
    notify_subscribers(connection, ChangeSet(changes, None, now))


def _without_email(connection: Connection, row: PhotoRow, redaction: Redaction) -> Change:
    values = {
        "credit": redaction.without_email(row.credit),
        "reason": row.reason and redaction.without_email(row.reason),
    }
    connection.execute(update(photo).where(photo.c.id == row.id).values(values))
    return _change_of(row, values["credit"] or ANONYMOUS)


def remove_account(connection: Connection, person_id: int, former_id: int, try_keys: Sequence[str]) -> None:
    """Delete an account and all rows that belong to it; assign its history and decisions to the former person."""
    for column in (history.c.person_id, submission.c.decided_by, photo.c.decided_by, recording.c.decided_by):
        connection.execute(update(column.table).where(column == person_id).values({column.name: former_id}))
    connection.execute(delete(tries).where(tries.c.key.in_(try_keys)))
    for table in reversed(metadata.sorted_tables):
        for key in table.foreign_keys:
            if key.column is person.c.id:
                connection.execute(delete(table).where(key.parent == person_id))
    connection.execute(delete(person).where(person.c.id == person_id))
