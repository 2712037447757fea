"""The first page, the page of a word, the way from the search box to it, and permanent addresses."""

from typing import Annotated, Final, Literal, cast
from urllib.parse import unquote_to_bytes

from litestar import Response, get
from litestar.params import FromPath, FromQuery, QueryParameter

from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.api.words import linked
from abhidhan.dictionary.model.collapsed_senses import TOLD_BY_CLUES
from abhidhan.dictionary.service.permalinks import Place, any_place, place_of_proverb, place_of_word
from abhidhan.dictionary.service.views.entry import load_entry_page
from abhidhan.dictionary.service.views.entry_parts import Entry, EntryPage, EntryRequest, Focus
from abhidhan.dictionary.service.views.home import load_first_page
from abhidhan.dictionary.service.views.search_results import read_search_page
from abhidhan.dictionary.service.views.senses import Line, Sense
from abhidhan.formats.linked_data import ALL, Bounds, Node, Setting, describe_words
from abhidhan.platform.http.authentication import find_signed_in
from abhidhan.platform.http.parameters import LONGEST_TEXT, PathID
from abhidhan.platform.http.query import CONTROL_CHARACTERS, clean_text
from abhidhan.platform.http.rendering import GivenPages, PageRequest, Pages, lead_to, readers_of
from abhidhan.platform.http.request_headers import wants_linked_data
from abhidhan.platform.http.urls import absolute, with_query, word_address
from abhidhan.records.errors import InputError, sentence
from abhidhan.records.ideas import Definition, PhotoReference
from abhidhan.records.ids import GREATEST_ID
from abhidhan.records.languages import ENGLISH
from abhidhan.records.local_texts import text_in
from abhidhan.records.people import Permission

LONGEST_DESCRIPTION: Final = 160
LONGEST_CODE: Final = 40
IN_A_HEAD: Final = Bounds(senses=6, words=12)
"""How much the head of a page holds of what machines read; all of it is at the same address, for who asks for it."""

ENCYCLOPEDIAS: Final = {1: "en", 2: "as", 22: "bn"}
"""Languages whose encyclopedia dic-wiki.php reads, and where it is."""


# --- what machines read of it -------------------------------------------------------------------------------------


def canonical_of(page: EntryPage) -> str:
    """Return the address that stands for a page: that of the spelling found, where it was asked for otherwise."""
    entries = page.entries
    spellings = {entry.word.word for entry in entries}
    if not entries or page.text in spellings or len(page.parts) > 1 or page.is_of_compound:
        return word_address(page.text)
    return word_address(entries[0].word.word)


def shared_as(page: EntryPage) -> str:
    """Return the address under which a page is shared: that of one sense is another than that of its word."""
    if not page.focus.idea_id or not page.entries:
        return canonical_of(page)
    first = page.entries[0]
    return with_query(word_address(first.word.word), language=first.language.code, idea=page.focus.idea_id)


def photo_of(page: EntryPage) -> PhotoReference | None:
    """Return the photo that stands for a page where it is shared: of the meaning that its title names."""
    if page.whole.sayings or page.is_of_compound:
        return None
    senses = page.entries[0].senses
    return next(iter(senses[0].meaning.photos), None) if senses else None


def title_of(page: EntryPage) -> str:
    """Title a word: itself, and its first word in English or else another language; a compound, a saying: itself."""
    if page.whole.sayings or page.is_of_compound:
        return page.text
    words = (word for entry in page.entries[:1] for sense in entry.senses[:1] for word in sense.meaning.translations)
    others = [word for word in words if word.language_id != page.language.id]
    best = next((word for word in others if word.language_id == ENGLISH), others[0] if others else None)
    return f"{page.text}: {best.word}" if best else page.text


