"""Who holds what only one process may do at a time, and until when unless it says again that it is there."""

from sqlalchemy import BigInteger, Column, Table, Text

from abhidhan.schema.base import metadata

lease = Table(
    "lease",
    metadata,
    Column("name", Text, primary_key=True),
    # Another one for each time that it is taken: who finds its own there still holds it.
    Column("owner", Text, nullable=False),
    # Milliseconds since 1970, by the clock of the database.
    Column("expires", BigInteger, nullable=False),
)
