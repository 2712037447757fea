"""Queries of the history for imports: interrupted ones, and the records that users have removed or changed."""

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, select, update

from abhidhan.editing.store.history import iter_stored_states
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.history import HistoryAction, decode_changes
from abhidhan.records.tombstones import Tombstones
from abhidhan.schema import history

UNFINISHED_KEY = "unfinished"
"""Key in the history state of an import that has not finished."""

FINISHED_LATER_KEY = "finished_later"

_IMPORTS = (
    select(history.c.id, history.c.at, history.c.after)
    .where(history.c.record == "import", history.c.record_id == 0, history.c.action_id == int(HistoryAction.IMPORTED))
    .order_by(history.c.id)
)
_IMPORTS_QUERY = CompiledQuery(_IMPORTS)


class InterruptedImport(NamedTuple):
    """An unfinished import: the ID of its history entry, its start time, and the codes of the sources read so far."""

    id: int
    at: int
    sources: tuple[str, ...]


def find_interrupted(connection: ReadConnection) -> list[InterruptedImport]:
    """List the unfinished imports, oldest first, including one that is running."""
    return _parse_interrupted(connection.rows(_IMPORTS_QUERY))


def mark_finished(connection: Connection, sources: Sequence[str]) -> list[InterruptedImport]:
    """Mark the unfinished imports that only have these sources as finished; return them."""
    rows: list[Row] = [tuple(row) for row in connection.execute(_IMPORTS)]
    finished = [interrupted for interrupted in _parse_interrupted(rows) if _is_covered(interrupted.sources, sources)]
    states = {row[0]: json.loads(row[2]) for row in rows}
    for interrupted in finished:
        after = {name: value for name, value in states[interrupted.id].items() if name != UNFINISHED_KEY} | {
            FINISHED_LATER_KEY: True
        }
        state = json.dumps(after, ensure_ascii=False)
        connection.execute(update(history).where(history.c.id == interrupted.id).values(after=state))
    return finished


def _parse_interrupted(rows: Iterable[Row]) -> list[InterruptedImport]:
    read = ((entry_id, at, json.loads(after)) for entry_id, at, after in rows)
    return [
        InterruptedImport(entry_id, at, tuple(after["sources"]))
        for entry_id, at, after in read
        if after.get(UNFINISHED_KEY)
    ]


def _is_covered(interrupted: Sequence[str], finished: Sequence[str]) -> bool:
    """Return whether the finished import has all sources of the interrupted one, or neither has any."""
    return set(interrupted) <= set(finished) if interrupted else not finished


def read_tombstones(connection: ReadConnection) -> Tombstones:
    """Return the records and values that users have removed or changed. Reads the whole history."""
    tombstones = Tombstones()
    for states in iter_stored_states(connection):
        changes = decode_changes(states.before, states.after)
        if states.action_id == HistoryAction.IMPORTED:
            tombstones.apply_merges(changes)
        else:
            tombstones.apply(changes)
    return tombstones
