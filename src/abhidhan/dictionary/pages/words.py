"""The home page, entry pages, the redirect from the search box, and permalinks."""

from typing import Annotated, Final, Literal, cast
from urllib.parse import unquote_to_bytes

from litestar import Response, get
from litestar.params import FromPath, FromQuery, QueryParameter

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.api.words import respond_with_linked_data
from abhidhan.dictionary.model.collapsed_senses import MAX_LANGUAGES_SHOWN
from abhidhan.dictionary.model.example_marks import mark_forms
from abhidhan.dictionary.service.permalinks import (
    Permalink,
    build_proverb_permalink,
    build_word_permalink,
    pick_random_permalink,
)
from abhidhan.dictionary.service.views.entry import load_entry_page
from abhidhan.dictionary.service.views.entry_parts import EntryPage, EntryRequest, Focus
from abhidhan.dictionary.service.views.home import load_home_page
from abhidhan.dictionary.service.views.search_results import read_search_page
from abhidhan.formats.linked_data import NO_LIMITS, DescriptionLimits, LinkedDataContext, Node, describe_words
from abhidhan.platform.http.authentication import find_signed_in
from abhidhan.platform.http.json_codec import NO_STORE_HEADERS
from abhidhan.platform.http.parameters import MAX_TEXT_LENGTH, PathID
from abhidhan.platform.http.query import CONTROL_CHARACTERS, clean_text
from abhidhan.platform.http.rendering import PageRequest, Pages, PagesDep, get_language_preferences, redirect_to
from abhidhan.platform.http.request_headers import wants_linked_data
from abhidhan.platform.http.urls import add_query, build_absolute_url, word_address
from abhidhan.records.errors import InputError, sentence
from abhidhan.records.ideas import PhotoReference
from abhidhan.records.ids import MAX_ID
from abhidhan.records.languages import ENGLISH
from abhidhan.records.local_texts import find_text
from abhidhan.records.people import Permission
from assamese.normalization import detect_script
from assamese.romanize import romanize

MAX_DESCRIPTION_LENGTH: Final = 160
MAX_CODE_LENGTH: Final = 40
HEAD_LIMITS: Final = DescriptionLimits(senses=6, words=12)
"""Limits of the linked data in the `head` of a page; a request for JSON-LD to the same URL returns all data."""

ENCYCLOPEDIA_SUBDOMAINS: Final = {1: "en", 2: "as", 22: "bn"}
"""Languages with an encyclopedia for dic-wiki.php, by ID, and their subdomains."""


# --- metadata -----------------------------------------------------------------------------------------------------


def canonical_address(page: EntryPage) -> str:
    """Return the canonical URL of a page, with the spelling of the entry if that of the query differs."""
    entries = page.entries
    spellings = {entry.word.word for entry in entries}
    if not entries or page.text in spellings or len(page.parts) > 1 or page.is_of_compound:
        return word_address(page.text)
    return word_address(entries[0].word.word)


def sharing_address(page: EntryPage) -> str:
    """Return the URL for sharing a page; the page of one sense has its own."""
    if not page.focus.idea_id or not page.entries:
        return canonical_address(page)
    first = page.entries[0]
    return add_query(word_address(first.word.word), language=first.language.code, idea=page.focus.idea_id)


def find_preview_photo(page: EntryPage) -> PhotoReference | None:
    """Return the photo for link previews, from the meaning named in the title; None for proverbs and compounds."""
    if page.whole.sayings or page.is_of_compound:
        return None
    senses = page.entries[0].senses
    return next(iter(senses[0].meaning.photos), None) if senses else None


def format_title(page: EntryPage) -> str:
    """Return the title: the word with its first translation, in English if possible; a compound or a proverb alone."""
    if page.whole.sayings or page.is_of_compound:
        return page.text
    words = (word for entry in page.entries[:1] for sense in entry.senses[:1] for word in sense.meaning.translations)
    translations = [word for word in words if word.language_id != page.language.id]
    best = next(
        (word for word in translations if word.language_id == ENGLISH), translations[0] if translations else None
    )
    return f"{page.text}: {best.word}" if best else page.text


