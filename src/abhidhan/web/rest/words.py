"""/api/words and /api/ideas."""

from typing import Annotated

import msgspec
from litestar import Response, get
from litestar.params import QueryParameter

from abhidhan.domain.ideas import Idea
from abhidhan.domain.words import Word
from abhidhan.errors import InputError
from abhidhan.services.dictionary.browse import GREATEST_OFFSET
from abhidhan.services.dictionary.facade import LanguageName
from abhidhan.web.arguments import (
    GREATEST_LIMIT,
    LANGUAGE_EXAMPLES,
    LONGEST_TEXT,
    GivenDictionary,
    LimitUpTo1000,
    record_id,
    text_examples,
)
from abhidhan.web.rest.paging import link_to, next_page


class WordsAnswer(msgspec.Struct, frozen=True):
    """A page of words. `next` is the address of the next page, null at the end."""

    data: tuple[Word, ...]
    total: int
    limit: int
    offset: int
    next: str | None


@get("/api/words", tags=["Words"], summary="Page through all words")
async def list_words(
    dictionary: GivenDictionary,
    limit: LimitUpTo1000 = 50,
    offset: Annotated[
        int,
        QueryParameter(
            ge=0,
            description="How many words to skip, up to 100,000.",
            schema_extra={"maximum": GREATEST_OFFSET},
        ),
    ] = 0,
    language: Annotated[
        str, QueryParameter(description="Only words of this language.", examples=LANGUAGE_EXAMPLES)
    ] = "0",
    search: Annotated[
        str | None,
        QueryParameter(
            max_length=LONGEST_TEXT, description="Only words that begin with this.", examples=text_examples("পা")
        ),
    ] = None,
) -> Response[WordsAnswer]:
    """List words by language, then alphabetically; `Link` and `next` lead to the next page."""
    if offset > GREATEST_OFFSET:
        raise InputError.of("offset", "`offset` reaches to 100,000; beyond it, follow `next` of /api/wordsalpha.php.")
    size = min(limit, GREATEST_LIMIT)
    found = await dictionary.list_page(search, LanguageName(language), size, offset)
    following = next_page("/api/words", found.total, size, offset, {"language": language, "search": search})
    return Response(WordsAnswer(found.words, found.total, size, offset, following), headers=link_to(following))


@get("/api/words/{word_id:int}", tags=["Words"], summary="Read one word")
async def show_word(dictionary: GivenDictionary, word_id: Annotated[int, record_id("The ID of a word.")]) -> Word:
    """Read a word with all its meanings."""
    return await dictionary.word(word_id)


@get("/api/ideas/{idea_id:int}", tags=["Words"], summary="Read one idea")
async def show_idea(dictionary: GivenDictionary, idea_id: Annotated[int, record_id("The ID of an idea.")]) -> Idea:
    """Read an idea with its words in every language."""
    return await dictionary.idea(idea_id)
