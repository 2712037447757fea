"""What belongs to each idea is cached in three pieces and its numbers, its words packed."""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0009"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]

PIECES = ("before", "words", "after")


def upgrade() -> None:
    """Put an empty table in the place of the old one: the server fills it, and until then ideas are read at look-up."""
    op.drop_table("gathered")
    op.create_table(
        "idea_cache",
        sa.Column("idea_id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("form", sa.Integer, nullable=False),
        sa.Column("pos_id", sa.Integer),
        sa.Column("gender_id", sa.Integer),
        *(sa.Column(name, sa.LargeBinary) for name in PIECES),
        sa.PrimaryKeyConstraint("idea_id", name="pk_idea_cache"),
    )
    if op.get_context().dialect.name == "postgresql":
        # Unpacking what PostgreSQL has packed would take most of the time of reading it.
        for name in PIECES:
            op.execute(f'ALTER TABLE idea_cache ALTER COLUMN "{name}" SET STORAGE EXTERNAL')
