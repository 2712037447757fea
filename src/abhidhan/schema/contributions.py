"""What waits for a decision or has had one, and words that readers missed. Look-ups read approved photos only."""

from sqlalchemy import BigInteger, Column, Index, Integer, Table, Text

from abhidhan.schema.base import CodePointText, metadata, name_column

submission = Table(
    "submission",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("payload", Text, nullable=False),
    name_column("person_id", "person.id", nullable=True),
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
    # Under which licence it was given; NULL: nobody has said.
    Column("licence", Text),
    # How many have told of the same missing word; nothing for other kinds.
    Column("times", Integer),
    Index("ix_submission_status", "status", "id"),
    Index("ix_submission_person_id", "person_id", "id"),
    sqlite_autoincrement=True,
)

photo = Table(
    "photo",
    metadata,
    Column("id", Integer, primary_key=True),
    # Of a photo that came with a word, the idea is there once the word is approved.
    name_column("idea_id", "idea.id", nullable=True),
    name_column("person_id", "person.id", nullable=True),
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
    Column("licence", Text),
    # The word that it was sent with, which decides about it.
    name_column("submission_id", "submission.id", nullable=True, index=True),
    Index("ix_photo_idea_id_status", "idea_id", "status", "id"),
    Index("ix_photo_status", "status", "id"),
    Index("ix_photo_person_id", "person_id", "id"),
    sqlite_autoincrement=True,
)

recording = Table(
    "recording",
    metadata,
    Column("id", Integer, primary_key=True),
    # What is said: a word, a phrase, or an example of an idea; nothing of these once that is deleted.
    name_column("word_id", "word.id", nullable=True),
    name_column("phrase_id", "phrase.id", nullable=True),
    name_column("idea_id", "idea.id", nullable=True),
    # The text as it was read out, and its language.
    Column("spoken", Text, nullable=False),
    name_column("language_id", "language.id"),
    name_column("person_id", "person.id", nullable=True),
    # Who is to be named, and where people speak so; as they wish, or not at all.
    Column("speaker", Text),
    Column("place", Text),
    Column("status", Text, nullable=False),
    Column("reason", Text),
    Column("submitted", BigInteger, nullable=False),
    Column("decided", BigInteger),
    Column("decided_by", Integer),
    Column("key", CodePointText, nullable=False, unique=True),
    Column("extension", Text, nullable=False),
    Column("milliseconds", Integer, nullable=False),
    # 1: the microphone was overdriven.
    Column("clipped", Integer, nullable=False),
    Column("size", Integer, nullable=False),
    # SHA-256 of the samples, and the perceptual hash of the sound, both in hexadecimal digits.
    Column("sha256", CodePointText, nullable=False, index=True),
    Column("likeness", CodePointText, nullable=False),
    Column("purged", BigInteger),
    Column("once", CodePointText, unique=True),
    Column("licence", Text),
    Index("ix_recording_word_id_status", "word_id", "status", "id"),
    Index("ix_recording_phrase_id_status", "phrase_id", "status", "id"),
    Index("ix_recording_idea_id_status", "idea_id", "status", "id"),
    Index("ix_recording_status", "status", "id"),
    Index("ix_recording_person_id", "person_id", "id"),
    sqlite_autoincrement=True,
)


missing_word = Table(
    "missing_word",
    metadata,
    # The exact key of the word, and its spelling as it was first looked for.
    Column("key", CodePointText, primary_key=True),
    Column("text", Text, nullable=False),
    Column("searches", Integer, nullable=False),
    # On how many different days it was looked for, and the last of them, in days since 1970-01-01 (UTC).
    Column("days", Integer, nullable=False),
    Column("last_day", Integer, nullable=False),
    # 1: an editor does not want to see it listed.
    Column("left_out", Integer, nullable=False),
)
