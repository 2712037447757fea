"""The generic addresses: words, ideas, languages, search; accounts, photos and editing."""

from litestar.types import ControllerRouterHandler

from abhidhan.web.rest import (
    changes,
    editing,
    history,
    languages,
    lists,
    lookup,
    people,
    personal_data,
    photos,
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
    changes.list_changes,
    languages.list_languages,
    search.search_words,
    search.suggest,
    lookup.look_up_each,
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
