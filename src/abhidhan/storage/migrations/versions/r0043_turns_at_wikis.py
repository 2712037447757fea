"""The row of a wiki says when it may be asked next; no longer who asks it, until when, and since when."""

from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0043"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]


def upgrade() -> None:
    """Leave what a wiki wished or its failures demand: it is not asked before then."""
    for column in ("holder", "held_until", "asked"):
        op.drop_column("wiki", column)
    op.execute("ALTER TABLE wiki RENAME COLUMN closed_until TO free_at")
