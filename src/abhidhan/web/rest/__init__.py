"""The generic addresses: words, ideas, languages, search; accounts, photos and editing."""

from litestar.types import ControllerRouterHandler

from abhidhan.web.rest import (
    daily,
    editing,
    history,
    ideas,
    languages,
    lists,
    people,
    personal_data,
    photos,
    phrases,
    relations,
    search,
    session,
    submissions,
    two_factor,
    words,
)

REST_HANDLERS: tuple[ControllerRouterHandler, ...] = (
    words.list_words,
    words.show_word,
    words.show_idea,
    ideas.list_ideas,
    languages.list_languages,
    search.search_words,
    search.suggest,
    phrases.list_phrases,
    phrases.show_phrase,
    daily.show_today,
    daily.show_random,
    *session.SESSION_HANDLERS,
    *two_factor.TWO_FACTOR_HANDLERS,
    *photos.PHOTO_HANDLERS,
    *submissions.SUBMISSION_HANDLERS,
    *editing.EDITING_HANDLERS,
    *lists.LIST_HANDLERS,
    *relations.RELATION_HANDLERS,
    *history.HISTORY_HANDLERS,
    *people.PEOPLE_HANDLERS,
    *personal_data.PERSONAL_DATA_HANDLERS,
)
