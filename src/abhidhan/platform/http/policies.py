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

from abhidhan.platform.http.request_headers import SECURE_SESSION_COOKIE, SESSION_COOKIE, Headers, parse_bearer_token

OLD_PREFIX: Final = "/2025-web"
"""Alternative prefix of the `.php` paths, so that clients of XOBDO need to change only the host."""

OFFLINE_HEADER: Final = b"abhidhan-offline"
SIGNED_OUT_MARK: Final = "nobody"

_SESSION_COOKIE: Final = re.compile(rf"(?:^|;)\s*(?:{SECURE_SESSION_COOKIE}|{SESSION_COOKIE})=([^;\s]+)".encode())

PUBLIC_CACHE_CONTROL: Final = b"public, max-age=300, stale-while-revalidate=86400, stale-if-error=86400"


class OfflineCopyRule(Enum):
    """Rules for when browsers may store an offline copy of a page."""

    NOT_A_PAGE = "not a page"
    NEVER = "never"
    SIGNED_OUT = "if no user is signed in"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True, eq=False)
class ResponsePolicy:
    """The rules for the responses of a path. Policies are compared and hashed by identity, so they can be cache keys.

    `cache_control` applies to a 200 whose handler set none; `allows_cors` lets every site read the response; `has_etag`
    adds an ETag; `is_cacheable` admits it to the response cache; `is_rate_limited` counts the request against the rate
    limit. `default_media_type` is set where clients may request linked data instead, by `Accept`. `depends_on_user`
    marks responses that differ between users. `allowed_headers` are the request headers that other sites may send.
    `offline_copies` controls offline copies in browsers.
    """

    cache_control: bytes
    allows_cors: bool = False
    has_etag: bool = False
    is_cacheable: bool = False
    is_rate_limited: bool = True
    default_media_type: str = ""
    depends_on_user: bool = False
    allowed_headers: bytes = b"*"
    offline_copies: OfflineCopyRule = OfflineCopyRule.NOT_A_PAGE


PUBLIC_POLICY: Final = ResponsePolicy(PUBLIC_CACHE_CONTROL, allows_cors=True, has_etag=True, is_cacheable=True)
WORD_POLICY: Final = replace(PUBLIC_POLICY, default_media_type="application/json")
EXTERNAL_SOURCE_POLICY: Final = ResponsePolicy(PUBLIC_CACHE_CONTROL, allows_cors=True, has_etag=True)
NO_STORE_POLICY: Final = ResponsePolicy(b"no-store", allows_cors=True)
USER_POLICY: Final = ResponsePolicy(b"no-store", depends_on_user=True)
HEALTH_POLICY: Final = ResponsePolicy(b"no-store", allows_cors=True, is_rate_limited=False)
METRICS_POLICY: Final = ResponsePolicy(b"no-store", is_rate_limited=False)
UPLOADED_FILE_POLICY: Final = ResponsePolicy(b"no-store", depends_on_user=True)
DOWNLOAD_POLICY: Final = ResponsePolicy(b"public, no-cache", allows_cors=True)
RANDOM_PAGE_POLICY: Final = ResponsePolicy(b"no-store")
SERVICE_WORKER_POLICY: Final = ResponsePolicy(b"no-cache", has_etag=True)
PAGE_POLICY: Final = ResponsePolicy(b"private, no-cache", has_etag=True, offline_copies=OfflineCopyRule.NEVER)
PUBLIC_PAGE_POLICY: Final = replace(PAGE_POLICY, is_cacheable=True, offline_copies=OfflineCopyRule.SIGNED_OUT)
FILE_LIST_PAGE_POLICY: Final = replace(PUBLIC_PAGE_POLICY, is_cacheable=False)
SHARED_PAGE_POLICY: Final = replace(PUBLIC_PAGE_POLICY, offline_copies=OfflineCopyRule.ALWAYS)
WORD_PAGE_POLICY: Final = replace(PUBLIC_PAGE_POLICY, default_media_type="text/html")

