"""Words are found by how they end: the last letters of their loose keys are in order, turned round."""

from typing import Final

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0014"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]

ENDINGS: Final = {
    "sqlite": (
        "(substr(loose_key, -1, 1) || substr(loose_key, -2, 1) || substr(loose_key, -3, 1) || substr(loose_key, -4, 1))"
    ),
    "postgresql": "reverse(right(loose_key, 4))",
}
"""The last four letters, as each engine turns them round."""


def upgrade() -> None:
    """Make the index: four seconds in 1.3 million words, and 21 MB."""
    ending = ENDINGS[op.get_bind().dialect.name]
    op.create_index("ix_word_length_ending", "word", [sa.text("length(loose_key)"), sa.text(ending)])
