"""What the history says of imports: those that were broken off, and what people have removed or changed since."""

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
"""What the history says of an import between its first transaction and its last."""

FINISHED_LATER = "finished_later"

_IMPORTS = (
    select(history.c.id, history.c.at, history.c.after)
    .where(history.c.record == "import", history.c.record_id == 0, history.c.action_id == int(Action.IMPORTED))
    .order_by(history.c.id)
)
_IMPORTS_READ = Query(_IMPORTS)


class BrokenOff(NamedTuple):
    """An import that has not come to its end: its entry in the history, when it began, and the sources it had met."""

    id: int
    at: int
    sources: tuple[str, ...]


def find_broken_off(reader: Reader) -> list[BrokenOff]:
    """List the imports that have not come to their end, the oldest first; one that runs just now is among them."""
    return _broken_off(reader.rows(_IMPORTS_READ))


def note_finished(connection: Connection, sources: Sequence[str]) -> list[BrokenOff]:
    """Note that an import of these sources has come to its end, and with it those of the same that were broken off."""
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
    """Return whether an import is another one to its end: it met all of its sources, or both named none."""
    return set(broken_off) <= set(finished) if broken_off else not finished


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
