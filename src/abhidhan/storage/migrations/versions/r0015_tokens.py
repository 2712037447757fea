"""Personal tokens, by which programs write in somebody's name."""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0015"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]

CODE_POINT_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "personal_token",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("token_hash", CODE_POINT_TEXT, nullable=False),
        sa.Column("person_id", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("scopes", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.Column("used", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_personal_token"),
        sa.UniqueConstraint("token_hash", name="uq_personal_token_token_hash"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_personal_token_person_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_personal_token_person_id", "personal_token", ["person_id"])
    op.create_index("ix_personal_token_expires", "personal_token", ["expires"])