def format_description(page: EntryPage) -> str:
    """Return a one-line description: the first definition and translations, or the parts of a compound."""
    if page.is_of_compound and not page.whole.sayings:
        return " + ".join(entry.word.word for entry in page.entries)
    texts = [find_text(page.mine, saying.meanings) for saying in page.whole.sayings[:1]]
    for entry in page.entries[: 0 if page.whole.sayings else 1]:
        for sense in entry.senses[:1]:
            texts.append(sense.gloss.text if sense.gloss else None)
            texts.append(", ".join(word.word for line in sense.answer for word in line.words[:2]))
    description = " ".join(text for text in texts if text)
    return (
        description
        if len(description) <= MAX_DESCRIPTION_LENGTH
        else description[: MAX_DESCRIPTION_LENGTH - 1].rstrip() + "…"
    )


def build_linked_data(page: EntryPage, address: str, base: str, limits: DescriptionLimits) -> Node:
    """Return the words of a page as linked data."""
    heads = (sense.head for entry in page.entries for sense in entry.senses)
    licences = "; ".join(sorted({head.source.licence for head in heads if head.source is not None}))
    context = LinkedDataContext(page.languages, base, licences)
    return describe_words([entry.word for entry in page.entries], context, address, limits)


# --- handlers -----------------------------------------------------------------------------------------------------


@get("/", include_in_schema=False)
async def show_home_page(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep) -> Response[str]:
    """Show the search box, and entry points to the dictionary."""
    page = await load_home_page(dictionary, get_language_preferences(request))
    # If the word of the day was not chosen in time, the page without it must not be cached.
    return pages.show(request, "first.html", {"page": page}, headers=None if page.today else NO_STORE_HEADERS)


@get("/dic/{word:path}", include_in_schema=False)
async def show_word(  # noqa: PLR0913 (each is a query parameter or a dependency)
    *,
    request: PageRequest,
    dictionary: DictionaryDep,
    pages: PagesDep,
    word: FromPath[str],
    language: Annotated[str, QueryParameter(max_length=MAX_CODE_LENGTH)] = "",
    idea: Annotated[int, QueryParameter(ge=0, le=MAX_ID)] = 0,
    part: FromQuery[Literal["", "sense", "languages"]] = "",
) -> Response[str]:
    """Show the entries of a word or a proverb; respond 404 with suggestions if there are none.

    With `language` only the entry in it; with `idea` that sense alone, in all languages; with `part` the fragment that
    a script inserts into the page. As JSON-LD for `Accept: application/ld+json`.
    """
    text = parse_word_path(request.scope.get("raw_path") or word.encode())
    in_full = wants_linked_data(request.scope)
    # A sense opened on the word's page is shown in the reader's languages; only its own page shows all.
    focus = Focus(language, idea, bool(part), part == "sense")
    page = await load_entry_page(dictionary, EntryRequest(text, get_language_preferences(request), focus, in_full))
    if page.entries and in_full:
        address = build_absolute_url(pages.get_base_url(request), canonical_address(page))
        return cast(
            "Response[str]",
            respond_with_linked_data(build_linked_data(page, address, pages.get_base_url(request), NO_LIMITS)),
        )
    if page.entries and part:
        return pages.show(request, "word.html", await _build_entry_values(request, page, part))
    return await _render_page(request, pages, page)


async def _render_page(request: PageRequest, pages: Pages, page: EntryPage) -> Response[str]:
    """Render a whole page: of a word, a proverb, or a query without matches."""
    canonical = sharing_address(page)
    values = await _build_entry_values(request, page)
    if page.entries or page.whole.sayings:
        values |= {
            "title": format_title(page),
            "description": format_description(page),
            "shared_photo": find_preview_photo(page),
        }
    is_headword = any(entry.word.word == page.text for entry in page.entries)
    if page.whole.sayings and (page.whole.sayings[0].exact or not is_headword):
        return pages.show(request, "saying.html", values)
    if page.entries:
        address = build_absolute_url(pages.get_base_url(request), canonical_address(page))
        values["linked_data"] = build_linked_data(page, address, pages.get_base_url(request), HEAD_LIMITS)
        return pages.show(request, "word.html", values, canonical=canonical)
    return pages.show(request, "missing.html", values, canonical=canonical, status=404)


