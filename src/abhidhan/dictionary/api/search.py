"""/api/search and /api/suggest."""

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import FieldsOfWords, GivenDictionary, Langs
from abhidhan.dictionary.model.cascade import FoundWord
from abhidhan.dictionary.model.field_queries import Signs
from abhidhan.dictionary.model.field_selection import FieldParams
from abhidhan.dictionary.service import field_search
from abhidhan.dictionary.service.completions import suggest_in_detail, suggest_with_phrases
from abhidhan.dictionary.service.field_search import SearchRequest
from abhidhan.dictionary.service.lookup import suggest_headwords, suggest_meant_in_detail
from abhidhan.dictionary.service.lookup_lists import LanguageParam
from abhidhan.platform.http.json_codec import Perishable
from abhidhan.platform.http.parameters import (
    GREATEST_LIMIT,
    GREATEST_SHORT_LIMIT,
    LANGUAGE_EXAMPLES,
    LONGEST_TEXT,
    LimitUpTo100,
    LimitUpTo1000,
    text_examples,
)
from abhidhan.platform.http.public_reads import public_read
from abhidhan.records.words import DetailedSuggestion

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
SIGNS = {given: Signs.EVERYWHERE if meant else Signs.NOWHERE for given, meant in TRUE.items()}


SearchQuery = Annotated[
    str,
    QueryParameter(
        name="q",
        min_length=1,
        max_length=LONGEST_TEXT,
        description=(
            "What to search for, in any script; also fields: pos, context, lang and has, as in `pos:noun water` or "
            "`lang:as has:photo`. A value with spaces is quoted."
        ),
        examples=text_examples("oxomiya", "পানী", "pos:noun lang:as", "পা*"),
    ),
]


class SearchAnswer(Perishable, frozen=True):
    """Results of a search: words with the kind and the score of each match.

    `complete` is present for wildcards and for fields alone; it is false if a search for more words would take too
    long.
    """

    query: str
    fuzzy: bool
    data: Sequence[FoundWord]
    count: int
    complete: bool | msgspec.UnsetType = msgspec.UNSET

    def may_be_cached(self) -> bool:
        """Return whether the search was complete; a repeated one may find more if it took too long."""
        return self.complete is not False


@public_read("/api/search", tags=["Look-up"], summary="Search across languages")
async def search_words(  # noqa: PLR0913, PLR0917 (each is a query parameter)
    dictionary: GivenDictionary,
    text: SearchQuery,
    language: SearchLanguage = "0",
    fuzzy: Annotated[
        Literal["true", "1", "false", "0"],
        QueryParameter(description="false: only the same spelling, its variants, and words that begin with the text."),
    ] = "true",
    wildcards: Annotated[
        Literal["true", "1", "false", "0"],
        QueryParameter(description="true: `*` stands for any number of letters, and `?` for one letter."),
    ] = "false",
    limit: LimitUpTo1000 = 20,
    fields: FieldsOfWords = None,
    langs: Langs = None,
) -> SearchAnswer:
    """Find words by similar spelling or sound, by prefix, or by their definition.

    With wildcards: words that match a pattern, shortest first. With fields alone: words with a part of speech, a
    context, a language or a photo, by language, then alphabetically.
    """
    is_fuzzy, choice = TRUE[fuzzy], FieldParams(fields, langs)
    asked = SearchRequest(text, LanguageParam(language, "lang"), min(limit, GREATEST_LIMIT), is_fuzzy, SIGNS[wildcards])
    found = await field_search.search_words(dictionary, asked, choice)
    complete = msgspec.UNSET if found.is_complete is None else found.is_complete
    return SearchAnswer(text, is_fuzzy, found.words, len(found.words), complete)


@public_read("/api/suggest", tags=["Look-up"], summary="Suggest headwords while typing")
async def suggest(  # noqa: PLR0913, PLR0917  # each is a query parameter
    dictionary: GivenDictionary,
    text: SearchText,
    language: SearchLanguage = "0",
    limit: LimitUpTo100 = 10,
    details: Annotated[
        Literal["true", "1", "false", "0"],
        QueryParameter(
            description="true: each with its ID, romanization, a gloss, and its language by ID, name and code."
        ),
    ] = "false",
    first: Annotated[
        str,
        QueryParameter(
            name="langs",
            max_length=LONGEST_TEXT,
            description="The preferred languages of words and glosses: at most ten IDs or codes.",
            examples=text_examples("as,en"),
        ),
    ] = "",
    phrases: Annotated[
        Literal["true", "1", "false", "0"],
        QueryParameter(
            description="true, with `details`: after the words, up to two proverbs or idioms that begin with the "
            "text or contain its words; `kind` tells them apart."
        ),
    ] = "false",
) -> tuple[str | DetailedSuggestion, ...]:
    """Suggest headwords that begin with the text or sound like it; if there are none, words that it may mean.

    Suggestions are plain texts or, with `details`, objects.
    """
    named, most = LanguageParam(language, "lang"), min(limit, GREATEST_SHORT_LIMIT)
    if TRUE[details]:
        read = suggest_with_phrases if TRUE[phrases] else suggest_in_detail
        found = await dictionary.read_in_thread(read, text, named, most, first)
        return found or await suggest_meant_in_detail(dictionary, text, named, most, first)
    return await suggest_headwords(dictionary, text, named, limit=most, first=first)
