"""Lists of the first words that begin as somebody types are packed, in a table without rowids, and there are more."""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0032"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]

CODE_POINT_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
KEYS = ("E", "L", "S")
"""The letters of the exact, loose and sound key: each says that none of its lists is missing."""


def upgrade() -> None:
    """Make the table anew: empty where there are words, which the server goes through when it starts."""
    op.drop_table("completion")
    op.create_table(
        "completion",
        sa.Column("prefix", CODE_POINT_TEXT, nullable=False),
        sa.Column("words", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("prefix", name="pk_completion"),
        sqlite_with_rowid=False,
    )
    nothing = "'\\x90'" if op.get_context().dialect.name == "postgresql" else "x'90'"
    for key in KEYS:
        op.execute(
            f"INSERT INTO completion (prefix, words) SELECT '{key}', {nothing} "  # noqa: S608
            "WHERE NOT EXISTS (SELECT 1 FROM word)"
        )
