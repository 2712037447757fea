"""What is derived from other records, so that every look-up is an index search, and the words of the day."""

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, LargeBinary, Table, Text

from abhidhan.schema.base import CodePointText, metadata

definition_word = Table(
    "definition_word",
    metadata,
    # The exact key of a word that stands in a definition of the idea. An index on the idea would hold the whole row
    # again; who has the idea has its definitions, and so these. Without one, a foreign key would have SQLite go through
    # the table whenever an idea is deleted.
    Column("key", CodePointText, primary_key=True),
    Column("idea_id", Integer, primary_key=True),
    sqlite_with_rowid=False,
)

idea_cache = Table(
    "idea_cache",
    metadata,
    # What belongs to an idea, as pieces of the JSON of answers (`dictionary/model/idea_json.py`): a look-up reads this
    # one row.
    # An idea without a row, or with one of another form, is read from the tables. No foreign key: to check it would
    # wait for who edits the idea.
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
    # The alphabetical order of the words of each part of speech, for lists of one only; 0: of words with a meaning that
    # has none. An index on the word would hold the whole row again; who has the word has its place, and so these.
    # Without one, a foreign key would have SQLite go through the table whenever a word is deleted.
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

completion = Table(
    "completion",
    metadata,
    # The first words that begin with a prefix which many words have, packed
    # (`dictionary/store/acceleration/completion_lists`).
    # Before the prefix stands the letter of the key that begins so; such a letter alone stands there when no list is
    # missing.
    Column("prefix", CodePointText, primary_key=True),
    Column("words", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)


def _pages_of_numbers(name: str) -> Table:
    """Define a table of pages (`dictionary/store/acceleration/pages.py`).

    `version` rises with each change, so that a worker reads only the pages that are newer than what it has. The last
    page, which has no numbers, says that no word is missing, and has the version of the newest.
    """
    return Table(
        name,
        metadata,
        Column("form", Integer, primary_key=True, autoincrement=False),
        Column("page", Integer, primary_key=True, autoincrement=False),
        Column("version", Integer, nullable=False),
        Column("numbers", LargeBinary, nullable=False),
    )


# The sound keys of words that Latin letters may be typed for, and their frames (`dictionary/model/sound_frames.py`):
# what no
# frame leads to is not looked for.
sound_frame = _pages_of_numbers("sound_frame")

# Which sound keys some word may have (`dictionary/store/acceleration/sound_filter.py`), as bits, compressed.
sound_filter = _pages_of_numbers("sound_filter")

# Words in plain letters that words in Indic letters may be meant by
# (`dictionary/store/acceleration/readable_words.py`): for
# others none is looked for. Its last page has the sounds of words that have come since all were gone through.
readable_word = _pages_of_numbers("readable_word")

phrase_gram = Table(
    "phrase_gram",
    metadata,
    # Pieces of the sound key: phrases that share rare pieces are compared in full.
    Column("language_id", Integer, primary_key=True),
    Column("gram", CodePointText, primary_key=True),
    Column("phrase_id", Integer, ForeignKey("phrase.id"), primary_key=True, index=True),
    sqlite_with_rowid=False,
)

phrase_word = Table(
    "phrase_word",
    metadata,
    # The keys of words that stand in a phrase or in its meaning (`assamese/search_keys.py`).
    Column("key", CodePointText, primary_key=True),
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

photo_band = Table(
    "photo_band",
    metadata,
    # Pieces of the perceptual hash: photos that are alike share at least one.
    Column("band", Integer, primary_key=True),
    Column("photo_id", Integer, ForeignKey("photo.id"), primary_key=True, index=True),
    sqlite_with_rowid=False,
)

recording_band = Table(
    "recording_band",
    metadata,
    # The same of recordings.
    Column("band", Integer, primary_key=True),
    Column("recording_id", Integer, ForeignKey("recording.id"), primary_key=True, index=True),
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


daily_choice = Table(
    "daily_choice",
    metadata,
    # The date in UTC, as 2026-11-22. Words and phrases may go: whoever reads them finds none then.
    Column("day", CodePointText, primary_key=True),
    Column("word_id", Integer),
    Column("phrase_id", Integer),
    Column("chosen", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
