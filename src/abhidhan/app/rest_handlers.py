"""The generic addresses: words, ideas, languages, search; accounts, photos and editing."""

from litestar.types import ControllerRouterHandler

from abhidhan.contributions.api import submissions, unreviewed
from abhidhan.dictionary.api import changes, daily, ideas, languages, lookup, phrases, search, words
from abhidhan.editing.api import editing, history, relations
from abhidhan.media.api import photos, recordings
from abhidhan.people.api import saved_lists, session
from abhidhan.publishing.api import packs

REST_HANDLERS: tuple[ControllerRouterHandler, ...] = (
    words.list_words,
    words.show_word,
    words.show_forms,
    words.show_idea,
    changes.list_changes,
    packs.list_pack_changes,
    ideas.list_ideas,
    languages.list_languages,
    search.search_words,
    search.suggest,
    lookup.look_up_each,
    phrases.list_phrases,
    phrases.show_phrase,
    daily.show_today,
    daily.show_random,
    *session.SESSION_HANDLERS,
    *saved_lists.OWN_LIST_HANDLERS,
    *photos.PHOTO_HANDLERS,
    *recordings.RECORDING_HANDLERS,
    *submissions.SUBMISSION_HANDLERS,
    *unreviewed.UNCHECKED_HANDLERS,
    *editing.EDITING_HANDLERS,
    *editing.LIST_HANDLERS,
    *relations.RELATION_HANDLERS,
    *history.HISTORY_HANDLERS,
)
