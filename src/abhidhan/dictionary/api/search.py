"""/api/search and /api/suggest."""

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import DictionaryDep, LangsParam, WordFieldsParam
from abhidhan.dictionary.model.cascade import FoundWord
from abhidhan.dictionary.model.field_queries import WildcardMode
from abhidhan.dictionary.model.field_selection import FieldParams
from abhidhan.dictionary.service import field_search
from abhidhan.dictionary.service.completions import suggest_with_glosses, suggest_with_phrases
from abhidhan.dictionary.service.field_search import SearchRequest
from abhidhan.dictionary.service.lookup import guess_with_glosses, suggest_headwords
from abhidhan.dictionary.service.lookup_lists import LanguageParam
from abhidhan.platform.http.json_codec import ProvisionalResponse
from abhidhan.platform.http.parameters import (
    LANGUAGE_EXAMPLES,
    MAX_LIMIT,
    MAX_SHORT_LIMIT,
    MAX_TEXT_LENGTH,
    LimitUpTo100,
    LimitUpTo1000,
    build_text_examples,
)
from abhidhan.platform.http.public_reads import public_read
from abhidhan.records.words import DetailedSuggestion

SearchTextParam = Annotated[
    str,
    QueryParameter(
        name="q",
        min_length=1,
        max_length=MAX_TEXT_LENGTH,
        description="What to search for, in any script.",
        examples=build_text_examples("oxomiya", "পানী"),
    ),
]

SearchLanguageParam = Annotated[
    str, QueryParameter(name="lang", description="Only words of this language. 0: all.", examples=LANGUAGE_EXAMPLES)
]

FLAG_VALUES = {"true": True, "1": True, "false": False, "0": False}
WILDCARD_MODES = {
    given: WildcardMode.EVERYWHERE if meant else WildcardMode.NOWHERE for given, meant in FLAG_VALUES.items()
}


SearchQueryParam = Annotated[
    str,
    QueryParameter(
        name="q",
        min_length=1,
        max_length=MAX_TEXT_LENGTH,
        description=(
            "What to search for, in any script; also fields: pos, context, lang and has, as in `pos:noun water` or "
            "`lang:as has:photo`. A value with spaces is quoted."
        ),
        examples=build_text_examples("oxomiya", "পানী", "pos:noun lang:as", "পা*"),
    ),
]


class SearchAnswer(ProvisionalResponse, frozen=True):
    """Results of a search: words with the kind and the score of each match.

    `complete` is present for wildcards and for fields alone; it is false if a search for more words would take too
    long.
    """

    query: str
    fuzzy: bool
    data: Sequence[FoundWord]
    count: int
    complete: bool | msgspec.UnsetType = msgspec.UNSET

    def is_cacheable(self) -> bool:
        """Return whether the search was complete; a repeated one may find more if it took too long."""
        return self.complete is not False


@public_read("/api/search", tags=["Look-up"], summary="Search across languages")
async def search_words(  # noqa: PLR0913, PLR0917 (each is a query parameter)
    dictionary: DictionaryDep,
    text: SearchQueryParam,
    language: SearchLanguageParam = "0",
    fuzzy: Annotated[
        Literal["true", "1", "false", "0"],
        QueryParameter(description="false: only the same spelling, its variants, and words that begin with the text."),
    ] = "true",
    wildcards: Annotated[
        Literal["true", "1", "false", "0"],
        QueryParameter(description="true: `*` stands for any number of letters, and `?` for one letter."),
    ] = "false",
    limit: LimitUpTo1000 = 20,
    fields: WordFieldsParam = None,
    langs: LangsParam = None,
) -> SearchAnswer:
    """Find words by similar spelling or sound, by prefix, or by their definition.

    With wildcards: words that match a pattern, shortest first. With fields alone: words with a part of speech, a
    context, a language or a photo, by language, then alphabetically.
    """
    is_fuzzy, field_params = FLAG_VALUES[fuzzy], FieldParams(fields, langs)
    search_request = SearchRequest(
        text, LanguageParam(language, "lang"), min(limit, MAX_LIMIT), is_fuzzy, WILDCARD_MODES[wildcards]
    )
    results = await field_search.search_words(dictionary, search_request, field_params)
    complete = msgspec.UNSET if results.is_complete is None else results.is_complete
    return SearchAnswer(text, is_fuzzy, results.words, len(results.words), complete)


@public_read("/api/suggest", tags=["Look-up"], summary="Suggest headwords while typing")
async def suggest(  # noqa: PLR0913, PLR0917  # each is a query parameter
    dictionary: DictionaryDep,
    text: SearchTextParam,
    language: SearchLanguageParam = "0",
    limit: LimitUpTo100 = 10,
    details: Annotated[
        Literal["true", "1", "false", "0"],
        QueryParameter(
            description="true: each with its ID, romanization, a gloss, and its language by ID, name and code."
        ),
    ] = "false",
    langs: Annotated[
        str,
        QueryParameter(
            name="langs",
            max_length=MAX_TEXT_LENGTH,
            description="The preferred languages of words and glosses: at most ten IDs or codes.",
            examples=build_text_examples("as,en"),
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
    """Suggest headwords that begin with the text or sound like it; otherwise its base form, or similar spellings.

    Suggestions are plain texts or, with `details`, objects.
    """
    language_param, size = LanguageParam(language, "lang"), min(limit, MAX_SHORT_LIMIT)
    if FLAG_VALUES[details]:
        read = suggest_with_phrases if FLAG_VALUES[phrases] else suggest_with_glosses
        suggestions = await dictionary.read_in_thread(read, text, language_param, size, langs)
        return suggestions or await guess_with_glosses(dictionary, text, language_param, size, langs)
    return await suggest_headwords(dictionary, text, language_param, limit=size, preferred_languages=langs)
