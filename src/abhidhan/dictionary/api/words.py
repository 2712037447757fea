"""/api/words and /api/ideas."""

from collections.abc import Sequence
from typing import Annotated, Any, cast

import msgspec
from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import (
    MAX_IDS,
    NUMBER_PATTERN,
    DictionaryDep,
    IdeaFieldsParam,
    LangsParam,
    WordFieldsParam,
    parse_ids,
)
from abhidhan.dictionary.model.field_selection import FieldParams
from abhidhan.dictionary.service import browse
from abhidhan.dictionary.service.browse import get_word, get_word_with_metadata
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.forms import read_forms
from abhidhan.dictionary.service.lookup_lists import LanguageParam
from abhidhan.formats.linked_data import LinkedDataContext, Node, describe_words
from abhidhan.platform.http.json_codec import encode_json
from abhidhan.platform.http.parameters import (
    LANGUAGE_EXAMPLES,
    MAX_LIMIT,
    MAX_TEXT_LENGTH,
    LimitUpTo1000,
    build_id_parameter,
    build_link_header,
    build_list_pattern,
    build_next_page_address,
    build_text_examples,
)
from abhidhan.platform.http.request_headers import LINKED_DATA_TYPE, wants_linked_data
from abhidhan.platform.http.services import get_base_url
from abhidhan.records.errors import InputError
from abhidhan.records.ideas import Idea
from abhidhan.records.paging import MAX_OFFSET
from abhidhan.records.words import Word
from assamese.inflected_forms import WordForms

OffsetParam = Annotated[
    int,
    QueryParameter(
        ge=0, description="The number of words to skip, up to 100,000.", schema_extra={"maximum": MAX_OFFSET}
    ),
]
LanguageFilter = Annotated[str, QueryParameter(description="Only words of this language.", examples=LANGUAGE_EXAMPLES)]
PrefixFilter = Annotated[
    str | None,
    QueryParameter(
        max_length=MAX_TEXT_LENGTH,
        description="Only words that begin with this text.",
        examples=build_text_examples("পা"),
    ),
]
IdsParam = Annotated[
    str | None,
    QueryParameter(
        description="The words with these IDs instead of a page: at most 100, separated by commas.",
        examples=build_text_examples("1,2,3"),
        schema_extra={"pattern": build_list_pattern(NUMBER_PATTERN, MAX_IDS)},
    ),
]


class WordsAnswer(msgspec.Struct, frozen=True):
    """A page of words. `next` is the URL of the next page, null at the end."""

    data: Sequence[Word]
    total: int
    limit: int
    offset: int
    next: str | None


@get("/api/words", tags=["Words"], summary="List words")
async def list_words(  # noqa: PLR0913, PLR0917 (each is a query parameter)
    dictionary: DictionaryDep,
    limit: LimitUpTo1000 = 50,
    offset: OffsetParam = 0,
    language: LanguageFilter = "0",
    search: PrefixFilter = None,
    ids: IdsParam = None,
    fields: WordFieldsParam = None,
    langs: LangsParam = None,
) -> Response[WordsAnswer]:
    """List words by language, then alphabetically; `Link` and `next` point to the next page.

    With `ids`, return these words in this order; unknown IDs are left out, and other filters are ignored.
    """
    field_params = FieldParams(fields, langs)
    if ids is not None:
        word_ids = parse_ids("ids", ids, "words")
        listed_words = await dictionary.read_list(len(word_ids), browse.list_by_ids, word_ids, field_params)
        return Response(WordsAnswer(listed_words.items, listed_words.total, MAX_IDS, 0, None))
    if offset > MAX_OFFSET:
        raise InputError.of(
            "offset", "`offset` can be at most 100,000. For later words, follow `next` of /api/wordsalpha.php."
        )
    size = min(limit, MAX_LIMIT)
    page = await dictionary.read_in_thread(
        browse.list_page, search, LanguageParam(language), size, offset, field_params
    )
    query = {"language": language, "search": search, "fields": fields, "langs": langs}
    next_url = build_next_page_address("/api/words", page.total, size, offset, query)
    return Response(WordsAnswer(page.items, page.total, size, offset, next_url), headers=build_link_header(next_url))


@get("/api/words/{word_id:int}", tags=["Words"], summary="Read one word")
async def show_word(
    request: Request[Any, Any, State],
    dictionary: DictionaryDep,
    word_id: Annotated[int, build_id_parameter("The ID of a word.")],
    fields: WordFieldsParam = None,
    langs: LangsParam = None,
) -> Word:
    """Return a word with all its meanings; as JSON-LD for `Accept: application/ld+json`, which ignores `fields`."""
    if wants_linked_data(request.scope):
        return cast("Word", await _respond_with_linked_word(request, dictionary, word_id, langs))
    return await dictionary.read(get_word, word_id, FieldParams(fields, langs))


async def _respond_with_linked_word(
    request: Request[Any, Any, State], dictionary: Dictionary, word_id: int, langs: str | None
) -> Response[bytes]:
    """Return a word as JSON-LD (OntoLex). The framework sends a `Response` unchanged, despite the declared type."""
    lookup = await dictionary.read(get_word_with_metadata, word_id, FieldParams(langs=langs))
    return respond_with_linked_data(
        describe_words([lookup.word], LinkedDataContext(lookup.languages, get_base_url(request), lookup.licences))
    )


@get("/api/words/{word_id:int}/forms", tags=["Words"], summary="Read the forms of a word")
async def show_forms(
    dictionary: DictionaryDep, word_id: Annotated[int, build_id_parameter("The ID of a word.")]
) -> WordForms:
    """Return the inflected forms of a word: the stored ones and, for Assamese words, those generated by rule.

    `origin` tells the two kinds apart. A word of another language has stored forms only, or none.
    """
    return await dictionary.read(read_forms, word_id)


@get("/api/ideas/{idea_id:int}", tags=["Words"], summary="Read one idea")
async def show_idea(
    dictionary: DictionaryDep,
    idea_id: Annotated[int, build_id_parameter("The ID of an idea.")],
    fields: IdeaFieldsParam = None,
    langs: LangsParam = None,
) -> Idea:
    """Return an idea with its words in all languages, or in those that `langs` names."""
    return await dictionary.read(browse.get_idea, idea_id, FieldParams(fields, langs))


def respond_with_linked_data(document: Node) -> Response[bytes]:
    """Return a response with a JSON-LD document."""
    return Response(encode_json(document), media_type=LINKED_DATA_TYPE)
