"""Lists of words that people want to have on all their devices."""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0026"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]


def upgrade() -> None:
    """Make the table: nobody has asked for that yet."""
    op.create_table(
        "own_lists",
        sa.Column("person_id", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("lists", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("person_id", name="pk_own_lists"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_own_lists_person_id"),
    )
