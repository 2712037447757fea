"""Mails that people agreed to, and what has not been told yet. Nothing of what a mail says is kept."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, Table, Text

from abhidhan.schema.base import CodePointText, metadata, name_column

mail_choice = Table(
    "mail_choice",
    metadata,
    Column("person_id", Integer, ForeignKey("person.id"), primary_key=True, autoincrement=False),
    # "decisions" about what one has sent, or the "confirmation" of the address.
    Column("topic", CodePointText, primary_key=True),
    # "daily" for decisions, "at_once" for the confirmation; "never" once it was stopped: old links go on working.
    Column("often", Text, nullable=False),
    # The language of the interface in which the mails are written.
    Column("language", Text, nullable=False),
    # What the links in these mails are signed with. It opens nothing else.
    Column("secret", Text, nullable=False),
    Column("agreed", BigInteger, nullable=False),
    # When the next mail goes out; empty while there is nothing to tell.
    Column("due", BigInteger),
    # Not before this: a worker has taken the mail, or the mail server has not.
    Column("not_before", BigInteger, nullable=False),
    Column("tries", Integer, nullable=False),
    # With the topic "confirmation": the address that was confirmed. No mail goes to another one.
    Column("confirmed", Text),
    Index("ix_mail_choice_due", "due"),
    sqlite_with_rowid=False,
)

mail_outbox = Table(
    "mail_outbox",
    metadata,
    # A decision that its person has not been told of: the record says which, and why.
    Column("id", Integer, primary_key=True),
    name_column("person_id", "person.id", index=True),
    Column("kind", CodePointText, nullable=False),
    Column("record_id", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("ix_mail_outbox_kind_record_id", "kind", "record_id", unique=True),
    sqlite_autoincrement=True,
)

mail_refusal = Table(
    "mail_refusal",
    metadata,
    # A mailbox whose owner wants no mails, as a hash: whoever makes an account with its address, none go there.
    Column("mailbox", CodePointText, primary_key=True),
    Column("at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
