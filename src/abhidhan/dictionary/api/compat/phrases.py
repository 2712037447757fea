"""check-fj.php: phrases like the one given."""

from typing import Annotated

from litestar.params import QueryParameter

from abhidhan.dictionary.api.compat.shapes import PhraseAnswer
from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.service.lookup_lists import LanguageParam
from abhidhan.dictionary.service.phrases import similar_phrases
from abhidhan.platform.http.parameters import (
    GREATEST_SHORT_LIMIT,
    LANGUAGE_EXAMPLES,
    LONGEST_PHRASE,
    LimitUpTo100,
    text_examples,
)
from abhidhan.platform.http.public_reads import public_read


@public_read("/api/check-fj.php", tags=["Phrases"], summary="Find proverbs and idioms like a phrase")
async def check_phrase(
    dictionary: GivenDictionary,
    phrase: Annotated[
        str,
        QueryParameter(
            name="fj",
            min_length=1,
            max_length=LONGEST_PHRASE,
            description="The phrase to check, in Assamese or in Roman letters.",
            examples=text_examples("নগই গড়গাওঁৰ বতৰা কয়", "apun bhalei jogot bhal"),
        ),
    ],
    language: Annotated[
        str, QueryParameter(description="The language of the phrase.", examples=LANGUAGE_EXAMPLES)
    ] = "2",
    limit: LimitUpTo100 = 5,
) -> PhraseAnswer:
    """Find proverbs and idioms that are the same as, or similar to, the one given, best match first."""
    greatest = min(limit, GREATEST_SHORT_LIMIT)
    items = await dictionary.read_in_thread(similar_phrases, phrase, LanguageParam(language), greatest)
    return PhraseAnswer(phrase=phrase, found=bool(items), count=len(items), similar_items=items)
