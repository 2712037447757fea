"""The home page, entry pages, the redirect from the search box, and permalinks."""

from typing import Annotated, Final, Literal, cast
from urllib.parse import unquote_to_bytes

from litestar import Response, get
from litestar.params import FromPath, FromQuery, QueryParameter

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.api.words import linked
from abhidhan.dictionary.model.collapsed_senses import MAX_LANGUAGES_SHOWN
from abhidhan.dictionary.model.example_marks import mark_forms
from abhidhan.dictionary.service.permalinks import Permalink, permalink_of_proverb, permalink_of_word, random_permalink
from abhidhan.dictionary.service.views.entry import load_entry_page
from abhidhan.dictionary.service.views.entry_parts import EntryPage, EntryRequest, Focus
from abhidhan.dictionary.service.views.home import load_home_page
from abhidhan.dictionary.service.views.search_results import read_search_page
from abhidhan.formats.linked_data import NO_LIMITS, DescriptionLimits, LinkedDataContext, Node, describe_words
from abhidhan.platform.http.authentication import find_signed_in
from abhidhan.platform.http.json_codec import NO_STORE
from abhidhan.platform.http.parameters import MAX_TEXT_LENGTH, PathID
from abhidhan.platform.http.query import CONTROL_CHARACTERS, clean_text
from abhidhan.platform.http.rendering import PageRequest, Pages, PagesDep, reader_preferences, redirect_to
from abhidhan.platform.http.request_headers import wants_linked_data
from abhidhan.platform.http.urls import absolute, with_query, word_address
from abhidhan.records.errors import InputError, sentence
from abhidhan.records.ideas import PhotoReference
from abhidhan.records.ids import MAX_ID
from abhidhan.records.languages import ENGLISH
from abhidhan.records.local_texts import text_in
from abhidhan.records.people import Permission
from assamese.normalization import script_of
from assamese.romanize import romanize

MAX_DESCRIPTION_LENGTH: Final = 160
MAX_CODE_LENGTH: Final = 40
HEAD_BOUNDS: Final = DescriptionLimits(senses=6, words=12)
"""Limits of the linked data in the `head` of a page; a request for JSON-LD to the same URL returns all data."""

ENCYCLOPEDIAS: Final = {1: "en", 2: "as", 22: "bn"}
"""Languages with an encyclopedia for dic-wiki.php, by ID, and their subdomains."""


# --- metadata -----------------------------------------------------------------------------------------------------


def canonical_of(page: EntryPage) -> str:
    """Return the canonical URL of a page, with the spelling of the entry if that of the query differs."""
    entries = page.entries
    spellings = {entry.word.word for entry in entries}
    if not entries or page.text in spellings or len(page.parts) > 1 or page.is_of_compound:
        return word_address(page.text)
    return word_address(entries[0].word.word)


def sharing_address(page: EntryPage) -> str:
    """Return the URL for sharing a page; the page of one sense has its own."""
    if not page.focus.idea_id or not page.entries:
        return canonical_of(page)
    first = page.entries[0]
    return with_query(word_address(first.word.word), language=first.language.code, idea=page.focus.idea_id)


def photo_of(page: EntryPage) -> PhotoReference | None:
    """Return the photo for link previews, from the meaning named in the title; None for proverbs and compounds."""
    if page.whole.sayings or page.is_of_compound:
        return None
    senses = page.entries[0].senses
    return next(iter(senses[0].meaning.photos), None) if senses else None


def title_of(page: EntryPage) -> str:
    """Return the title: the word with its first translation, in English if possible; a compound or a proverb alone."""
    if page.whole.sayings or page.is_of_compound:
        return page.text
    words = (word for entry in page.entries[:1] for sense in entry.senses[:1] for word in sense.meaning.translations)
    translations = [word for word in words if word.language_id != page.language.id]
    best = next(
        (word for word in translations if word.language_id == ENGLISH), translations[0] if translations else None
    )
    return f"{page.text}: {best.word}" if best else page.text


def describe(page: EntryPage) -> str:
    """Return a one-line description: the first definition and translations, or the parts of a compound."""
    if page.is_of_compound and not page.whole.sayings:
        return " + ".join(entry.word.word for entry in page.entries)
    texts = [text_in(page.mine, saying.meanings) for saying in page.whole.sayings[:1]]
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


def linked_data_of(page: EntryPage, address: str, base: str, bounds: DescriptionLimits) -> Node:
    """Return the words of a page as linked data."""
    heads = (sense.head for entry in page.entries for sense in entry.senses)
    licences = "; ".join(sorted({head.source.licence for head in heads if head.source is not None}))
    setting = LinkedDataContext(page.languages, base, licences)
    return describe_words([entry.word for entry in page.entries], setting, address, bounds)


# --- handlers -----------------------------------------------------------------------------------------------------


