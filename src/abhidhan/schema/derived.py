"""Index and cache tables that can be rebuilt from other tables, and the words of the day."""

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, LargeBinary, Table, Text

from abhidhan.schema.base import CodePointText, metadata

definition_word = Table(
    "definition_word",
    metadata,
    # The exact key of a word in a definition of the idea. There is no index on the idea, which would repeat the whole
    # row: the keys follow from the definitions. There is no foreign key, for which SQLite would scan the table without
    # an index whenever an idea is deleted.
    Column("key", CodePointText, primary_key=True),
    Column("idea_id", Integer, primary_key=True),
    sqlite_with_rowid=False,
)

idea_cache = Table(
    "idea_cache",
    metadata,
    # The parts of an idea as pieces of response JSON (`dictionary/model/idea_json.py`): a look-up reads only this row.
    # An idea without a row, or with one of another `form`, is read from the tables. There is no foreign key: checking
    # it would wait for transactions that edit the idea.
    Column("idea_id", Integer, primary_key=True, autoincrement=False),
    Column("form", Integer, nullable=False),
    Column("pos_id", Integer),
    Column("gender_id", Integer),
    Column("before", LargeBinary),
    Column("words", LargeBinary),
    Column("after", LargeBinary),
    Column("licence", Text),
    Column("lines", LargeBinary),
)

word_pos = Table(
    "word_pos",
    metadata,
    # The words of each part of speech in alphabetical order, for lists of one part of speech; 0 is for words with a
    # meaning that has none. There is no index on the word, which would repeat the whole row: the key follows from the
    # word. There is no foreign key, for which SQLite would scan the table without an index whenever a word is deleted.
    Column("language_id", Integer, primary_key=True),
    Column("pos_id", Integer, primary_key=True),
    Column("sort_key", LargeBinary, primary_key=True),
    Column("text", CodePointText, primary_key=True),
    Column("word_id", Integer, primary_key=True),
    sqlite_with_rowid=False,
)

word_form = Table(
    "word_form",
    metadata,
    # The exact key of an inflected form by which the word is found, and its grammatical tag.
    Column("key", CodePointText, primary_key=True),
    Column("word_id", Integer, ForeignKey("word.id"), primary_key=True, index=True),
    Column("tag", Text, nullable=False, server_default=""),
    sqlite_with_rowid=False,
)

near_key = Table(
    "near_key",
    metadata,
    # The first letters of the loose key, whole and with one deleted, for "did you mean". There are about eight rows a
    # word, and no index on the word, which would double the size: the keys follow from the loose key of the word.
    Column("key", CodePointText, primary_key=True),
    Column("word_id", Integer, primary_key=True),
    sqlite_with_rowid=False,
)

completion = Table(
    "completion",
    metadata,
    # The first words with a common prefix, packed (`dictionary/store/acceleration/completion_lists`). The prefix is
    # preceded by a letter for the kind of key; a row with only that letter means that all lists are complete.
    Column("prefix", CodePointText, primary_key=True),
    Column("words", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)


def _define_page_table(name: str) -> Table:
    """Define a table of pages (`dictionary/store/acceleration/stored_pages.py`).

    `version` increases with each change, so that a worker reads only the pages that are newer than its own. The last
    page has no numbers: it marks the other pages as complete, and has the version of the newest.
    """
    return Table(
        name,
        metadata,
        Column("form", Integer, primary_key=True, autoincrement=False),
        Column("page", Integer, primary_key=True, autoincrement=False),
        Column("version", Integer, nullable=False),
        Column("numbers", LargeBinary, nullable=False),
    )


# The sound keys of words that may be typed in Latin letters, and their frames (`dictionary/model/sound_frames.py`).
# Sounds without a frame are not searched for.
sound_frame = _define_page_table("sound_frame")

# A compressed bitmap of the sound keys that words may have (`dictionary/store/acceleration/sound_filter.py`).
sound_filter = _define_page_table("sound_filter")

# Words in plain letters that may stand for words in Indic letters
# (`dictionary/store/acceleration/readable_words.py`); for others no such word is searched for. The last page has the
# sounds of words that were added since the last full build.
readable_word = _define_page_table("readable_word")

phrase_gram = Table(
    "phrase_gram",
    metadata,
    # The grams of the sound key: phrases that share rare grams are compared in full.
    Column("language_id", Integer, primary_key=True),
    Column("gram", CodePointText, primary_key=True),
    Column("phrase_id", Integer, ForeignKey("phrase.id"), primary_key=True, index=True),
    sqlite_with_rowid=False,
)

phrase_word = Table(
    "phrase_word",
    metadata,
    # The keys of the words in a phrase or in its meaning (`assamese/search_keys.py`).
    Column("key", CodePointText, primary_key=True),
    Column("phrase_id", Integer, ForeignKey("phrase.id"), primary_key=True, index=True),
    sqlite_with_rowid=False,
)

gram_count = Table(
    "gram_count",
    metadata,
    # The number of phrases with a gram: the rarest grams of a query are looked up first.
    Column("language_id", Integer, primary_key=True),
    Column("gram", CodePointText, primary_key=True),
    Column("phrases", Integer, nullable=False),
    sqlite_with_rowid=False,
)

photo_band = Table(
    "photo_band",
    metadata,
    # The bands of the perceptual hash: similar photos share at least one.
    Column("band", Integer, primary_key=True),
    Column("photo_id", Integer, ForeignKey("photo.id"), primary_key=True, index=True),
    sqlite_with_rowid=False,
)

recording_band = Table(
    "recording_band",
    metadata,
    # The bands of the perceptual hash of recordings.
    Column("band", Integer, primary_key=True),
    Column("recording_id", Integer, ForeignKey("recording.id"), primary_key=True, index=True),
    sqlite_with_rowid=False,
)

history_record = Table(
    "history_record",
    metadata,
    # Every record that a history entry changes: one change may affect a word, its idea and their link.
    Column("kind", CodePointText, primary_key=True),
    Column("record_id", CodePointText, primary_key=True),
    Column("history_id", Integer, ForeignKey("history.id"), primary_key=True, index=True),
    sqlite_with_rowid=False,
)


daily_choice = Table(
    "daily_choice",
    metadata,
    # The date in UTC, as 2026-11-22. The word and the phrase may have been deleted since.
    Column("day", CodePointText, primary_key=True),
    Column("word_id", Integer),
    Column("phrase_id", Integer),
    Column("chosen", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
