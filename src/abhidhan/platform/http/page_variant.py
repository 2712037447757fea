"""The variant of a page in its cache key: everything that it depends on apart from the URL and the data."""

import time
from typing import Final

from abhidhan.platform.http.preferences import InterfacePreferences
from abhidhan.platform.http.request_context import RequestContext
from abhidhan.platform.http.request_headers import SESSION_COOKIE
from abhidhan.records.timestamps import DAY_SECONDS

_SESSION_COOKIE_NAME: Final = SESSION_COOKIE.encode()
"""A substring of both session cookies' names."""


def build_page_variant(request: RequestContext, interface: InterfacePreferences) -> str | None:
    """Return the variant for a reader's preferences; None (not cached) for a request with a session or token.

    Handlers also use `interface`, not the cookies from which it was read. The host is included because pages contain
    it if there is no BASE_URL, and the day because some pages depend on it.
    """
    headers = request.headers
    if _SESSION_COOKIE_NAME in headers.get(b"cookie", b"") or b"authorization" in headers:
        return None
    site = f"{request.client.scheme}://{headers.get(b'host', b'').decode('latin-1')}"
    today = int(time.time()) // DAY_SECONDS
    return f"{interface.language} {interface.theme} {'.'.join(interface.chosen)} {site} {today}"


def get_requested_path(request: RequestContext) -> str:
    """Return the path exactly as sent by the client, from which handlers read words."""
    raw = request.scope.get("raw_path") or request.scope["path"].encode()
    return raw.partition(b"?")[0].decode("latin-1")
