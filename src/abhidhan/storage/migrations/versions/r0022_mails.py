"""Mails that people agreed to, and decisions that nobody has been told of yet."""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0022"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]

CODE_POINT_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make the tables: nobody has agreed to anything yet."""
    op.create_table(
        "mail_choice",
        sa.Column("person_id", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("topic", CODE_POINT_TEXT, nullable=False),
        sa.Column("often", sa.Text, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("agreed", sa.BigInteger, nullable=False),
        sa.Column("due", sa.BigInteger),
        sa.Column("not_before", sa.BigInteger, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("person_id", "topic", name="pk_mail_choice"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_mail_choice_person_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_mail_choice_due", "mail_choice", ["due"])
    op.create_table(
        "mail_outbox",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("person_id", sa.Integer, nullable=False),
        sa.Column("kind", CODE_POINT_TEXT, nullable=False),
        sa.Column("record_id", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_mail_outbox"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_mail_outbox_person_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_mail_outbox_person_id", "mail_outbox", ["person_id"])
    op.create_index("ix_mail_outbox_kind_record_id", "mail_outbox", ["kind", "record_id"], unique=True)
