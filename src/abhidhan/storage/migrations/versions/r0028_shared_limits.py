"""What several machines count together of their clients' requests."""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0028"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]


def upgrade() -> None:
    """Make the table; nothing is counted yet.

    On PostgreSQL it is not logged: it is written every second, a crash may well empty it, and no standby nor backup
    needs to carry it.
    """
    op.create_table(
        "shared_limit",
        sa.Column("client", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("full_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("client", name="pk_shared_limit"),
        sqlite_with_rowid=False,
    )
    if op.get_context().dialect.name == "postgresql":
        op.execute("ALTER TABLE shared_limit SET UNLOGGED")
