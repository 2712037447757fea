"""The words added last, as a page and as an Atom feed."""

from functools import partial
from itertools import groupby
from typing import Final

import msgspec
from litestar import Response, get
from litestar.params import FromQuery

from abhidhan.domain.languages import Language
from abhidhan.services.dictionary import browse, lists
from abhidhan.services.dictionary.browse import RecentWord
from abhidhan.services.dictionary.lists import CountedLanguage
from abhidhan.storage.database import Reader
from abhidhan.web.arguments import GivenDatabase
from abhidhan.web.pages.browse import Gloss, gloss
from abhidhan.web.pages.interface import Interface
from abhidhan.web.pages.rendering import Asked, GivenPages, day, render

WORDS_SHOWN: Final = 60
WORDS_IN_FEED: Final = 50


class RecentPage(msgspec.Struct, frozen=True):
    """The newest words of all languages, or of one."""

    words: tuple[tuple[RecentWord, Gloss], ...]
    language: Language | None
    languages: tuple[CountedLanguage, ...]
    by_id: dict[int, Language]

    @property
    def days(self) -> list[tuple[str, list[tuple[RecentWord, Gloss]]]]:
        """The words by the day they were added."""
        return [(key, list(group)) for key, group in groupby(self.words, key=lambda each: day(each[0].added))]


def read_recent_page(reader: Reader, language: str, most: int) -> RecentPage:
    """Read the newest words. Raises InputError for an unknown language."""
    language_id = lists.find_language_id(reader, "language", language)
    by_id = {each.id: each for each in reader.catalogue.languages}
    words = browse.list_recent(reader, language_id, most)
    return RecentPage(
        tuple((word, gloss(word, by_id)) for word in words),
        by_id.get(language_id),
        lists.list_languages(reader),
        by_id,
    )


@get("/recent", include_in_schema=False)
async def show_recent(
    request: Asked, database: GivenDatabase, pages: GivenPages, language: FromQuery[str] = "0"
) -> Response[str]:
    """Show the newest words."""
    page = await database.read(partial(read_recent_page, language=language, most=WORDS_SHOWN), long=True)
    return pages.show(request, "recent.html", {"page": page})


@get("/feed.atom", include_in_schema=False)
async def show_feed(
    request: Asked, database: GivenDatabase, pages: GivenPages, language: FromQuery[str] = "0"
) -> Response[str]:
    """Write the newest words as an Atom feed (RFC 4287)."""
    page = await database.read(partial(read_recent_page, language=language, most=WORDS_IN_FEED), long=True)
    body = render(Interface(), "feed.xml", {"page": page, "base": pages.base(request)})
    return Response(body, media_type="application/atom+xml", headers={"Cache-Control": "public, max-age=900"})
