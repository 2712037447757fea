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
from abhidhan.platform.http.request_headers import SECURE_SESSION_COOKIE, SESSION_COOKIE, parse_bearer_token
from abhidhan.platform.http.services import get_base_url, get_service
from abhidhan.records.api_tokens import Scope, ScopedPerson, TokenUser, missing_scope_error, scopes_granting
from abhidhan.records.errors import ForbiddenError, SignInRequiredError, sentence
from abhidhan.records.people import AuthenticatedUser, Permission, require_permission
from abhidhan.records.throttling import ClientInfo

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
ALLOWED_FETCH_SITES: Final = frozenset({"same-origin", "none"})
CROSS_SITE_MESSAGE: Final = sentence("This request came from another site, which may not act for signed-in users.")
SIGN_IN_MESSAGE: Final = "Sign in first, at /api/session."
TWO_FACTOR_REQUIRED_MESSAGE: Final = sentence(
    "Editors and administrators of this dictionary must use two-factor sign-in. Set it up first, on your account page."
)
TOKEN_NOT_ALLOWED_MESSAGE: Final = sentence("A program with a token cannot do this. Please sign in and do it yourself.")
DEFAULT_PORTS: Final = {"http": 80, "https": 443}

Connection = ASGIConnection[Any, Any, Any, Any]
"""Any request; these functions read only its headers."""

SignedInRequest = Request[AuthenticatedUser, None, State]
"""A request of a signed-in user, set by the guard `require_access`."""


@dataclass(frozen=True, slots=True)
class IdentityProvider:
    """The functions that find the user of a request, by session or by API token.

    `max_session_seconds` is the maximum lifetime of a session, in seconds.
    """

    find_session_user: Callable[[str | None], Awaitable[AuthenticatedUser | None]]
    authenticate_token: Callable[[str], Awaitable[TokenUser]]
    max_session_seconds: int


def build_client_name_finder(
    find_token_user: Callable[[str], Awaitable[TokenUser | None]],
) -> Callable[[str], Awaitable[str | None]]:
    """Return a function that maps a token to the client name of its user in rate limits; None for an invalid token."""

    async def find_client_name(token: str) -> str | None:
        holder = await find_token_user(token)
        return None if holder is None else f"person {holder.person.id}"

    return find_client_name


def client_info(connection: Connection) -> ClientInfo:
    """Return the client of a request: address, user agent and session token."""
    client = connection.client
    return ClientInfo(
        address=rate_limit_key(client.host if client else ""),
        agent=connection.headers.get("user-agent"),
        token=connection.cookies.get(_cookie_name(connection)),
    )


async def find_session_user(connection: Connection) -> AuthenticatedUser | None:
    """Return the user of the session cookie, even if two-factor sign-in must be set up first; None if signed out."""
    return await get_service(connection, IdentityProvider).find_session_user(
        connection.cookies.get(_cookie_name(connection))
    )


async def find_signed_in(connection: Connection) -> AuthenticatedUser | None:
    """Return the signed-in user; None if signed out, or if two-factor sign-in must be set up first."""
    signed_in = await find_session_user(connection)
    return None if signed_in is None or signed_in.must_set_up else signed_in


async def require_signed_in(connection: Connection, *, before_set_up: bool = False) -> AuthenticatedUser:
    """Return the signed-in user. Raises SignInRequiredError, or ForbiddenError if two-factor must be set up first."""
    signed_in = await find_session_user(connection)
    if signed_in is None:
        raise SignInRequiredError(SIGN_IN_MESSAGE)
    if signed_in.must_set_up and not before_set_up:
        raise ForbiddenError(TWO_FACTOR_REQUIRED_MESSAGE)
    return signed_in


def check_site(connection: Connection) -> None:
    """Check that an unsafe request does not come from another site. Raises ForbiddenError.

    Browsers report the site in `Sec-Fetch-Site`, older ones in `Origin`. Programs such as curl send neither, and have
    no cookies that another site could abuse.
    """
    if connection.scope.get("method", "GET") in SAFE_METHODS:
        return
    fetch_site, origin = connection.headers.get("sec-fetch-site"), connection.headers.get("origin")
    if fetch_site is not None:
        is_allowed = fetch_site.strip().lower() in ALLOWED_FETCH_SITES
    else:
        is_allowed = origin is None or _parse_origin(origin) in {_build_own_origin(connection)} - {None}
    if not is_allowed:
        raise ForbiddenError(CROSS_SITE_MESSAGE)


