"""Languages, lookup lists and sources: small tables that are held in memory."""

from sqlalchemy import Column, Index, Integer, Table, Text, UniqueConstraint

from abhidhan.schema.base import metadata

language = Table(
    "language",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("code", Text, nullable=False, unique=True),
    Column("iso639_3", Text),
    Column("name", Text, nullable=False),
    Column("native_name", Text, nullable=False),
    Column("script", Text, nullable=False),
    Column("direction", Text, nullable=False),
    # How many words it has: counting two million at each question would be slow.
    Column("words", Integer, nullable=False, server_default="0"),
)

list_item = Table(
    "list_item",
    metadata,
    Column("list", Text, primary_key=True),
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("value", Text, nullable=False),
    Column("code", Text),
    Column("parent_id", Integer),
    Column("position", Integer, nullable=False),
    Column("short", Text),
    UniqueConstraint("list", "value"),
    Index("ix_list_item_list_short", "list", "short", unique=True),
)

source = Table(
    "source",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("code", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("licence", Text, nullable=False),
    Column("url", Text),
    Column("attribution", Text),
    Column("notice", Text),
)
