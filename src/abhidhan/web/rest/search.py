"""/api/search and /api/suggest."""

from functools import partial
from typing import Annotated, Literal

import msgspec
from litestar import get
from litestar.params import QueryParameter

from abhidhan.domain.matching.cascade import FoundWord
from abhidhan.services.dictionary import lists, search
from abhidhan.storage.database import Reader
from abhidhan.web.arguments import (
    GREATEST_LIMIT,
    GREATEST_SHORT_LIMIT,
    LANGUAGE_EXAMPLES,
    LONGEST_TEXT,
    GivenDatabase,
    LimitUpTo100,
    LimitUpTo1000,
    text_examples,
)

SearchText = Annotated[
    str,
    QueryParameter(
        name="q",
        min_length=1,
        max_length=LONGEST_TEXT,
        description="What to search for, in any script.",
        examples=text_examples("oxomiya", "পানী"),
    ),
]

SearchLanguage = Annotated[
    str, QueryParameter(name="lang", description="Only words of this language. 0: all.", examples=LANGUAGE_EXAMPLES)
]

TRUE = {"true": True, "1": True, "false": False, "0": False}


class SearchAnswer(msgspec.Struct, frozen=True):
    """What a search found: words, each with how it was found and how well it fits."""

    query: str
    fuzzy: bool
    data: tuple[FoundWord, ...]
    count: int


@get("/api/search", tags=["Look-up"], summary="Search across languages")
async def search_words(
    database: GivenDatabase,
    text: SearchText,
    language: SearchLanguage = "0",
    fuzzy: Annotated[
        Literal["true", "1", "false", "0"],
        QueryParameter(description="false: only the same spelling, its variants, and words that begin so."),
    ] = "true",
    limit: LimitUpTo1000 = 20,
) -> SearchAnswer:
    """Find words: the same, spelled otherwise, sounding alike, beginning so, misspelled, or so defined."""
    job = partial(_search, text=text, language=language, fuzzy=TRUE[fuzzy], most=min(limit, GREATEST_LIMIT))
    return await database.read(job, long=True)


def _search(reader: Reader, *, text: str, language: str, fuzzy: bool, most: int) -> SearchAnswer:
    language_id = lists.find_language_id(reader, "lang", language)
    found = search.search(reader, text, language_id or None, fuzzy=fuzzy, limit=most)
    return SearchAnswer(text, fuzzy, found, len(found))


@get("/api/suggest", tags=["Look-up"], summary="Suggest headwords while somebody types")
async def suggest(
    database: GivenDatabase, text: SearchText, language: SearchLanguage = "0", limit: LimitUpTo100 = 10
) -> tuple[str, ...]:
    """Suggest headwords that begin with the text or sound like it."""
    job = partial(_suggest, text=text, language=language, most=min(limit, GREATEST_SHORT_LIMIT))
    return await database.read(job, long=True)


def _suggest(reader: Reader, text: str, language: str, most: int) -> tuple[str, ...]:
    language_id = lists.find_language_id(reader, "lang", language)
    return search.suggest(reader, text, language_id or None, most)
