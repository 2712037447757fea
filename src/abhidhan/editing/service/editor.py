"""An edit in progress: who edits, what is written into the history, and what the steps of an edit share."""

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
    """What came of an edit: the record that it was chiefly about, its version now, and what it holds; None: gone."""

    record: str
    version: int
    state: AnyState | None


class Editor(NamedTuple):
    """An edit in progress: its ledger, the draft that reads what was written, who edits and when."""

    ledger: Ledger
    draft: Draft
    person: Person
    now: int

    @property
    def edit(self) -> Edit:
        """The open transaction, and the codes behind IDs."""
        return self.ledger.edit

    def entry(self, action: Action, name: RecordName) -> int:
        """Write what has changed into the history, and return the new version."""
        return self.ledger.commit(Entry(action, self.person.id, self.now, name))


def moved(order: Iterable[str], record_id: str, steps: int) -> list[str]:
    """Return records in a new order: one of them so many places towards the end (below zero: towards the beginning)."""
    records = list(order)
    place = records.index(record_id)
    records.insert(min(max(place + steps, 0), len(records) - 1), records.pop(place))
    return records


def open_editor(connection: Writer, catalogue: Catalogue, person: Person, now: int) -> Editor:
    """Begin an edit in a transaction that is open."""
    return Editor(Ledger(Edit(connection, catalogue, now)), Draft(catalogue, now), person, now)


def existing(editor: Editor, name: RecordName) -> AnyState:
    """Read a record. Raises NotFoundError."""
    state = editor.ledger.current(name)
    if state is None:
        raise NotFoundError(
            sentence("There is no %(value)s with the ID %(id)s.", value=RECORD_KIND_NAMES[name.kind], id=name.id)
        )
    return state


def clash(current: Edited, proposed: Edited) -> ConflictError:
    """Say that somebody else was quicker, with what a record is now and what somebody wanted to save."""
    return ConflictError(
        sentence(
            "Someone else has changed this %(value)s in the meantime (its version is %(newest)s, yours %(version)s): "
            "`current` shows what it holds now, `proposed` what you wanted to save.",
            value=RECORD_KIND_NAMES[RecordName.parse(proposed.record).kind],
            newest=current.version,
            version=proposed.version,
        ),
        current=current,
        proposed=proposed,
    )


def unchanged(editor: Editor, name: RecordName) -> Edited:
    """Return what a record holds, with its version, where nothing was to be changed."""
    return Edited(str(name), version_of(editor.edit.connection, name), existing(editor, name))


def edited(editor: Editor, action: Action, name: RecordName) -> Edited:
    """Write what has changed into the history, and tell what came of it."""
    return Edited(str(name), editor.entry(action, name), editor.ledger.current(name))


def detach_recordings(editor: Editor, name: RecordName) -> None:
    """Let the recordings of a word, a phrase or the examples of an idea name it no longer."""
    for recording, state in _recordings_of(editor, name):
        editor.ledger.put(recording, msgspec.structs.replace(state, **{f"{name.kind}_id": None}))


def move_recordings(editor: Editor, gone: RecordName, kept: RecordName) -> None:
    """Let the recordings of a record name another one of its kind."""
    for recording, state in _recordings_of(editor, gone):
        editor.ledger.put(recording, msgspec.structs.replace(state, **{f"{gone.kind}_id": kept.number}))


def _recordings_of(editor: Editor, name: RecordName) -> Iterator[tuple[RecordName, RecordingState]]:
    for number, state in contributions.recordings_of(editor.edit, name).items():
        yield RecordName("recording", number), state
