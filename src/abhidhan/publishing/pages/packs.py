"""Offline packs: their files, and the page for downloading them."""

import asyncio
import gzip
from collections.abc import AsyncIterator
from typing import Annotated, Final

import msgspec
from litestar import Response, get
from litestar.params import PathParameter

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.platform.http.assets import CACHED_FOREVER
from abhidhan.platform.http.parameters import JSON_FILE, UNCHANGED
from abhidhan.platform.http.rendering import PageRequest, PagesDep
from abhidhan.platform.http.request_headers import accepts_gzip
from abhidhan.platform.http.services import service_of
from abhidhan.platform.http.streaming import OMIT_BODY, StreamedResponse
from abhidhan.publishing.pages.downloads import REVALIDATED
from abhidhan.publishing.service.download_files import Download
from abhidhan.publishing.service.downloads import DownloadFiles
from abhidhan.publishing.service.packs import PackFile, PackFiles, Packs
from abhidhan.records.errors import NotFoundError, sentence
from abhidhan.records.languages import Language

JSON: Final = "application/json"
OFFLINE_FORMAT: Final = "stardict"
"""The format offered on the page for use without JavaScript, in GoldenDict and other programs."""

CROSS_ORIGIN_HEADERS: Final = {"Cross-Origin-Resource-Policy": "cross-origin"}


class TakeAlongPage(msgspec.Struct, frozen=True):
    """The available packs, the languages by code, and files for use without JavaScript."""

    packs: Packs | None
    languages: dict[str, Language]
    files: tuple[Download, ...]


@get("/take-along", include_in_schema=False)
async def show_packs(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep) -> Response[str]:
    """Show the available packs with their sizes, and which of them are on this device."""
    catalogue = await dictionary.catalogue()
    downloads = await service_of(request, DownloadFiles).read_list()
    page = TakeAlongPage(
        await service_of(request, PackFiles).read_list(),
        {language.code: language for language in catalogue.languages},
        tuple(one for one in downloads.files if one.format == OFFLINE_FORMAT and one.language) if downloads else (),
    )
    return pages.show(request, "take-along.html", {"page": page})


@get("/packs/packs.json", tags=["Browsing"], summary="List the packs", responses=UNCHANGED)
async def list_packs(request: PageRequest) -> Response[Packs]:
    """List the packs. Returns 404 until the first ones are made."""
    packs = await service_of(request, PackFiles).read_list()
    if packs is None:
        raise NotFoundError(sentence("No offline dictionaries have been prepared yet."))
    return Response(packs, media_type=JSON, headers={"Cache-Control": REVALIDATED, **CROSS_ORIGIN_HEADERS})


@get(
    "/packs/{pair:str}/{name:str}",
    tags=["Browsing"],
    summary="Download a file of a pack",
    media_type=JSON,
    responses=JSON_FILE | UNCHANGED,
)
async def read_pack_file(
    request: PageRequest,
    pair: Annotated[str, PathParameter(description="The language pair, such as as-en.")],
    name: Annotated[str, PathParameter(description="The file, as `packs.json` or the pack's manifest names it.")],
) -> Response[bytes]:
    """Return a file of a pack, gzip-compressed, or plain for clients that do not accept gzip."""
    file = await service_of(request, PackFiles).open(pair, name)
    coded = accepts_gzip(request.headers.get("accept-encoding", "").encode())
    body = file.content if coded else await asyncio.to_thread(gzip.decompress, file.content)
    silent = bool(request.scope.get(OMIT_BODY))
    return StreamedResponse(
        _single_chunk(b"" if silent else body), len(body), headers=_headers(file, coded=coded), media_type=JSON
    )


def _headers(file: PackFile, *, coded: bool) -> dict[str, str]:
    return {
        "Cache-Control": CACHED_FOREVER if file.is_immutable else REVALIDATED,
        "ETag": f'"{file.tag}"' if coded else f'"{file.tag}-plain"',
        **({"Content-Encoding": "gzip"} if coded else {}),
        **CROSS_ORIGIN_HEADERS,
    }


async def _single_chunk(body: bytes) -> AsyncIterator[bytes]:
    yield body