@get("/", include_in_schema=False)
async def show_home_page(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep) -> Response[str]:
    """Show the search box, and entry points to the dictionary."""
    page = await load_home_page(dictionary, reader_preferences(request))
    # If the word of the day was not chosen in time, the page without it must not be cached.
    return pages.show(request, "first.html", {"page": page}, headers=None if page.today else NO_STORE)


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
    text = word_of_path(request.scope.get("raw_path") or word.encode())
    in_full = wants_linked_data(request.scope)
    # A sense opened on the word's page is shown in the reader's languages; only its own page shows all.
    focus = Focus(language, idea, bool(part), part == "sense")
    page = await load_entry_page(dictionary, EntryRequest(text, reader_preferences(request), focus, in_full))
    if page.entries and in_full:
        address = absolute(pages.base(request), canonical_of(page))
        return cast("Response[str]", linked(linked_data_of(page, address, pages.base(request), NO_LIMITS)))
    if page.entries and part:
        return pages.show(request, "word.html", await _entries(request, page, part))
    return await _whole_page(request, pages, page)


async def _whole_page(request: PageRequest, pages: Pages, page: EntryPage) -> Response[str]:
    """Render a whole page: of a word, a proverb, or a query without matches."""
    canonical = sharing_address(page)
    values = await _entries(request, page)
    if page.entries or page.whole.sayings:
        values |= {"title": title_of(page), "description": describe(page), "shared_photo": photo_of(page)}
    is_headword = any(entry.word.word == page.text for entry in page.entries)
    if page.whole.sayings and (page.whole.sayings[0].exact or not is_headword):
        return pages.show(request, "saying.html", values)
    if page.entries:
        address = absolute(pages.base(request), canonical_of(page))
        values["linked_data"] = linked_data_of(page, address, pages.base(request), HEAD_BOUNDS)
        return pages.show(request, "word.html", values, canonical=canonical)
    return pages.show(request, "missing.html", values, canonical=canonical, status=404)


async def _entries(request: PageRequest, page: EntryPage, part: str = "") -> dict[str, object]:
    """Build the template values of the entries of a word, or of the fragment `part`."""
    return {
        "page": page,
        "encyclopedias": ENCYCLOPEDIAS,
        "edits": await _edits(request),
        "part": part,
        "few_languages": MAX_LANGUAGES_SHOWN,
        "mark_forms": mark_forms,
        "romanize": romanize,
        "is_of_other_script": _is_of_other_script(page),
    }


def _is_of_other_script(page: EntryPage) -> bool:
    """Return whether the entry is in another script than the query."""
    return bool(page.entries) and script_of(page.text) is not script_of(page.entries[0].word.word)


async def _edits(request: PageRequest) -> bool:
    """Return whether the reader is an editor; the database is read only if there is a session."""
    signed_in = await find_signed_in(request)
    return signed_in is not None and signed_in.person.may(Permission.EDIT)


def word_of_path(raw_path: bytes) -> str:
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


SearchText = Annotated[str, QueryParameter(max_length=MAX_TEXT_LENGTH)]


@get(["/search", "/dic"], include_in_schema=False)
async def redirect_to_word(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, q: SearchText = "", w: SearchText = ""
) -> Response[str]:
    """Redirect from the search box to the entry page; show the results of fields and wildcards."""
    text = q or w
    page = await read_search_page(dictionary, text, reader_preferences(request)) if text else None
    if page is None:
        return redirect_to(word_address(text) if text else "/")
    status, headers = 400 if page.problems else 200, None if page.is_complete else NO_STORE
    return pages.show(request, "search.html", {"page": page}, status=status, headers=headers)


@get("/dic.php", include_in_schema=False)
async def redirect_old_address(w: SearchText = "") -> Response[str]:
    """Redirect from the URLs of older sites."""
    return redirect_to(word_address(w) if w else "/", 301)


PERMALINK_STATUS: Final = 302
"""Status of redirects from permalinks: temporary, since the target may change."""


def address_of(permalink: Permalink) -> str:
    """Return the URL of the target of a permalink."""
    if not permalink.idea_id:
        return word_address(permalink.text)
    return with_query(word_address(permalink.text), language=permalink.language, idea=permalink.idea_id)


def sense_permalink(sense_id: int) -> str:
    """Return the permalink of a sense, which stays when its word or its meaning is edited."""
    return f"/sense/{sense_id}"


@get("/word/{word_id:int}", include_in_schema=False)
async def redirect_to_word_by_id(dictionary: DictionaryDep, word_id: PathID) -> Response[str]:
    """Redirect to a word by its ID, whatever its current spelling."""
    return redirect_to(address_of(await dictionary.read(permalink_of_word, word_id)), PERMALINK_STATUS)


@get("/proverb/{phrase_id:int}", include_in_schema=False)
async def redirect_to_proverb(dictionary: DictionaryDep, phrase_id: PathID) -> Response[str]:
    """Redirect to a proverb by its ID, whatever its current text."""
    return redirect_to(address_of(await dictionary.read_in_thread(permalink_of_proverb, phrase_id)), PERMALINK_STATUS)


@get("/random", include_in_schema=False)
async def redirect_to_random_word(request: PageRequest, dictionary: DictionaryDep) -> Response[str]:
    """Redirect to a random word that has a meaning."""
    return redirect_to(
        address_of(await dictionary.read(random_permalink, reader_preferences(request), dictionary.random)),
        PERMALINK_STATUS,
    )
