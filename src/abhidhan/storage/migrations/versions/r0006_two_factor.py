"""Tickets know who issued them; two-factor sign-in."""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0006"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]

CODE_POINT_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
KEPT = ("token_hash", "kind", "role", "created", "expires")


def upgrade() -> None:
    """Make tickets anew, and the tables of two-factor sign-in.

    Of open tickets only invitations to the least roles stay: nobody knows who issued the others, and whether they
    would still be allowed to. Reset links live for an hour, and are soon asked for again.
    """
    kept = op.get_bind().execute(
        sa.text(
            "SELECT token_hash, kind, role, created, expires FROM ticket "
            "WHERE kind = 'invitation' AND role IN ('reader', 'contributor') ORDER BY created, token_hash"
        )
    )
    rows = [dict(zip(KEPT, row, strict=True)) for row in kept]
    op.drop_table("ticket")
    op.bulk_insert(_create_ticket(), rows)
    _create_two_factor()


def _create_ticket() -> sa.Table:
    made = op.create_table(
        "ticket",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("token_hash", CODE_POINT_TEXT, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("person_id", sa.Integer),
        sa.Column("role", sa.Text),
        sa.Column("issuer_id", sa.Integer),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_ticket"),
        sa.UniqueConstraint("token_hash", name="uq_ticket_token_hash"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_ticket_person_id"),
        sa.ForeignKeyConstraint(["issuer_id"], ["person.id"], name="fk_ticket_issuer_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_ticket_person_id", "ticket", ["person_id"])
    op.create_index("ix_ticket_issuer_id", "ticket", ["issuer_id"])
    return made


def _create_two_factor() -> None:
    op.create_table(
        "two_factor",
        sa.Column("person_id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("begun", sa.BigInteger, nullable=False),
        sa.Column("confirmed", sa.BigInteger),
        sa.Column("last_step", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("person_id", name="pk_two_factor"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_two_factor_person_id"),
    )
    op.create_table(
        "recovery_code",
        sa.Column("person_id", sa.Integer, nullable=False),
        sa.Column("code_hash", CODE_POINT_TEXT, nullable=False),
        sa.PrimaryKeyConstraint("person_id", "code_hash", name="pk_recovery_code"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_recovery_code_person_id"),
        sqlite_with_rowid=False,
    )
