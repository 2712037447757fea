"""Confirming: whoever reviews has read what an idea says, and found it right."""

from abhidhan.editing.service.editor import Editor, existing
from abhidhan.records.history import Action, ConfirmationState, RecordName


def confirm(editor: Editor, idea_id: int) -> None:
    """Confirm an idea. Raises NotFoundError. One that is confirmed already stays as it is: the first one counts.

    A later edit does not take the confirmation away: whoever edits may confirm as well, and has read what stands
    there. The history tells both, so that nobody is said to have found right what was written later. Merging and
    deleting end the confirmation of the idea that goes, and undoing them brings it back.
    """
    name = RecordName("idea", str(idea_id))
    existing(editor, name)
    own = RecordName("confirmation", name.id)
    if editor.ledger.current(own) is None:
        editor.ledger.put(own, ConfirmationState(editor.now))
        editor.entry(Action.APPROVED, name)
