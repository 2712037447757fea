"""Downloads of word lists that are shared as links."""

from collections.abc import Mapping
from typing import Final

from litestar import Response, get

from abhidhan.dictionary.model.list_links import clean_list_name, parse_linked_words
from abhidhan.dictionary.pages.cards import NameParam, WordsParam
from abhidhan.exchange.service.list_files import ListFiles, SharedList
from abhidhan.formats.registry import EXPORTERS
from abhidhan.platform.http.preferences import get_interface, translate_message
from abhidhan.platform.http.rendering import PageRequest, get_language_preferences
from abhidhan.platform.http.services import get_service
from abhidhan.records.errors import sentence

ANKI_MEDIA_TYPE: Final = EXPORTERS["anki"].media_type
CSV_MEDIA_TYPE: Final = "text/csv"

DEFAULT_TITLE: Final = sentence("Word list")


@get("/list.apkg", include_in_schema=False)
async def download_deck(request: PageRequest, words: WordsParam = "", name: NameParam = "") -> Response[bytes]:
    """Download a shared list as a deck for Anki. Raises InputError, UnavailableError."""
    content = await get_service(request, ListFiles).build_deck(_parse_list(request, words, name))
    return Response(content, media_type=ANKI_MEDIA_TYPE, headers=_attachment_headers("abhidhan-list.apkg"))


@get("/list.csv", include_in_schema=False)
async def download_csv(request: PageRequest, words: WordsParam = "", name: NameParam = "") -> Response[bytes]:
    """Download a shared list as a CSV file, which users can import as a saved list. Raises InputError."""
    content = await get_service(request, ListFiles).build_csv(_parse_list(request, words, name))
    return Response(content, media_type=CSV_MEDIA_TYPE, headers=_attachment_headers("abhidhan-list.csv"))


def _parse_list(request: PageRequest, words: str, name: str) -> SharedList:
    title = clean_list_name(name) or translate_message(get_interface(request.scope).language, DEFAULT_TITLE)
    return SharedList(parse_linked_words(words), title, get_language_preferences(request))


def _attachment_headers(file_name: str) -> Mapping[str, str]:
    return {"Content-Disposition": f'attachment; filename="{file_name}"'}
