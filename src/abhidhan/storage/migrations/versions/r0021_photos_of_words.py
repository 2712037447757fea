"""Photos that come with a word: they show no idea before the word is approved."""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0021"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]

CODE_POINT_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")

INDEXES = {
    "ix_photo_sha256": ["sha256"],
    "ix_photo_idea_id_status": ["idea_id", "status", "id"],
    "ix_photo_status": ["status", "id"],
    "ix_photo_person_id": ["person_id", "id"],
}


def upgrade() -> None:
    """Let a photo be without an idea, and name the word that it came with."""
    if op.get_bind().dialect.name == "sqlite":
        _make_anew()
    else:
        op.alter_column("photo", "idea_id", nullable=True)
        op.add_column("photo", sa.Column("submission_id", sa.Integer))
        op.create_foreign_key("fk_photo_submission_id", "photo", "submission", ["submission_id"], ["id"])
    op.create_index("ix_photo_submission_id", "photo", ["submission_id"])


def _make_anew() -> None:
    """Put the rows aside and make the table again, without the rule: SQLite changes no column.

    So are the rows that name a photo: where foreign keys are enforced, no table goes that others name.
    """
    op.execute("CREATE TEMPORARY TABLE photo_aside AS SELECT * FROM photo")
    op.execute("CREATE TEMPORARY TABLE photo_band_aside AS SELECT * FROM photo_band")
    op.execute("DELETE FROM photo_band")
    op.drop_table("photo")
    _create_photos()
    # The names of columns are those of the table that stood here, nothing that came from outside.
    columns = ", ".join(f'"{column["name"]}"' for column in sa.inspect(op.get_bind()).get_columns("photo_aside"))
    op.execute(f"INSERT INTO photo ({columns}) SELECT {columns} FROM photo_aside")  # noqa: S608
    op.execute("INSERT INTO photo_band (band, photo_id) SELECT band, photo_id FROM photo_band_aside")
    op.execute("DROP TABLE photo_aside")
    op.execute("DROP TABLE photo_band_aside")


def _create_photos() -> None:
    op.create_table(
        "photo",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("idea_id", sa.Integer),
        sa.Column("person_id", sa.Integer),
        sa.Column("credit", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("reason", sa.Text),
        sa.Column("submitted", sa.BigInteger, nullable=False),
        sa.Column("decided", sa.BigInteger),
        sa.Column("decided_by", sa.Integer),
        sa.Column("key", CODE_POINT_TEXT, nullable=False),
        sa.Column("extension", sa.Text, nullable=False),
        sa.Column("width", sa.Integer, nullable=False),
        sa.Column("height", sa.Integer, nullable=False),
        sa.Column("frames", sa.Integer, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("sha256", CODE_POINT_TEXT, nullable=False),
        sa.Column("likeness", CODE_POINT_TEXT, nullable=False),
        sa.Column("purged", sa.BigInteger),
        sa.Column("once", CODE_POINT_TEXT),
        sa.Column("licence", sa.Text),
        sa.Column("submission_id", sa.Integer),
        sa.PrimaryKeyConstraint("id", name="pk_photo"),
        sa.UniqueConstraint("key", name="uq_photo_key"),
        sa.UniqueConstraint("once", name="uq_photo_once"),
        sa.ForeignKeyConstraint(["idea_id"], ["idea.id"], name="fk_photo_idea_id"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_photo_person_id"),
        sa.ForeignKeyConstraint(["submission_id"], ["submission.id"], name="fk_photo_submission_id"),
        sqlite_autoincrement=True,
    )
    for name, indexed in INDEXES.items():
        op.create_index(name, "photo", indexed)
