"""/api/ideas, /api/phrases and /api/languages: paged lists."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from litestar import Response, get
from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import DictionaryDep, IdeaFieldsParam, LangsParam
from abhidhan.dictionary.model.field_selection import FieldParams
from abhidhan.dictionary.model.phrases import ListedPhrase
from abhidhan.dictionary.service import contexts, lookup_lists, phrase_lists
from abhidhan.dictionary.service.lookup_lists import CountedLanguage, LanguageParam
from abhidhan.platform.http.parameters import (
    LANGUAGE_EXAMPLES,
    MAX_LIMIT,
    MAX_TEXT_LENGTH,
    LimitUpTo1000,
    PagedOffset,
    build_id_parameter,
    build_link_header,
    build_next_page_address,
    build_text_examples,
    check_offset,
)
from abhidhan.platform.http.public_reads import public_read
from abhidhan.records.ideas import Idea


class IdeasAnswer(msgspec.Struct, frozen=True):
    """A page of ideas. `next` is the URL of the next page, null at the end."""

    data: Sequence[Idea]
    total: int
    limit: int
    offset: int
    next: str | None


@get("/api/ideas", tags=["Words"], summary="List ideas")
async def list_ideas(  # noqa: PLR0913, PLR0917  # each is a query parameter
    dictionary: DictionaryDep,
    context: Annotated[
        str,
        QueryParameter(
            max_length=MAX_TEXT_LENGTH,
            description="Only ideas of this context, or of one below it: an ID or a value of CTX.",
            examples=build_text_examples("Water"),
        ),
    ] = "",
    pos: Annotated[
        str,
        QueryParameter(
            max_length=MAX_TEXT_LENGTH,
            description="Only ideas of this part of speech: an ID or a value of POS.",
            examples=build_text_examples("Common Noun"),
        ),
    ] = "",
    language: Annotated[
        str, QueryParameter(description="Only ideas with a word of this language. 0: all.", examples=LANGUAGE_EXAMPLES)
    ] = "0",
    limit: LimitUpTo1000 = 50,
    offset: PagedOffset = 0,
    fields: IdeaFieldsParam = None,
    langs: LangsParam = None,
) -> Response[IdeasAnswer]:
    """List ideas by ID, each with its words in all languages; `Link` and `next` point to the next page."""
    check_offset(offset)
    size = min(limit, MAX_LIMIT)
    page = await dictionary.read_in_thread(
        contexts.list_page, context, pos, LanguageParam(language), size, offset, FieldParams(fields, langs)
    )
    query = {"context": context, "pos": pos, "language": language, "fields": fields, "langs": langs}
    next_url = build_next_page_address("/api/ideas", page.total, size, offset, query)
    answer = IdeasAnswer(page.items, page.total, size, offset, next_url)
    return Response(answer, headers=build_link_header(next_url))


class PhrasesAnswer(msgspec.Struct, frozen=True):
    """A page of proverbs and idioms. `next` is the URL of the next page, null at the end."""

    data: Sequence[ListedPhrase]
    total: int
    limit: int
    offset: int
    next: str | None


@get("/api/phrases", tags=["Phrases"], summary="List proverbs and idioms")
async def list_phrases(  # noqa: PLR0913, PLR0917  # each is a query parameter
    dictionary: DictionaryDep,
    text: Annotated[
        str,
        QueryParameter(
            name="q",
            max_length=MAX_TEXT_LENGTH,
            description="Only those with all of these words, in any script, in their text or meaning.",
            examples=build_text_examples("হাতী", "hati", "elephant"),
        ),
    ] = "",
    language: Annotated[
        str, QueryParameter(description="Only those of this language. 0: all.", examples=LANGUAGE_EXAMPLES)
    ] = "0",
    category: Annotated[
        str,
        QueryParameter(
            max_length=MAX_TEXT_LENGTH,
            description="Only those of this category: an ID or a value of FJCAT.",
            examples=build_text_examples("1"),
        ),
    ] = "",
    limit: LimitUpTo1000 = 50,
    offset: PagedOffset = 0,
) -> Response[PhrasesAnswer]:
    """List proverbs and idioms by language, then alphabetically, each with the ideas of its words.

    `Link` and `next` point to the next page.
    """
    check_offset(offset)
    size = min(limit, MAX_LIMIT)
    page = await dictionary.read_in_thread(
        phrase_lists.list_page, text, LanguageParam(language), category, size, offset
    )
    query = {"q": text, "language": language, "category": category}
    next_url = build_next_page_address("/api/phrases", page.total, size, offset, query)
    answer = PhrasesAnswer(page.items, page.total, size, offset, next_url)
    return Response(answer, headers=build_link_header(next_url))


@get("/api/phrases/{phrase_id:int}", tags=["Phrases"], summary="Read one proverb or idiom")
async def show_phrase(
    dictionary: DictionaryDep, phrase_id: Annotated[int, build_id_parameter("The ID of a proverb or idiom.")]
) -> ListedPhrase:
    """Return a proverb or idiom with the ideas of its words."""
    return await dictionary.read_in_thread(phrase_lists.get_phrase, phrase_id)


class LanguagesAnswer(msgspec.Struct, frozen=True):
    """All languages of the dictionary."""

    data: tuple[CountedLanguage, ...]
    count: int


@public_read("/api/languages", tags=["Lists"], summary="List the languages")
async def list_languages(dictionary: DictionaryDep) -> LanguagesAnswer:
    """List the languages with their codes, names, scripts and numbers of words."""
    languages = await dictionary.read(lookup_lists.list_languages)
    return LanguagesAnswer(languages, len(languages))
