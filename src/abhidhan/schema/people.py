"""Users, their sessions, what guards their accounts, their saved lists and their mails."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, Table, Text

from abhidhan.schema.base import CodePointText, metadata, name_column

person = Table(
    "person",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("username", Text, nullable=False),
    # The name as it is compared: no two people have names that differ in letter case only.
    Column("username_key", CodePointText, nullable=False, unique=True),
    Column("email", Text),
    Column("password_hash", Text),
    Column("role", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("disabled", BigInteger),
    Index("ix_person_email", "email"),
    sqlite_autoincrement=True,
)

session = Table(
    "session",
    metadata,
    Column("id", Integer, primary_key=True),
    # SHA-256 of the token in the cookie: who reads the database cannot sign in with what stands there.
    Column("token_hash", CodePointText, nullable=False, unique=True),
    name_column("person_id", "person.id", index=True),
    Column("created", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
    Column("agent", Text),
    Index("ix_session_expires", "expires"),
    sqlite_autoincrement=True,
)

known_address = Table(
    "known_address",
    metadata,
    # From where a person has signed in before, as a hash: from there the slow-down by account does not count.
    Column("person_id", Integer, ForeignKey("person.id"), primary_key=True),
    Column("address_hash", CodePointText, primary_key=True),
    Column("seen", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

tries = Table(
    "tries",
    metadata,
    # How often something was tried of late, by whom (a hash), and until when the next try must wait.
    Column("key", CodePointText, primary_key=True),
    Column("count", Integer, nullable=False),
    Column("last", BigInteger, nullable=False, index=True),
    Column("until", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

ticket = Table(
    "ticket",
    metadata,
    # A link that works once, or as often as it has `uses`: to make an account ("invitation"), to set a new password
    # ("reset"), to sign in by a code after the password ("second step"), or to refuse all mails though the account
    # that had them sent is gone ("refusal"). The issuer is the administrator who made it.
    Column("id", Integer, primary_key=True),
    Column("token_hash", CodePointText, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    name_column("person_id", "person.id", nullable=True, index=True),
    Column("role", Text),
    name_column("issuer_id", "person.id", nullable=True, index=True),
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
    # The address to which the server itself has mailed the link: who uses it reads the mails there. Of a "refusal",
    # whose account is gone, only a hash of it.
    Column("mailed_to", Text),
    Column("uses", Integer, nullable=False, server_default="1"),
    sqlite_autoincrement=True,
)

two_factor = Table(
    "two_factor",
    metadata,
    # What a person's app makes its codes of; `confirmed` is empty until the first of them was typed. Codes of steps
    # of time up to `last_step` count no more.
    Column("person_id", Integer, ForeignKey("person.id"), primary_key=True, autoincrement=False),
    Column("secret", Text, nullable=False),
    Column("begun", BigInteger, nullable=False),
    Column("confirmed", BigInteger),
    Column("last_step", BigInteger, nullable=False),
)

personal_token = Table(
    "personal_token",
    metadata,
    Column("id", Integer, primary_key=True),
    # SHA-256 of the token, as of those in cookies.
    Column("token_hash", CodePointText, nullable=False, unique=True),
    name_column("person_id", "person.id", index=True),
    Column("name", Text, nullable=False),
    # What it is for: names with spaces between them.
    Column("scopes", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
    # The day on which it was last used, at midnight: a time would be written with every request.
    Column("used", BigInteger),
    Index("ix_personal_token_expires", "expires"),
    sqlite_autoincrement=True,
)

recovery_code = Table(
    "recovery_code",
    metadata,
    Column("person_id", Integer, ForeignKey("person.id"), primary_key=True),
    Column("code_hash", CodePointText, primary_key=True),
    sqlite_with_rowid=False,
)


own_lists = Table(
    "own_lists",
    metadata,
    Column("person_id", Integer, ForeignKey("person.id"), primary_key=True, autoincrement=False),
    # JSON as the API answers it (people/model/saved_lists.py): words by their IDs, each with the moment of its last
    # change.
    Column("lists", Text, nullable=False),
    # Raised by one with every change: the ETag.
    Column("version", Integer, nullable=False),
    Column("changed", BigInteger, nullable=False),
)


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
