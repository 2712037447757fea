"""Recordings of people who say words, phrases and examples, and which of them words and phrases show."""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0023"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]

CODE_POINT_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")

NAMED = {"word_id": "word.id", "phrase_id": "phrase.id", "idea_id": "idea.id", "language_id": "language.id"}
INDEXES = {
    "ix_recording_sha256": ["sha256"],
    "ix_recording_word_id_status": ["word_id", "status", "id"],
    "ix_recording_phrase_id_status": ["phrase_id", "status", "id"],
    "ix_recording_idea_id_status": ["idea_id", "status", "id"],
    "ix_recording_status": ["status", "id"],
    "ix_recording_person_id": ["person_id", "id"],
}
ACTIONS = {37: "Recording submitted", 38: "Recording approved", 39: "Recording rejected", 40: "Recording withdrawn"}


def upgrade() -> None:
    """Make the tables and columns, and add the actions to the list of a dictionary that is there already."""
    _create_recordings()
    op.create_table(
        "recording_band",
        sa.Column("band", sa.Integer, nullable=False),
        sa.Column("recording_id", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("band", "recording_id", name="pk_recording_band"),
        sa.ForeignKeyConstraint(["recording_id"], ["recording.id"], name="fk_recording_band_recording_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_recording_band_recording_id", "recording_band", ["recording_id"])
    op.add_column("word", sa.Column("audio", sa.Text))
    op.add_column("phrase", sa.Column("audio", sa.Text))
    for number, value in ACTIONS.items():
        # No list of another dictionary's own that has other values here is touched.
        op.execute(
            sa.text(
                "INSERT INTO list_item (list, id, value, position) SELECT list, :id, :value, :id FROM list_item "
                "WHERE list = 'HAC' AND id = 36 AND NOT EXISTS "
                "(SELECT 1 FROM list_item WHERE list = 'HAC' AND (id = :id OR value = :value))"
            ).bindparams(id=number, value=value)
        )


def _create_recordings() -> None:
    op.create_table(
        "recording",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("word_id", sa.Integer),
        sa.Column("phrase_id", sa.Integer),
        sa.Column("idea_id", sa.Integer),
        sa.Column("spoken", sa.Text, nullable=False),
        sa.Column("language_id", sa.Integer, nullable=False),
        sa.Column("person_id", sa.Integer),
        sa.Column("speaker", sa.Text),
        sa.Column("place", sa.Text),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("reason", sa.Text),
        sa.Column("submitted", sa.BigInteger, nullable=False),
        sa.Column("decided", sa.BigInteger),
        sa.Column("decided_by", sa.Integer),
        sa.Column("key", CODE_POINT_TEXT, nullable=False),
        sa.Column("extension", sa.Text, nullable=False),
        sa.Column("milliseconds", sa.Integer, nullable=False),
        sa.Column("clipped", sa.Integer, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("sha256", CODE_POINT_TEXT, nullable=False),
        sa.Column("likeness", CODE_POINT_TEXT, nullable=False),
        sa.Column("purged", sa.BigInteger),
        sa.Column("once", CODE_POINT_TEXT),
        sa.Column("licence", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_recording"),
        sa.UniqueConstraint("key", name="uq_recording_key"),
        sa.UniqueConstraint("once", name="uq_recording_once"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_recording_person_id"),
        *(sa.ForeignKeyConstraint([name], [target], name=f"fk_recording_{name}") for name, target in NAMED.items()),
        sqlite_autoincrement=True,
    )
    for name, indexed in INDEXES.items():
        op.create_index(name, "recording", indexed)
