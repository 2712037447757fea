"""The history, the change feed, the state of the database, and the state that processes share: leases and limits."""

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
    # JSON of the states before and after; an import is one row with its counts and source.
    Column("before", Text),
    Column("after", Text),
    Index("ix_history_record_record_id", "record", "record_id"),
    Index("ix_history_person_id", "person_id", "id"),
    sqlite_autoincrement=True,
)

hidden_entry = Table(
    "hidden_entry",
    metadata,
    # Entries of the history whose content the operator has hidden, with the time and the reason that is shown instead.
    Column("history_id", Integer, ForeignKey("history.id"), primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("reason", Text, nullable=False),
)

state = Table(
    "state",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    # Incremented by every transaction that changes public responses.
    Column("data_version", BigInteger, nullable=False),
    # Unix time of the last backup, made at any server.
    Column("backed_up_at", BigInteger),
)

record_change = Table(
    "record_change",
    metadata,
    # A run of IDs of words, ideas, phrases or cards that one transaction has changed or deleted. `version` is the data
    # version, which the transaction increments as its last step, so that no client sees a later one before an earlier
    # one; it is NULL until then. The newest row is never deleted, because the position to continue from is a row.
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
    # The version of the rules for all stored keys; there is no row if the keys are older than this table.
    Column("rules", Text, nullable=False),
)


lease = Table(
    "lease",
    metadata,
    Column("name", Text, primary_key=True),
    # A new value for each acquisition: a process whose value is stored still holds the lease.
    Column("owner", Text, nullable=False),
    # Milliseconds since 1970, by the clock of the database.
    Column("expires", BigInteger, nullable=False),
)


shared_limit = Table(
    "shared_limit",
    metadata,
    # A hash of the client that the request limit applies to: an address, a network or a user.
    Column("client", BigInteger, primary_key=True, autoincrement=False),
    # The time at which the client's token bucket is full again, in microseconds since 1970 by the database's clock.
    Column("full_at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
