"""Common words without a voice: what editors let people record next."""

from typing import Annotated, Final

from litestar import Response, get
from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.service.views.word_lists import list_unrecorded_words
from abhidhan.people.pages.staff import staff_or_redirect
from abhidhan.platform.http.forms import own_languages
from abhidhan.platform.http.rendering import GivenPages, PageRequest, readers_of
from abhidhan.records.people import Permission

VOICES: Final = "/review/voices"
ON_A_PAGE: Final = 50
LATEST_START: Final = 100_000


@get(VOICES, include_in_schema=False)
async def show_words_without_voice(
    request: PageRequest,
    dictionary: GivenDictionary,
    pages: GivenPages,
    language: Annotated[str, QueryParameter(max_length=40)] = "as",
    start: Annotated[int, QueryParameter(ge=0, le=LATEST_START)] = 0,
) -> Response[str]:
    """Show the words of a language that nobody has recorded, the commonest first."""
    staff = await staff_or_redirect(request, dictionary, pages, Permission.REVIEW)
    if isinstance(staff, Response):
        return staff
    found = await dictionary.read_in_thread(list_unrecorded_words, language, ON_A_PAGE, start, readers_of(request))
    own = own_languages(request, await dictionary.catalogue())
    values = {"found": found, "own": own, "start": start, "many": ON_A_PAGE, "latest": LATEST_START}
    return staff.show("review-voices.html", values)


VOICE_HANDLERS = (show_words_without_voice,)
