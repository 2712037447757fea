"""The tables, as SQLAlchemy sees them. `docs/data-model.md` explains them to lexicographers.

Keys are computed by `domain.text` and stored, so that every look-up is an index search and both engines find and
order alike. Times are whole seconds since 1970-01-01 UTC.
"""

from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

CodePointText = Text().with_variant(Text(collation="C"), "postgresql")
"""Text that compares by code point on both engines: PostgreSQL's own default is the database's locale."""


def _name_column(name: str, target: str, *, nullable: bool = False, index: bool = False) -> Column[int]:
    return Column(name, Integer, ForeignKey(target), nullable=nullable, index=index)


language = Table(
    "language",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("code", Text, nullable=False, unique=True),
    Column("iso639_3", Text),
    Column("name", Text, nullable=False),
    Column("native_name", Text, nullable=False),
    Column("script", Text, nullable=False),
    Column("direction", Text, nullable=False),
    # How many words it has: counting two million at each question would be slow.
    Column("words", Integer, nullable=False, server_default="0"),
)

list_item = Table(
    "list_item",
    metadata,
    Column("list", Text, primary_key=True),
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("value", Text, nullable=False),
    Column("code", Text),
    Column("parent_id", Integer),
    Column("position", Integer, nullable=False),
    UniqueConstraint("list", "value"),
)

