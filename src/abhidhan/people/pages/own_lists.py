"""One's own lists of words, which a script keeps in the browser and an account may keep too."""

from litestar import Response, get, post

from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.model.list_links import LONGEST_NAME, MOST_SHARED
from abhidhan.people.pages.staff import NOT_KEPT
from abhidhan.people.service.saved_lists import OwnLists
from abhidhan.platform.http.authentication import find_signed_in
from abhidhan.platform.http.forms import read_form, signed_in_or_led
from abhidhan.platform.http.rendering import GivenPages, PageRequest, lead_to, readers_of
from abhidhan.platform.http.services import service_of
from abhidhan.records.language_preferences import USUAL


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
