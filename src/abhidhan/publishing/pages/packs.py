"""Offline packs: their files, and the page for downloading them."""

import asyncio
import gzip
from collections.abc import AsyncIterator
from typing import Annotated, Final

import msgspec
from litestar import Response, get
from litestar.params import PathParameter

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.platform.http.assets import IMMUTABLE_CACHE_CONTROL
from abhidhan.platform.http.parameters import JSON_FILE_RESPONSE, NOT_MODIFIED_RESPONSE
from abhidhan.platform.http.rendering import PageRequest, PagesDep
from abhidhan.platform.http.request_headers import accepts_gzip
from abhidhan.platform.http.services import get_service
from abhidhan.platform.http.streaming import OMIT_BODY_KEY, StreamedResponse
from abhidhan.publishing.pages.downloads import REVALIDATE_CACHE_CONTROL
from abhidhan.publishing.service.download_files import Download
from abhidhan.publishing.service.downloads import DownloadFiles
from abhidhan.publishing.service.packs import PackFile, PackFiles, Packs
from abhidhan.records.errors import NotFoundError, sentence
from abhidhan.records.languages import Language

JSON_MEDIA_TYPE: Final = "application/json"
OFFLINE_FORMAT: Final = "stardict"
"""The format offered on the page for use without JavaScript, in GoldenDict and other programs."""

CROSS_ORIGIN_HEADERS: Final = {"Cross-Origin-Resource-Policy": "cross-origin"}


class PacksPage(msgspec.Struct, frozen=True):
    """The available packs, the languages by code, and files for use without JavaScript."""

    packs: Packs | None
    languages: dict[str, Language]
    files: tuple[Download, ...]


@get("/take-along", include_in_schema=False)
async def show_packs(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep) -> Response[str]:
    """Show the available packs with their sizes, and which of them are on this device."""
    catalogue = await dictionary.catalogue()
    downloads = await get_service(request, DownloadFiles).read_list()
    page = PacksPage(
        await get_service(request, PackFiles).read_list(),
        {language.code: language for language in catalogue.languages},
        tuple(one for one in downloads.files if one.format == OFFLINE_FORMAT and one.language) if downloads else (),
    )
    return pages.show(request, "take-along.html", {"page": page})


@get("/packs/packs.json", tags=["Browsing"], summary="List the packs", responses=NOT_MODIFIED_RESPONSE)
async def list_packs(request: PageRequest) -> Response[Packs]:
    """List the packs. Returns 404 until the first ones are made."""
    packs = await get_service(request, PackFiles).read_list()
    if packs is None:
        raise NotFoundError(sentence("No offline dictionaries have been prepared yet."))
    return Response(
        packs, media_type=JSON_MEDIA_TYPE, headers={"Cache-Control": REVALIDATE_CACHE_CONTROL, **CROSS_ORIGIN_HEADERS}
    )


@get(
    "/packs/{pair:str}/{name:str}",
    tags=["Browsing"],
    summary="Download a file of a pack",
    media_type=JSON_MEDIA_TYPE,
    responses=JSON_FILE_RESPONSE | NOT_MODIFIED_RESPONSE,
)
async def read_pack_file(
    request: PageRequest,
    pair: Annotated[str, PathParameter(description="The language pair, such as as-en.")],
    name: Annotated[str, PathParameter(description="The file, as `packs.json` or the pack's manifest names it.")],
) -> Response[bytes]:
    """Return a file of a pack, gzip-compressed, or plain for clients that do not accept gzip."""
    file = await get_service(request, PackFiles).open(pair, name)
    is_gzipped = accepts_gzip(request.headers.get("accept-encoding", "").encode())
    body = file.content if is_gzipped else await asyncio.to_thread(gzip.decompress, file.content)
    omits_body = bool(request.scope.get(OMIT_BODY_KEY))
    return StreamedResponse(
        _single_chunk(b"" if omits_body else body),
        len(body),
        headers=_build_headers(file, is_gzipped=is_gzipped),
        media_type=JSON_MEDIA_TYPE,
    )


def _build_headers(file: PackFile, *, is_gzipped: bool) -> dict[str, str]:
    return {
        "Cache-Control": IMMUTABLE_CACHE_CONTROL if file.is_immutable else REVALIDATE_CACHE_CONTROL,
        "ETag": f'"{file.tag}"' if is_gzipped else f'"{file.tag}-plain"',
        **({"Content-Encoding": "gzip"} if is_gzipped else {}),
        **CROSS_ORIGIN_HEADERS,
    }


async def _single_chunk(body: bytes) -> AsyncIterator[bytes]:
    yield body
