"""What several machines over one PostgreSQL database count together of their clients' requests."""

from sqlalchemy import BigInteger, Column, Table

from abhidhan.schema.base import metadata

shared_limit = Table(
    "shared_limit",
    metadata,
    # A hash of whom the limit of requests counts: an address, a network or a person.
    Column("client", BigInteger, primary_key=True, autoincrement=False),
    # When nothing is counted against it any more, in microseconds since 1970 by the database's clock.
    Column("full_at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
