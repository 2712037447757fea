"""Browsing: languages and their letters, words in alphabetical order, and the tree of contexts."""

from functools import partial
from typing import Annotated, Final
from urllib.parse import unquote

import msgspec
from litestar import Response, get
from litestar.params import FromPath, FromQuery, QueryParameter

from abhidhan.domain.ids import GREATEST_ID
from abhidhan.domain.languages import ASSAMESE, Language
from abhidhan.domain.text.alphabet import letters_of
from abhidhan.domain.words import Word
from abhidhan.services.dictionary import browse, contexts, lists, neighbours
from abhidhan.services.dictionary.browse import Stretch
from abhidhan.services.dictionary.contexts import Subject
from abhidhan.services.dictionary.lists import CountedLanguage
from abhidhan.storage.database import Reader
from abhidhan.web.arguments import LONGEST_TEXT, GivenDatabase
from abhidhan.web.pages.addresses import context_address
from abhidhan.web.pages.rendering import Asked, GivenPages

WORDS_ON_A_PAGE: Final = 60
IDEAS_ON_A_PAGE: Final = 24


class Gloss(msgspec.Struct, frozen=True):
    """A word in a list, with a few words that say what it means."""

    word: Word
    text: str
    language: Language | None


class BrowsePage(msgspec.Struct, frozen=True):
    """A stretch of one language's words, and the ways to others."""

    languages: tuple[CountedLanguage, ...]
    language: Language
    letters: tuple[str, ...]
    start: str
    words: tuple[Gloss, ...]
    next: str | None
    previous: str | None


def gloss(word: Word, languages: dict[int, Language]) -> Gloss:
    """Choose what stands beside a word in a list: the first word of another language, else a definition."""
    for meaning in word.meanings:
        for each in meaning.translations:
            if each.language_id != word.language_id:
                return Gloss(word, each.word, languages[each.language_id])
        for definition in meaning.definitions:
            return Gloss(word, definition.text, languages[definition.language_id])
    return Gloss(word, "", None)


def read_browse_page(reader: Reader, language: str, start: str) -> BrowsePage:
    """Read a page of a language's words, from `start` on. Raises InputError for an unknown language."""
    languages = {each.id: each for each in reader.catalogue.languages}
    chosen = languages[lists.find_language_id(reader, "language", language) or ASSAMESE]
    letters = letters_of(chosen.code, chosen.script)
    found = browse.list_alphabetically(reader, Stretch(start, language_id=chosen.id), WORDS_ON_A_PAGE)
    before = neighbours.find_neighbours(reader, chosen.id, start, WORDS_ON_A_PAGE + 1).before if start else ()
    return BrowsePage(
        languages=lists.list_languages(reader),
        language=chosen,
        letters=letters,
        start=start,
        words=tuple(gloss(word, languages) for word in found.words),
        next=found.next,
        previous=before[1] if len(before) > WORDS_ON_A_PAGE else None,
    )


@get("/browse", include_in_schema=False)
async def show_alphabet(
    request: Asked,
    database: GivenDatabase,
    pages: GivenPages,
    language: FromQuery[str] = "as",
    start: Annotated[str, QueryParameter(max_length=LONGEST_TEXT)] = "",
) -> Response[str]:
    """Show the words of a language in its own order."""
    page = await database.read(partial(read_browse_page, language=language, start=start), long=True)
    return pages.show(request, "browse.html", {"page": page})


@get("/context", include_in_schema=False)
async def show_contexts(request: Asked, database: GivenDatabase, pages: GivenPages) -> Response[str]:
    """Show the tree of contexts."""
    tree = await database.read(contexts.read_tree)
    return pages.show(request, "contexts.html", {"tree": tree})


class ContextPage(msgspec.Struct, frozen=True):
    """A context, and the languages of its words by ID."""

    subject: Subject
    languages: dict[int, Language]


def read_context_page(reader: Reader, name: str, start: int) -> ContextPage:
    """Read a page of a context's ideas. Raises NotFoundError."""
    subject = contexts.read_subject(reader, name, start, IDEAS_ON_A_PAGE)
    return ContextPage(subject, {language.id: language for language in reader.catalogue.languages})


@get("/context/{name:path}", include_in_schema=False)
async def show_context(
    request: Asked,
    database: GivenDatabase,
    pages: GivenPages,
    name: FromPath[str],
    offset: Annotated[int, QueryParameter(name="from", ge=0, le=GREATEST_ID)] = 0,
) -> Response[str]:
    """Show the ideas of one context."""
    job = partial(read_context_page, name=unquote(name).strip("/ "), start=offset)
    page = await database.read(job, long=True)
    canonical = context_address(page.subject.item.value)
    return pages.show(request, "context.html", {"page": page}, canonical=canonical)
