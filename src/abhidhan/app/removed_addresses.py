"""Addresses of older versions that answer 410 and name what does their work now."""

from typing import Final, NoReturn

from litestar import HttpMethod, route
from litestar.handlers import HTTPRouteHandler
from litestar.types import ControllerRouterHandler

from abhidhan.records.errors import GoneError

MCP: Final = (
    "This server no longer speaks MCP itself. Assistants use the package abhidhan-mcp, a client of this API: "
    "packages/abhidhan-mcp/README.md in the source of this program explains how to install it."
)
PEOPLE: Final = "Administrators manage accounts and invitations on the page /account/people."
TWO_FACTOR: Final = "People set up two-factor sign-in on the page /account/two-factor."
TOKENS: Final = "People make and revoke tokens for programs on the page /account/tokens."
MAILS: Final = "People choose their mails on the page /account."
COPY: Final = "A copy of your data is on the page /account."
DELETION: Final = "You delete your account on the page /account/remove."

REMOVED: Final = (
    ("GET POST DELETE", "/mcp", MCP),
    ("GET POST", "/api/people", PEOPLE),
    ("PATCH DELETE", "/api/people/{person_id:int}", PEOPLE),
    ("POST", "/api/people/{person_id:int}/reset", PEOPLE),
    ("DELETE", "/api/people/{person_id:int}/two-factor", PEOPLE),
    ("GET POST", "/api/people/invitations", PEOPLE),
    ("DELETE", "/api/people/invitations/{invitation_id:int}", PEOPLE),
    ("GET POST DELETE", "/api/account/two-factor", TWO_FACTOR),
    ("POST", "/api/account/two-factor/confirm", TWO_FACTOR),
    ("POST", "/api/account/two-factor/recovery-codes", TWO_FACTOR),
    ("GET POST", "/api/account/tokens", TOKENS),
    ("DELETE", "/api/account/tokens/{token_id:int}", TOKENS),
    ("GET POST", "/api/account/mails", MAILS),
    ("POST", "/api/account/mails/confirmation", MAILS),
    ("GET", "/api/account/export", COPY),
    ("DELETE", "/api/account", DELETION),
)
"""Methods, addresses, and what to do instead."""


def _gone(methods: str, path: str, instead: str) -> HTTPRouteHandler:
    """Make the handler of a removed address."""

    async def refuse() -> NoReturn:
        raise GoneError(instead)

    answering = [HttpMethod(each) for each in methods.split()]
    return route(path, http_method=answering, status_code=410, include_in_schema=False)(refuse)


REMOVED_ADDRESSES: Final[tuple[ControllerRouterHandler, ...]] = tuple(_gone(*each) for each in REMOVED)
