"""/api/ideas: pages of ideas."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from litestar import Response, get
from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import FieldsOfIdea, GivenDictionary, Langs
from abhidhan.dictionary.model.field_selection import FieldParams
from abhidhan.dictionary.service import idea_lists
from abhidhan.dictionary.service.lookup_lists import LanguageParam
from abhidhan.platform.http.parameters import (
    GREATEST_LIMIT,
    LANGUAGE_EXAMPLES,
    LONGEST_TEXT,
    LimitUpTo1000,
    PagedOffset,
    check_offset,
    link_to,
    next_page,
    text_examples,
)
from abhidhan.records.ideas import Idea


class IdeasAnswer(msgspec.Struct, frozen=True):
    """A page of ideas. `next` is the address of the next page, null at the end."""

    data: Sequence[Idea]
    total: int
    limit: int
    offset: int
    next: str | None


@get("/api/ideas", tags=["Words"], summary="Page through ideas")
async def list_ideas(  # noqa: PLR0913, PLR0917  # each is one parameter of the address
    dictionary: GivenDictionary,
    context: Annotated[
        str,
        QueryParameter(
            max_length=LONGEST_TEXT,
            description="Only ideas of this context, or of one below it: an ID or a value of CTX.",
            examples=text_examples("Water"),
        ),
    ] = "",
    pos: Annotated[
        str,
        QueryParameter(
            max_length=LONGEST_TEXT,
            description="Only ideas of this part of speech: an ID or a value of POS.",
            examples=text_examples("Common Noun"),
        ),
    ] = "",
    language: Annotated[
        str, QueryParameter(description="Only ideas with a word of this language. 0: all.", examples=LANGUAGE_EXAMPLES)
    ] = "0",
    limit: LimitUpTo1000 = 50,
    offset: PagedOffset = 0,
    fields: FieldsOfIdea = None,
    langs: Langs = None,
) -> Response[IdeasAnswer]:
    """List ideas by ID, each with its words in every language; `Link` and `next` lead to the next page."""
    check_offset(offset)
    size = min(limit, GREATEST_LIMIT)
    found = await dictionary.read_in_thread(
        idea_lists.list_page, context, pos, LanguageParam(language), size, offset, FieldParams(fields, langs)
    )
    given = {"context": context, "pos": pos, "language": language, "fields": fields, "langs": langs}
    following = next_page("/api/ideas", found.total, size, offset, given)
    answer = IdeasAnswer(found.items, found.total, size, offset, following)
    return Response(answer, headers=link_to(following))
