"""What several machines count together of their clients' requests: for each client, when its bucket is full again.

The clock of PostgreSQL is the only one that counts here. Workers of one machine share a file (`web/edge/limits.py`).
"""

from collections.abc import Mapping
from typing import Final

from sqlalchemy import ARRAY, BigInteger, Connection, bindparam, delete, func, or_, select
from sqlalchemy.dialects.postgresql import insert

from abhidhan.storage.engine.queries import chunks
from abhidhan.storage.schema import shared_limit

MICROSECONDS: Final = 1_000_000
CLIENTS_AT_ONCE: Final = 1_000

FORGOTTEN_AT_ONCE: Final = 10_000
"""How many rows one transaction removes at most."""

_FULL_AT: Final = shared_limit.c.full_at
_NOW: Final = func.floor(func.extract("epoch", func.statement_timestamp()) * MICROSECONDS).cast(BigInteger)
_MOST: Final = bindparam("most", type_=BigInteger)
_GIVEN: Final = (
    func.unnest(bindparam("clients", type_=ARRAY(BigInteger)), bindparam("costs", type_=ARRAY(BigInteger)))
    .table_valued("client", "cost")
    .render_derived("given")
)

# In the order of the key, so that no two of these transactions wait for each other.
_ADDING: Final = insert(shared_limit).from_select(
    ["client", "full_at"],
    select(_GIVEN.c.client, (_NOW + _GIVEN.c.cost).cast(BigInteger)).order_by(_GIVEN.c.client),
)
_ADDED: Final = _ADDING.on_conflict_do_update(
    index_elements=[shared_limit.c.client],
    set_={"full_at": func.greatest(_NOW, func.least(_FULL_AT, _NOW + _MOST)) + _ADDING.excluded.full_at - _NOW},
).returning(shared_limit.c.client, _FULL_AT - _NOW)

# A row too far ahead was written before the clock was set back.
_OLD: Final = (
    select(shared_limit.c.client)
    .where(or_(_FULL_AT < _NOW, _FULL_AT > _NOW + 2 * _MOST))
    .limit(FORGOTTEN_AT_ONCE)
    .with_for_update(skip_locked=True)
)


def add(connection: Connection, *, taken: Mapping[int, float], most: float) -> dict[int, float]:
    """Add the seconds that clients have taken of their buckets; tell how many each bucket lacks now, with those of all.

    What a bucket lacked before counts for `most` seconds.
    """
    lacking: dict[int, float] = {}
    for some in chunks(sorted(taken), CLIENTS_AT_ONCE):
        costs = [round(taken[client] * MICROSECONDS) for client in some]
        given = {"clients": list(some), "costs": costs, "most": round(most * MICROSECONDS)}
        lacking |= {client: left / MICROSECONDS for client, left in connection.execute(_ADDED, given)}
    return lacking


def forget(connection: Connection, *, most: float) -> int:
    """Forget clients whose buckets are full again, some at a time; return how many."""
    old = delete(shared_limit).where(shared_limit.c.client.in_(_OLD.scalar_subquery()))
    return connection.execute(old, {"most": round(most * MICROSECONDS)}).rowcount