def describe(page: EntryPage) -> str:
    """Describe a word in one line: its first definition, and its first words in other languages; a compound's parts."""
    if page.is_of_compound and not page.whole.sayings:
        return " + ".join(entry.word.word for entry in page.entries)
    texts = [text_in(page.mine, saying.meanings) for saying in page.whole.sayings[:1]]
    for entry in page.entries[: 0 if page.whole.sayings else 1]:
        for sense in entry.senses[:1]:
            texts += [definition.text for definition in sense.definitions[:1]]
            texts.append(", ".join(word.word for line in sense.lines for word in line.words[:2]))
    whole = " ".join(text for text in texts if text)
    return whole if len(whole) <= LONGEST_DESCRIPTION else whole[: LONGEST_DESCRIPTION - 1].rstrip() + "…"


def other_lines(sense: Sense, entry: Entry, page: EntryPage) -> list[Line]:
    """List the words of a sense that are neither synonyms nor in the reader's languages."""
    known = {entry.language.id, *page.mine}
    return [line for line in sense.lines if line.language.id not in known]


def other_definitions(sense: Sense, page: EntryPage) -> list[Definition]:
    """List the definitions of a sense that are not in the reader's languages; the only one of all is none of them."""
    return [each for each in sense.definitions[1:] if each.language_id not in page.mine]


def linked_data_of(page: EntryPage, address: str, base: str, bounds: Bounds) -> Node:
    """Describe the words of a page as linked data."""
    heads = (sense.head for entry in page.entries for sense in entry.senses)
    licences = "; ".join(sorted({head.source.licence for head in heads if head.source is not None}))
    setting = Setting(page.languages, base, licences)
    return describe_words([entry.word for entry in page.entries], setting, address, bounds)


# --- the addresses ------------------------------------------------------------------------------------------------


@get("/", include_in_schema=False)
async def show_first_page(request: PageRequest, dictionary: GivenDictionary, pages: GivenPages) -> Response[str]:
    """Show the search box, and a few ways into the dictionary."""
    return pages.show(request, "first.html", {"page": await load_first_page(dictionary, readers_of(request))})


@get("/dic/{word:path}", include_in_schema=False)
async def show_word(  # noqa: PLR0913 (each is one parameter of the address, or what it is answered from)
    *,
    request: PageRequest,
    dictionary: GivenDictionary,
    pages: GivenPages,
    word: FromPath[str],
    language: Annotated[str, QueryParameter(max_length=LONGEST_CODE)] = "",
    idea: Annotated[int, QueryParameter(ge=0, le=GREATEST_ID)] = 0,
    part: FromQuery[Literal["", "entry", "sense", "languages"]] = "",
) -> Response[str]:
    """Show what the dictionary knows of a word or saying; one it does not know is a 404 with suggestions.

    With `language` only the entry in it; with `idea` that sense alone, in every language; with `part` what a script
    puts into the page of the word. As JSON-LD for `Accept: application/ld+json`.
    """
    text = word_of_path(request.scope.get("raw_path") or word.encode())
    in_full = wants_linked_data(request.scope)
    # What is opened on the page of a word is a sense as the page shows it: of all languages only the page of it tells.
    focus = Focus(language, idea, bool(part), part == "sense")
    page = await load_entry_page(dictionary, EntryRequest(text, readers_of(request), focus, in_full))
    if page.entries and in_full:
        address = absolute(pages.base(request), canonical_of(page))
        return cast("Response[str]", linked(linked_data_of(page, address, pages.base(request), ALL)))
    if page.entries and part:
        return pages.show(request, "word.html", await _entries(request, page, part))
    return await _whole_page(request, pages, page)


async def _whole_page(request: PageRequest, pages: Pages, page: EntryPage) -> Response[str]:
    """Show all of a page: that of a word, of a saying, or of what the dictionary does not know."""
    canonical = shared_as(page)
    values = await _entries(request, page)
    if page.entries or page.whole.sayings:
        values |= {"title": title_of(page), "description": describe(page), "shared_photo": photo_of(page)}
    if page.entries:
        address = absolute(pages.base(request), canonical_of(page))
        values["linked_data"] = linked_data_of(page, address, pages.base(request), IN_A_HEAD)
        return pages.show(request, "word.html", values, canonical=canonical)
    if page.whole.sayings:
        return pages.show(request, "saying.html", values)
    return pages.show(request, "missing.html", values, canonical=canonical, status=404)


