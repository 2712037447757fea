"""Downloads of word lists that are shared as links."""

from collections.abc import Mapping
from typing import Final

from litestar import Response, get

from abhidhan.dictionary.model.list_links import linked_list_name, parse_linked_words
from abhidhan.dictionary.pages.cards import Name, Words
from abhidhan.exchange.service.list_files import ListFiles, SharedList
from abhidhan.formats.registry import EXPORTERS
from abhidhan.platform.http.preferences import interface_of, translate_message
from abhidhan.platform.http.rendering import PageRequest, reader_preferences
from abhidhan.platform.http.services import service_of
from abhidhan.records.errors import sentence

ANKI: Final = EXPORTERS["anki"].media_type
CSV: Final = "text/csv"

UNTITLED: Final = sentence("Word list")


@get("/list.apkg", include_in_schema=False)
async def read_deck(request: PageRequest, words: Words = "", name: Name = "") -> Response[bytes]:
    """Download a shared list as a deck for Anki. Raises InputError, UnavailableError."""
    made = await service_of(request, ListFiles).deck(_requested_list(request, words, name))
    return Response(made, media_type=ANKI, headers=_attachment_headers("abhidhan-list.apkg"))


@get("/list.csv", include_in_schema=False)
async def read_csv(request: PageRequest, words: Words = "", name: Name = "") -> Response[bytes]:
    """Download a shared list as a CSV file, which users can import as a saved list. Raises InputError."""
    made = await service_of(request, ListFiles).csv(_requested_list(request, words, name))
    return Response(made, media_type=CSV, headers=_attachment_headers("abhidhan-list.csv"))


def _requested_list(request: PageRequest, words: str, name: str) -> SharedList:
    title = linked_list_name(name) or translate_message(interface_of(request.scope).language, UNTITLED)
    return SharedList(parse_linked_words(words), title, reader_preferences(request))


def _attachment_headers(name: str) -> Mapping[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}
