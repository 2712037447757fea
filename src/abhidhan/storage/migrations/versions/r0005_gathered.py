"""What belongs to each idea, gathered as answers show it."""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0005"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]

LISTS = ("contexts", "definitions", "examples", "words", "relations", "photos")


def upgrade() -> None:
    """Make the table, empty: `abhidhan reindex` fills it, and until then ideas are gathered at each look-up."""
    op.create_table(
        "gathered",
        sa.Column("idea_id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("form", sa.Integer, nullable=False),
        *(sa.Column(name, sa.LargeBinary) for name in LISTS),
        sa.PrimaryKeyConstraint("idea_id", name="pk_gathered"),
    )
    if op.get_context().dialect.name == "postgresql":
        # Unpacking what PostgreSQL has packed would take most of the time of reading it.
        for name in LISTS:
            op.execute(f"ALTER TABLE gathered ALTER COLUMN {name} SET STORAGE EXTERNAL")
