"""Which addresses mails may go to: those that were confirmed, and none whose owner wants no mails."""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0024"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]

CODE_POINT_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make the columns and the table: no address is confirmed, also none of those who agreed to mails before."""
    op.add_column("mail_choice", sa.Column("confirmed", sa.Text))
    op.add_column("ticket", sa.Column("mailed_to", sa.Text))
    op.create_table(
        "mail_refusal",
        sa.Column("mailbox", CODE_POINT_TEXT, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("mailbox", name="pk_mail_refusal"),
        sqlite_with_rowid=False,
    )
