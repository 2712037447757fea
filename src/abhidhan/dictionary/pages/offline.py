"""The site as an installable application that works offline with a service worker."""

import re
from functools import cache
from typing import Annotated, Final

import msgspec
from litestar import Response, get
from litestar.params import QueryParameter

from abhidhan.dictionary.pages.site_metadata import CACHE_ONE_HOUR
from abhidhan.platform.http.assets import asset_address, compute_fingerprint, load_assets
from abhidhan.platform.http.parameters import MAX_TEXT_LENGTH
from abhidhan.platform.http.preferences import THEME_COLOURS, get_interface, translate_message
from abhidhan.platform.http.rendering import PageRequest, PagesDep, redirect_to
from abhidhan.platform.http.urls import add_query
from abhidhan.records.errors import sentence

OFFLINE_PATH: Final = "/offline"
CACHED_PAGES: Final = ("/", "/flashcards", OFFLINE_PATH)
"""Pages that are cached when the worker is installed, in the reader's language."""

PACK_FILES: Final = (
    "pack-results.js",
    "pack-lookup.js",
    "pack-keys.js",
    "pack-chunks.js",
    "pack-store.js",
    "pack-typos.js",
)
COMMON_FILES: Final = ("style.css", "main.js", "suggest.js", "icon.svg")
OFFLINE_FILES: Final = (*COMMON_FILES, "formatting.js", "cached-page-notice.js", "cached-pages.js", *PACK_FILES)
LIST_FILES: Final = (
    "star.js",
    "saved-lists.js",
    "list-sync.js",
    "card-progress.js",
    "list-dialog.js",
    "history.js",
)
WORD_FILES: Final = ("keyboard.js", "article.js", "lazy-details.js", "share.js", "register-worker.js", *LIST_FILES)
PAGE_FILES: Final = (*OFFLINE_FILES, *WORD_FILES, "cards.js", "card-sets.js", "play.js")
"""Files that cached pages and entry pages load. Fonts, which are larger, are cached when a page first loads them."""

WORKER_HEADERS: Final = {
    "Cache-Control": "no-cache",
    "Service-Worker-Allowed": "/",
    "Content-Security-Policy": "default-src 'none'; connect-src 'self'",
}
SHARE_TARGET: Final = {
    "action": "/shared",
    "method": "GET",
    "enctype": "application/x-www-form-urlencoded",
    "params": {"text": "text"},
}
MAX_SHARED_LENGTH: Final = 10_000


@cache
def build_worker_script(*, works_offline: bool) -> bytes:
    """Build the service worker, which changes when any file does; or one that only clears caches and unregisters."""
    if not works_offline:
        return load_assets()["no-worker.js"]
    site = {
        "mark": compute_fingerprint(),
        "pages": CACHED_PAGES,
        "files": [asset_address(name) for name in PAGE_FILES],
        "minimalFiles": [asset_address(name) for name in OFFLINE_FILES],
    }
    return b"const SITE = %b;\n%b" % (msgspec.json.encode(site), load_assets()["worker.js"])


@get("/sw.js", include_in_schema=False)
async def read_worker(pages: PagesDep) -> Response[bytes]:
    """Return the service worker. Browsers request it on every visit, and it must not be cached."""
    script = build_worker_script(works_offline=pages.works_offline)
    return Response(script, media_type="text/javascript", headers=WORKER_HEADERS)


@get("/offline", include_in_schema=False)
async def show_offline(request: PageRequest, pages: PagesDep) -> Response[str]:
    """Show what works offline; the worker shows this in place of pages that are not cached."""
    return pages.show(request, "offline.html", {})


# --- installation on a phone ----------------------------------------------------------------------------------------


@get("/manifest.webmanifest", include_in_schema=False)
async def show_manifest(
    request: PageRequest, interface: Annotated[str, QueryParameter(name="interface", max_length=20)] = ""
) -> Response[dict[str, object]]:
    """Return the web application manifest in an interface language."""
    language = get_interface(request.scope, interface).language
    return Response(build_manifest(language), media_type="application/manifest+json", headers=CACHE_ONE_HOUR)


def build_manifest(language: str) -> dict[str, object]:
    """Build the manifest. An installed site looks up texts shared from other applications."""
    return {
        "id": "/",
        "name": "Abhidhan",
        "short_name": "Abhidhan",
        "description": translate_message(
            language, sentence("An open dictionary of Assamese and its neighbouring languages.")
        ),
        "lang": language,
        "dir": "ltr",
        "start_url": "/",
        "scope": "/",
        "display": "minimal-ui",
        "categories": ["books", "education"],
        "background_color": THEME_COLOURS["light"],
        "theme_color": THEME_COLOURS["light"],
        "icons": [
            {"src": asset_address("icon.svg"), "sizes": "any", "type": "image/svg+xml"},
            _describe_icon("icon-192.png", 192),
            _describe_icon("icon-512.png", 512),
            _describe_icon("icon-maskable.png", 512) | {"purpose": "maskable"},
        ],
        "shortcuts": [
            _describe_shortcut(translate_message(language, sentence("Look up a word")), "/#q"),
            _describe_shortcut(translate_message(language, sentence("Word of the day")), "/#today"),
            _describe_shortcut(translate_message(language, sentence("Flashcards")), "/flashcards"),
        ],
        "share_target": SHARE_TARGET,
    }


def _describe_icon(name: str, size: int) -> dict[str, str]:
    return {"src": asset_address(name), "sizes": f"{size}x{size}", "type": "image/png"}


def _describe_shortcut(name: str, address: str) -> dict[str, object]:
    return {"name": name, "url": address, "icons": [_describe_icon("icon-192.png", 192)]}


_TRAILING_URL: Final = re.compile(r"\s*\bhttps?://\S*$")
_QUOTES: Final = "\"'“”‘’«» \n\t"


@get("/shared", include_in_schema=False)
async def look_up_shared(text: Annotated[str, QueryParameter(max_length=MAX_SHARED_LENGTH)] = "") -> Response[str]:
    """Look up a text shared by another application on a phone."""
    return redirect_to(add_query("/search", q=clean_shared_text(text)[:MAX_TEXT_LENGTH]))


def clean_shared_text(text: str) -> str:
    """Return a shared text without the quotes and the source URL that browsers add."""
    return _TRAILING_URL.sub("", text.strip()).strip(_QUOTES)


OFFLINE_HANDLERS = (read_worker, show_offline, show_manifest, look_up_shared)
