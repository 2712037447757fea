"""What every step of an edit needs: the open transaction, and the codes behind the IDs of the catalogue."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Table, insert

from abhidhan.domain.catalogue import Catalogue
from abhidhan.domain.incoming import inverse_of
from abhidhan.domain.lists import ListName


@contextmanager
def undone_by_conflicts(connection: Connection) -> Iterator[None]:
    """Take back what was done within, if it ends in an error; the transaction around it goes on."""
    with connection.begin_nested():
        yield


@dataclass(frozen=True, slots=True)
class Edit:
    """An edit in progress. `codes` are those of languages by ID, `inverses` those of relation types by ID."""

    connection: Connection
    codes: Mapping[int, str]
    inverses: Mapping[int, int | None]
    now: int

    @classmethod
    def of(cls, connection: Connection, catalogue: Catalogue, now: int) -> "Edit":
        """Begin an edit with the catalogue as it is known."""
        codes = {language.id: language.code for language in catalogue.languages}
        inverses = {item.id: inverse_of(item.code) for item in catalogue.items_of(ListName.RELATIONS)}
        return cls(connection, codes, inverses, now)

    def insert(self, table: Table, values: Mapping[str, Any], record_id: int | None) -> int:
        """Insert a row, under its old ID if it had one, and return its ID."""
        given = dict(values) if record_id is None else {"id": record_id, **values}
        return int(self.connection.execute(insert(table).values(given).returning(table.c.id)).scalar_one())
