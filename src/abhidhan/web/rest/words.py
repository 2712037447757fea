"""/api/words and /api/ideas."""

from functools import partial
from typing import Annotated
from urllib.parse import urlencode

import msgspec
from litestar import Response, get
from litestar.params import QueryParameter

from abhidhan.domain.ideas import Idea
from abhidhan.domain.words import Word
from abhidhan.errors import InputError
from abhidhan.services.dictionary import browse, lists, lookup
from abhidhan.services.dictionary.browse import GREATEST_OFFSET, WordPage
from abhidhan.storage.database import Reader
from abhidhan.web.arguments import (
    GREATEST_LIMIT,
    LANGUAGE_EXAMPLES,
    LONGEST_TEXT,
    GivenDatabase,
    LimitUpTo1000,
    record_id,
    text_examples,
)


class WordsAnswer(msgspec.Struct, frozen=True):
    """A page of words. `next` is the address of the page that follows, null at the end."""

    data: tuple[Word, ...]
    total: int
    limit: int
    offset: int
    next: str | None


@get("/api/words", tags=["Words"], summary="Page through all words")
async def list_words(
    database: GivenDatabase,
    limit: LimitUpTo1000 = 50,
    offset: Annotated[
        int,
        QueryParameter(
            ge=0,
            description="How many words to pass over, up to 100,000.",
            schema_extra={"maximum": GREATEST_OFFSET},
        ),
    ] = 0,
    language: Annotated[
        str, QueryParameter(description="Only words of this language.", examples=LANGUAGE_EXAMPLES)
    ] = "0",
    search: Annotated[
        str | None,
        QueryParameter(max_length=LONGEST_TEXT, description="Words that begin with this.", examples=text_examples("পা")),
    ] = None,
) -> Response[WordsAnswer]:
    """List words by language and then alphabetically; `Link` and `next` lead to the page that follows."""
    if offset > GREATEST_OFFSET:
        raise InputError.of("offset", "`offset` reaches to 100,000; beyond it, follow `next` of /api/wordsalpha.php.")
    most = min(limit, GREATEST_LIMIT)
    job = partial(_list_words, search=search, language=language, most=most, offset=offset)
    found = await database.read(job, long=True)
    following = _next_page(found, most, offset, {"language": language, "search": search})
    headers = {"Link": f'<{following}>; rel="next"'} if following else {}
    return Response(WordsAnswer(found.words, found.total, most, offset, following), headers=headers)


def _list_words(reader: Reader, search: str | None, language: str, most: int, offset: int) -> WordPage:
    language_id = lists.find_language_id(reader, "language", language)
    return browse.list_page(reader, search, language_id, most, offset)


def _next_page(found: WordPage, most: int, offset: int, given: dict[str, str | None]) -> str | None:
    """Tell the address of the page that follows, while one can be asked for."""
    following = offset + most
    if following >= found.total or following > GREATEST_OFFSET:
        return None
    parameters = {"limit": most, "offset": following} | {name: value for name, value in given.items() if value}
    return f"/api/words?{urlencode(parameters)}"


@get("/api/words/{word_id:int}", tags=["Words"], summary="Read one word")
async def show_word(database: GivenDatabase, word_id: Annotated[int, record_id("The ID of a word.")]) -> Word:
    """Read a word with all its meanings."""
    return await database.read(partial(lookup.look_up_one, word_id=word_id))


@get("/api/ideas/{idea_id:int}", tags=["Words"], summary="Read one idea")
async def show_idea(database: GivenDatabase, idea_id: Annotated[int, record_id("The ID of an idea.")]) -> Idea:
    """Read an idea with its words in every language."""
    return await database.read(partial(browse.show_idea, idea_id=idea_id))
