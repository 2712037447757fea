"""Articles: the cache of encyclopedia extracts, and what is known of the wikis they come from."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

CODE_POINT_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make the cache and the table of wikis."""
    op.create_table(
        "article",
        sa.Column("language_id", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("key", CODE_POINT_TEXT, nullable=False),
        sa.Column("outcome", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("extract", sa.Text, nullable=False),
        sa.Column("url", sa.Text),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("licence", sa.Text),
        sa.Column("disambiguation", sa.Integer, nullable=False),
        sa.Column("retrieved", sa.BigInteger, nullable=False),
        sa.Column("renew_after", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("language_id", "key", name="pk_article"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_article_outcome", "article", ["outcome", "renew_after"])
    op.create_table(
        "wiki",
        sa.Column("address", CODE_POINT_TEXT, nullable=False),
        sa.Column("holder", sa.Text, nullable=False),
        sa.Column("held_until", sa.BigInteger, nullable=False),
        sa.Column("asked", sa.BigInteger, nullable=False),
        sa.Column("closed_until", sa.BigInteger, nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("address", name="pk_wiki"),
        sqlite_with_rowid=False,
    )
