"""The tables, as SQLAlchemy sees them. `docs/data-model.md` explains them to lexicographers.

Keys are computed by `domain.text` and stored, so that every look-up is an index search and both engines find and
order alike. Times are whole seconds since 1970-01-01 UTC.
"""

from abhidhan.storage.schema.articles import article, wiki
from abhidhan.storage.schema.base import CodePointText, metadata
from abhidhan.storage.schema.changes import hidden_entry, history, key_rules, record_change, state
from abhidhan.storage.schema.contributions import photo, recording, submission
from abhidhan.storage.schema.daily import daily_choice
from abhidhan.storage.schema.derived import (
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
from abhidhan.storage.schema.ideas import (
    confirmation,
    definition,
    example,
    idea,
    idea_alias,
    idea_context,
    idea_relation,
)
from abhidhan.storage.schema.leases import lease
from abhidhan.storage.schema.limits import shared_limit
from abhidhan.storage.schema.lists import language, list_item, source
from abhidhan.storage.schema.mails import mail_choice, mail_outbox, mail_refusal
from abhidhan.storage.schema.missing import missing_word
from abhidhan.storage.schema.own_lists import own_lists
from abhidhan.storage.schema.people import (
    known_address,
    person,
    personal_token,
    recovery_code,
    session,
    ticket,
    tries,
    two_factor,
)
from abhidhan.storage.schema.words import card, card_set, phrase, sense, word

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