async def _entries(request: PageRequest, page: EntryPage, part: str = "") -> dict[str, object]:
    """Return what the entries of a word are written from, or a part of them."""
    return {
        "page": page,
        "encyclopedias": ENCYCLOPEDIAS,
        "edits": await _edits(request),
        "part": part,
        "other_lines": other_lines,
        "other_definitions": other_definitions,
        "told_by_clues": TOLD_BY_CLUES,
    }


async def _edits(request: PageRequest) -> bool:
    """Return whether the reader is an editor; only of somebody with a session is the database asked."""
    signed_in = await find_signed_in(request)
    return signed_in is not None and signed_in.person.may(Permission.EDIT)


def word_of_path(raw_path: bytes) -> str:
    """Read the word in an address: everything after `/dic/`, slashes included. Raises InputError."""
    raw = raw_path.partition(b"?")[0].removeprefix(b"/dic/")
    try:
        text = unquote_to_bytes(raw).decode()
    except UnicodeDecodeError:
        raise InputError.of("word", sentence("The word in the address must be percent-encoded UTF-8 text.")) from None
    if CONTROL_CHARACTERS.search(text):
        raise InputError.of("word", sentence("The word in the address must not contain control characters."))
    clean = clean_text(text)
    if len(clean) > LONGEST_TEXT:
        raise InputError.of(
            "word",
            sentence("The word in the address is longer than %(longest_text)s characters.", longest_text=LONGEST_TEXT),
        )
    return clean


SearchText = Annotated[str, QueryParameter(max_length=LONGEST_TEXT)]


@get(["/search", "/dic"], include_in_schema=False)
async def go_to_word(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, q: SearchText = "", w: SearchText = ""
) -> Response[str]:
    """Lead from the search box to the page of the word; show what fields and wildcards find."""
    text = q or w
    page = await read_search_page(dictionary, text, readers_of(request)) if text else None
    if page is None:
        return lead_to(word_address(text) if text else "/")
    return pages.show(request, "search.html", {"page": page}, status=400 if page.problems else 200)


@get("/dic.php", include_in_schema=False)
async def go_to_new_address(w: SearchText = "") -> Response[str]:
    """Lead from an address that people remember of older sites."""
    return lead_to(word_address(w) if w else "/", 301)


FOUND_STATUS: Final = 302
"""Where something stands may change; the address that leads there is the one to keep."""


def address_of(place: Place) -> str:
    """Write the address of the page where something stands."""
    if not place.idea_id:
        return word_address(place.text)
    return with_query(word_address(place.text), language=place.language, idea=place.idea_id)


def sense_for_ever(sense_id: int) -> str:
    """Write the address of a sense that stays when its word, or what it means, is edited."""
    return f"/sense/{sense_id}"


@get("/word/{word_id:int}", include_in_schema=False)
async def go_to_permanent_word(dictionary: GivenDictionary, word_id: PathID) -> Response[str]:
    """Lead to a word by its ID, however it is spelled now."""
    return lead_to(address_of(await dictionary.read(place_of_word, word_id)), FOUND_STATUS)


@get("/proverb/{phrase_id:int}", include_in_schema=False)
async def go_to_proverb(dictionary: GivenDictionary, phrase_id: PathID) -> Response[str]:
    """Lead to a proverb by its ID, however it is written now."""
    return lead_to(address_of(await dictionary.read_in_thread(place_of_proverb, phrase_id)), FOUND_STATUS)


@get("/random", include_in_schema=False)
async def go_to_any_word(request: PageRequest, dictionary: GivenDictionary) -> Response[str]:
    """Lead to any word that has a meaning: another one each time."""
    return lead_to(address_of(await dictionary.read(any_place, readers_of(request), dictionary.random)), FOUND_STATUS)
