"""Reading from the history what people have removed or changed here."""

from sqlalchemy import Integer, bindparam, select

from abhidhan.domain.history import Action, decode_changes
from abhidhan.domain.removed import Removed
from abhidhan.storage.engine.queries import Query
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.schema import history

ENTRIES_AT_ONCE = 1_000

_ENTRIES = Query(
    select(history.c.id, history.c.before, history.c.after)
    .where(
        history.c.id > bindparam("after", type_=Integer),
        history.c.before.is_not(None),
        history.c.action_id != int(Action.IMPORTED),
    )
    .order_by(history.c.id)
    .limit(ENTRIES_AT_ONCE)
)


def read_removed(reader: Reader) -> Removed:
    """Return all that was removed and has not come back since. The history is gone through once, from its beginning."""
    removed, after = Removed(), 0
    while rows := reader.rows(_ENTRIES, after=after):
        for after, states_before, states_after in rows:  # noqa: B007  # the next ones come after the last of these
            removed.take(decode_changes(states_before, states_after))
    return removed
