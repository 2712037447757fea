"""The dictionary: languages, sources, lookup lists, ideas, words and their senses, phrases, flashcards."""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    func,
    literal_column,
    text,
)

from abhidhan.schema.base import CodePointText, metadata, reference_column
from assamese.word_frequency import MAX_RARITY

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
    # The number of its words: counting two million of them for each request would be slow.
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
    Column("short", Text),
    UniqueConstraint("list", "value"),
    Index("ix_list_item_list_short", "list", "short", unique=True),
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
    reference_column("source_id", "source.id", nullable=True),
    Column("external_key", CodePointText),
    Column("created", BigInteger, nullable=False),
    Column("updated", BigInteger, nullable=False),
    Column("licence", Text),
    UniqueConstraint("source_id", "external_key"),
    Index("ix_idea_pos_id", "pos_id", "id"),
    sqlite_autoincrement=True,
)

idea_alias = Table(
    "idea_alias",
    metadata,
    # The keys of ideas that were merged into another one, for later imports of them.
    Column("source_id", Integer, ForeignKey("source.id"), primary_key=True, autoincrement=False),
    Column("external_key", CodePointText, primary_key=True),
    reference_column("idea_id", "idea.id", index=True),
    sqlite_with_rowid=False,
)

lift_entry = Table(
    "lift_entry",
    metadata,
    # An original entry of a LIFT file, which only the LIFT export reads.
    Column("source_id", Integer, ForeignKey("source.id"), primary_key=True, autoincrement=False),
    Column("key", CodePointText, primary_key=True),
    # NULL for the header and the ranges of a file, which are stored too.
    reference_column("language_id", "language.id", nullable=True),
    Column("text", Text, nullable=False),
    # JSON: the keys of the ideas of its senses and subsenses, in order, "" for one without an idea.
    Column("ideas", Text, nullable=False),
    Column("content", Text, nullable=False),
)

confirmation = Table(
    "confirmation",
    metadata,
    # The confirmation of an idea as correct, with its time. The user is stored only in the history, so that nothing
    # here has to change when an account is deleted.
    Column("idea_id", Integer, ForeignKey("idea.id"), primary_key=True, autoincrement=False),
    Column("confirmed", BigInteger, nullable=False),
)

definition = Table(
    "definition",
    metadata,
    Column("id", Integer, primary_key=True),
    reference_column("idea_id", "idea.id", index=True),
    reference_column("language_id", "language.id"),
    Column("text", Text, nullable=False),
)

example = Table(
    "example",
    metadata,
    Column("id", Integer, primary_key=True),
    reference_column("idea_id", "idea.id", index=True),
    reference_column("language_id", "language.id"),
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
    # Each relation is stored twice, as itself and as its inverse, for look-ups from both ideas.
    Column("idea_id", Integer, ForeignKey("idea.id"), primary_key=True),
    Column("type_id", Integer, primary_key=True),
    Column("other_id", Integer, ForeignKey("idea.id"), primary_key=True, index=True),
    sqlite_with_rowid=False,
)


WITHOUT_AUDIO: Final = text("audio IS NULL")
WITH_AUDIO: Final = text("audio IS NOT NULL")
"""The conditions of the partial indexes for words without and with recordings."""

