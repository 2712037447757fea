"""Policies: how the answers of each address are shared, cached, tagged and limited, as one table from paths.

Of pages they also say what a browser may keep for when it has no network. Each page tells the service worker so by a
header of two words: whether the page may be kept, and a mark of who reads it. Where that mark changes, somebody has
signed in or out, and the worker (`static/worker.js`) forgets all pages that were seen before.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from hashlib import blake2b
from typing import Final

from abhidhan.platform.http.request_headers import SECURE_SESSION_COOKIE, SESSION_COOKIE, Headers, bearer_of

OLD_PREFIX: Final = "/2025-web"
"""The path below which the `.php` addresses answer too: clients of XOBDO change only the host."""

OFFLINE: Final = b"abhidhan-offline"
NOBODY: Final = "nobody"

_SESSION: Final = re.compile(rf"(?:^|;)\s*(?:{SECURE_SESSION_COOKIE}|{SESSION_COOKIE})=([^;\s]+)".encode())

PUBLIC_FOR_A_WHILE: Final = b"public, max-age=300, stale-while-revalidate=86400, stale-if-error=86400"


class Copies(Enum):
    """Whether browsers keep copies of the pages of an address."""

    NOT_A_PAGE = "not a page"
    NEVER = "never"
    OF_NOBODY = "while nobody is signed in"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True, eq=False)
class Policy:
    """The rules for sharing the answers of an address. What is made of one is found by it, and not by its rules.

    `cache_control` is that of a 200 whose handler set none; `cors` opens the answer to every site; `tagged` gives it
    an ETag; `cacheable` lets the answer cache keep it; `limited` counts the request against the rate limit.
    `default_media_type` is that of its answers where a client may ask for linked data instead, by `Accept`.
    `per_person` marks what depends on who asks. `allowed_headers` are those that other sites may send. `copies` says
    whether browsers keep copies for when they have no network.
    """

    cache_control: bytes
    cors: bool = False
    tagged: bool = False
    cacheable: bool = False
    limited: bool = True
    default_media_type: str = ""
    per_person: bool = False
    allowed_headers: bytes = b"*"
    copies: Copies = Copies.NOT_A_PAGE


PUBLIC: Final = Policy(PUBLIC_FOR_A_WHILE, cors=True, tagged=True, cacheable=True)
WORD: Final = replace(PUBLIC, default_media_type="application/json")
FROM_OUTSIDE: Final = Policy(PUBLIC_FOR_A_WHILE, cors=True, tagged=True)
FRESH: Final = Policy(b"no-store", cors=True)
COOKIE: Final = Policy(b"no-store", per_person=True)
HEALTH: Final = Policy(b"no-store", cors=True, limited=False)
OPERATOR: Final = Policy(b"no-store", limited=False)
FILE: Final = Policy(b"no-store", per_person=True)
DOWNLOAD: Final = Policy(b"public, no-cache", cors=True)
DRAWN: Final = Policy(b"no-store")
WORKER: Final = Policy(b"no-cache", tagged=True)
PAGE: Final = Policy(b"private, no-cache", tagged=True, copies=Copies.NEVER)
PUBLIC_PAGE: Final = replace(PAGE, copies=Copies.OF_NOBODY)
SAME_PAGE: Final = replace(PAGE, copies=Copies.ALWAYS)
WORD_PAGE: Final = replace(PUBLIC_PAGE, default_media_type="text/html")

POLICIES: Final = tuple(
    (re.compile(pattern), policy)
    for pattern, policy in (
        (r"/api/(?:submit-foto\.php|session|account|people|submissions|review|reports|editing)(?:/|$)", COOKIE),
        (r"/api/(?:photos|recordings)(?:/|$)", COOKIE),
        (r"/api/changes(?:/|$)", FRESH),
        (r"/api/packs(?:/|$)", FRESH),
        (r"/api/dic-wiki\.php(?:/|$)", FROM_OUTSIDE),
        (r"/api/lookup(?:/|$)", FRESH),
        (r"/api/random(?:/|$)", FRESH),
        (r"/api/words/[^/]+/?$", WORD),
        (r"/api/docs(?:/build-an-app)?/?$", PUBLIC_PAGE),
        (rf"(?:{OLD_PREFIX})?/api(?:/|$)", PUBLIC),
        (r"/mcp(?:/|$)", FRESH),
        (r"/(?:photos|recordings)(?:/|$)", FILE),
        (r"/(?:(?:downloads/)?feed\.atom|today\.xml)/?$", FROM_OUTSIDE),
        (r"/downloads/\d{4}-\d\d-\d\d(?:-\d+)?/?$", PUBLIC_PAGE),
        (r"/(?:downloads|packs)/.", DOWNLOAD),
        (r"/embed\.js(?:/|$)", PUBLIC),
        (r"/health(?:/|$)", HEALTH),
        (r"/metrics(?:/|$)", OPERATOR),
        (r"/sw\.js/?$", WORKER),
        (r"/dic/.", WORD_PAGE),
        (r"/(?:flashcards|offline)?/?$", SAME_PAGE),
        (r"/(?:search|browse|context|pictures|proverbs|proverb|recent|languages|history)(?:/|$)", PUBLIC_PAGE),
        (r"/(?:transliterate|list|my-lists|downloads|take-along|embed|about)/?$", PUBLIC_PAGE),
        (r"/random/?$", DRAWN),
        (r"", PAGE),
    )
)
"""Policies by path; the first match counts. Articles come from outside, so no data version tells their age.

