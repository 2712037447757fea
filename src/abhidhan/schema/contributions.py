"""Submissions, photos and recordings with their review status, and words that readers looked up without a result."""

from sqlalchemy import BigInteger, Column, Index, Integer, Table, Text

from abhidhan.schema.base import CodePointText, metadata, reference_column

submission = Table(
    "submission",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("payload", Text, nullable=False),
    reference_column("person_id", "person.id", nullable=True),
    Column("status", Text, nullable=False),
    Column("reason", Text),
    Column("submitted", BigInteger, nullable=False),
    Column("decided", BigInteger),
    Column("decided_by", Integer),
    # The resulting record, such as word:1204.
    Column("result", CodePointText, index=True),
    # The state of the record when a correction was sent (JSON), to detect later changes by others.
    Column("seen", Text),
    # Identifies a repeated request: the client's idempotency key, or the sender and the content.
    Column("once", CodePointText, unique=True),
    # The licence of the contribution; NULL: not stated.
    Column("licence", Text),
    # The number of reports of the same missing word; NULL for other kinds.
    Column("times", Integer),
    Index("ix_submission_status", "status", "id"),
    Index("ix_submission_person_id", "person_id", "id"),
    sqlite_autoincrement=True,
)

photo = Table(
    "photo",
    metadata,
    Column("id", Integer, primary_key=True),
    # NULL for a photo that was sent with a word, until the word is approved.
    reference_column("idea_id", "idea.id", nullable=True),
    reference_column("person_id", "person.id", nullable=True),
    Column("credit", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("reason", Text),
    Column("submitted", BigInteger, nullable=False),
    Column("decided", BigInteger),
    Column("decided_by", Integer),
    # The name of the stored file without extension; it contains no user input.
    Column("key", CodePointText, nullable=False, unique=True),
    Column("extension", Text, nullable=False),
    Column("width", Integer, nullable=False),
    Column("height", Integer, nullable=False),
    Column("frames", Integer, nullable=False),
    Column("size", Integer, nullable=False),
    # SHA-256 of the pixels, and the perceptual hash, both in hexadecimal.
    Column("sha256", CodePointText, nullable=False, index=True),
    Column("likeness", CodePointText, nullable=False),
    # The time at which the files were deleted.
    Column("purged", BigInteger),
    Column("once", CodePointText, unique=True),
    Column("licence", Text),
    # The submission of the word that it was sent with; both are decided together.
    reference_column("submission_id", "submission.id", nullable=True, index=True),
    Index("ix_photo_idea_id_status", "idea_id", "status", "id"),
    Index("ix_photo_status", "status", "id"),
    Index("ix_photo_person_id", "person_id", "id"),
    sqlite_autoincrement=True,
)

recording = Table(
    "recording",
    metadata,
    Column("id", Integer, primary_key=True),
    # The spoken record: a word, a phrase, or an example of an idea; all NULL once it is deleted.
    reference_column("word_id", "word.id", nullable=True),
    reference_column("phrase_id", "phrase.id", nullable=True),
    reference_column("idea_id", "idea.id", nullable=True),
    # The text that was read out, and its language.
    Column("spoken", Text, nullable=False),
    reference_column("language_id", "language.id"),
    reference_column("person_id", "person.id", nullable=True),
    # The name of the speaker and the place of the pronunciation, both optional.
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
    # SHA-256 of the samples, and the perceptual hash of the sound, both in hexadecimal.
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
    # The exact key of the word, and its spelling in the first search.
    Column("key", CodePointText, primary_key=True),
    Column("text", Text, nullable=False),
    Column("searches", Integer, nullable=False),
    # The number of different days with a search for it, and the last of them, in days since 1970-01-01 (UTC).
    Column("days", Integer, nullable=False),
    Column("last_day", Integer, nullable=False),
    # 1: an editor has removed it from the list.
    Column("left_out", Integer, nullable=False),
)
