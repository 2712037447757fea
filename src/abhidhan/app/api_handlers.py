"""The handlers of the API: REST routes, the compatible `.php` routes (docs/api.md), and removed routes."""

from typing import Final, NoReturn

from litestar import HttpMethod, route
from litestar.handlers import HTTPRouteHandler
from litestar.types import ControllerRouterHandler

from abhidhan.contributions.api import submissions, unreviewed
from abhidhan.dictionary.api import analysis, changes, daily, lists, lookup, search, words
from abhidhan.dictionary.api.compat import dictionary
from abhidhan.dictionary.api.compat import lists as compat_lists
from abhidhan.editing.api import editing, history, relations
from abhidhan.encyclopedia.api import show_extract
from abhidhan.media.api import photos, recordings
from abhidhan.people.api import saved_lists, session
from abhidhan.publishing.api import list_pack_changes
from abhidhan.records.errors import GoneError

REST_HANDLERS: tuple[ControllerRouterHandler, ...] = (
    words.list_words,
    words.show_word,
    words.show_forms,
    words.show_idea,
    changes.list_changes,
    list_pack_changes,
    lists.list_ideas,
    lists.list_languages,
    search.search_words,
    search.suggest,
    lookup.look_up_each,
    analysis.analyze_text,
    lists.list_phrases,
    lists.show_phrase,
    daily.show_today,
    daily.show_random,
    *session.SESSION_HANDLERS,
    *saved_lists.SAVED_LIST_HANDLERS,
    *photos.PHOTO_HANDLERS,
    *recordings.RECORDING_HANDLERS,
    *submissions.SUBMISSION_HANDLERS,
    *unreviewed.UNCHECKED_HANDLERS,
    *editing.EDITING_HANDLERS,
    *editing.LIST_HANDLERS,
    *relations.RELATION_HANDLERS,
    *history.HISTORY_HANDLERS,
)


COMPAT_HANDLERS: tuple[ControllerRouterHandler, ...] = (
    dictionary.look_up,
    dictionary.list_alphabetically,
    dictionary.list_recent,
    compat_lists.check_phrase,
    compat_lists.transliterate,
    show_extract,
    compat_lists.list_card_sets,
    compat_lists.list_cards,
    compat_lists.get_list,
    photos.submit_photo,
)


MCP_MESSAGE: Final = (
    "This server no longer supports MCP itself. Assistants use the package abhidhan-mcp, a client of this API: "
    "packages/abhidhan-mcp/README.md in the source of this program explains how to install it."
)
PEOPLE_MESSAGE: Final = "Administrators manage accounts and invitations on the page /account/people."
TWO_FACTOR_MESSAGE: Final = "Set up two-factor sign-in on the page /account/two-factor."
TOKENS_MESSAGE: Final = "Create and revoke tokens for programs on the page /account/tokens."
MAILS_MESSAGE: Final = "Choose your e-mails on the page /account."
EXPORT_MESSAGE: Final = "Download a copy of your data on the page /account."
DELETION_MESSAGE: Final = "Delete your account on the page /account/remove."

REMOVED_ROUTES: Final = (
    ("GET POST DELETE", "/mcp", MCP_MESSAGE),
    ("GET POST", "/api/people", PEOPLE_MESSAGE),
    ("PATCH DELETE", "/api/people/{person_id:int}", PEOPLE_MESSAGE),
    ("POST", "/api/people/{person_id:int}/reset", PEOPLE_MESSAGE),
    ("DELETE", "/api/people/{person_id:int}/two-factor", PEOPLE_MESSAGE),
    ("GET POST", "/api/people/invitations", PEOPLE_MESSAGE),
    ("DELETE", "/api/people/invitations/{invitation_id:int}", PEOPLE_MESSAGE),
    ("GET POST DELETE", "/api/account/two-factor", TWO_FACTOR_MESSAGE),
    ("POST", "/api/account/two-factor/confirm", TWO_FACTOR_MESSAGE),
    ("POST", "/api/account/two-factor/recovery-codes", TWO_FACTOR_MESSAGE),
    ("GET POST", "/api/account/tokens", TOKENS_MESSAGE),
    ("DELETE", "/api/account/tokens/{token_id:int}", TOKENS_MESSAGE),
    ("GET POST", "/api/account/mails", MAILS_MESSAGE),
    ("POST", "/api/account/mails/confirmation", MAILS_MESSAGE),
    ("GET", "/api/account/export", EXPORT_MESSAGE),
    ("DELETE", "/api/account", DELETION_MESSAGE),
)
"""Removed routes: their methods, their path, and a message that names the replacement."""


def _build_removed_route(methods: str, path: str, message: str) -> HTTPRouteHandler:
    """Build a handler that answers requests to a removed route with 410 and the message."""

    async def refuse() -> NoReturn:
        raise GoneError(message)

    http_methods = [HttpMethod(each) for each in methods.split()]
    return route(path, http_method=http_methods, status_code=410, include_in_schema=False)(refuse)


REMOVED_ROUTE_HANDLERS: Final[tuple[ControllerRouterHandler, ...]] = tuple(
    _build_removed_route(*each) for each in REMOVED_ROUTES
)
