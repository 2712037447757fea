"""The content of some entries of the history is shown to nobody: a table names them, with the reason."""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0030"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]


def upgrade() -> None:
    """Make the table, without any entry."""
    op.create_table(
        "hidden_entry",
        sa.Column("history_id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["history_id"], ["history.id"], name="fk_hidden_entry_history_id"),
        sa.PrimaryKeyConstraint("history_id", name="pk_hidden_entry"),
    )