source = Table(
    "source",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("code", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("licence", Text, nullable=False),
    Column("url", Text),
    Column("attribution", Text),
    Column("notice", Text),
)

idea = Table(
    "idea",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("pos_id", Integer),
    Column("gender_id", Integer),
    Column("glyph", Text),
    _name_column("source_id", "source.id", nullable=True),
    Column("external_key", CodePointText),
    Column("created", BigInteger, nullable=False),
    Column("updated", BigInteger, nullable=False),
    UniqueConstraint("source_id", "external_key"),
    sqlite_autoincrement=True,
)

idea_alias = Table(
    "idea_alias",
    metadata,
    # The keys of ideas that were merged into another one: whoever brings them again means that one.
    Column("source_id", Integer, ForeignKey("source.id"), primary_key=True, autoincrement=False),
    Column("external_key", CodePointText, primary_key=True),
    _name_column("idea_id", "idea.id", index=True),
    sqlite_with_rowid=False,
)

definition = Table(
    "definition",
    metadata,
    Column("id", Integer, primary_key=True),
    _name_column("idea_id", "idea.id", index=True),
    _name_column("language_id", "language.id"),
    Column("text", Text, nullable=False),
)

definition_word = Table(
    "definition_word",
    metadata,
    # The exact key of a word that stands in a definition of the idea.
    Column("key", CodePointText, primary_key=True),
    Column("idea_id", Integer, ForeignKey("idea.id"), primary_key=True, index=True),
    sqlite_with_rowid=False,
)

example = Table(
    "example",
    metadata,
    Column("id", Integer, primary_key=True),
    _name_column("idea_id", "idea.id", index=True),
    _name_column("language_id", "language.id"),
    Column("text", Text, nullable=False),
    Column("translation", Text),
)

idea_context = Table(
    "idea_context",
    metadata,
    Column("idea_id", Integer, ForeignKey("idea.id"), primary_key=True),
    Column("context_id", Integer, primary_key=True),
    Index("ix_idea_context_context_id_idea_id", "context_id", "idea_id"),
    sqlite_with_rowid=False,
)

idea_relation = Table(
    "idea_relation",
    metadata,
    # Each relation stands twice, as itself and as its inverse, so that both ideas find it.
    Column("idea_id", Integer, ForeignKey("idea.id"), primary_key=True),
    Column("type_id", Integer, primary_key=True),
    Column("other_id", Integer, ForeignKey("idea.id"), primary_key=True, index=True),
    sqlite_with_rowid=False,
)

gathered = Table(
    "gathered",
    metadata,
    # What belongs to an idea, as the JSON of answers: a look-up reads this one row. An idea without a row, or with one
    # of another form, is gathered from the tables. No foreign key: to check it would wait for who edits the idea.
    Column("idea_id", Integer, primary_key=True, autoincrement=False),
    Column("form", Integer, nullable=False),
    Column("contexts", LargeBinary),
    Column("definitions", LargeBinary),
    Column("examples", LargeBinary),
    Column("words", LargeBinary),
    Column("relations", LargeBinary),
    Column("photos", LargeBinary),
)

word = Table(
    "word",
    metadata,
    Column("id", Integer, primary_key=True),
    _name_column("language_id", "language.id"),
    Column("text", CodePointText, nullable=False),
    Column("exact_key", CodePointText, nullable=False),
    Column("loose_key", CodePointText, nullable=False),
    Column("sound_key", CodePointText, nullable=False),
    Column("sort_key", LargeBinary, nullable=False),
    # `roman` is the editors' own; `rule_roman` is made by rule where the language has rules.
    Column("roman", Text),
    Column("rule_roman", Text),
    Column("ipa", Text),
    Column("asm", Text),
    Column("variant_id", Integer),
    Column("origin", Text),
    Column("plural", Text),
    Column("definitive", Text),
    Column("created", BigInteger, nullable=False),
    Column("updated", BigInteger, nullable=False),
    # Occurrences per million running words, where somebody has given them, and who counted.
    Column("frequency", Double),
    Column("frequency_source", Text),
    UniqueConstraint("language_id", "text"),
    # All that a look-up needs to choose and order words, so that it reads no row that it does not answer with.
    Index("ix_word_exact_key", "exact_key", "language_id", "sort_key", "text"),
    Index("ix_word_loose_key", "loose_key"),
    Index("ix_word_sound_key", "sound_key"),
    Index("ix_word_order", "language_id", "sort_key", "text"),
    Index("ix_word_created", "created", "id"),
    Index("ix_word_language_id_created", "language_id", "created", "id"),
    sqlite_autoincrement=True,
)

word_pos = Table(
    "word_pos",
    metadata,
    # The alphabetical order of the words that have a part of speech, for lists of one part of speech only.
    Column("language_id", Integer, primary_key=True),
    Column("pos_id", Integer, primary_key=True),
    Column("sort_key", LargeBinary, primary_key=True),
    Column("text", CodePointText, primary_key=True),
    Column("word_id", Integer, ForeignKey("word.id"), primary_key=True, index=True),
    sqlite_with_rowid=False,
)

word_form = Table(
    "word_form",
    metadata,
    # The exact key of an inflected form that should find the word, and what form it is.
    Column("key", CodePointText, primary_key=True),
    Column("word_id", Integer, ForeignKey("word.id"), primary_key=True, index=True),
    Column("tag", Text, nullable=False, server_default=""),
    sqlite_with_rowid=False,
)

near_key = Table(
    "near_key",
    metadata,
    # The first letters of the loose key, whole and with one left out: what "did you mean" looks for. Eight rows a word:
    # an index on the word would take as much again, and who has the word has its loose key, and so these.
    Column("key", CodePointText, primary_key=True),
    Column("word_id", Integer, primary_key=True),
    sqlite_with_rowid=False,
)

sense = Table(
    "sense",
    metadata,
    Column("id", Integer, primary_key=True),
    _name_column("word_id", "word.id"),
    # The word's language again, so that the words of an idea are read in the order of languages.
    Column("language_id", Integer, nullable=False),
    _name_column("idea_id", "idea.id"),
    Column("position", Integer, nullable=False),
    Column("reference", Text),
    Column("note", Text),
    _name_column("source_id", "source.id", nullable=True),
    Column("added", BigInteger, nullable=False),
    UniqueConstraint("word_id", "idea_id"),
    Index("ix_sense_idea_id_language_id_word_id", "idea_id", "language_id", "word_id"),
    sqlite_autoincrement=True,
)

phrase = Table(
    "phrase",
    metadata,
    Column("id", Integer, primary_key=True),
    _name_column("language_id", "language.id"),
    Column("text", CodePointText, nullable=False),
    Column("exact_key", CodePointText, nullable=False),
    Column("sound_key", CodePointText, nullable=False),
    Column("sort_key", LargeBinary, nullable=False),
    Column("roman", Text),
    Column("rule_roman", Text),
    Column("meaning", Text),
    Column("category_id", Integer),
    _name_column("source_id", "source.id", nullable=True),
    Column("external_key", CodePointText),
    Column("added", BigInteger, nullable=False),
    UniqueConstraint("language_id", "text"),
    UniqueConstraint("source_id", "external_key"),
    Index("ix_phrase_exact_key", "exact_key"),
    Index("ix_phrase_order", "language_id", "sort_key"),
    sqlite_autoincrement=True,
)

phrase_gram = Table(
    "phrase_gram",
    metadata,
    # Pieces of the sound key: phrases that share rare pieces are compared in full.
    Column("language_id", Integer, primary_key=True),
    Column("gram", CodePointText, primary_key=True),
    Column("phrase_id", Integer, ForeignKey("phrase.id"), primary_key=True, index=True),
    sqlite_with_rowid=False,
)

gram_count = Table(
    "gram_count",
    metadata,
    # In how many phrases a piece stands: the rarest pieces of a query are looked up first.
    Column("language_id", Integer, primary_key=True),
    Column("gram", CodePointText, primary_key=True),
    Column("phrases", Integer, nullable=False),
    sqlite_with_rowid=False,
)

card_set = Table(
    "card_set",
    metadata,
    Column("id", Integer, primary_key=True),
    _name_column("source_id", "source.id", nullable=True),
    Column("external_key", CodePointText),
    Column("name", Text, nullable=False),
    Column("description", Text),
    _name_column("language_id", "language.id"),
    _name_column("answer_language_id", "language.id"),
    UniqueConstraint("source_id", "external_key"),
    sqlite_autoincrement=True,
)

card = Table(
    "card",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("card_set_id", Integer, ForeignKey("card_set.id"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("clue", Text, nullable=False),
    Column("roman", Text),
    Column("answer", Text, nullable=False),
    _name_column("idea_id", "idea.id", nullable=True, index=True),
    Column("picture", Text),
    # Not unique: while cards change places, two of them may stand at one.
    Index("ix_card_card_set_id_position", "card_set_id", "position"),
    sqlite_autoincrement=True,
)

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

state = Table(
    "state",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    # Raised by every transaction that changes what a public answer shows.
    Column("data_version", BigInteger, nullable=False),
)

key_rules = Table(
    "key_rules",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    # Names the rules by which every stored key was made; none, when they were made before this was noted.
    Column("rules", Text, nullable=False),
)

# --- people, photos, submissions: of all this, a public look-up reads nothing but approved photos --------------------

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
    _name_column("person_id", "person.id", index=True),
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
    # How often something was tried recently, by whom (a hash), and until when the next try must wait.
    Column("key", CodePointText, primary_key=True),
    Column("count", Integer, nullable=False),
    Column("last", BigInteger, nullable=False, index=True),
    Column("until", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

ticket = Table(
    "ticket",
    metadata,
    # A link that works once: to make an account ("invitation"), to set a new password ("reset"), or to sign in by a
    # code after the password ("second step"). The issuer is the administrator who made it.
    Column("id", Integer, primary_key=True),
    Column("token_hash", CodePointText, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    _name_column("person_id", "person.id", nullable=True, index=True),
    Column("role", Text),
    _name_column("issuer_id", "person.id", nullable=True, index=True),
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
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

recovery_code = Table(
    "recovery_code",
    metadata,
    Column("person_id", Integer, ForeignKey("person.id"), primary_key=True),
    Column("code_hash", CodePointText, primary_key=True),
    sqlite_with_rowid=False,
)

submission = Table(
    "submission",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("payload", Text, nullable=False),
    _name_column("person_id", "person.id", nullable=True),
    Column("status", Text, nullable=False),
    Column("reason", Text),
    Column("submitted", BigInteger, nullable=False),
    Column("decided", BigInteger),
    Column("decided_by", Integer),
    # The record that came of it, such as word:1204.
    Column("result", CodePointText, index=True),
    # What the record of a correction held when it was sent (JSON): to tell what others have changed since.
    Column("seen", Text),
    # What makes a repeated request the same one: the client's own key, or who sent what.
    Column("once", CodePointText, unique=True),
    Index("ix_submission_status", "status", "id"),
    Index("ix_submission_person_id", "person_id", "id"),
    sqlite_autoincrement=True,
)

photo = Table(
    "photo",
    metadata,
    Column("id", Integer, primary_key=True),
    _name_column("idea_id", "idea.id"),
    _name_column("person_id", "person.id", nullable=True),
    Column("credit", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("reason", Text),
    Column("submitted", BigInteger, nullable=False),
    Column("decided", BigInteger),
    Column("decided_by", Integer),
    # The name of the file in the store, without extension; nothing of it comes from the sender.
    Column("key", CodePointText, nullable=False, unique=True),
    Column("extension", Text, nullable=False),
    Column("width", Integer, nullable=False),
    Column("height", Integer, nullable=False),
    Column("frames", Integer, nullable=False),
    Column("size", Integer, nullable=False),
    # SHA-256 of the pixels, and the perceptual hash, both in hexadecimal digits.
    Column("sha256", CodePointText, nullable=False, index=True),
    Column("likeness", CodePointText, nullable=False),
    # When the bytes were thrown away.
    Column("purged", BigInteger),
    Column("once", CodePointText, unique=True),
    Index("ix_photo_idea_id_status", "idea_id", "status", "id"),
    Index("ix_photo_status", "status", "id"),
    Index("ix_photo_person_id", "person_id", "id"),
    sqlite_autoincrement=True,
)

photo_band = Table(
    "photo_band",
    metadata,
    # Pieces of the perceptual hash: photos that are alike share at least one.
    Column("band", Integer, primary_key=True),
    Column("photo_id", Integer, ForeignKey("photo.id"), primary_key=True, index=True),
    sqlite_with_rowid=False,
)

history_record = Table(
    "history_record",
    metadata,
    # Every record that an entry of the history is about: one change may touch a word, its idea and their link.
    Column("kind", CodePointText, primary_key=True),
    Column("record_id", CodePointText, primary_key=True),
    Column("history_id", Integer, ForeignKey("history.id"), primary_key=True, index=True),
    sqlite_with_rowid=False,
)

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
    # What all processes must know together to be polite to a wiki. Times are milliseconds since 1970.
    Column("address", CodePointText, primary_key=True),
    Column("holder", Text, nullable=False),
    Column("held_until", BigInteger, nullable=False),
    Column("asked", BigInteger, nullable=False),
    Column("closed_until", BigInteger, nullable=False),
    Column("failures", Integer, nullable=False),
    sqlite_with_rowid=False,
)