word = Table(
    "word",
    metadata,
    Column("id", Integer, primary_key=True),
    reference_column("language_id", "language.id"),
    Column("text", CodePointText, nullable=False),
    Column("exact_key", CodePointText, nullable=False),
    Column("loose_key", CodePointText, nullable=False),
    Column("sound_key", CodePointText, nullable=False),
    Column("sort_key", LargeBinary, nullable=False),
    # `roman` is given by editors; `rule_roman` is generated if the language has rules.
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
    # Occurrences per million running words, if given, and their source.
    Column("frequency", Double),
    Column("frequency_source", Text),
    # The approved recordings as response JSON; derived, so that a look-up reads no other table.
    Column("audio", Text),
    # The rarity of the word, from 0 (most common) to 255; derived from its spelling and frequency.
    Column("rarity", SmallInteger, nullable=False, server_default=str(MAX_RARITY)),
    # Whether it is countable; NULL: its part of speech decides.
    Column("countable", Boolean),
    UniqueConstraint("language_id", "text"),
    # All columns that a look-up needs to select and sort words, so that it reads only the rows of the response.
    Index("ix_word_exact_key", "exact_key", "language_id", "sort_key", "text"),
    Index("ix_word_loose_key", "loose_key"),
    Index("ix_word_sound_key", "sound_key"),
    # Completions need the shortest keys with a prefix: they are at the start of a few ranges of these indexes.
    *(
        Index(f"ix_word_length_{key}", func.length(literal_column(key, CodePointText)), key)
        for key in ("exact_key", "loose_key", "sound_key")
    ),
    Index("ix_word_order", "language_id", "sort_key", "text"),
    # The words without recordings, the most common first, and those with recordings. SQLite reads no rows for the
    # former only if the index has all columns of the query.
    Index(
        "ix_word_silent",
        "language_id",
        "rarity",
        "sort_key",
        "id",
        "audio",
        sqlite_where=WITHOUT_AUDIO,
        postgresql_where=WITHOUT_AUDIO,
    ),
    Index("ix_word_heard", "language_id", sqlite_where=WITH_AUDIO, postgresql_where=WITH_AUDIO),
    Index("ix_word_created", "created", "id"),
    Index("ix_word_language_id_created", "language_id", "created", "id"),
    sqlite_autoincrement=True,
)

sense = Table(
    "sense",
    metadata,
    Column("id", Integer, primary_key=True),
    reference_column("word_id", "word.id"),
    # The language of the word, repeated so that the words of an idea can be read in language order.
    Column("language_id", Integer, nullable=False),
    reference_column("idea_id", "idea.id"),
    # The number of the meaning among those of the word, and of the word among those of its language in the idea.
    Column("position", Integer, nullable=False),
    Column("rank", Integer, nullable=False, server_default="1"),
    Column("reference", Text),
    Column("note", Text),
    reference_column("source_id", "source.id", nullable=True),
    Column("added", BigInteger, nullable=False),
    # The licence of a user's contribution; NULL: that of the source, or not stated. The same for phrases and ideas.
    Column("licence", Text),
    UniqueConstraint("word_id", "idea_id"),
    Index("ix_sense_idea_id_language_id_rank", "idea_id", "language_id", "rank", "word_id"),
    Index("ix_sense_language_id_idea_id", "language_id", "idea_id"),
    sqlite_autoincrement=True,
)

phrase = Table(
    "phrase",
    metadata,
    Column("id", Integer, primary_key=True),
    reference_column("language_id", "language.id"),
    Column("text", CodePointText, nullable=False),
    Column("exact_key", CodePointText, nullable=False),
    Column("sound_key", CodePointText, nullable=False),
    Column("sort_key", LargeBinary, nullable=False),
    Column("roman", Text),
    Column("rule_roman", Text),
    Column("meaning", Text),
    Column("category_id", Integer),
    reference_column("source_id", "source.id", nullable=True),
    Column("external_key", CodePointText),
    Column("added", BigInteger, nullable=False),
    Column("licence", Text),
    Column("audio", Text),
    # The meanings in languages other than English (`records/local_texts.py`).
    Column("meanings", Text),
    UniqueConstraint("language_id", "text"),
    UniqueConstraint("source_id", "external_key"),
    Index("ix_phrase_exact_key", "exact_key"),
    Index("ix_phrase_order", "language_id", "sort_key"),
    Index("ix_phrase_category", "category_id", "language_id", "sort_key"),
    sqlite_autoincrement=True,
)

card_set = Table(
    "card_set",
    metadata,
    Column("id", Integer, primary_key=True),
    reference_column("source_id", "source.id", nullable=True),
    Column("external_key", CodePointText),
    Column("name", Text, nullable=False),
    Column("description", Text),
    reference_column("language_id", "language.id"),
    reference_column("answer_language_id", "language.id"),
    # In languages other than English (`records/local_texts.py`).
    Column("names", Text),
    Column("descriptions", Text),
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
    reference_column("idea_id", "idea.id", nullable=True, index=True),
    Column("picture", Text),
    # Not unique: while cards are reordered, two of them may have the same position.
    Index("ix_card_card_set_id_position", "card_set_id", "position"),
    sqlite_autoincrement=True,
)
