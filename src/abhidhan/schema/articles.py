"""Articles of encyclopedias as they were fetched, and the wikis that were asked."""

from sqlalchemy import BigInteger, Column, Index, Integer, Table, Text

from abhidhan.schema.base import CodePointText, metadata

article = Table(
    "article",
    metadata,
    # The cache of dic-wiki.php: what an encyclopedia said of a title, also that it has no such article.
    Column("language_id", Integer, primary_key=True, autoincrement=False),
    # The title that was asked for, made clean.
    Column("key", CodePointText, primary_key=True),
    # found, no-article or no-extract.
    Column("outcome", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("extract", Text, nullable=False),
    Column("url", Text),
    Column("source", Text, nullable=False),
    Column("licence", Text),
    Column("disambiguation", Integer, nullable=False),
    Column("retrieved", BigInteger, nullable=False),
    Column("renew_after", BigInteger, nullable=False),
    Index("ix_article_outcome", "outcome", "renew_after"),
    sqlite_with_rowid=False,
)

wiki = Table(
    "wiki",
    metadata,
    # What all processes must know together to be polite to a wiki: it is not asked before a time, in milliseconds since
    # 1970, and so many requests in a row have failed. The row without an address is for the distance over all wikis.
    Column("address", CodePointText, primary_key=True),
    # For servers of step 0040, which may read on beside upgraded ones; a later step takes these three away.
    Column("holder", Text, nullable=False, default=""),
    Column("held_until", BigInteger, nullable=False, default=0),
    Column("asked", BigInteger, nullable=False, default=0),
    Column("closed_until", BigInteger, nullable=False),
    Column("failures", Integer, nullable=False),
    sqlite_with_rowid=False,
)
