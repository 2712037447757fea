"""Cached encyclopedia articles, and the request state of wikis."""

from sqlalchemy import BigInteger, Column, Index, Integer, Table, Text

from abhidhan.schema.base import CodePointText, metadata

article = Table(
    "article",
    metadata,
    # The cache of dic-wiki.php: the article for a title, or the fact that the encyclopedia has none.
    Column("language_id", Integer, primary_key=True, autoincrement=False),
    # The cleaned title of the request.
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
    # The state that all processes share to limit requests to a wiki: the earliest time of the next request, in
    # milliseconds since 1970, and the number of consecutive failures. The row with an empty address is for the interval
    # between requests to any wiki.
    Column("address", CodePointText, primary_key=True),
    # For servers of revision 0040, which may still read while others are upgraded; a later one drops these three.
    Column("holder", Text, nullable=False, default=""),
    Column("held_until", BigInteger, nullable=False, default=0),
    Column("asked", BigInteger, nullable=False, default=0),
    Column("closed_until", BigInteger, nullable=False),
    Column("failures", Integer, nullable=False),
    sqlite_with_rowid=False,
)
