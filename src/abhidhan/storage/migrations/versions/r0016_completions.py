"""The first words that begin as somebody types are listed for each beginning that many words share."""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0016"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]

CODE_POINT_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
KEYS = ("e", "l", "s")
"""The letters of the exact, loose and sound key: each says that none of its lists is missing."""


def upgrade() -> None:
    """Make the table: empty where there are words, which the server goes through when it starts."""
    op.create_table(
        "completion",
        sa.Column("prefix", CODE_POINT_TEXT, nullable=False),
        sa.Column("words", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("prefix", name="pk_completion"),
    )
    words = "'\\x5b5d'" if op.get_context().dialect.name == "postgresql" else "x'5b5d'"
    for key in KEYS:
        op.execute(
            f"INSERT INTO completion (prefix, words) SELECT '{key}', {words} "  # noqa: S608
            "WHERE NOT EXISTS (SELECT 1 FROM word)"
        )
