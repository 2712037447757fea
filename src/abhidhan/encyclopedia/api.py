"""dic-wiki.php: extracts of encyclopedia articles."""

from typing import Annotated, Final

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.openapi.spec import Example
from litestar.params import QueryParameter, SkipValidation

from abhidhan.encyclopedia.service import articles
from abhidhan.encyclopedia.service.articles import Encyclopedia
from abhidhan.platform.http.parameters import MAX_TEXT_LENGTH, build_text_examples
from abhidhan.records.encyclopedia_articles import Article, ArticleOutcome
from abhidhan.records.languages import ASSAMESE, BENGALI, ENGLISH
from abhidhan.records.timestamps import Timestamp, format_timestamp

EncyclopediaDep = NamedDependency[SkipValidation[Encyclopedia | None]]

LANGUAGES_BY_PARAM: Final = {str(language_id): language_id for language_id in (ENGLISH, ASSAMESE, BENGALI)}
"""Language IDs by the value of the parameter `lgid`; any other value means English."""


class ArticleAnswer(msgspec.Struct, frozen=True):
    """The response of `dic-wiki.php`; `success` is false if there is no such article, or if it has no introduction."""

    success: bool
    title: str
    extract: str
    url: str | None
    source: str
    language_id: int
    licence: str | None
    retrieved: Timestamp
    disambiguation: bool

    @classmethod
    def of(cls, article: Article) -> "ArticleAnswer":
        """Convert an article, found or not, to the response."""
        return cls(
            success=article.outcome is ArticleOutcome.FOUND,
            title=article.title,
            extract=article.extract,
            url=article.url,
            source=article.source,
            language_id=article.language_id,
            licence=article.licence,
            retrieved=format_timestamp(article.retrieved),
            disambiguation=article.disambiguation,
        )


@get(
    "/api/dic-wiki.php",
    tags=["Encyclopedia"],
    summary="Read the extract of an encyclopedia article",
)
async def show_extract(
    encyclopedia: EncyclopediaDep,
    title: Annotated[
        str,
        QueryParameter(
            name="w",
            min_length=1,
            max_length=MAX_TEXT_LENGTH,
            description="The title of an article; redirects and other spellings are followed.",
            examples=build_text_examples("অসম"),
        ),
    ],
    lgid: Annotated[
        str,
        QueryParameter(
            description="The encyclopedia's language: 1 English, 2 Assamese, 22 Bengali. Any other value: English.",
            examples=[Example(summary="Assamese", value="2")],
        ),
    ] = "1",
) -> ArticleAnswer:
    """Return an article's introduction as plain text, with its source and licence.

    `disambiguation` is true if the page is a disambiguation page.
    """
    return ArticleAnswer.of(await articles.load_article(encyclopedia, LANGUAGES_BY_PARAM.get(lgid, ENGLISH), title))
