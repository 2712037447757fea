"""Browsing: words in alphabetical order, contexts, pictures, proverbs and languages."""

from typing import Annotated, Final
from urllib.parse import unquote

from litestar import Response, get
from litestar.params import FromPath, FromQuery, QueryParameter

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.service.contexts import read_topics
from abhidhan.dictionary.service.lookup_lists import CountedLanguage
from abhidhan.dictionary.service.proverbs import read_proverbs_page
from abhidhan.dictionary.service.views.listings import (
    read_browse_page,
    read_context_page,
    read_languages_page,
    read_pictures_page,
)
from abhidhan.platform.http.labels import filter_by_name, group_by_letter
from abhidhan.platform.http.parameters import MAX_PHRASE_LENGTH, MAX_TEXT_LENGTH
from abhidhan.platform.http.preferences import get_interface
from abhidhan.platform.http.rendering import PageRequest, PagesDep, get_language_preferences
from abhidhan.platform.http.urls import add_query, context_address, restrict_to_local_address
from abhidhan.records.ids import MAX_ID
from abhidhan.records.language_preferences import MAX_LANGUAGES


@get("/browse", include_in_schema=False)
async def show_alphabet(
    request: PageRequest,
    dictionary: DictionaryDep,
    pages: PagesDep,
    language: FromQuery[str] = "as",
    start: Annotated[str, QueryParameter(max_length=MAX_TEXT_LENGTH)] = "",
) -> Response[str]:
    """Show the words of a language in alphabetical order."""
    page = await dictionary.read_in_thread(read_browse_page, language, start, get_language_preferences(request))
    return pages.show(request, "browse.html", {"page": page})


@get("/context", include_in_schema=False)
async def show_contexts(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep) -> Response[str]:
    """Show the main contexts and their direct subcontexts."""
    topics = await dictionary.read_in_thread(read_topics)
    return pages.show(request, "contexts.html", {"topics": topics})


@get("/context/{name:path}", include_in_schema=False)
async def show_context(
    request: PageRequest,
    dictionary: DictionaryDep,
    pages: PagesDep,
    name: FromPath[str],
    offset: Annotated[int, QueryParameter(name="from", ge=0, le=MAX_ID)] = 0,
) -> Response[str]:
    """Show the ideas of one context."""
    page = await dictionary.read_in_thread(
        read_context_page, unquote(name).strip("/ "), offset, get_language_preferences(request)
    )
    canonical = context_address(page.subject.item.value)
    return pages.show(request, "context.html", {"page": page}, canonical=canonical)


@get("/pictures", include_in_schema=False)
async def show_pictures(
    request: PageRequest,
    dictionary: DictionaryDep,
    pages: PagesDep,
    context: Annotated[str, QueryParameter(max_length=MAX_TEXT_LENGTH)] = "",
    offset: Annotated[int, QueryParameter(name="from", ge=0, le=MAX_ID)] = 0,
) -> Response[str]:
    """Show the pictures of ideas, of all or of one context."""
    page = await dictionary.read_in_thread(read_pictures_page, context, offset, get_language_preferences(request))
    canonical = add_query("/pictures", context=page.place.item.value if page.place else "")
    return pages.show(request, "pictures.html", {"page": page}, canonical=canonical)


@get("/proverbs", include_in_schema=False)
async def show_proverbs(  # noqa: PLR0913 (each is a query parameter or a dependency)
    *,
    request: PageRequest,
    dictionary: DictionaryDep,
    pages: PagesDep,
    q: Annotated[str, QueryParameter(max_length=MAX_PHRASE_LENGTH)] = "",
    language: FromQuery[str] = "as",
    category: Annotated[int, QueryParameter(ge=0, le=1_000_000)] = 0,
    start: Annotated[str, QueryParameter(max_length=MAX_PHRASE_LENGTH)] = "",
) -> Response[str]:
    """Show proverbs similar to `q`, and pages of all proverbs of a language and category."""
    page = await dictionary.read_in_thread(read_proverbs_page, q, language, category, start)
    return pages.show(request, "proverbs.html", {"page": page})


MAX_LANGUAGES_SHOWN: Final = 12
MAX_MATCHES: Final = 200


@get("/languages", include_in_schema=False)
async def show_languages(  # noqa: PLR0913 (each is a query parameter or a dependency)
    *,
    request: PageRequest,
    dictionary: DictionaryDep,
    pages: PagesDep,
    q: Annotated[str, QueryParameter(max_length=MAX_TEXT_LENGTH)] = "",
    letter: Annotated[str, QueryParameter(max_length=4)] = "",
    back: FromQuery[str] = "",
) -> Response[str]:
    """Show the reader's languages, and those that match a filter or a letter."""
    preferences = get_language_preferences(request)
    page = await dictionary.read(read_languages_page, preferences)
    translations = get_interface(request.scope, request.query_params.get("interface")).translations

    def get_name(language: CountedLanguage) -> str:
        return translations.gettext(language.name) if language.name else language.code

    groups = group_by_letter(page.languages, get_name)
    languages_shown = list(page.languages[:MAX_LANGUAGES_SHOWN])
    if q.strip():
        names = lambda item: (get_name(item), item.name, item.native_name, item.code, item.iso639_3)  # noqa: E731
        languages_shown = filter_by_name(page.languages, q, names)
    elif letter:
        languages_shown = [item for group, languages in groups if group == letter for item in languages]
    values = {
        "page": page,
        "found": languages_shown[:MAX_MATCHES],
        "letters": [(group, len(languages)) for group, languages in groups],
        "q": q,
        "letter": letter,
        "back": restrict_to_local_address(back) if back else "",
        "chosen": dictionary.filter_known_languages(preferences.chosen),
        "most": MAX_LANGUAGES,
    }
    return pages.show(request, "languages.html", values)
