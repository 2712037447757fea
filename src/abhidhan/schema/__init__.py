"""The tables, as SQLAlchemy sees them. `docs/data-model.md` explains them to lexicographers.

Keys are computed by `assamese` and stored, so that every look-up is an index search and both engines find and
order alike. Times are whole seconds since 1970-01-01 UTC.
Entry points: one module for each group of tables, all of them imported here. Must not hold a statement.
"""

from abhidhan.schema.articles import article, wiki
from abhidhan.schema.base import CodePointText, metadata
from abhidhan.schema.changes import hidden_entry, history, key_rules, record_change, state
from abhidhan.schema.contributions import photo, recording, submission
from abhidhan.schema.daily import daily_choice
from abhidhan.schema.derived import (
    completion,
    definition_word,
    gram_count,
    history_record,
    idea_cache,
    near_key,
    photo_band,
    phrase_gram,
    phrase_word,
    readable_word,
    recording_band,
    sound_filter,
    sound_frame,
    word_form,
    word_pos,
)
from abhidhan.schema.ideas import confirmation, definition, example, idea, idea_alias, idea_context, idea_relation
from abhidhan.schema.leases import lease
from abhidhan.schema.limits import shared_limit
from abhidhan.schema.lists import language, list_item, source
from abhidhan.schema.mails import mail_choice, mail_outbox, mail_refusal
from abhidhan.schema.missing import missing_word
from abhidhan.schema.own_lists import own_lists
from abhidhan.schema.people import (
    known_address,
    person,
    personal_token,
    recovery_code,
    session,
    ticket,
    tries,
    two_factor,
)
from abhidhan.schema.words import card, card_set, phrase, sense, word

__all__ = [
    "CodePointText",
    "article",
    "card",
    "card_set",
    "completion",
    "confirmation",
    "daily_choice",
    "definition",
    "definition_word",
    "example",
    "gram_count",
    "hidden_entry",
    "history",
    "history_record",
    "idea",
    "idea_alias",
    "idea_cache",
    "idea_context",
    "idea_relation",
    "key_rules",
    "known_address",
    "language",
    "lease",
    "list_item",
    "mail_choice",
    "mail_outbox",
    "mail_refusal",
    "metadata",
    "missing_word",
    "near_key",
    "own_lists",
    "person",
    "personal_token",
    "photo",
    "photo_band",
    "phrase",
    "phrase_gram",
    "phrase_word",
    "readable_word",
    "record_change",
    "recording",
    "recording_band",
    "recovery_code",
    "sense",
    "session",
    "shared_limit",
    "sound_filter",
    "sound_frame",
    "source",
    "state",
    "submission",
    "ticket",
    "tries",
    "two_factor",
    "wiki",
    "word",
    "word_form",
    "word_pos",
]
