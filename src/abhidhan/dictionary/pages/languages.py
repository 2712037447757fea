"""The languages of the dictionary: finding one among a thousand, and choosing those that a reader wants."""

from typing import Annotated, Final

from litestar import Response, get
from litestar.params import FromQuery, QueryParameter

from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.service.lookup_lists import CountedLanguage
from abhidhan.dictionary.service.views.languages import read_languages_page
from abhidhan.platform.http.labels import filter_by_name, group_by_letter
from abhidhan.platform.http.parameters import LONGEST_TEXT
from abhidhan.platform.http.preferences import interface_of
from abhidhan.platform.http.rendering import GivenPages, PageRequest, readers_of
from abhidhan.platform.http.urls import local_address
from abhidhan.records.language_preferences import MOST_CHOSEN

LARGEST_SHOWN: Final = 12
MOST_FOUND: Final = 200


@get("/languages", include_in_schema=False)
async def show_languages(  # noqa: PLR0913 (each is one parameter of the address, or what it is answered from)
    *,
    request: PageRequest,
    dictionary: GivenDictionary,
    pages: GivenPages,
    q: Annotated[str, QueryParameter(max_length=LONGEST_TEXT)] = "",
    letter: Annotated[str, QueryParameter(max_length=4)] = "",
    back: FromQuery[str] = "",
) -> Response[str]:
    """Show the reader's languages, and those that a filter or a letter finds among all."""
    readers = readers_of(request)
    page = await dictionary.read(read_languages_page, readers)
    translations = interface_of(request.scope, request.query_params.get("interface")).translations

    def name_of(language: CountedLanguage) -> str:
        return translations.gettext(language.name) if language.name else language.code

    groups = group_by_letter(page.languages, name_of)
    found = list(page.languages[:LARGEST_SHOWN])
    if q.strip():
        names = lambda each: (name_of(each), each.name, each.native_name, each.code, each.iso639_3)  # noqa: E731
        found = filter_by_name(page.languages, q, names)
    elif letter:
        found = [each for group, languages in groups if group == letter for each in languages]
    values = {
        "page": page,
        "found": found[:MOST_FOUND],
        "letters": [(group, len(languages)) for group, languages in groups],
        "q": q,
        "letter": letter,
        "back": local_address(back) if back else "",
        "chosen": dictionary.known_languages(readers.chosen),
        "most": MOST_CHOSEN,
    }
    return pages.show(request, "languages.html", values)
