"""Reading from the history what people have removed or changed here."""

from abhidhan.editing.store.history import kept_states
from abhidhan.platform.database.reader import Reader
from abhidhan.records.history import Action, decode_changes
from abhidhan.records.tombstones import Removed


def read_removed(reader: Reader) -> Removed:
    """Return all that people have removed or changed. The history is gone through once, from its beginning."""
    removed = Removed()
    for states in kept_states(reader):
        changes = decode_changes(states.before, states.after)
        if states.action_id == Action.IMPORTED:
            removed.take_merges(changes)
        else:
            removed.take(changes)
    return removed
