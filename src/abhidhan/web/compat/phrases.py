"""check-fj.php: phrases like the one given."""

from functools import partial
from typing import Annotated

from litestar import get
from litestar.params import QueryParameter

from abhidhan.domain.languages import ASSAMESE
from abhidhan.services.dictionary import lists, phrases
from abhidhan.storage.database import Reader
from abhidhan.web.arguments import (
    GREATEST_SHORT_LIMIT,
    LANGUAGE_EXAMPLES,
    LONGEST_PHRASE,
    GivenDatabase,
    LimitUpTo100,
    text_examples,
)
from abhidhan.web.compat.shapes import PhraseAnswer


@get("/api/check-fj.php", tags=["Phrases"], summary="Find proverbs and idioms like a phrase")
async def check_phrase(
    database: GivenDatabase,
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
    """Find the proverbs and idioms that are the same as, or like, the one given: best first."""
    most = min(limit, GREATEST_SHORT_LIMIT)
    return await database.read(partial(_check_phrase, phrase=phrase, language=language, most=most), long=True)


def _check_phrase(reader: Reader, phrase: str, language: str, most: int) -> PhraseAnswer:
    language_id = lists.find_language_id(reader, "language", language) or ASSAMESE
    items = phrases.find_similar(reader, phrase, language_id, most)
    return PhraseAnswer(phrase=phrase, found=bool(items), count=len(items), similar_items=items)
