"""Proverbs: adding them."""

import msgspec

from abhidhan.editing.service.editor import Edited, Editor, edited
from abhidhan.records.history import Action, RecordName
from abhidhan.records.submission_payloads import ProverbData


def place_proverb(editor: Editor, data: ProverbData, licence: str | None = None) -> RecordName:
    """Make a proverb under the licence of whoever gave it, and name it."""
    state = editor.draft.phrase(data)
    editor.draft.finish()
    return editor.ledger.create("phrase", msgspec.structs.replace(state, licence=licence))


def add_proverb(editor: Editor, data: ProverbData) -> Edited:
    """Add a proverb."""
    return edited(editor, Action.PROVERB_EDITED, place_proverb(editor, data))
