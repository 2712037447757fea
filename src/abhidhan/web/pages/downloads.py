"""The files that anybody may download: the page that lists them, the files themselves, and a set of flashcards."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Annotated, BinaryIO, Final

import msgspec
from litestar import Response, get
from litestar.params import PathParameter

from abhidhan.domain.ids import read_number
from abhidhan.domain.languages import Language
from abhidhan.domain.sources import Source
from abhidhan.errors import NotFoundError, sentence
from abhidhan.services import downloads, exporting
from abhidhan.services.downloads import Downloads, OpenedDownload
from abhidhan.storage.database import Database, Reader
from abhidhan.web.arguments import GivenDatabase
from abhidhan.web.pages.rendering import Asked, GivenPages
from abhidhan.web.pieces import SILENT, Pieces
from abhidhan.web.ranges import Part, http_date, is_same, is_unchanged, read_range

FOLDER: Final = "downloads"
"""Where in the application's state the folder of the files stands."""

PACKAGES: Final = "card_packages"
PIECE: Final = 256 * 1024
REVALIDATED: Final = "public, no-cache"
ANKI: Final = "application/octet-stream"
ENDING: Final = ".apkg"
MOST_KEPT: Final = 16 * 1024 * 1024
MOST_NAMED: Final = 12


class DownloadsPage(msgspec.Struct, frozen=True):
    """The files that there are, the languages by code, and the sources of what is in them."""

    downloads: Downloads | None
    languages: dict[str, Language]
    sources: tuple[Source, ...]


def read_downloads_page(reader: Reader, folder: Path) -> DownloadsPage:
    """Read what the page of downloads shows."""
    return DownloadsPage(
        downloads.read_downloads(folder),
        {language.code: language for language in reader.catalogue.languages},
        tuple(reader.catalogue.sources.values()),
    )


@get("/downloads", include_in_schema=False)
async def show_downloads(request: Asked, database: GivenDatabase, pages: GivenPages) -> Response[str]:
    """Show the files to download, and how to take the data away page by page."""
    page = await database.read(partial(read_downloads_page, folder=_folder(request)), long=True)
    return pages.show(request, "downloads.html", {"page": page, "most_named": MOST_NAMED})


@get("/downloads/{name:str}", include_in_schema=False)
async def read_download(request: Asked, name: Annotated[str, PathParameter()]) -> Response[bytes]:
    """Read a file, or a part of it: a download that was cut off goes on where it ended."""
    opened = await asyncio.to_thread(downloads.open_download, _folder(request), name)
    tag = f'"{opened.sha256[:32]}"'
    headers = {
        "Cache-Control": REVALIDATED,
        "Content-Disposition": f'attachment; filename="{opened.name}"',
        "Accept-Ranges": "bytes",
        "ETag": tag,
        "Last-Modified": http_date(opened.made),
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
    try:
        part = _part_asked(request, opened, tag)
    except ValueError:
        opened.stream.close()
        return Response(b"", status_code=416, headers=headers | {"Content-Range": f"bytes */{opened.size}"})
    if is_unchanged(request.headers, tag, opened.made):
        opened.stream.close()
        return Response(b"", status_code=304, headers=headers)
    sent = part or Part(0, opened.size)
    if part is not None:
        headers["Content-Range"] = part.described(opened.size)
    pieces = _pieces(opened.stream, Part(0, 0) if request.scope.get(SILENT) else sent)
    status = 206 if part else 200
    return Pieces(pieces, sent.length, status_code=status, headers=headers, media_type=opened.media_type)


def _part_asked(request: Asked, opened: OpenedDownload, tag: str) -> Part | None:
    """Tell which part is asked for; whoever has a part of other bytes gets the whole. Raises ValueError."""
    condition = request.headers.get("if-range")
    if condition is not None and not is_same(condition, tag, opened.made):
        return None
    return read_range(request.headers.get("range", ""), opened.size)


async def _pieces(stream: BinaryIO, part: Part) -> AsyncIterator[bytes]:
    with stream:
        stream.seek(part.first)
        left = part.length
        while left:
            piece = await asyncio.to_thread(stream.read, min(left, PIECE))
            if not piece:
                raise OSError("A file to download is shorter than it was made.")
            left -= len(piece)
            yield piece


def _folder(request: Asked) -> Path:
    folder: Path = request.app.state[FOLDER]
    return folder


# --- a set of flashcards ------------------------------------------------------------------------------------------


class CardPackages:
    """Sets of flashcards written for Anki, kept until the dictionary changes."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        """Keep at most so many bytes."""
        self._most = most
        self._kept: dict[int, bytes] = {}
        self._version: int | None = None
        self._one_by_one = asyncio.Lock()

    async def read(self, database: Database, set_id: int) -> bytes:
        """Give a set as Anki reads it; it is written once, in a thread. Raises NotFoundError."""
        async with self._one_by_one:
            version = await database.version()
            if version != self._version:
                self._kept.clear()
                self._version = version
            if set_id not in self._kept:
                made = await database.read(partial(exporting.card_set_package, set_id=set_id), long=True)
                if sum(map(len, self._kept.values())) + len(made) > self._most:
                    self._kept.clear()
                self._kept[set_id] = made
            return self._kept[set_id]


@get("/flashcards/{name:str}", include_in_schema=False)
async def read_card_set(
    request: Asked, database: GivenDatabase, name: Annotated[str, PathParameter()]
) -> Response[bytes]:
    """Read a set of flashcards as a deck for Anki."""
    number = read_number(name.removesuffix(ENDING)) if name.endswith(ENDING) else None
    if number is None:
        raise NotFoundError(sentence("There is no set of flashcards %(name)s.", name=name))
    packages: CardPackages = request.app.state[PACKAGES]
    made = await packages.read(database, number)
    headers = {
        "Cache-Control": REVALIDATED,
        "Content-Disposition": f'attachment; filename="abhidhan-cards-{number}{ENDING}"',
    }
    return Response(made, media_type=ANKI, headers=headers)
