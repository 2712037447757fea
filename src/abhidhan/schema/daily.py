"""What was chosen to be shown on each day."""

from sqlalchemy import BigInteger, Column, Integer, Table

from abhidhan.schema.base import CodePointText, metadata

daily_choice = Table(
    "daily_choice",
    metadata,
    # The date in UTC, as 2026-11-22. Words and phrases may go: whoever reads them finds none then.
    Column("day", CodePointText, primary_key=True),
    Column("word_id", Integer),
    Column("phrase_id", Integer),
    Column("chosen", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
