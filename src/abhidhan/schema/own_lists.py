"""Lists of words that people want to have on all their devices: one row for each who does."""

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, Table, Text

from abhidhan.schema.base import metadata

own_lists = Table(
    "own_lists",
    metadata,
    Column("person_id", Integer, ForeignKey("person.id"), primary_key=True, autoincrement=False),
    # JSON as the API answers it (people/model/saved_lists.py): words by their IDs, each with the moment of its last
    # change.
    Column("lists", Text, nullable=False),
    # Raised by one with every change: the ETag.
    Column("version", Integer, nullable=False),
    Column("changed", BigInteger, nullable=False),
)
