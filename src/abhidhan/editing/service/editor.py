"""An edit in progress, and helpers shared by the modules that edit records."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from abhidhan.editing.store.history import Entry, version_of
from abhidhan.editing.store.records import contributions
from abhidhan.editing.store.records.change_recorder import Ledger
from abhidhan.editing.store.records.edit_context import Edit
from abhidhan.platform.database.database import Writer
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import ConflictError, NotFoundError, sentence
from abhidhan.records.history import RECORD_KIND_NAMES, Action, AnyState, RecordingState, RecordName
from abhidhan.records.input_validation import Draft
from abhidhan.records.people import Person


class Edited(msgspec.Struct, frozen=True):
    """Result of an edit: its main record, the new version, and the new state (None if deleted)."""

    record: str
    version: int
    state: AnyState | None


class Editor(NamedTuple):
    """An edit in progress: the recorder of its changes, the input validator, the user and the time."""

    ledger: Ledger
    draft: Draft
    person: Person
    now: int

    @property
    def edit(self) -> Edit:
        """The open transaction and the catalogue."""
        return self.ledger.edit

    def entry(self, action: Action, name: RecordName) -> int:
        """Write the changes as a history entry, and return its ID: the new version."""
        return self.ledger.commit(Entry(action, self.person.id, self.now, name))


def moved(order: Iterable[str], record_id: str, steps: int) -> list[str]:
    """Return the IDs with `record_id` moved by `steps` positions, towards the start if negative."""
    records = list(order)
    place = records.index(record_id)
    records.insert(min(max(place + steps, 0), len(records) - 1), records.pop(place))
    return records


def open_editor(connection: Writer, catalogue: Catalogue, person: Person, now: int) -> Editor:
    """Start an edit in an open transaction."""
    return Editor(Ledger(Edit(connection, catalogue, now)), Draft(catalogue, now), person, now)


def existing(editor: Editor, name: RecordName) -> AnyState:
    """Return the state of a record. Raises NotFoundError."""
    state = editor.ledger.current(name)
    if state is None:
        raise NotFoundError(
            sentence("There is no %(value)s with the ID %(id)s.", value=RECORD_KIND_NAMES[name.kind], id=name.id)
        )
    return state


def clash(current: Edited, proposed: Edited) -> ConflictError:
    """Build the error of a version conflict, with the current and the proposed state."""
    return ConflictError(
        sentence(
            "Someone else has changed this %(value)s in the meantime (its version is %(newest)s, yours "
            "%(version)s): `current` is its present state, `proposed` the one you wanted to save.",
            value=RECORD_KIND_NAMES[RecordName.parse(proposed.record).kind],
            newest=current.version,
            version=proposed.version,
        ),
        current=current,
        proposed=proposed,
    )


def unchanged(editor: Editor, name: RecordName) -> Edited:
    """Return the current state and version of a record, without a history entry."""
    return Edited(str(name), version_of(editor.edit.connection, name), existing(editor, name))


def edited(editor: Editor, action: Action, name: RecordName) -> Edited:
    """Write the changes as a history entry, and return the result."""
    return Edited(str(name), editor.entry(action, name), editor.ledger.current(name))


def detach_recordings(editor: Editor, name: RecordName) -> None:
    """Clear the reference to a word, phrase or idea in its recordings."""
    for recording, state in _recordings_of(editor, name):
        editor.ledger.put(recording, msgspec.structs.replace(state, **{f"{name.kind}_id": None}))


def move_recordings(editor: Editor, gone: RecordName, kept: RecordName) -> None:
    """Reassign the recordings of a record to another one of the same kind."""
    for recording, state in _recordings_of(editor, gone):
        editor.ledger.put(recording, msgspec.structs.replace(state, **{f"{gone.kind}_id": kept.number}))


def _recordings_of(editor: Editor, name: RecordName) -> Iterator[tuple[RecordName, RecordingState]]:
    for number, state in contributions.recordings_of(editor.edit, name).items():
        yield RecordName("recording", number), state
