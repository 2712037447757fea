"""/api/phrases: proverbs and idioms."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from litestar import Response, get
from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.model.phrases import ListedPhrase
from abhidhan.dictionary.service import phrase_lists
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
    record_id,
    text_examples,
)


class PhrasesAnswer(msgspec.Struct, frozen=True):
    """A page of proverbs and idioms. `next` is the address of the next page, null at the end."""

    data: Sequence[ListedPhrase]
    total: int
    limit: int
    offset: int
    next: str | None


@get("/api/phrases", tags=["Phrases"], summary="Page through proverbs and idioms")
async def list_phrases(  # noqa: PLR0913, PLR0917  # each is one parameter of the address
    dictionary: GivenDictionary,
    text: Annotated[
        str,
        QueryParameter(
            name="q",
            max_length=LONGEST_TEXT,
            description="Only those that have all these words, in any script, in their text or their meaning.",
            examples=text_examples("হাতী", "hati", "elephant"),
        ),
    ] = "",
    language: Annotated[
        str, QueryParameter(description="Only those of this language. 0: all.", examples=LANGUAGE_EXAMPLES)
    ] = "0",
    category: Annotated[
        str,
        QueryParameter(
            max_length=LONGEST_TEXT,
            description="Only those of this category: an ID or a value of FJCAT.",
            examples=text_examples("1"),
        ),
    ] = "",
    limit: LimitUpTo1000 = 50,
    offset: PagedOffset = 0,
) -> Response[PhrasesAnswer]:
    """List proverbs and idioms by language, then alphabetically, each with the ideas of its words.

    `Link` and `next` lead to the next page.
    """
    check_offset(offset)
    size = min(limit, GREATEST_LIMIT)
    found = await dictionary.read_in_thread(
        phrase_lists.list_page, text, LanguageParam(language), category, size, offset
    )
    given = {"q": text, "language": language, "category": category}
    following = next_page("/api/phrases", found.total, size, offset, given)
    answer = PhrasesAnswer(found.items, found.total, size, offset, following)
    return Response(answer, headers=link_to(following))


@get("/api/phrases/{phrase_id:int}", tags=["Phrases"], summary="Read one proverb or idiom")
async def show_phrase(
    dictionary: GivenDictionary, phrase_id: Annotated[int, record_id("The ID of a proverb or idiom.")]
) -> ListedPhrase:
    """Read a proverb or idiom with the ideas of its words."""
    return await dictionary.read_in_thread(phrase_lists.show_phrase, phrase_id)
