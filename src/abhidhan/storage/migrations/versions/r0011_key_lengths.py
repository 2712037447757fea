"""The keys of words are in order of their length too, so that the shortest that begin so are found at once."""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0011"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]


def upgrade() -> None:
    """Make the three indexes: nine seconds in 1.3 million words."""
    for key in ("exact_key", "loose_key", "sound_key"):
        op.create_index(f"ix_word_length_{key}", "word", [sa.text(f"length({key})"), key])
