"""Which sound keys some word may have stands in a table, so that others are not looked for."""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0029"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]

HEAD = 256
"""The page that says that no word is missing."""


def upgrade() -> None:
    """Make the table: empty where there are words, which the server goes through when it starts."""
    op.create_table(
        "sound_filter",
        sa.Column("form", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("page", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("numbers", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("form", "page", name="pk_sound_filter"),
    )
    numbers = "'\\x'" if op.get_context().dialect.name == "postgresql" else "x''"
    op.execute(
        f"INSERT INTO sound_filter (form, page, version, numbers) SELECT 1, {HEAD}, 1, {numbers} "  # noqa: S608
        "WHERE NOT EXISTS (SELECT 1 FROM word)"
    )
