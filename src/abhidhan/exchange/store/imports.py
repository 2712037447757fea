"""History of imports: interrupted ones, and what users have removed or changed."""

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, select, update

from abhidhan.editing.store.history import kept_states
from abhidhan.platform.database.compiled_queries import Query, Row
from abhidhan.platform.database.reader import Reader
from abhidhan.records.history import Action, decode_changes
from abhidhan.records.tombstones import Removed
from abhidhan.schema import history

UNFINISHED = "unfinished"
"""Key in the history state of an import between its first and last transaction."""

FINISHED_LATER = "finished_later"

_IMPORTS = (
    select(history.c.id, history.c.at, history.c.after)
    .where(history.c.record == "import", history.c.record_id == 0, history.c.action_id == int(Action.IMPORTED))
    .order_by(history.c.id)
)
_IMPORTS_READ = Query(_IMPORTS)


class BrokenOff(NamedTuple):
    """An import that has not finished: its history entry, start time, and the sources read so far."""

    id: int
    at: int
    sources: tuple[str, ...]


def find_broken_off(reader: Reader) -> list[BrokenOff]:
    """List the unfinished imports, oldest first, including one that is running."""
    return _broken_off(reader.rows(_IMPORTS_READ))


def note_finished(connection: Connection, sources: Sequence[str]) -> list[BrokenOff]:
    """Mark earlier unfinished imports as finished if they only have these sources; return them."""
    rows: list[Row] = [tuple(row) for row in connection.execute(_IMPORTS)]
    finished = [one for one in _broken_off(rows) if _is_covered(one.sources, sources)]
    told = {row[0]: json.loads(row[2]) for row in rows}
    for one in finished:
        after = {name: value for name, value in told[one.id].items() if name != UNFINISHED} | {FINISHED_LATER: True}
        written = json.dumps(after, ensure_ascii=False)
        connection.execute(update(history).where(history.c.id == one.id).values(after=written))
    return finished


def _broken_off(rows: Iterable[Row]) -> list[BrokenOff]:
    read = ((entry_id, at, json.loads(after)) for entry_id, at, after in rows)
    return [BrokenOff(entry_id, at, tuple(after["sources"])) for entry_id, at, after in read if after.get(UNFINISHED)]


def _is_covered(broken_off: Sequence[str], finished: Sequence[str]) -> bool:
    """Return whether a finished import completes an interrupted one: it has all its sources, or neither named any."""
    return set(broken_off) <= set(finished) if broken_off else not finished


def read_removed(reader: Reader) -> Removed:
    """Return everything that users have removed or changed, by reading the whole history once."""
    removed = Removed()
    for states in kept_states(reader):
        changes = decode_changes(states.before, states.after)
        if states.action_id == Action.IMPORTED:
            removed.take_merges(changes)
        else:
            removed.take(changes)
    return removed
