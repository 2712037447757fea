"""Policies by path: CORS, caching, ETags and rate limits of the responses.

For pages they also control offline copies. Each page has a header of two words for the service worker: whether the page
may be stored, and a mark of the session. If the mark changes, the user has signed in or out, and the worker
(`static/worker.js`) deletes all stored pages.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from hashlib import blake2b
from typing import Final

from abhidhan.platform.http.request_headers import SECURE_SESSION_COOKIE, SESSION_COOKIE, Headers, bearer_token

OLD_PREFIX: Final = "/2025-web"
"""Alternative prefix of the `.php` paths, so that clients of XOBDO need to change only the host."""

OFFLINE: Final = b"abhidhan-offline"
SIGNED_OUT_MARK: Final = "nobody"

_SESSION: Final = re.compile(rf"(?:^|;)\s*(?:{SECURE_SESSION_COOKIE}|{SESSION_COOKIE})=([^;\s]+)".encode())

PUBLIC_CACHE_CONTROL: Final = b"public, max-age=300, stale-while-revalidate=86400, stale-if-error=86400"


class OfflineCopies(Enum):
    """Rules for when browsers may store an offline copy of a page."""

    NOT_A_PAGE = "not a page"
    NEVER = "never"
    SIGNED_OUT = "while nobody is signed in"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True, eq=False)
class Policy:
    """The rules for the responses of a path. Policies are compared and hashed by identity, so they can be cache keys.

    `cache_control` applies to a 200 whose handler set none; `allows_cors` lets every site read the response; `has_etag`
    adds an ETag; `is_cacheable` admits it to the response cache; `is_rate_limited` counts the request against the rate
    limit. `default_media_type` is set where clients may request linked data instead, by `Accept`. `depends_on_user`
    marks responses that differ between users. `allowed_headers` are the request headers that other sites may send.
    `offline_copies` controls offline copies in browsers.
    """

    cache_control: bytes
    cors: bool = False
    tagged: bool = False
    cacheable: bool = False
    limited: bool = True
    default_media_type: str = ""
    per_person: bool = False
    allowed_headers: bytes = b"*"
    copies: OfflineCopies = OfflineCopies.NOT_A_PAGE


PUBLIC: Final = Policy(PUBLIC_CACHE_CONTROL, cors=True, tagged=True, cacheable=True)
WORD: Final = replace(PUBLIC, default_media_type="application/json")
EXTERNAL_SOURCE: Final = Policy(PUBLIC_CACHE_CONTROL, cors=True, tagged=True)
FRESH: Final = Policy(b"no-store", cors=True)
COOKIE: Final = Policy(b"no-store", per_person=True)
HEALTH: Final = Policy(b"no-store", cors=True, limited=False)
OPERATOR: Final = Policy(b"no-store", limited=False)
FILE: Final = Policy(b"no-store", per_person=True)
DOWNLOAD: Final = Policy(b"public, no-cache", cors=True)
RANDOM_PAGE: Final = Policy(b"no-store")
WORKER: Final = Policy(b"no-cache", tagged=True)
PAGE: Final = Policy(b"private, no-cache", tagged=True, copies=OfflineCopies.NEVER)
PUBLIC_PAGE: Final = replace(PAGE, cacheable=True, copies=OfflineCopies.SIGNED_OUT)
PAGE_OF_FILES: Final = replace(PUBLIC_PAGE, cacheable=False)
SAME_PAGE: Final = replace(PUBLIC_PAGE, copies=OfflineCopies.ALWAYS)
WORD_PAGE: Final = replace(PUBLIC_PAGE, default_media_type="text/html")

POLICIES: Final = tuple(
    (re.compile(pattern), policy)
    for pattern, policy in (
        (r"/api/(?:submit-foto\.php|session|account|people|submissions|review|reports|editing)(?:/|$)", COOKIE),
        (r"/api/(?:photos|recordings)(?:/|$)", COOKIE),
        (r"/api/changes(?:/|$)", FRESH),
        (r"/api/packs(?:/|$)", FRESH),
        (r"/api/dic-wiki\.php(?:/|$)", EXTERNAL_SOURCE),
        (r"/api/lookup(?:/|$)", FRESH),
        (r"/api/random(?:/|$)", FRESH),
        (r"/api/words/[^/]+/?$", WORD),
        (r"/api/docs(?:/build-an-app)?/?$", PUBLIC_PAGE),
        (rf"(?:{OLD_PREFIX})?/api(?:/|$)", PUBLIC),
        (r"/mcp(?:/|$)", FRESH),
        (r"/(?:photos|recordings)(?:/|$)", FILE),
        (r"/(?:(?:downloads/)?feed\.atom|today\.xml)/?$", EXTERNAL_SOURCE),
        (r"/downloads/\d{4}-\d\d-\d\d(?:-\d+)?/?$", PAGE_OF_FILES),
        (r"/(?:downloads|packs)/.", DOWNLOAD),
        (r"/embed\.js(?:/|$)", PUBLIC),
        (r"/health(?:/|$)", HEALTH),
        (r"/metrics(?:/|$)", OPERATOR),
        (r"/sw\.js/?$", WORKER),
        (r"/dic/.", WORD_PAGE),
        (r"/(?:flashcards|offline)?/?$", SAME_PAGE),
        (r"/(?:search|browse|context|pictures|proverbs|proverb|recent|languages|history)(?:/|$)", PUBLIC_PAGE),
        (r"/(?:transliterate|list|my-lists|embed|about)/?$", PUBLIC_PAGE),
        (r"/(?:downloads|take-along)/?$", PAGE_OF_FILES),
        (r"/random/?$", RANDOM_PAGE),
        (r"", PAGE),
    )
)
"""Policies by path; the first match wins.

