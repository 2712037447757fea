"""Create the tables of commit 5af1802; databases of that commit already have them."""

import re
from importlib.resources import files
from typing import Final

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = None

SQLITE_REPLACEMENTS: Final = {
    "SERIAL": "INTEGER",
    "BYTEA": "BLOB",
    "DOUBLE PRECISION": "DOUBLE",
    r' COLLATE "C"': "",
    r" CONSTRAINT \w+(?= PRIMARY KEY AUTOINCREMENT)": "",
}
POSTGRESQL_REPLACEMENTS: Final = {" AUTOINCREMENT": "", " WITHOUT ROWID": ""}
"""Replacements, for each engine, of the keywords in `r0034_baseline.sql` that it does not support."""

LAST_LETTERS_SQL: Final = {
    "sqlite": (
        "(substr(loose_key, -1, 1) || substr(loose_key, -2, 1) || substr(loose_key, -3, 1) || substr(loose_key, -4, 1))"
    ),
    "postgresql": "reverse(right(loose_key, 4))",
}
CACHED_COLUMNS: Final = ("before", "words", "after")

COMPLETE_MARK_PAGE: Final = 256
"""Number of the page whose presence marks the other pages of packed numbers as complete."""


def upgrade() -> None:
    """Create the tables and indexes, and insert the first rows of an empty dictionary."""
    connection = op.get_bind()
    engine = connection.dialect.name
    text = files("abhidhan.migrations.versions").joinpath("r0034_baseline.sql").read_text("utf-8")
    for word, replacement in (SQLITE_REPLACEMENTS if engine == "sqlite" else POSTGRESQL_REPLACEMENTS).items():
        text = re.sub(word, replacement, text)
    for statement in text.split(";\n"):
        if statement:
            connection.exec_driver_sql(statement)
    connection.exec_driver_sql(
        f"CREATE INDEX ix_word_length_ending ON word (length(loose_key), {LAST_LETTERS_SQL[engine]})"
    )
    if engine == "postgresql":
        _set_storage(connection)
    _insert_first_rows(connection)


def _set_storage(connection: sa.Connection) -> None:
    # Decompression by PostgreSQL would take most of the time of reading these columns.
    for name in CACHED_COLUMNS:
        connection.exec_driver_sql(f'ALTER TABLE idea_cache ALTER COLUMN "{name}" SET STORAGE EXTERNAL')
    # The table is written every second. A crash may empty it, and neither standbys nor backups need it.
    connection.exec_driver_sql("ALTER TABLE shared_limit SET UNLOGGED")


def _insert_first_rows(connection: sa.Connection) -> None:
    """Insert the data version, the first row of the change feed, and the marks that derived tables are complete."""
    connection.exec_driver_sql("INSERT INTO state (id, data_version) VALUES (1, 1)")
    connection.exec_driver_sql(
        "INSERT INTO record_change (version, at, kind, first_id, last_id, became) "
        "VALUES (1, 0, 'word', 1, 0, 'changed')"
    )
    for table in ("sound_frame", "sound_filter"):
        connection.execute(
            sa.text(f"INSERT INTO {table} (form, page, version, numbers) VALUES (1, :page, 1, :numbers)"),  # noqa: S608
            {"page": COMPLETE_MARK_PAGE, "numbers": b""},
        )
    for letter in ("E", "L", "S"):
        connection.execute(
            sa.text("INSERT INTO completion (prefix, words) VALUES (:letter, :words)"),
            {"letter": letter, "words": b"\x90"},
        )
