"""Who asks, by a cookie or a token; which site a request comes from; and the guards that check both."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie, State
from litestar.handlers import BaseRouteHandler

from abhidhan.platform.http.client_address import limited_as
from abhidhan.platform.http.request_headers import SECURE_SESSION_COOKIE, SESSION_COOKIE, bearer_of
from abhidhan.platform.http.services import base_url_of, service_of
from abhidhan.records.api_tokens import Scope, SignedInByToken, TokenPerson, scope_missing, scopes_for
from abhidhan.records.errors import ForbiddenError, SignInRequiredError, sentence
from abhidhan.records.people import Permission, SignedIn, require
from abhidhan.records.throttling import Visit

COOKIE: Final = SESSION_COOKIE
SECURE_COOKIE: Final = SECURE_SESSION_COOKIE

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
OWN_SITES: Final = frozenset({"same-origin", "none"})
FROM_ANOTHER_SITE: Final = sentence(
    "This request comes from another site, which may not act for someone signed in here."
)
SIGN_IN_FIRST: Final = "Sign in first, at /api/session."
SET_UP_FIRST: Final = sentence(
    "Editors and administrators of this dictionary sign in with codes: set that up first, on your account page."
)
NOT_BY_TOKEN: Final = sentence("Programs that act by a token cannot do this: sign in, and do it yourself.")
PORTS: Final = {"http": 80, "https": 443}

Connection = ASGIConnection[Any, Any, Any, Any]
"""A request, whoever asks: these functions look at its headers only."""

SignedInRequest = Request[SignedIn, None, State]
"""A request of somebody who is signed in: `needs` has put the person there."""


@dataclass(frozen=True, slots=True)
class Identities:
    """The functions by which an application finds the user of a request: by session or by API token.

    `longest_session` is how many seconds a session can last.
    """

    find_session: Callable[[str | None], Awaitable[SignedIn | None]]
    use_token: Callable[[str], Awaitable[SignedInByToken]]
    longest_session: int


def counting_people(
    holder_of: Callable[[str], Awaitable[SignedInByToken | None]],
) -> Callable[[str], Awaitable[str | None]]:
    """Let a rate limit count whoever brings a token as a person, however many tokens and addresses that person has."""

    async def counted_as(token: str) -> str | None:
        holder = await holder_of(token)
        return None if holder is None else f"person {holder.person.id}"

    return counted_as


def visit_of(connection: Connection) -> Visit:
    """Return where a request comes from."""
    client = connection.client
    return Visit(
        address=limited_as(client.host if client else ""),
        agent=connection.headers.get("user-agent"),
        token=connection.cookies.get(_cookie_name(connection)),
    )


async def find_session(connection: Connection) -> SignedIn | None:
    """Find who is signed in, by the cookie of the request; also who must set up codes before anything else."""
    return await service_of(connection, Identities).find_session(connection.cookies.get(_cookie_name(connection)))


async def find_signed_in(connection: Connection) -> SignedIn | None:
    """Find who is signed in and may act; who must set up codes first is nobody yet."""
    found = await find_session(connection)
    return None if found is None or found.must_set_up else found


async def require_signed_in(connection: Connection, *, before_set_up: bool = False) -> SignedIn:
    """Find who is signed in. Raises SignInRequiredError, ForbiddenError for whoever must set up codes first."""
    found = await find_session(connection)
    if found is None:
        raise SignInRequiredError(SIGN_IN_FIRST)
    if found.must_set_up and not before_set_up:
        raise ForbiddenError(SET_UP_FIRST)
    return found


def check_site(connection: Connection) -> None:
    """Make sure that a request which changes something was not made by another site. Raises ForbiddenError.

    Browsers say so in `Sec-Fetch-Site`, older ones in `Origin`; a program such as curl sends neither, and has no
    cookies that another site could make use of.
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
    """Return the token that a request brings instead of a cookie; None where it brings none."""
    return bearer_of(connection.headers.get("authorization", "").encode("latin-1", "replace"))


async def find_acting(connection: Connection) -> SignedIn | None:
    """Find who asks an address that is for anybody, by a token or a cookie.

    Raises TokenRefusedError, ForbiddenError.
    """
    token = token_of(connection)
    return await find_signed_in(connection) if token is None else await _holder(connection, token)


