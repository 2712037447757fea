"""What browsers may keep of a page for when they have no network: each page says so to the service worker.

The header has two words: whether the page may be kept, and a mark of who reads it. Where that mark changes, somebody
has signed in or out, and the worker (`pages/static/worker.js`) forgets all pages that were seen before.
"""

import re
from enum import Enum
from hashlib import blake2b
from typing import Final

from abhidhan.web.edge.answer import Headers
from abhidhan.web.edge.headers import SECURE_SESSION_COOKIE, SESSION_COOKIE

OFFLINE: Final = b"abhidhan-offline"
NOBODY: Final = "nobody"

_SESSION: Final = re.compile(rf"(?:^|;)\s*(?:{SECURE_SESSION_COOKIE}|{SESSION_COOKIE})=([^;\s]+)".encode())


class Copies(Enum):
    """Whether copies of the pages of an address are kept."""

    NOT_A_PAGE = "not a page"
    NEVER = "never"
    OF_NOBODY = "while nobody is signed in"
    ALWAYS = "always"


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
