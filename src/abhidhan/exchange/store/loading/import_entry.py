"""The entry of the history that an import leaves."""

import json
from collections.abc import Sequence
from typing import cast

from sqlalchemy import Connection, insert, update

from abhidhan import schema
from abhidhan.exchange.store.loading.load_context import Loaded

IMPORT_ACTION = 22
"""The history action of an import (`Data imported` in the list HAC)."""


class ImportEntry:
    """The one row of history that an import leaves, brought up to date by each of its transactions."""

    def __init__(self, now: int) -> None:
        """Begin without a row: an import that changes nothing leaves none."""
        self._now = now
        self._id: int | None = None

    @property
    def is_begun(self) -> bool:
        """Return whether the row is there."""
        return self._id is not None

    def id_in(self, connection: Connection, sources: Sequence[str]) -> int:
        """Return the ID of the row, which is written if it is not there yet."""
        if self._id is None:
            self.write(connection, Loaded({}, (), 0, tuple(sources)), finished=False)
        return cast("int", self._id)

    def write(self, connection: Connection, total: Loaded, *, finished: bool) -> None:
        """Write what was imported so far, and whether that is all."""
        counts = {name: number for name, number in total.counts.items() if number}
        after = {"counts": counts, "rejected": total.rejected, "sources": list(total.sources)}
        state = json.dumps(after if finished else after | {"unfinished": True}, ensure_ascii=False)
        table = schema.history
        if self._id is None:
            values = {"at": self._now, "action_id": IMPORT_ACTION, "record": "import", "record_id": 0, "after": state}
            self._id = connection.execute(insert(table).values(values).returning(table.c.id)).scalar_one()
        else:
            connection.execute(update(table).where(table.c.id == self._id).values(after=state))
