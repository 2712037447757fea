"""Recordings of what is deleted or merged: they stay, and name it no longer, or what it has become."""

from collections.abc import Iterator

import msgspec

from abhidhan.editing.service.editor import Editor
from abhidhan.editing.store.records import contributions
from abhidhan.records.history import RecordingState, RecordName


def let_go(editor: Editor, name: RecordName) -> None:
    """Let the recordings of a word, a phrase or the examples of an idea name it no longer."""
    for recording, state in _of(editor, name):
        editor.ledger.put(recording, msgspec.structs.replace(state, **{f"{name.kind}_id": None}))


def move(editor: Editor, gone: RecordName, kept: RecordName) -> None:
    """Let the recordings of a record name another one of its kind."""
    for recording, state in _of(editor, gone):
        editor.ledger.put(recording, msgspec.structs.replace(state, **{f"{gone.kind}_id": kept.number}))


def _of(editor: Editor, name: RecordName) -> Iterator[tuple[RecordName, RecordingState]]:
    for number, state in contributions.recordings_of(editor.edit, name).items():
        yield RecordName("recording", number), state
