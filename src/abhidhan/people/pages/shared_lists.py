"""Lists of words that people make: their own, which a script keeps in the browser, and those that an address holds."""

from collections.abc import Mapping
from typing import Annotated, Final

from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.service.views.saved_list import read_listed_words
from abhidhan.exchange.service.list_files import ListFiles, SharedList
from abhidhan.formats.registry import EXPORTERS
from abhidhan.people.model.list_links import LONGEST_NAME, MOST_SHARED, read_shared_words, shared_name
from abhidhan.people.pages.staff import NOT_KEPT
from abhidhan.people.service.saved_lists import OwnLists
from abhidhan.platform.http.authentication import find_signed_in
from abhidhan.platform.http.forms import read_form, signed_in_or_led
from abhidhan.platform.http.preferences import interface_of, said_in
from abhidhan.platform.http.rendering import GivenPages, PageRequest, lead_to, readers_of
from abhidhan.platform.http.services import service_of
from abhidhan.platform.http.urls import absolute, list_address
from abhidhan.records.errors import sentence
from abhidhan.records.language_preferences import USUAL

LONGEST_LIST: Final = 2_400
"""Characters of the numbers of a list: as many words as there may be, each of ten digits, and some spaces."""

ANKI: Final = EXPORTERS["anki"].media_type
CSV: Final = "text/csv"

UNTITLED: Final = sentence("A list of words")

Words = Annotated[str, QueryParameter(max_length=LONGEST_LIST)]
Name = Annotated[str, QueryParameter(max_length=1_000)]


@get("/list", include_in_schema=False)
async def show_shared(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, words: Words = "", name: Name = ""
) -> Response[str]:
    """Show a list that its address has in itself. Raises InputError."""
    word_ids, title = read_shared_words(words), shared_name(name)
    listed = await dictionary.read_in_thread(read_listed_words, word_ids, readers_of(request))
    there = [each.word.id for each in listed.words]
    address = absolute(pages.base(request), list_address("/list", there, title))
    values = {"page": listed, "name": title, "word_ids": there, "address": address}
    return pages.show(request, "list.html", values)


@get("/list.apkg", include_in_schema=False)
async def read_deck(request: PageRequest, words: Words = "", name: Name = "") -> Response[bytes]:
    """Read such a list as a deck for Anki. Raises InputError, UnavailableError."""
    made = await service_of(request, ListFiles).deck(_asked(request, words, name))
    return Response(made, media_type=ANKI, headers=_as_file("abhidhan-list.apkg"))


@get("/list.csv", include_in_schema=False)
async def read_csv(request: PageRequest, words: Words = "", name: Name = "") -> Response[bytes]:
    """Read such a list as CSV, which the page of one's own lists takes in. Raises InputError."""
    made = await service_of(request, ListFiles).csv(_asked(request, words, name))
    return Response(made, media_type=CSV, headers=_as_file("abhidhan-list.csv"))


@get("/my-lists", include_in_schema=False)
async def show_own(request: PageRequest, dictionary: GivenDictionary, pages: GivenPages) -> Response[str]:
    """Show the page of one's own lists, which a script fills with what this browser keeps."""
    readers = readers_of(request)
    langs = dictionary.known_languages(readers.chosen) or tuple(dict.fromkeys((readers.interface, *USUAL)))
    signed_in = await find_signed_in(request)
    person = signed_in.person.username if signed_in else ""
    values = {"most_shared": MOST_SHARED, "longest_name": LONGEST_NAME, "langs": langs, "person": person}
    return pages.show(request, "my-lists.html", values)


@post("/account/lists/forget", include_in_schema=False)
async def forget_kept(request: PageRequest) -> Response[str]:
    """Delete the lists that an account keeps; works without a script."""
    await read_form(request)
    signed_in = await signed_in_or_led(request)
    if isinstance(signed_in, Response):
        return signed_in
    await service_of(request, OwnLists).forget(signed_in.person)
    return lead_to("/account?done=lists", headers=NOT_KEPT)


def _asked(request: PageRequest, words: str, name: str) -> SharedList:
    title = shared_name(name) or said_in(interface_of(request.scope).language, UNTITLED)
    return SharedList(read_shared_words(words), title, readers_of(request))


def _as_file(name: str) -> Mapping[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}