POLICIES: Final = tuple(
    (re.compile(pattern), policy)
    for pattern, policy in (
        (r"/api/(?:submit-foto\.php|session|account|people|submissions|review|reports|editing)(?:/|$)", USER_POLICY),
        (r"/api/(?:photos|recordings)(?:/|$)", USER_POLICY),
        (r"/api/changes(?:/|$)", NO_STORE_POLICY),
        (r"/api/packs(?:/|$)", NO_STORE_POLICY),
        (r"/api/dic-wiki\.php(?:/|$)", EXTERNAL_SOURCE_POLICY),
        (r"/api/lookup(?:/|$)", NO_STORE_POLICY),
        (r"/api/random(?:/|$)", NO_STORE_POLICY),
        (r"/api/words/[^/]+/?$", WORD_POLICY),
        (r"/api/docs(?:/build-an-app)?/?$", PUBLIC_PAGE_POLICY),
        (rf"(?:{OLD_PREFIX})?/api(?:/|$)", PUBLIC_POLICY),
        (r"/mcp(?:/|$)", NO_STORE_POLICY),
        (r"/(?:photos|recordings)(?:/|$)", UPLOADED_FILE_POLICY),
        (r"/(?:(?:downloads/)?feed\.atom|today\.xml)/?$", EXTERNAL_SOURCE_POLICY),
        (r"/downloads/\d{4}-\d\d-\d\d(?:-\d+)?/?$", FILE_LIST_PAGE_POLICY),
        (r"/(?:downloads|packs)/.", DOWNLOAD_POLICY),
        (r"/embed\.js(?:/|$)", PUBLIC_POLICY),
        (r"/health(?:/|$)", HEALTH_POLICY),
        (r"/metrics(?:/|$)", METRICS_POLICY),
        (r"/sw\.js/?$", SERVICE_WORKER_POLICY),
        (r"/dic/.", WORD_PAGE_POLICY),
        (r"/(?:flashcards|offline)?/?$", SHARED_PAGE_POLICY),
        (r"/(?:search|browse|context|pictures|proverbs|proverb|recent|languages|history)(?:/|$)", PUBLIC_PAGE_POLICY),
        (r"/(?:transliterate|list|my-lists|embed|about)/?$", PUBLIC_PAGE_POLICY),
        (r"/(?:downloads|take-along)/?$", FILE_LIST_PAGE_POLICY),
        (r"/random/?$", RANDOM_PAGE_POLICY),
        (r"", PAGE_POLICY),
    )
)
"""Policies by path; the first match wins.

Articles come from other sites, and downloads from files, so the data version does not change with them. Change feeds
must never be cached, since their clients would miss changes. Pages that are the same for all users may be stored even
while signed in.
"""


@lru_cache(maxsize=64)
def disable_caching(policy: ResponsePolicy) -> ResponsePolicy:
    """Return the policy with `no-store`, for a provisional response."""
    return replace(policy, cache_control=b"no-store")


READ_ONLY_POST_PATHS: Final = re.compile(r"/(?:api/lookup|mcp|settings)/*")


def may_write(method: str, path: str) -> bool:
    """Return whether a request may write; a POST to one of the `READ_ONLY_POST_PATHS` only reads."""
    return method != "OPTIONS" and not READ_ONLY_POST_PATHS.fullmatch(path)


def get_policy(path: str) -> ResponsePolicy:
    """Return the policy of a path. Double and trailing slashes are ignored."""
    plain = re.sub(r"/{2,}", "/", path)
    return next(policy for pattern, policy in POLICIES if pattern.match(plain))


PREFLIGHT_HEADERS: Final = b"access-control-request-headers"
ALL_HEADERS_AND_AUTHORIZATION: Final = b"*, Authorization"
"""For browsers `*` means every header except this one (Fetch, section 3.3.5)."""


def adapt_policy_to_token(policy: ResponsePolicy, method: str, headers: Mapping[bytes, bytes]) -> ResponsePolicy:
    """Return the policy for a request with a bearer token, or its preflight: any site may read the response.

    That is safe: browsers send no cookies with requests whose responses allow `*`, and a token replaces the cookie.
    """
    if method == "OPTIONS":
        if b"authorization" not in headers.get(PREFLIGHT_HEADERS, b"").lower():
            return policy
        policy = replace(policy, allowed_headers=ALL_HEADERS_AND_AUTHORIZATION)
    elif parse_bearer_token(headers.get(b"authorization", b"")) is None:
        return policy
    return replace(policy, allows_cors=True) if policy.depends_on_user else policy


def build_offline_headers(rule: OfflineCopyRule, cookies: bytes) -> Headers:
    """Build the header that allows or forbids the service worker to store a page requested with these cookies."""
    if rule is OfflineCopyRule.NOT_A_PAGE:
        return []
    session_mark = compute_session_mark(cookies)
    is_stored = rule is OfflineCopyRule.ALWAYS or (
        rule is OfflineCopyRule.SIGNED_OUT and session_mark == SIGNED_OUT_MARK
    )
    return [(OFFLINE_HEADER, f"{'keep' if is_stored else 'leave'} {session_mark}".encode())]


def compute_session_mark(cookies: bytes) -> str:
    """Return a mark that differs between sessions and does not reveal the session's token."""
    session = _SESSION_COOKIE.search(cookies)
    return blake2b(session[1], digest_size=4).hexdigest() if session else SIGNED_OUT_MARK


def build_daily_cache_control(seconds_left: int, max_age: int) -> dict[str, str]:
    """Return the `Cache-Control` of a response that is valid until midnight; empty if `seconds_left` is 0."""
    if not seconds_left:
        return {}
    return {"Cache-Control": f"public, max-age={min(seconds_left, max_age)}, stale-if-error=86400"}
