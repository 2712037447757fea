"""Store the order of the words of an idea in each language, initially that of their creation."""

import sqlalchemy as sa
from alembic import op

from abhidhan.migrations import REVISIONS

revision = "0037"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]


def upgrade() -> None:
    """Add the column, rank the words of each idea, and replace the index that lists them by one with ranks."""
    op.add_column("sense", sa.Column("rank", sa.Integer, nullable=False, server_default="1"))
    op.execute(
        "UPDATE sense SET rank = ranked.place FROM ("
        "SELECT sense.id, row_number() OVER ("
        "PARTITION BY sense.idea_id, sense.language_id ORDER BY sense.id) AS place FROM sense"
        ") AS ranked WHERE ranked.id = sense.id AND ranked.place > 1"
    )
    op.create_index("ix_sense_idea_id_language_id_rank", "sense", ["idea_id", "language_id", "rank", "word_id"])
    op.drop_index("ix_sense_idea_id_language_id_word_id", "sense")
