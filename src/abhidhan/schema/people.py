"""Users, their sessions, the protection of their accounts, their saved lists and their e-mails."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, Table, Text

from abhidhan.schema.base import CodePointText, metadata, reference_column

person = Table(
    "person",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("username", Text, nullable=False),
    # The normalised name for comparison: no two usernames differ only in case.
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
    # SHA-256 of the token in the cookie, so that access to the database does not allow signing in.
    Column("token_hash", CodePointText, nullable=False, unique=True),
    reference_column("person_id", "person.id", index=True),
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
    # Hashes of the addresses from which a user has signed in, which are exempt from throttling by account.
    Column("person_id", Integer, ForeignKey("person.id"), primary_key=True),
    Column("address_hash", CodePointText, primary_key=True),
    Column("seen", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

tries = Table(
    "tries",
    metadata,
    # The number of recent attempts by a client (a hash), and the earliest time of the next one.
    Column("key", CodePointText, primary_key=True),
    Column("count", Integer, nullable=False),
    Column("last", BigInteger, nullable=False, index=True),
    Column("until", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

ticket = Table(
    "ticket",
    metadata,
    # A link that works `uses` times: to create an account ("invitation"), to set a new password ("reset"), to sign in
    # with a code after the password ("second step"), or to block all e-mails even after the account that requested them
    # was deleted ("refusal"). The issuer is the administrator who created it.
    Column("id", Integer, primary_key=True),
    Column("token_hash", CodePointText, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    reference_column("person_id", "person.id", nullable=True, index=True),
    Column("role", Text),
    reference_column("issuer_id", "person.id", nullable=True, index=True),
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
    # The address to which the server sent the link: using the link proves access to the mailbox. For a "refusal", whose
    # account is deleted, only a hash of it.
    Column("mailed_to", Text),
    Column("uses", Integer, nullable=False, server_default="1"),
    sqlite_autoincrement=True,
)

two_factor = Table(
    "two_factor",
    metadata,
    # The secret of a user's authenticator app; `confirmed` is NULL until the first code was entered. Codes of time
    # steps up to `last_step` are no longer accepted.
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
    # SHA-256 of the token, as for sessions.
    Column("token_hash", CodePointText, nullable=False, unique=True),
    reference_column("person_id", "person.id", index=True),
    Column("name", Text, nullable=False),
    # The names of its scopes, separated by spaces.
    Column("scopes", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
    # Midnight of the day of its last use: the exact time would have to be written with every request.
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
    # JSON as in API responses (people/model/saved_lists.py): words by their IDs, each with the time of its last change.
    Column("lists", Text, nullable=False),
    # Incremented with every change; the ETag.
    Column("version", Integer, nullable=False),
    Column("changed", BigInteger, nullable=False),
    # The progress with flashcards, as JSON (people/model/card_progress.py).
    Column("cards", Text),
)


mail_choice = Table(
    "mail_choice",
    metadata,
    Column("person_id", Integer, ForeignKey("person.id"), primary_key=True, autoincrement=False),
    # "decisions" about the user's contributions, or the "confirmation" of the address.
    Column("topic", CodePointText, primary_key=True),
    # "daily" for decisions, "at_once" for the confirmation, "never" after unsubscribing, so that old links still work.
    Column("often", Text, nullable=False),
    # The interface language of the e-mails.
    Column("language", Text, nullable=False),
    # The secret that signs the links in these e-mails. It grants no other access.
    Column("secret", Text, nullable=False),
    Column("agreed", BigInteger, nullable=False),
    # The time of the next e-mail; NULL while there is nothing to report.
    Column("due", BigInteger),
    # The earliest time of the next attempt: a worker is sending the e-mail, or the mail server has rejected it.
    Column("not_before", BigInteger, nullable=False),
    Column("tries", Integer, nullable=False),
    # For the topic "confirmation": the confirmed address. No e-mail is sent to another one.
    Column("confirmed", Text),
    Index("ix_mail_choice_due", "due"),
    sqlite_with_rowid=False,
)

mail_outbox = Table(
    "mail_outbox",
    metadata,
    # A decision that the user has not been notified of; the record has its details.
    Column("id", Integer, primary_key=True),
    reference_column("person_id", "person.id", index=True),
    Column("kind", CodePointText, nullable=False),
    Column("record_id", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("ix_mail_outbox_kind_record_id", "kind", "record_id", unique=True),
    sqlite_autoincrement=True,
)

mail_refusal = Table(
    "mail_refusal",
    metadata,
    # The hash of a mailbox whose owner has blocked all e-mails, whichever accounts have its address.
    Column("mailbox", CodePointText, primary_key=True),
    Column("at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