async def _build_entry_values(request: PageRequest, page: EntryPage, part: str = "") -> dict[str, object]:
    """Build the template values of the entries of a word, or of the fragment `part`."""
    return {
        "page": page,
        "encyclopedias": ENCYCLOPEDIA_SUBDOMAINS,
        "edits": await _can_edit(request),
        "part": part,
        "few_languages": MAX_LANGUAGES_SHOWN,
        "mark_forms": mark_forms,
        "romanize": romanize,
        "is_of_other_script": _is_in_other_script(page),
    }


def _is_in_other_script(page: EntryPage) -> bool:
    """Return whether the entry is in another script than the query."""
    return bool(page.entries) and detect_script(page.text) is not detect_script(page.entries[0].word.word)


async def _can_edit(request: PageRequest) -> bool:
    """Return whether the reader is an editor; the database is read only if there is a session."""
    signed_in = await find_signed_in(request)
    return signed_in is not None and signed_in.person.has_permission(Permission.EDIT)


def parse_word_path(raw_path: bytes) -> str:
    """Return the word in a path: everything after `/dic/`, slashes included. Raises InputError."""
    raw = raw_path.partition(b"?")[0].removeprefix(b"/dic/")
    try:
        text = unquote_to_bytes(raw).decode()
    except UnicodeDecodeError:
        raise InputError.of("word", sentence("The word in the URL must be percent-encoded UTF-8 text.")) from None
    if CONTROL_CHARACTERS.search(text):
        raise InputError.of("word", sentence("The word in the URL must not contain control characters."))
    clean = clean_text(text)
    if len(clean) > MAX_TEXT_LENGTH:
        raise InputError.of(
            "word",
            sentence("The word in the URL is longer than %(longest_text)s characters.", longest_text=MAX_TEXT_LENGTH),
        )
    return clean


SearchTextParam = Annotated[str, QueryParameter(max_length=MAX_TEXT_LENGTH)]


@get(["/search", "/dic"], include_in_schema=False)
async def redirect_to_word(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, q: SearchTextParam = "", w: SearchTextParam = ""
) -> Response[str]:
    """Redirect from the search box to the entry page; show the results of fields and wildcards."""
    text = q or w
    page = await read_search_page(dictionary, text, get_language_preferences(request)) if text else None
    if page is None:
        return redirect_to(word_address(text) if text else "/")
    status, headers = 400 if page.problems else 200, None if page.is_complete else NO_STORE_HEADERS
    return pages.show(request, "search.html", {"page": page}, status=status, headers=headers)


@get("/dic.php", include_in_schema=False)
async def redirect_old_address(w: SearchTextParam = "") -> Response[str]:
    """Redirect from the URLs of older sites."""
    return redirect_to(word_address(w) if w else "/", 301)


PERMALINK_STATUS: Final = 302
"""Status of redirects from permalinks: temporary, since the target may change."""


def permalink_target(permalink: Permalink) -> str:
    """Return the URL of the target of a permalink."""
    if not permalink.idea_id:
        return word_address(permalink.text)
    return add_query(word_address(permalink.text), language=permalink.language, idea=permalink.idea_id)


def sense_permalink(sense_id: int) -> str:
    """Return the permalink of a sense, which stays when its word or its meaning is edited."""
    return f"/sense/{sense_id}"


@get("/word/{word_id:int}", include_in_schema=False)
async def redirect_to_word_by_id(dictionary: DictionaryDep, word_id: PathID) -> Response[str]:
    """Redirect to a word by its ID, whatever its current spelling."""
    return redirect_to(permalink_target(await dictionary.read(build_word_permalink, word_id)), PERMALINK_STATUS)


@get("/proverb/{phrase_id:int}", include_in_schema=False)
async def redirect_to_proverb(dictionary: DictionaryDep, phrase_id: PathID) -> Response[str]:
    """Redirect to a proverb by its ID, whatever its current text."""
    return redirect_to(
        permalink_target(await dictionary.read_in_thread(build_proverb_permalink, phrase_id)), PERMALINK_STATUS
    )


@get("/random", include_in_schema=False)
async def redirect_to_random_word(request: PageRequest, dictionary: DictionaryDep) -> Response[str]:
    """Redirect to a random word that has a meaning."""
    return redirect_to(
        permalink_target(
            await dictionary.read(pick_random_permalink, get_language_preferences(request), dictionary.random)
        ),
        PERMALINK_STATUS,
    )
