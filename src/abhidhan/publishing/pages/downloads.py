"""The public downloads: the page that lists them, the files themselves, and card sets as Anki decks."""

from contextlib import suppress
from typing import Annotated, Final

import msgspec
from litestar import Response, get
from litestar.params import PathParameter

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.exchange.service.list_files import CardSetDecks
from abhidhan.formats.registry import EXPORTERS
from abhidhan.platform.http.preferences import InterfacePreferences
from abhidhan.platform.http.rendering import PageRequest, PagesDep, render
from abhidhan.platform.http.services import get_service
from abhidhan.platform.http.streaming import (
    OMIT_BODY_KEY,
    ByteRange,
    StreamedResponse,
    format_http_date,
    is_unchanged,
    matches_if_range,
    parse_range,
)
from abhidhan.platform.http.urls import build_absolute_url
from abhidhan.publishing.service.download_files import Downloads
from abhidhan.publishing.service.downloads import NO_FILE_MESSAGE, DownloadFiles, OpenedDownload
from abhidhan.publishing.service.takedowns import is_edition
from abhidhan.records.errors import GoneError, NotFoundError, sentence
from abhidhan.records.ids import parse_number
from abhidhan.records.languages import Language
from abhidhan.records.sources import Source

REVALIDATE_CACHE_CONTROL: Final = "public, no-cache"
ANKI_MEDIA_TYPE: Final = EXPORTERS["anki"].media_type
DECK_SUFFIX: Final = ".apkg"
MAX_NAMED_LANGUAGES: Final = 12
MAX_NOTICES: Final = 50
"""Maximum number of removal notices on the page and in the feed; downloads.json has all."""

NO_EDITIONS_MESSAGE: Final = sentence("Dated editions are no longer offered. /downloads has the current files.")


class DownloadsPage(msgspec.Struct, frozen=True):
    """The current downloads, the languages by code, and the sources of the data."""

    downloads: Downloads | None
    languages: dict[str, Language]
    sources: tuple[Source, ...]


@get("/downloads", include_in_schema=False)
async def show_downloads(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep) -> Response[str]:
    """Show the files to download, and the endpoints that list the data page by page."""
    catalogue = await dictionary.catalogue()
    page = DownloadsPage(
        await get_service(request, DownloadFiles).read_list(),
        {language.code: language for language in catalogue.languages},
        tuple(catalogue.sources.values()),
    )
    values = {"page": page, "most_named": MAX_NAMED_LANGUAGES, "most_notices": MAX_NOTICES}
    return pages.show(request, "downloads.html", values)


@get("/downloads/{name:str}", include_in_schema=False)
async def read_download(
    request: PageRequest, pages: PagesDep, name: Annotated[str, PathParameter()]
) -> Response[bytes]:
    """Send a file, or the requested range of it."""
    if is_edition(name):
        raise GoneError(NO_EDITIONS_MESSAGE)
    files, address = get_service(request, DownloadFiles), build_absolute_url(pages.get_base_url(request), "/downloads")
    for _ in range(2):
        with suppress(FileNotFoundError):
            return await _send_file(request, files, await files.find(name, address))
    raise NotFoundError(NO_FILE_MESSAGE)


@get("/downloads/{edition:str}/{name:path}", include_in_schema=False)
async def refuse_edition(edition: Annotated[str, PathParameter()], name: Annotated[str, PathParameter()]) -> None:
    """Respond that a dated edition is gone, and link to the current files."""
    del name
    raise GoneError(NO_EDITIONS_MESSAGE) if is_edition(edition) else NotFoundError(NO_FILE_MESSAGE)


@get("/downloads/feed.atom", include_in_schema=False)
async def show_downloads_feed(request: PageRequest, pages: PagesDep) -> Response[str]:
    """Return an Atom feed (RFC 4287) of the current files and the removal notices."""
    downloads = await get_service(request, DownloadFiles).read_list()
    values = {"downloads": downloads, "most_notices": MAX_NOTICES, "base": pages.get_base_url(request)}
    body = render(InterfacePreferences(), "downloads.xml", values)
    return Response(body, media_type="application/atom+xml", headers={"Cache-Control": "public, max-age=900"})


async def _send_file(request: PageRequest, files: DownloadFiles, download: OpenedDownload) -> Response[bytes]:
    """Send a file, or the requested range of it, so that an interrupted download can resume.

    Raises FileNotFoundError if newer files have replaced it since it was found.
    """
    tag = f'"{download.sha256[:32]}"'
    headers = {
        "Cache-Control": REVALIDATE_CACHE_CONTROL,
        "Content-Disposition": f'attachment; filename="{download.name}"',
        "Accept-Ranges": "bytes",
        "ETag": tag,
        "Last-Modified": format_http_date(download.made),
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
    if is_unchanged(request.headers, tag, download.made):
        return Response(b"", status_code=304, headers=headers)
    try:
        part = _parse_range(request, download, tag)
    except ValueError:
        return Response(b"", status_code=416, headers=headers | {"Content-Range": f"bytes */{download.size}"})
    byte_range = part or ByteRange(0, download.size)
    if part is not None:
        headers["Content-Range"] = part.format_content_range(download.size)
    pieces = await files.stream(
        download, byte_range.start, 0 if request.scope.get(OMIT_BODY_KEY) else byte_range.length
    )
    status = 206 if part else 200
    return StreamedResponse(
        pieces, byte_range.length, status_code=status, headers=headers, media_type=download.media_type
    )


def _parse_range(request: PageRequest, download: OpenedDownload, tag: str) -> ByteRange | None:
    """Return the requested range; None for the whole file, also if `If-Range` does not match. Raises ValueError.

    HEAD is answered for the whole file: RFC 9110 defines Range for GET only.
    """
    if request.scope.get(OMIT_BODY_KEY):
        return None
    condition = request.headers.get("if-range")
    if condition is not None and not matches_if_range(condition, tag, download.made):
        return None
    return parse_range(request.headers.get("range", ""), download.size)


# --- a set of flashcards ------------------------------------------------------------------------------------------


@get("/flashcards/{name:str}", include_in_schema=False)
async def read_card_set(request: PageRequest, name: Annotated[str, PathParameter()]) -> Response[bytes]:
    """Download a set of flashcards as a deck for Anki."""
    number = parse_number(name.removesuffix(DECK_SUFFIX)) if name.endswith(DECK_SUFFIX) else None
    if number is None:
        raise NotFoundError(sentence("There is no flashcard set %(name)s.", name=name))
    content = await get_service(request, CardSetDecks).get_deck(number)
    headers = {
        "Cache-Control": REVALIDATE_CACHE_CONTROL,
        "Content-Disposition": f'attachment; filename="abhidhan-cards-{number}{DECK_SUFFIX}"',
    }
    return Response(content, media_type=ANKI_MEDIA_TYPE, headers=headers)
