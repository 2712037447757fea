"""How rare each word is, and the index by which the words that nobody has recorded are listed, the commonest first."""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.indexes import rarity
from abhidhan.storage.migrations import REVISIONS

revision = "0025"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]


def upgrade() -> None:
    """Make the column and the indexes; what was counted is written before the index is built."""
    op.add_column("word", sa.Column("rarity", sa.SmallInteger, nullable=False, server_default="255"))
    rarity.renew_all(op.get_bind())
    silent, heard = sa.text("audio IS NULL"), sa.text("audio IS NOT NULL")
    op.create_index(
        "ix_word_silent",
        "word",
        ["language_id", "rarity", "sort_key", "id", "audio"],
        sqlite_where=silent,
        postgresql_where=silent,
    )
    op.create_index("ix_word_heard", "word", ["language_id"], sqlite_where=heard, postgresql_where=heard)
