"""Authentication by session cookie or API token, checks of the requesting site, and the guards for both."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie, State
from litestar.handlers import BaseRouteHandler

from abhidhan.platform.http.client_address import rate_limit_key
from abhidhan.platform.http.request_headers import SECURE_SESSION_COOKIE, SESSION_COOKIE, bearer_token
from abhidhan.platform.http.services import base_url_of, service_of
from abhidhan.records.api_tokens import Scope, TokenPerson, TokenUser, missing_scope_error, scopes_for
from abhidhan.records.errors import ForbiddenError, SignInRequiredError, sentence
from abhidhan.records.people import AuthenticatedUser, Permission, require
from abhidhan.records.throttling import ClientInfo

COOKIE: Final = SESSION_COOKIE
SECURE_COOKIE: Final = SECURE_SESSION_COOKIE

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
OWN_SITES: Final = frozenset({"same-origin", "none"})
FROM_ANOTHER_SITE: Final = sentence("This request came from another site, which may not act for signed-in users.")
SIGN_IN_FIRST: Final = "Sign in first, at /api/session."
SET_UP_FIRST: Final = sentence(
    "Editors and administrators of this dictionary must use two-factor sign-in. Set it up first, on your account page."
)
NOT_BY_TOKEN: Final = sentence("A program with a token cannot do this. Please sign in and do it yourself.")
PORTS: Final = {"http": 80, "https": 443}

Connection = ASGIConnection[Any, Any, Any, Any]
"""Any request; these functions read only its headers."""

SignedInRequest = Request[AuthenticatedUser, None, State]
"""A request of a signed-in user, set by the guard `require_access`."""


@dataclass(frozen=True, slots=True)
class Identities:
    """The functions that find the user of a request, by session or by API token.

    `max_session_seconds` is the maximum lifetime of a session, in seconds.
    """

    find_session: Callable[[str | None], Awaitable[AuthenticatedUser | None]]
    use_token: Callable[[str], Awaitable[TokenUser]]
    max_session_seconds: int


def client_name_finder(
    holder_of: Callable[[str], Awaitable[TokenUser | None]],
) -> Callable[[str], Awaitable[str | None]]:
    """Return a function that maps a token to the client name of its user in rate limits; None for an invalid token."""

    async def counted_as(token: str) -> str | None:
        holder = await holder_of(token)
        return None if holder is None else f"person {holder.person.id}"

    return counted_as


def client_info(connection: Connection) -> ClientInfo:
    """Return the client of a request: address, user agent and session token."""
    client = connection.client
    return ClientInfo(
        address=rate_limit_key(client.host if client else ""),
        agent=connection.headers.get("user-agent"),
        token=connection.cookies.get(_cookie_name(connection)),
    )


async def find_session(connection: Connection) -> AuthenticatedUser | None:
    """Return the user of the session cookie, even if two-factor sign-in must be set up first; None if signed out."""
    return await service_of(connection, Identities).find_session(connection.cookies.get(_cookie_name(connection)))


async def find_signed_in(connection: Connection) -> AuthenticatedUser | None:
    """Return the signed-in user; None if signed out, or if two-factor sign-in must be set up first."""
    signed_in = await find_session(connection)
    return None if signed_in is None or signed_in.must_set_up else signed_in


async def require_signed_in(connection: Connection, *, before_set_up: bool = False) -> AuthenticatedUser:
    """Return the signed-in user. Raises SignInRequiredError, or ForbiddenError if two-factor must be set up first."""
    signed_in = await find_session(connection)
    if signed_in is None:
        raise SignInRequiredError(SIGN_IN_FIRST)
    if signed_in.must_set_up and not before_set_up:
        raise ForbiddenError(SET_UP_FIRST)
    return signed_in


def check_site(connection: Connection) -> None:
    """Check that an unsafe request does not come from another site. Raises ForbiddenError.

    Browsers report the site in `Sec-Fetch-Site`, older ones in `Origin`. Programs such as curl send neither, and have
    no cookies that another site could abuse.
    """
    if connection.scope.get("method", "GET") in SAFE_METHODS:
        return
    fetched_by, origin = connection.headers.get("sec-fetch-site"), connection.headers.get("origin")
    if fetched_by is not None:
        allowed = fetched_by.strip().lower() in OWN_SITES
    else:
        allowed = origin is None or _origin(origin) in {_own_origin(connection)} - {None}
    if not allowed:
        raise ForbiddenError(FROM_ANOTHER_SITE)


def token_of(connection: Connection) -> str | None:
    """Return the API token of a request; None if it has none."""
    return bearer_token(connection.headers.get("authorization", "").encode("latin-1", "replace"))


async def find_user(connection: Connection) -> AuthenticatedUser | None:
    """Return the user of a public route, by token or cookie; None if signed out.

    Raises TokenRefusedError, ForbiddenError.
    """
    token = token_of(connection)
    return await find_signed_in(connection) if token is None else await _holder(connection, token)


async def _holder(connection: Connection, token: str) -> TokenUser:
    holder = await service_of(connection, Identities).use_token(token)
    if holder.must_set_up:
        raise ForbiddenError(SET_UP_FIRST)
    return holder


@dataclass(frozen=True, slots=True)
class AccessRule:
    """Guard of a route that requires a signed-in user and, optionally, a permission.

    `before_set_up` also admits users who must set up two-factor sign-in first. API tokens need one of the `scopes`;
    without scopes, no token is admitted.
    """

    permission: Permission | None = None
    before_set_up: bool = False
    scopes: tuple[Scope, ...] = ()

    async def __call__(self, connection: Connection, _: BaseRouteHandler) -> None:
        """Admit the user and store it in the scope. Raises SignInRequiredError, ForbiddenError."""
        connection.scope["user"] = await self.admit(connection)

    async def admit(self, connection: Connection) -> AuthenticatedUser:
        """Return the user, who must have the permission. Raises SignInRequiredError, ForbiddenError."""
        token = token_of(connection)
        if token is None:
            signed_in = await require_signed_in(connection, before_set_up=self.before_set_up)
            check_site(connection)
        else:
            signed_in = await self._by_token(connection, token)
        if self.permission is not None:
            require(signed_in.person, self.permission)
        return signed_in

    async def _by_token(self, connection: Connection, token: str) -> AuthenticatedUser:
        """Return the token's user. The site is not checked: other sites lack the token, and cookies are ignored."""
        holder = await _holder(connection, token)
        if not self.scopes:
            raise ForbiddenError(NOT_BY_TOKEN)
        person = holder.person
        if self.permission is None and isinstance(person, TokenPerson) and person.scopes.isdisjoint(self.scopes):
            raise missing_scope_error(self.scopes)
        return holder