Articles come from other sites, and downloads from files, so the data version does not change with them. Change feeds
must never be cached, since their clients would miss changes. Pages that are the same for all users may be stored even
while signed in.
"""


@lru_cache(maxsize=64)
def uncached(policy: Policy) -> Policy:
    """Return the policy with `no-store`, for a provisional response."""
    return replace(policy, cache_control=b"no-store")


READ_BY_POST: Final = re.compile(r"/(?:api/lookup|mcp|settings)/*")


def may_write(method: str, path: str) -> bool:
    """Return whether a request may write; a POST to one of the `READ_ONLY_POST_PATHS` only reads."""
    return method != "OPTIONS" and not READ_BY_POST.fullmatch(path)


def policy_of(path: str) -> Policy:
    """Return the policy of a path. Double and trailing slashes are ignored."""
    plain = re.sub(r"/{2,}", "/", path)
    return next(policy for pattern, policy in POLICIES if pattern.match(plain))


PREFLIGHT_HEADERS: Final = b"access-control-request-headers"
WITH_AUTHORIZATION: Final = b"*, Authorization"
"""For browsers `*` means every header except this one (Fetch, section 3.3.5)."""


def policy_by_token(policy: Policy, method: str, headers: Mapping[bytes, bytes]) -> Policy:
    """Return the policy for a request with a bearer token, or its preflight: any site may read the response.

    That is safe: browsers send no cookies with requests whose responses allow `*`, and a token replaces the cookie.
    """
    if method == "OPTIONS":
        if b"authorization" not in headers.get(PREFLIGHT_HEADERS, b"").lower():
            return policy
        policy = replace(policy, allowed_headers=WITH_AUTHORIZATION)
    elif bearer_token(headers.get(b"authorization", b"")) is None:
        return policy
    return replace(policy, cors=True) if policy.per_person else policy


def offline_headers(copies: OfflineCopies, cookies: bytes) -> Headers:
    """Build the header that allows or forbids the service worker to store a page requested with these cookies."""
    if copies is OfflineCopies.NOT_A_PAGE:
        return []
    reader = reader_mark(cookies)
    is_stored = copies is OfflineCopies.ALWAYS or (copies is OfflineCopies.SIGNED_OUT and reader == SIGNED_OUT_MARK)
    return [(OFFLINE, f"{'keep' if is_stored else 'leave'} {reader}".encode())]


def reader_mark(cookies: bytes) -> str:
    """Return a mark that differs between sessions and does not reveal the session's token."""
    session = _SESSION.search(cookies)
    return blake2b(session[1], digest_size=4).hexdigest() if session else SIGNED_OUT_MARK


def until_midnight(seconds_left: int, max_age: int) -> dict[str, str]:
    """Return the `Cache-Control` of a response that is valid until midnight; empty if `seconds_left` is 0."""
    if not seconds_left:
        return {}
    return {"Cache-Control": f"public, max-age={min(seconds_left, max_age)}, stale-if-error=86400"}
