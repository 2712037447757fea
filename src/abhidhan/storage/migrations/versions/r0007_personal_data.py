"""What one person has changed is found by an index; and the history has a name for the deletion of an account."""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0007"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]


def upgrade() -> None:
    """Make the index, and add the action to the list of a dictionary that is there already."""
    op.create_index("ix_history_person_id", "history", ["person_id", "id"])
    op.execute(
        sa.text(
            "INSERT INTO list_item (list, id, value, position) "
            "SELECT list, 36, 'Account deleted', 36 FROM list_item WHERE list = 'HAC' AND id = 35"
        )
    )