async def _holder(connection: Connection, token: str) -> SignedInByToken:
    holder = await service_of(connection, Identities).use_token(token)
    if holder.must_set_up:
        raise ForbiddenError(SET_UP_FIRST)
    return holder


@dataclass(frozen=True, slots=True)
class Needs:
    """The guard of an address for people who are signed in, and may do something.

    `before_set_up`: also for those who must set up codes first. `scopes`: for programs too that bring a token with one
    of these; where nothing is said, those scopes which allow what is done here.
    """

    permission: Permission | None = None
    before_set_up: bool = False
    scopes: tuple[Scope, ...] = ()

    async def __call__(self, connection: Connection, _: BaseRouteHandler) -> None:
        """Let pass who may, and remember who it is. Raises SignInRequiredError, ForbiddenError."""
        connection.scope["user"] = await self.admit(connection)

    async def admit(self, connection: Connection) -> SignedIn:
        """Find who asks, and make sure that it is somebody who may. Raises SignInRequiredError, ForbiddenError."""
        token = token_of(connection)
        if token is None:
            signed_in = await require_signed_in(connection, before_set_up=self.before_set_up)
            check_site(connection)
        else:
            signed_in = await self._by_token(connection, token)
        if self.permission is not None:
            require(signed_in.person, self.permission)
        return signed_in

    async def _by_token(self, connection: Connection, token: str) -> SignedIn:
        """Find for whom a program asks. No other site has the token, and no cookie counts beside it."""
        holder = await _holder(connection, token)
        if not self.scopes:
            raise ForbiddenError(NOT_BY_TOKEN)
        person = holder.person
        if self.permission is None and isinstance(person, TokenPerson) and person.scopes.isdisjoint(self.scopes):
            raise scope_missing(self.scopes)
        return holder


def needs(
    permission: Permission | None = None, *, before_set_up: bool = False, scopes: tuple[Scope, ...] = ()
) -> Needs:
    """Make the guard of an address for people who are signed in, and may do something.

    Where something must be allowed, the scopes that allow it are enough; else `scopes`, of which one is needed.
    """
    return Needs(permission, before_set_up, scopes if permission is None else scopes_for(permission))


SIGNED_IN: Final = "signed_in"
"""The option of a handler that looks itself who asks: what it needs, or `ANYBODY`."""

ANYBODY: Final = "anybody"


def needed_by(handler: BaseRouteHandler) -> Needs | Literal["anybody"] | None:
    """Return what whoever asks an address must be and may do; None where that does not matter."""
    guards = (guard for guard in handler.resolve_guards() if isinstance(guard, Needs))
    return next(guards, handler.opt.get(SIGNED_IN))


async def from_own_site(connection: Connection, _: BaseRouteHandler) -> None:
    """Guard an address that is for anybody, but not for other sites, nor for programs that act for somebody."""
    token = token_of(connection)
    if token is not None:
        await _holder(connection, token)
        raise ForbiddenError(NOT_BY_TOKEN)
    check_site(connection)


async def from_own_site_or_by_token(connection: Connection, _: BaseRouteHandler) -> None:
    """Guard an address that is for anybody, but not for other sites: they bring no token."""
    if token_of(connection) is None:
        check_site(connection)


def session_cookie(connection: Connection, token: str) -> Cookie:
    """Make the cookie that carries a token, for as long as its session can last."""
    return Cookie(
        key=_cookie_name(connection),
        value=token,
        path="/",
        httponly=True,
        secure=_is_secure(connection),
        samesite="lax",
        max_age=service_of(connection, Identities).longest_session,
    )


def no_cookie(connection: Connection) -> Cookie:
    """Make the cookie that takes the token away."""
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
    """Return whether the world reaches this server by https: BASE_URL says so, or else the request itself."""
    base_url = base_url_of(connection)
    return base_url.startswith("https://") if base_url else connection.scope["scheme"] == "https"


def _own_origin(connection: Connection) -> tuple[str, str, int | None] | None:
    base_url = base_url_of(connection)
    return _origin(base_url or f"{connection.scope['scheme']}://{connection.headers.get('host', '')}")


def _origin(address: str) -> tuple[str, str, int | None] | None:
    """Read scheme, host and port of an address; None, which equals no other, for `null` and what is no address."""
    try:
        parts = urlsplit(address.strip())
        port = parts.port or PORTS.get(parts.scheme)
    except ValueError:
        return None
    if not parts.hostname:
        return None
    return parts.scheme, parts.hostname, port
