"""Which words others may be meant by stands in a table, so that for the rest none is looked for."""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0034"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]


def upgrade() -> None:
    """Make the table, empty: an import goes through all words at its end, a server beside its requests."""
    op.create_table(
        "readable_word",
        sa.Column("form", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("page", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("numbers", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("form", "page", name="pk_readable_word"),
    )
