"""What changes is noted, so that copies of the dictionary can follow it."""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0013"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]


def upgrade() -> None:
    """Make the table, with a first row that names no record: where following begins."""
    op.create_table(
        "record_change",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("version", sa.BigInteger),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("first_id", sa.Integer, nullable=False),
        sa.Column("last_id", sa.Integer, nullable=False),
        sa.Column("became", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_record_change"),
    )
    op.create_index("ix_record_change_version_id", "record_change", ["version", "id"])
    op.execute(
        "INSERT INTO record_change (version, at, kind, first_id, last_id, became) "
        "SELECT data_version, 0, 'word', 1, 0, 'changed' FROM state"
    )
