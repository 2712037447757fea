"""Ideas are listed by language and part of speech, phrases by their words; the word of each day is stored."""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.indexes.phrase_words import PHRASE_WORDS
from abhidhan.storage.migrations import REVISIONS

revision = "0012"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]

CODE_POINT_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
AT_ONCE = 1000


def upgrade() -> None:
    """Make the tables and indexes. What finds phrases by their words is made of all that are there."""
    op.create_table(
        "phrase_word",
        sa.Column("key", CODE_POINT_TEXT, nullable=False),
        sa.Column("phrase_id", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("key", "phrase_id", name="pk_phrase_word"),
        sa.ForeignKeyConstraint(["phrase_id"], ["phrase.id"], name="fk_phrase_word_phrase_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_phrase_word_phrase_id", "phrase_word", ["phrase_id"])
    op.create_table(
        "daily_choice",
        sa.Column("day", CODE_POINT_TEXT, nullable=False),
        sa.Column("word_id", sa.Integer),
        sa.Column("phrase_id", sa.Integer),
        sa.Column("chosen", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("day", name="pk_daily_choice"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_phrase_category", "phrase", ["category_id", "language_id", "sort_key"])
    op.create_index("ix_idea_pos_id", "idea", ["pos_id", "id"])
    op.create_index("ix_sense_language_id_idea_id", "sense", ["language_id", "idea_id"])
    _find_phrases_by_words()


def _find_phrases_by_words() -> None:
    """Make the keys of the phrases that are there: without them no query would find one."""
    connection, last = op.get_bind(), 0
    phrases = sa.text(
        "SELECT phrase.id, language.code, phrase.text, phrase.meaning, NULL FROM phrase "
        "JOIN language ON language.id = phrase.language_id WHERE phrase.id > :last ORDER BY phrase.id LIMIT :limit"
    )
    table = sa.table("phrase_word", sa.column("key"), sa.column("phrase_id"))
    while rows := connection.execute(phrases, {"last": last, "limit": AT_ONCE}).all():
        last = rows[-1][0]
        found = [{"key": key, "phrase_id": phrase_id} for key, phrase_id in PHRASE_WORDS.derive(map(tuple, rows))]
        if found:
            connection.execute(table.insert(), found)
