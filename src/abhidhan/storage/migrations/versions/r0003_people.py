"""People: accounts, sessions, submissions, photos, and which records each entry of the history is about."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

CODE_POINT_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make the tables of the write side."""
    _create_people()
    _create_sessions()
    _create_submissions()
    _create_photos()
    _create_history_records()


def _create_people() -> None:
    op.create_table(
        "person",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("username", sa.Text, nullable=False),
        sa.Column("username_key", CODE_POINT_TEXT, nullable=False),
        sa.Column("email", sa.Text),
        sa.Column("password_hash", sa.Text),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("disabled", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_person"),
        sa.UniqueConstraint("username_key", name="uq_person_username_key"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_person_email", "person", ["email"])
    op.create_table(
        "known_address",
        sa.Column("person_id", sa.Integer, nullable=False),
        sa.Column("address_hash", CODE_POINT_TEXT, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("person_id", "address_hash", name="pk_known_address"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_known_address_person_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tries",
        sa.Column("key", CODE_POINT_TEXT, nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("last", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_tries"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_tries_last", "tries", ["last"])


def _create_sessions() -> None:
    op.create_table(
        "session",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("token_hash", CODE_POINT_TEXT, nullable=False),
        sa.Column("person_id", sa.Integer, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.Column("agent", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_session"),
        sa.UniqueConstraint("token_hash", name="uq_session_token_hash"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_session_person_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_session_person_id", "session", ["person_id"])
    op.create_index("ix_session_expires", "session", ["expires"])
    op.create_table(
        "ticket",
        sa.Column("token_hash", CODE_POINT_TEXT, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("person_id", sa.Integer),
        sa.Column("role", sa.Text),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_ticket"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_ticket_person_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_ticket_person_id", "ticket", ["person_id"])


def _create_submissions() -> None:
    op.create_table(
        "submission",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("person_id", sa.Integer),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("reason", sa.Text),
        sa.Column("submitted", sa.BigInteger, nullable=False),
        sa.Column("decided", sa.BigInteger),
        sa.Column("decided_by", sa.Integer),
        sa.Column("result", CODE_POINT_TEXT),
        sa.Column("seen", sa.Text),
        sa.Column("once", CODE_POINT_TEXT),
        sa.PrimaryKeyConstraint("id", name="pk_submission"),
        sa.UniqueConstraint("once", name="uq_submission_once"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_submission_person_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_submission_status", "submission", ["status", "id"])
    op.create_index("ix_submission_person_id", "submission", ["person_id", "id"])
    op.create_index("ix_submission_result", "submission", ["result"])


def _create_photos() -> None:
    op.create_table(
        "photo",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("idea_id", sa.Integer, nullable=False),
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
        sa.PrimaryKeyConstraint("id", name="pk_photo"),
        sa.UniqueConstraint("key", name="uq_photo_key"),
        sa.UniqueConstraint("once", name="uq_photo_once"),
        sa.ForeignKeyConstraint(["idea_id"], ["idea.id"], name="fk_photo_idea_id"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_photo_person_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_photo_sha256", "photo", ["sha256"])
    op.create_index("ix_photo_idea_id_status", "photo", ["idea_id", "status", "id"])
    op.create_index("ix_photo_status", "photo", ["status", "id"])
    op.create_index("ix_photo_person_id", "photo", ["person_id", "id"])
    op.create_table(
        "photo_band",
        sa.Column("band", sa.Integer, nullable=False),
        sa.Column("photo_id", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("band", "photo_id", name="pk_photo_band"),
        sa.ForeignKeyConstraint(["photo_id"], ["photo.id"], name="fk_photo_band_photo_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_photo_band_photo_id", "photo_band", ["photo_id"])


def _create_history_records() -> None:
    op.create_table(
        "history_record",
        sa.Column("kind", CODE_POINT_TEXT, nullable=False),
        sa.Column("record_id", CODE_POINT_TEXT, nullable=False),
        sa.Column("history_id", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("kind", "record_id", "history_id", name="pk_history_record"),
        sa.ForeignKeyConstraint(["history_id"], ["history.id"], name="fk_history_record_history_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_history_record_history_id", "history_record", ["history_id"])
