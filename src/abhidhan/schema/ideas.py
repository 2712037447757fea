"""Ideas, and what hangs on them."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, Table, Text, UniqueConstraint

from abhidhan.schema.base import CodePointText, metadata, name_column

idea = Table(
    "idea",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("pos_id", Integer),
    Column("gender_id", Integer),
    Column("glyph", Text),
    name_column("source_id", "source.id", nullable=True),
    Column("external_key", CodePointText),
    Column("created", BigInteger, nullable=False),
    Column("updated", BigInteger, nullable=False),
    Column("licence", Text),
    UniqueConstraint("source_id", "external_key"),
    Index("ix_idea_pos_id", "pos_id", "id"),
    sqlite_autoincrement=True,
)

idea_alias = Table(
    "idea_alias",
    metadata,
    # The keys of ideas that were merged into another one: whoever brings them again means that one.
    Column("source_id", Integer, ForeignKey("source.id"), primary_key=True, autoincrement=False),
    Column("external_key", CodePointText, primary_key=True),
    name_column("idea_id", "idea.id", index=True),
    sqlite_with_rowid=False,
)

confirmation = Table(
    "confirmation",
    metadata,
    # That somebody has read the idea and found it right, and when; who it was stands in the history alone, so that
    # nothing here has to follow when an account goes.
    Column("idea_id", Integer, ForeignKey("idea.id"), primary_key=True, autoincrement=False),
    Column("confirmed", BigInteger, nullable=False),
)

definition = Table(
    "definition",
    metadata,
    Column("id", Integer, primary_key=True),
    name_column("idea_id", "idea.id", index=True),
    name_column("language_id", "language.id"),
    Column("text", Text, nullable=False),
)

example = Table(
    "example",
    metadata,
    Column("id", Integer, primary_key=True),
    name_column("idea_id", "idea.id", index=True),
    name_column("language_id", "language.id"),
    Column("text", Text, nullable=False),
    Column("translation", Text),
)

idea_context = Table(
    "idea_context",
    metadata,
    Column("idea_id", Integer, ForeignKey("idea.id"), primary_key=True),
    Column("context_id", Integer, primary_key=True),
    Index("ix_idea_context_context_id_idea_id", "context_id", "idea_id"),
    sqlite_with_rowid=False,
)

idea_relation = Table(
    "idea_relation",
    metadata,
    # Each relation stands twice, as itself and as its inverse, so that both ideas find it.
    Column("idea_id", Integer, ForeignKey("idea.id"), primary_key=True),
    Column("type_id", Integer, primary_key=True),
    Column("other_id", Integer, ForeignKey("idea.id"), primary_key=True, index=True),
    sqlite_with_rowid=False,
)
