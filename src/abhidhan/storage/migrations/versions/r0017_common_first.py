"""The lists of the first words that begin alike go by how common words are: the server makes all of them anew."""

from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0017"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]


def upgrade() -> None:
    """Take away what says that no list is missing; where there are no words, none is."""
    op.execute("DELETE FROM completion WHERE prefix IN ('e', 'l', 's') AND EXISTS (SELECT 1 FROM word)")
