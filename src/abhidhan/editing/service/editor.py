"""An edit in progress, and helpers shared by the modules that edit records."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from abhidhan.editing.store.history import HistoryEntry, find_version
from abhidhan.editing.store.records import contributions
from abhidhan.editing.store.records.change_recorder import ChangeRecorder
from abhidhan.editing.store.records.edit_context import EditContext
from abhidhan.platform.database.database import WriteConnection
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import ConflictError, NotFoundError, sentence
from abhidhan.records.history import RECORD_KIND_NAMES, HistoryAction, RecordingState, RecordRef, RecordState
from abhidhan.records.input_validation import InputReader
from abhidhan.records.people import Person


class Edited(msgspec.Struct, frozen=True):
    """Result of an edit: its main record, the new version, and the new state (null if deleted)."""

    record: str
    version: int
    state: RecordState | None


class EditSession(NamedTuple):
    """An edit in progress: the recorder of its changes, the input validator, the user and the time."""

    recorder: ChangeRecorder
    validator: InputReader
    person: Person
    now: int

    @property
    def context(self) -> EditContext:
        """The open transaction and the catalogue."""
        return self.recorder.context

    def commit(self, action: HistoryAction, ref: RecordRef) -> int:
        """Write the changes as a history entry, and return its ID: the new version."""
        return self.recorder.commit(HistoryEntry(action, self.person.id, self.now, ref))


def move_item(order: Iterable[str], record_id: str, steps: int) -> list[str]:
    """Return the IDs with `record_id` moved by `steps` positions, towards the start if negative."""
    records = list(order)
    index = records.index(record_id)
    records.insert(min(max(index + steps, 0), len(records) - 1), records.pop(index))
    return records


def open_edit_session(connection: WriteConnection, catalogue: Catalogue, person: Person, now: int) -> EditSession:
    """Start an edit in an open transaction."""
    return EditSession(
        ChangeRecorder(EditContext(connection, catalogue, now)), InputReader(catalogue, now), person, now
    )


def require_record(session: EditSession, ref: RecordRef) -> RecordState:
    """Return the state of a record. Raises NotFoundError."""
    state = session.recorder.get_current(ref)
    if state is None:
        raise NotFoundError(
            sentence("There is no %(value)s with the ID %(id)s.", value=RECORD_KIND_NAMES[ref.kind], id=ref.id)
        )
    return state


def build_version_conflict(current: Edited, proposed: Edited) -> ConflictError:
    """Build the error of a version conflict, with the current and the proposed state."""
    return ConflictError(
        sentence(
            "Someone else has changed this %(value)s in the meantime (its version is %(newest)s, yours "
            "%(version)s): `current` is its present state, `proposed` the one you wanted to save.",
            value=RECORD_KIND_NAMES[RecordRef.parse(proposed.record).kind],
            newest=current.version,
            version=proposed.version,
        ),
        current=current,
        proposed=proposed,
    )


def read_current_result(session: EditSession, ref: RecordRef) -> Edited:
    """Return the current state and version of a record, without a history entry."""
    return Edited(str(ref), find_version(session.context.connection, ref), require_record(session, ref))


def commit_edit(session: EditSession, action: HistoryAction, ref: RecordRef) -> Edited:
    """Write the changes as a history entry, and return the result."""
    return Edited(str(ref), session.commit(action, ref), session.recorder.get_current(ref))


def detach_recordings(session: EditSession, ref: RecordRef) -> None:
    """Clear the reference to a word, phrase or idea in its recordings."""
    for recording, state in _list_recordings(session, ref):
        session.recorder.apply(recording, msgspec.structs.replace(state, **{f"{ref.kind}_id": None}))


def move_recordings(session: EditSession, source: RecordRef, target: RecordRef) -> None:
    """Reassign the recordings of a record to another one of the same kind."""
    for recording, state in _list_recordings(session, source):
        session.recorder.apply(recording, msgspec.structs.replace(state, **{f"{source.kind}_id": target.number}))


def _list_recordings(session: EditSession, ref: RecordRef) -> Iterator[tuple[RecordRef, RecordingState]]:
    for number, state in contributions.read_recordings_of(session.context, ref).items():
        yield RecordRef("recording", number), state