Whoever follows changes asks for what is there now: an answer that somebody kept would let them wait for nothing. Pages
that are the same whoever asks may be kept by whoever is signed in, too.
"""


@lru_cache(maxsize=64)
def uncached(policy: Policy) -> Policy:
    """Return the policy for an answer that may be worth less than the next one: nobody keeps it."""
    return replace(policy, cache_control=b"no-store")


READ_BY_POST: Final = re.compile(r"/(?:api/lookup|mcp)/*")


def may_write(method: str, path: str) -> bool:
    """Return whether a request may write something: what is sent by POST to these two addresses is only read."""
    return method != "OPTIONS" and not READ_BY_POST.fullmatch(path)


def policy_of(path: str) -> Policy:
    """Return how the answers of a path may be shared. Double slashes and a slash at the end mean nothing."""
    plain = re.sub(r"/{2,}", "/", path)
    return next(policy for pattern, policy in POLICIES if pattern.match(plain))


ASKED_FOR: Final = b"access-control-request-headers"
WITH_AUTHORIZATION: Final = b"*, Authorization"
"""To browsers `*` means every header but this one (Fetch, section 3.3.5)."""


def policy_by_token(policy: Policy, method: str, headers: Mapping[bytes, bytes]) -> Policy:
    """Return the policy for whoever brings a token, or asks whether to: every site may read that, for it has no cookie.

    A browser never sends a cookie along where the answer is for `*`, and a token counts instead of one.
    """
    if method == "OPTIONS":
        if b"authorization" not in headers.get(ASKED_FOR, b"").lower():
            return policy
        policy = replace(policy, allowed_headers=WITH_AUTHORIZATION)
    elif bearer_of(headers.get(b"authorization", b"")) is None:
        return policy
    return replace(policy, cors=True) if policy.per_person else policy


def offline_headers(copies: Copies, cookies: bytes) -> Headers:
    """Return the header that tells the service worker what to do with a page that was asked for with these cookies."""
    if copies is Copies.NOT_A_PAGE:
        return []
    reader = reader_mark(cookies)
    is_kept = copies is Copies.ALWAYS or (copies is Copies.OF_NOBODY and reader == NOBODY)
    return [(OFFLINE, f"{'keep' if is_kept else 'leave'} {reader}".encode())]


def reader_mark(cookies: bytes) -> str:
    """Return a mark that differs from session to session and tells nothing of it."""
    session = _SESSION.search(cookies)
    return blake2b(session[1], digest_size=4).hexdigest() if session else NOBODY


def until_midnight(seconds_left: int, longest: int) -> dict[str, str]:
    """Return the header of an answer that may be kept for a while, and not beyond its day; none once that is over."""
    if not seconds_left:
        return {}
    return {"Cache-Control": f"public, max-age={min(seconds_left, longest)}, stale-if-error=86400"}
