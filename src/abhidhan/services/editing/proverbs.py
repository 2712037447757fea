"""Proverbs: adding them."""

from abhidhan.domain.drafts import ProverbData
from abhidhan.domain.history import Action, RecordName
from abhidhan.services.editing.editor import Edited, Editor, edited


def place_proverb(editor: Editor, data: ProverbData) -> RecordName:
    """Make a proverb, and name it."""
    state = editor.draft.phrase(data)
    editor.draft.finish()
    return editor.ledger.create("phrase", state)


def add_proverb(editor: Editor, data: ProverbData) -> Edited:
    """Add a proverb."""
    return edited(editor, Action.PROVERB_EDITED, place_proverb(editor, data))
