"""The history, the feed of changes, the state of the database, and what processes share: leases and limits."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, Table, Text

from abhidhan.schema.base import metadata

history = Table(
    "history",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("person_id", Integer),
    Column("action_id", Integer, nullable=False),
    Column("record", Text, nullable=False),
    Column("record_id", Integer, nullable=False),
    # JSON of what was there before and after; an import is one row with its counts and source.
    Column("before", Text),
    Column("after", Text),
    Index("ix_history_record_record_id", "record", "record_id"),
    Index("ix_history_person_id", "person_id", "id"),
    sqlite_autoincrement=True,
)

hidden_entry = Table(
    "hidden_entry",
    metadata,
    # Entries of the history whose content the operator shows to nobody, since when, and the reason that stands there.
    Column("history_id", Integer, ForeignKey("history.id"), primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("reason", Text, nullable=False),
)

state = Table(
    "state",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    # Raised by every transaction that changes what a public answer shows.
    Column("data_version", BigInteger, nullable=False),
)

record_change = Table(
    "record_change",
    metadata,
    # Words, ideas, phrases or cards that one transaction has changed or deleted, by a run of their IDs. `version` is
    # the data version that the transaction raised as its last step, so that nobody sees a later one before an earlier
    # one; it is empty until then. The newest row stays however old it is: where following goes on is a row.
    Column("id", Integer, primary_key=True),
    Column("version", BigInteger),
    Column("at", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("first_id", Integer, nullable=False),
    Column("last_id", Integer, nullable=False),
    Column("became", Text, nullable=False),
    Index("ix_record_change_version_id", "version", "id"),
)

key_rules = Table(
    "key_rules",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    # Names the rules by which every stored key was made; none, when they were made before this was noted.
    Column("rules", Text, nullable=False),
)


lease = Table(
    "lease",
    metadata,
    Column("name", Text, primary_key=True),
    # Another one for each time that it is taken: who finds its own there still holds it.
    Column("owner", Text, nullable=False),
    # Milliseconds since 1970, by the clock of the database.
    Column("expires", BigInteger, nullable=False),
)


shared_limit = Table(
    "shared_limit",
    metadata,
    # A hash of whom the limit of requests counts: an address, a network or a person.
    Column("client", BigInteger, primary_key=True, autoincrement=False),
    # When nothing is counted against it any more, in microseconds since 1970 by the database's clock.
    Column("full_at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
