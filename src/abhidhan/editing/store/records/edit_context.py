"""Context of an edit: the open transaction, the catalogue and the time."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Table, insert

from abhidhan.records.catalogue import Catalogue
from abhidhan.records.import_records import parse_inverse_id
from abhidhan.records.lookup_lists import ListName


@contextmanager
def savepoint(connection: Connection) -> Iterator[None]:
    """Roll back the block on an error, but not the surrounding transaction."""
    with connection.begin_nested():
        yield


@dataclass(frozen=True, slots=True)
class EditContext:
    """Context of an edit, with the catalogue at its start."""

    connection: Connection
    catalogue: Catalogue
    now: int

    def get_language_code(self, language_id: int) -> str:
        """Return the code of a language."""
        return self.catalogue.language(language_id).code

    def find_inverse_relation(self, type_id: int) -> int | None:
        """Return the inverse type of a relation type, if it has one."""
        relation = self.catalogue.find_item_by_id(ListName.RELATIONS, type_id)
        return parse_inverse_id(relation.code) if relation else None

    def insert(self, table: Table, values: Mapping[str, Any], record_id: int | None) -> int:
        """Insert a row and return its ID; `record_id` is the ID of a restored record."""
        row = dict(values) if record_id is None else {"id": record_id, **values}
        return int(self.connection.execute(insert(table).values(row).returning(table.c.id)).scalar_one())
