"""What several machines count together of their clients' requests: for each client, when its bucket is full again.

Only PostgreSQL has this table filled, and its clock is the only one that counts here.
"""

from collections.abc import Mapping
from typing import Final

from sqlalchemy import Connection, text

MICROSECONDS: Final = 1_000_000
NOW: Final = f"CAST(floor(extract(epoch FROM statement_timestamp()) * {MICROSECONDS}) AS bigint)"

# In the order of the key, so that no two of these transactions wait for each other.
ADD: Final = text(f"""
    INSERT INTO shared_limit (client, full_at)
    SELECT client, {NOW} + taken
    FROM unnest(CAST(:clients AS bigint[]), CAST(:taken AS bigint[])) AS given (client, taken)
    ORDER BY client
    ON CONFLICT (client) DO UPDATE
    SET full_at = greatest({NOW}, least(shared_limit.full_at, {NOW} + :most)) + excluded.full_at - {NOW}
    RETURNING client, full_at - {NOW}
""")  # noqa: S608  # a constant

# A row too far ahead was written before the clock was set back.
FORGET: Final = text(f"""
    DELETE FROM shared_limit WHERE client IN (
        SELECT client FROM shared_limit WHERE full_at NOT BETWEEN {NOW} AND {NOW} + 2 * :most
        LIMIT 10000 FOR UPDATE SKIP LOCKED
    )
""")  # noqa: S608  # a constant


def add(connection: Connection, *, taken: Mapping[int, float], most: float) -> dict[int, float]:
    """Add the seconds that clients have taken of their buckets; return what each bucket lacks now, with those of all.

    What a bucket lacked before counts for `most` seconds.
    """
    seconds = [round(each * MICROSECONDS) for each in taken.values()]
    given = {"clients": list(taken), "taken": seconds, "most": round(most * MICROSECONDS)}
    return {client: lacking / MICROSECONDS for client, lacking in connection.execute(ADD, given)}


def forget(connection: Connection, *, most: float) -> int:
    """Forget clients whose buckets are full again, 10,000 at a time; return how many."""
    return connection.execute(FORGET, {"most": round(most * MICROSECONDS)}).rowcount
