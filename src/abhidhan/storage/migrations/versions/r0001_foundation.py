"""The foundation: languages, lists, sources, ideas, words, phrases, cards, history."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

CODE_POINT_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make every table of the foundation, and the one row of `state`."""
    _create_catalogue()
    _create_ideas()
    _create_parts_of_ideas()
    _create_words()
    _create_keys_of_words()
    _create_senses()
    _create_phrases()
    _create_cards()
    _create_history_and_state()


def _create_catalogue() -> None:
    op.create_table(
        "language",
        sa.Column("id", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("iso639_3", sa.Text),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("native_name", sa.Text, nullable=False),
        sa.Column("script", sa.Text, nullable=False),
        sa.Column("direction", sa.Text, nullable=False),
        sa.Column("words", sa.Integer, nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("id", name="pk_language"),
        sa.UniqueConstraint("code", name="uq_language_code"),
    )
    op.create_table(
        "list_item",
        sa.Column("list", sa.Text, nullable=False),
        sa.Column("id", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.Column("code", sa.Text),
        sa.Column("parent_id", sa.Integer),
        sa.Column("position", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("list", "id", name="pk_list_item"),
        sa.UniqueConstraint("list", "value", name="uq_list_item_list_value"),
    )
    op.create_table(
        "source",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("licence", sa.Text, nullable=False),
        sa.Column("url", sa.Text),
        sa.Column("attribution", sa.Text),
        sa.Column("notice", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_source"),
        sa.UniqueConstraint("code", name="uq_source_code"),
    )


def _create_ideas() -> None:
    op.create_table(
        "idea",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("pos_id", sa.Integer),
        sa.Column("gender_id", sa.Integer),
        sa.Column("glyph", sa.Text),
        sa.Column("source_id", sa.Integer),
        sa.Column("external_key", CODE_POINT_TEXT),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("updated", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_idea"),
        sa.UniqueConstraint("source_id", "external_key", name="uq_idea_source_id_external_key"),
        sa.ForeignKeyConstraint(["source_id"], ["source.id"], name="fk_idea_source_id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "idea_alias",
        sa.Column("source_id", sa.Integer, nullable=False),
        sa.Column("external_key", CODE_POINT_TEXT, nullable=False),
        sa.Column("idea_id", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("source_id", "external_key", name="pk_idea_alias"),
        sa.ForeignKeyConstraint(["source_id"], ["source.id"], name="fk_idea_alias_source_id"),
        sa.ForeignKeyConstraint(["idea_id"], ["idea.id"], name="fk_idea_alias_idea_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_idea_alias_idea_id", "idea_alias", ["idea_id"])
    op.create_table(
        "idea_relation",
        sa.Column("idea_id", sa.Integer, nullable=False),
        sa.Column("type_id", sa.Integer, nullable=False),
        sa.Column("other_id", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("idea_id", "type_id", "other_id", name="pk_idea_relation"),
        sa.ForeignKeyConstraint(["idea_id"], ["idea.id"], name="fk_idea_relation_idea_id"),
        sa.ForeignKeyConstraint(["other_id"], ["idea.id"], name="fk_idea_relation_other_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_idea_relation_other_id", "idea_relation", ["other_id"])


def _create_parts_of_ideas() -> None:
    op.create_table(
        "definition",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("idea_id", sa.Integer, nullable=False),
        sa.Column("language_id", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_definition"),
        sa.ForeignKeyConstraint(["idea_id"], ["idea.id"], name="fk_definition_idea_id"),
        sa.ForeignKeyConstraint(["language_id"], ["language.id"], name="fk_definition_language_id"),
    )
    op.create_index("ix_definition_idea_id", "definition", ["idea_id"])
    op.create_table(
        "definition_word",
        sa.Column("key", CODE_POINT_TEXT, nullable=False),
        sa.Column("idea_id", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("key", "idea_id", name="pk_definition_word"),
        sa.ForeignKeyConstraint(["idea_id"], ["idea.id"], name="fk_definition_word_idea_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_definition_word_idea_id", "definition_word", ["idea_id"])
    op.create_table(
        "example",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("idea_id", sa.Integer, nullable=False),
        sa.Column("language_id", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("translation", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_example"),
        sa.ForeignKeyConstraint(["idea_id"], ["idea.id"], name="fk_example_idea_id"),
        sa.ForeignKeyConstraint(["language_id"], ["language.id"], name="fk_example_language_id"),
    )
    op.create_index("ix_example_idea_id", "example", ["idea_id"])
    op.create_table(
        "idea_context",
        sa.Column("idea_id", sa.Integer, nullable=False),
        sa.Column("context_id", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("idea_id", "context_id", name="pk_idea_context"),
        sa.ForeignKeyConstraint(["idea_id"], ["idea.id"], name="fk_idea_context_idea_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_idea_context_context_id_idea_id", "idea_context", ["context_id", "idea_id"])


def _create_words() -> None:
    op.create_table(
        "word",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("language_id", sa.Integer, nullable=False),
        sa.Column("text", CODE_POINT_TEXT, nullable=False),
        sa.Column("exact_key", CODE_POINT_TEXT, nullable=False),
        sa.Column("loose_key", CODE_POINT_TEXT, nullable=False),
        sa.Column("sound_key", CODE_POINT_TEXT, nullable=False),
        sa.Column("sort_key", sa.LargeBinary, nullable=False),
        sa.Column("roman", sa.Text),
        sa.Column("rule_roman", sa.Text),
        sa.Column("ipa", sa.Text),
        sa.Column("asm", sa.Text),
        sa.Column("variant_id", sa.Integer),
        sa.Column("origin", sa.Text),
        sa.Column("plural", sa.Text),
        sa.Column("definitive", sa.Text),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("updated", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_word"),
        sa.UniqueConstraint("language_id", "text", name="uq_word_language_id_text"),
        sa.ForeignKeyConstraint(["language_id"], ["language.id"], name="fk_word_language_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_word_exact_key", "word", ["exact_key", "language_id", "sort_key", "text"])
    op.create_index("ix_word_loose_key", "word", ["loose_key"])
    op.create_index("ix_word_sound_key", "word", ["sound_key"])
    op.create_index("ix_word_order", "word", ["language_id", "sort_key", "text"])
    op.create_index("ix_word_created", "word", ["created", "id"])
    op.create_index("ix_word_language_id_created", "word", ["language_id", "created", "id"])


def _create_keys_of_words() -> None:
    op.create_table(
        "word_pos",
        sa.Column("language_id", sa.Integer, nullable=False),
        sa.Column("pos_id", sa.Integer, nullable=False),
        sa.Column("sort_key", sa.LargeBinary, nullable=False),
        sa.Column("text", CODE_POINT_TEXT, nullable=False),
        sa.Column("word_id", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("language_id", "pos_id", "sort_key", "text", "word_id", name="pk_word_pos"),
        sa.ForeignKeyConstraint(["word_id"], ["word.id"], name="fk_word_pos_word_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_word_pos_word_id", "word_pos", ["word_id"])
    op.create_table(
        "word_form",
        sa.Column("key", CODE_POINT_TEXT, nullable=False),
        sa.Column("word_id", sa.Integer, nullable=False),
        sa.Column("tag", sa.Text, nullable=False, server_default=""),
        sa.PrimaryKeyConstraint("key", "word_id", name="pk_word_form"),
        sa.ForeignKeyConstraint(["word_id"], ["word.id"], name="fk_word_form_word_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_word_form_word_id", "word_form", ["word_id"])
    op.create_table(
        "near_key",
        sa.Column("key", CODE_POINT_TEXT, nullable=False),
        sa.Column("word_id", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("key", "word_id", name="pk_near_key"),
        sqlite_with_rowid=False,
    )


def _create_senses() -> None:
    op.create_table(
        "sense",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("word_id", sa.Integer, nullable=False),
        sa.Column("language_id", sa.Integer, nullable=False),
        sa.Column("idea_id", sa.Integer, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("reference", sa.Text),
        sa.Column("note", sa.Text),
        sa.Column("source_id", sa.Integer),
        sa.Column("added", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sense"),
        sa.UniqueConstraint("word_id", "idea_id", name="uq_sense_word_id_idea_id"),
        sa.ForeignKeyConstraint(["word_id"], ["word.id"], name="fk_sense_word_id"),
        sa.ForeignKeyConstraint(["idea_id"], ["idea.id"], name="fk_sense_idea_id"),
        sa.ForeignKeyConstraint(["source_id"], ["source.id"], name="fk_sense_source_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_sense_idea_id_language_id_word_id", "sense", ["idea_id", "language_id", "word_id"])


def _create_phrases() -> None:
    op.create_table(
        "phrase",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("language_id", sa.Integer, nullable=False),
        sa.Column("text", CODE_POINT_TEXT, nullable=False),
        sa.Column("exact_key", CODE_POINT_TEXT, nullable=False),
        sa.Column("sound_key", CODE_POINT_TEXT, nullable=False),
        sa.Column("sort_key", sa.LargeBinary, nullable=False),
        sa.Column("roman", sa.Text),
        sa.Column("rule_roman", sa.Text),
        sa.Column("meaning", sa.Text),
        sa.Column("category_id", sa.Integer),
        sa.Column("source_id", sa.Integer),
        sa.Column("external_key", CODE_POINT_TEXT),
        sa.Column("added", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_phrase"),
        sa.UniqueConstraint("language_id", "text", name="uq_phrase_language_id_text"),
        sa.UniqueConstraint("source_id", "external_key", name="uq_phrase_source_id_external_key"),
        sa.ForeignKeyConstraint(["language_id"], ["language.id"], name="fk_phrase_language_id"),
        sa.ForeignKeyConstraint(["source_id"], ["source.id"], name="fk_phrase_source_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_phrase_exact_key", "phrase", ["exact_key"])
    op.create_index("ix_phrase_order", "phrase", ["language_id", "sort_key"])
    op.create_table(
        "phrase_gram",
        sa.Column("language_id", sa.Integer, nullable=False),
        sa.Column("gram", CODE_POINT_TEXT, nullable=False),
        sa.Column("phrase_id", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("language_id", "gram", "phrase_id", name="pk_phrase_gram"),
        sa.ForeignKeyConstraint(["phrase_id"], ["phrase.id"], name="fk_phrase_gram_phrase_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_phrase_gram_phrase_id", "phrase_gram", ["phrase_id"])
    op.create_table(
        "gram_count",
        sa.Column("language_id", sa.Integer, nullable=False),
        sa.Column("gram", CODE_POINT_TEXT, nullable=False),
        sa.Column("phrases", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("language_id", "gram", name="pk_gram_count"),
        sqlite_with_rowid=False,
    )


def _create_cards() -> None:
    op.create_table(
        "card_set",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("source_id", sa.Integer),
        sa.Column("external_key", CODE_POINT_TEXT),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("description", sa.Text),
        sa.Column("language_id", sa.Integer, nullable=False),
        sa.Column("answer_language_id", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_card_set"),
        sa.UniqueConstraint("source_id", "external_key", name="uq_card_set_source_id_external_key"),
        sa.ForeignKeyConstraint(["source_id"], ["source.id"], name="fk_card_set_source_id"),
        sa.ForeignKeyConstraint(["language_id"], ["language.id"], name="fk_card_set_language_id"),
        sa.ForeignKeyConstraint(["answer_language_id"], ["language.id"], name="fk_card_set_answer_language_id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "card",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("card_set_id", sa.Integer, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("clue", sa.Text, nullable=False),
        sa.Column("roman", sa.Text),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("idea_id", sa.Integer),
        sa.Column("picture", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_card"),
        sa.ForeignKeyConstraint(["card_set_id"], ["card_set.id"], name="fk_card_card_set_id"),
        sa.ForeignKeyConstraint(["idea_id"], ["idea.id"], name="fk_card_idea_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_card_idea_id", "card", ["idea_id"])
    op.create_index("ix_card_card_set_id_position", "card", ["card_set_id", "position"])


def _create_history_and_state() -> None:
    op.create_table(
        "history",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("person_id", sa.Integer),
        sa.Column("action_id", sa.Integer, nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("record_id", sa.Integer, nullable=False),
        sa.Column("before", sa.Text),
        sa.Column("after", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_history"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_history_record_record_id", "history", ["record", "record_id"])
    state = op.create_table(
        "state",
        sa.Column("id", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("data_version", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_state"),
    )
    op.bulk_insert(state, [{"id": 1, "data_version": 1}])