def get_token(connection: Connection) -> str | None:
    """Return the API token of a request; None if it has none."""
    return parse_bearer_token(connection.headers.get("authorization", "").encode("latin-1", "replace"))


async def find_user(connection: Connection) -> AuthenticatedUser | None:
    """Return the user of a public route, by token or cookie; None if signed out.

    Raises TokenRefusedError, ForbiddenError.
    """
    token = get_token(connection)
    return await find_signed_in(connection) if token is None else await _authenticate_token(connection, token)


async def _authenticate_token(connection: Connection, token: str) -> TokenUser:
    holder = await get_service(connection, IdentityProvider).authenticate_token(token)
    if holder.must_set_up:
        raise ForbiddenError(TWO_FACTOR_REQUIRED_MESSAGE)
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
        token = get_token(connection)
        if token is None:
            signed_in = await require_signed_in(connection, before_set_up=self.before_set_up)
            check_site(connection)
        else:
            signed_in = await self._admit_token_user(connection, token)
        if self.permission is not None:
            require_permission(signed_in.person, self.permission)
        return signed_in

    async def _admit_token_user(self, connection: Connection, token: str) -> AuthenticatedUser:
        """Return the token's user. The site is not checked: other sites lack the token, and cookies are ignored."""
        holder = await _authenticate_token(connection, token)
        if not self.scopes:
            raise ForbiddenError(TOKEN_NOT_ALLOWED_MESSAGE)
        person = holder.person
        if self.permission is None and isinstance(person, ScopedPerson) and person.scopes.isdisjoint(self.scopes):
            raise missing_scope_error(self.scopes)
        return holder


def require_access(
    permission: Permission | None = None, *, before_set_up: bool = False, scopes: tuple[Scope, ...] = ()
) -> AccessRule:
    """Return the guard of a route that requires a signed-in user and, optionally, a permission.

    API tokens need a scope that includes the permission or, without a permission, one of `scopes`.
    """
    return AccessRule(permission, before_set_up, scopes if permission is None else scopes_granting(permission))


AUTH_OPTION: Final = "signed_in"
"""Option of a handler that authenticates users itself: an `AccessRule`, or `ANONYMOUS`."""

ANONYMOUS: Final = "anybody"


def get_access_rule(handler: BaseRouteHandler) -> AccessRule | Literal["anybody"] | None:
    """Return the access rule of a route; `ANONYMOUS` if signing in is optional, None for a public route."""
    guards = (guard for guard in handler.resolve_guards() if isinstance(guard, AccessRule))
    return next(guards, handler.opt.get(AUTH_OPTION))


async def require_same_site_session(connection: Connection, _: BaseRouteHandler) -> None:
    """Guard that admits all users, but neither other sites nor API tokens. Raises ForbiddenError."""
    token = get_token(connection)
    if token is not None:
        await _authenticate_token(connection, token)
        raise ForbiddenError(TOKEN_NOT_ALLOWED_MESSAGE)
    check_site(connection)


async def require_own_site_or_token(connection: Connection, _: BaseRouteHandler) -> None:
    """Guard that admits all users and API tokens, but not other sites, which have no token. Raises ForbiddenError."""
    if get_token(connection) is None:
        check_site(connection)


def build_session_cookie(connection: Connection, token: str) -> Cookie:
    """Return the session cookie with a token, for the maximum lifetime of a session."""
    return Cookie(
        key=_cookie_name(connection),
        value=token,
        path="/",
        httponly=True,
        secure=_is_secure(connection),
        samesite="lax",
        max_age=get_service(connection, IdentityProvider).max_session_seconds,
    )


def build_expired_cookie(connection: Connection) -> Cookie:
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
    return SECURE_SESSION_COOKIE if _is_secure(connection) else SESSION_COOKIE


def _is_secure(connection: Connection) -> bool:
    """Return whether the site uses HTTPS, by BASE_URL or, without it, by the request."""
    base_url = get_base_url(connection)
    return base_url.startswith("https://") if base_url else connection.scope["scheme"] == "https"


def _build_own_origin(connection: Connection) -> tuple[str, str, int | None] | None:
    base_url = get_base_url(connection)
    return _parse_origin(base_url or f"{connection.scope['scheme']}://{connection.headers.get('host', '')}")


def _parse_origin(address: str) -> tuple[str, str, int | None] | None:
    """Parse scheme, host and port of a URL; None, which matches no origin, for `null` and invalid URLs."""
    try:
        parts = urlsplit(address.strip())
        port = parts.port or DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return None
    if not parts.hostname:
        return None
    return parts.scheme, parts.hostname, port
