"""Records of every kind: reading, changing, deleting."""

from collections.abc import Callable, Mapping
from typing import Final

from abhidhan.editing.service import recordings
from abhidhan.editing.service.cards import delete_card_set
from abhidhan.editing.service.editor import Edited, Editor, clash, edited, existing, unchanged
from abhidhan.editing.service.ideas import delete_idea
from abhidhan.editing.service.words import delete_sense, delete_word
from abhidhan.editing.store import history as stored_history
from abhidhan.records.history import Action, AnyState, RecordName
from abhidhan.records.input_validation import Changes, Draft

EDITED: Final[Mapping[str, Action]] = {
    "idea": Action.IDEA_EDITED,
    "word": Action.WORD_EDITED,
    "sense": Action.WORD_EDITED,
    "phrase": Action.PROVERB_EDITED,
    "card": Action.CARD_EDITED,
    "card_set": Action.CARD_EDITED,
    "list_item": Action.LIST_EDITED,
}


def read(editor: Editor, name: RecordName) -> Edited:
    """Read a record as it is edited, with its version."""
    return unchanged(editor, name)


def change(editor: Editor, name: RecordName, version: int, changes: Changes) -> Edited:
    """Change a record of a version."""
    before = existing(editor, name)
    after = changed(editor.draft, before, changes)
    newest = stored_history.version_of(editor.edit.connection, name)
    if version != newest:
        raise clash(Edited(str(name), newest, before), Edited(str(name), version, after))
    if before == after:
        return unchanged(editor, name)
    editor.ledger.put(name, after)
    return edited(editor, EDITED[name.kind], name)


def changed(draft: Draft, before: AnyState, changes: Changes) -> AnyState:
    """Make the state of a record after changes. Raises InputError."""
    after = draft.change(before, changes)
    draft.finish()
    return after


def delete(editor: Editor, name: RecordName) -> Edited:
    """Delete a record and what hangs on it."""
    existing(editor, name)
    take_away, action = _DELETING[name.kind]
    take_away(editor, name)
    return edited(editor, action, name)


def _delete_alone(editor: Editor, name: RecordName) -> None:
    editor.ledger.put(name, None)


def delete_phrase(editor: Editor, name: RecordName) -> None:
    """Delete a proverb."""
    recordings.let_go(editor, name)
    editor.ledger.put(name, None)


_DELETING: Final[Mapping[str, tuple[Callable[[Editor, RecordName], None], Action]]] = {
    "word": (delete_word, Action.WORD_DELETED),
    "sense": (delete_sense, Action.WORD_UNLINKED),
    "idea": (delete_idea, Action.IDEA_DELETED),
    "phrase": (delete_phrase, Action.PROVERB_DELETED),
    "card": (_delete_alone, Action.CARD_DELETED),
    "card_set": (delete_card_set, Action.CARD_DELETED),
}
