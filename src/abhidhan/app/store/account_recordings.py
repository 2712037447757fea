"""Statements for the deletion of an account: on its recordings, and on recordings that mention its e-mail address."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, select

from abhidhan.app.store.account_removal import NO_LIKENESS, mentions, record_refs
from abhidhan.editing.store.history import notify_subscribers
from abhidhan.media.store.recordings import RECORDINGS, RecordingRow
from abhidhan.records.history import Change, ChangeSet, RecordingState, RecordRef
from abhidhan.records.personal_data import Redactor
from abhidhan.records.submissions import Status
from abhidhan.schema import recording


def reassign_recordings(  # noqa: PLR0913, PLR0917  # parameters of one deletion
    connection: Connection, person_id: int, former_id: int, statuses: Sequence[str], redaction: Redactor, now: int
) -> tuple[set[RecordRef], set[RecordRef]]:
    """Assign recordings with one of the `statuses` to the former person; clear the others. Return references to both.

    An approved recording that is cleared is no longer published once this transaction commits.
    """
    query = select(*RECORDINGS.columns).where(recording.c.person_id == person_id)
    result = connection.execute(query).all()
    rows = [RecordingRow._make(row) for row in result]
    changes = []
    for row in rows:
        if row.status in statuses:
            values = _redacted_values(row, redaction)
            RECORDINGS.change(connection, row.id, values | {"person_id": former_id, "once": None})
            changes.append(_build_change(row, values))
        else:
            _clear_recording(connection, row)
            changes.append(_build_withdrawal(row))
    notify_subscribers(connection, ChangeSet(changes, None, now))
    kept_ids = [row.id for row in rows if row.status in statuses]
    return record_refs("recording", kept_ids), record_refs(
        "recording", (row.id for row in rows if row.status not in statuses)
    )


def _redacted_values(row: RecordingRow, redaction: Redactor) -> dict[str, str | None]:
    return {
        "speaker": redaction.redact_speaker(row.speaker),
        "place": row.place and redaction.redact_email(row.place),
        "reason": row.reason and redaction.redact_prose(row.reason),
    }


def _build_change(row: RecordingRow, values: Mapping[str, str | None]) -> Change:
    subject = (row.word_id, row.phrase_id, row.idea_id, row.status, row.spoken)
    before = RecordingState(*subject, row.speaker, row.place)
    after = RecordingState(*subject, values["speaker"], values["place"])
    return Change(RecordRef("recording", str(row.id)), before, after)


def _build_withdrawal(row: RecordingRow) -> Change:
    """Return the change that withdraws a recording, for the subscribers that index recordings."""
    subject = (row.word_id, row.phrase_id, row.idea_id)
    before = RecordingState(*subject, row.status, row.spoken, row.speaker, row.place)
    after = RecordingState(*subject, str(Status.WITHDRAWN), row.spoken, None, None)
    return Change(RecordRef("recording", str(row.id)), before, after)


def _clear_recording(connection: Connection, row: RecordingRow) -> None:
    RECORDINGS.remove_hashes(connection, row.id)
    values: dict[str, Any] = dict.fromkeys(("person_id", "speaker", "place", "reason", "once", "decided_by"))
    values |= {"status": str(Status.WITHDRAWN), "sha256": "", "likeness": NO_LIKENESS}
    RECORDINGS.change(connection, row.id, values)


def redact_recordings(connection: Connection, email: str | None, redaction: Redactor, now: int) -> None:
    """Remove the e-mail address from the speaker, place and reason of other users' recordings."""
    if not email:
        return
    texts = (recording.c.speaker, recording.c.place, recording.c.reason)
    result = connection.execute(select(*RECORDINGS.columns).where(mentions(texts, email))).all()
    changes = []
    for row in map(RecordingRow._make, result):
        current = {"speaker": row.speaker, "place": row.place, "reason": row.reason}
        values = {name: text and redaction.redact_email(text) for name, text in current.items()}
        RECORDINGS.change(connection, row.id, values)
        changes.append(_build_change(row, values))
    notify_subscribers(connection, ChangeSet(changes, None, now))