def require_access(
    permission: Permission | None = None, *, before_set_up: bool = False, scopes: tuple[Scope, ...] = ()
) -> AccessRule:
    """Return the guard of a route that requires a signed-in user and, optionally, a permission.

    API tokens need a scope that includes the permission or, without a permission, one of `scopes`.
    """
    return AccessRule(permission, before_set_up, scopes if permission is None else scopes_for(permission))


AUTH_OPTION: Final = "signed_in"
"""Option of a handler that authenticates users itself: an `AccessRule`, or `ANONYMOUS`."""

ANONYMOUS: Final = "anybody"


def access_rule_of(handler: BaseRouteHandler) -> AccessRule | Literal["anybody"] | None:
    """Return the access rule of a route; `ANONYMOUS` if signing in is optional, None for a public route."""
    guards = (guard for guard in handler.resolve_guards() if isinstance(guard, AccessRule))
    return next(guards, handler.opt.get(AUTH_OPTION))


async def require_own_site(connection: Connection, _: BaseRouteHandler) -> None:
    """Guard that admits all users, but neither other sites nor API tokens. Raises ForbiddenError."""
    token = token_of(connection)
    if token is not None:
        await _holder(connection, token)
        raise ForbiddenError(NOT_BY_TOKEN)
    check_site(connection)


async def require_own_site_or_token(connection: Connection, _: BaseRouteHandler) -> None:
    """Guard that admits all users and API tokens, but not other sites, which have no token. Raises ForbiddenError."""
    if token_of(connection) is None:
        check_site(connection)


def session_cookie(connection: Connection, token: str) -> Cookie:
    """Return the session cookie with a token, for the maximum lifetime of a session."""
    return Cookie(
        key=_cookie_name(connection),
        value=token,
        path="/",
        httponly=True,
        secure=_is_secure(connection),
        samesite="lax",
        max_age=service_of(connection, Identities).max_session_seconds,
    )


def expired_cookie(connection: Connection) -> Cookie:
    """Return the cookie that deletes the session cookie."""
    return Cookie(
        key=_cookie_name(connection),
        value="",
        path="/",
        httponly=True,
        secure=_is_secure(connection),
        samesite="lax",
        max_age=0,
    )


def _cookie_name(connection: Connection) -> str:
    return SECURE_COOKIE if _is_secure(connection) else COOKIE


def _is_secure(connection: Connection) -> bool:
    """Return whether the site uses HTTPS, by BASE_URL or, without it, by the request."""
    base_url = base_url_of(connection)
    return base_url.startswith("https://") if base_url else connection.scope["scheme"] == "https"


def _own_origin(connection: Connection) -> tuple[str, str, int | None] | None:
    base_url = base_url_of(connection)
    return _origin(base_url or f"{connection.scope['scheme']}://{connection.headers.get('host', '')}")


def _origin(address: str) -> tuple[str, str, int | None] | None:
    """Parse scheme, host and port of a URL; None, which matches no origin, for `null` and invalid URLs."""
    try:
        parts = urlsplit(address.strip())
        port = parts.port or PORTS.get(parts.scheme)
    except ValueError:
        return None
    if not parts.hostname:
        return None
    return parts.scheme, parts.hostname, port
