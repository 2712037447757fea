"""What people look for and do not find. Nothing says who looked for it, nor at what time of a day."""

from sqlalchemy import Column, Integer, Table, Text

from abhidhan.schema.base import CodePointText, metadata

missing_word = Table(
    "missing_word",
    metadata,
    # The exact key of the word, and its spelling as it was first looked for.
    Column("key", CodePointText, primary_key=True),
    Column("text", Text, nullable=False),
    Column("searches", Integer, nullable=False),
    # On how many different days it was looked for, and the last of them, in days since 1970-01-01 (UTC).
    Column("days", Integer, nullable=False),
    Column("last_day", Integer, nullable=False),
    # 1: an editor does not want to see it listed.
    Column("left_out", Integer, nullable=False),
)
