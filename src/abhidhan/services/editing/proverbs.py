"""Proverbs: adding them."""

import msgspec

from abhidhan.domain.drafts import ProverbData
from abhidhan.domain.history import Action, RecordName
from abhidhan.services.editing.editor import Edited, Editor, edited


def place_proverb(editor: Editor, data: ProverbData, licence: str | None = None) -> RecordName:
    """Make a proverb under the licence of whoever gave it, and name it."""
    state = editor.draft.phrase(data)
    editor.draft.finish()
    return editor.ledger.create("phrase", msgspec.structs.replace(state, licence=licence))


def add_proverb(editor: Editor, data: ProverbData) -> Edited:
    """Add a proverb."""
    return edited(editor, Action.PROVERB_EDITED, place_proverb(editor, data))
