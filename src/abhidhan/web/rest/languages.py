"""/api/languages."""

import msgspec

from abhidhan.services.dictionary import lists
from abhidhan.services.dictionary.lists import CountedLanguage
from abhidhan.web.arguments import GivenDictionary
from abhidhan.web.edge.public_reads import public_read


class LanguagesAnswer(msgspec.Struct, frozen=True):
    """All languages of the dictionary."""

    data: tuple[CountedLanguage, ...]
    count: int


@public_read("/api/languages", tags=["Lists"], summary="List the languages")
async def list_languages(dictionary: GivenDictionary) -> LanguagesAnswer:
    """List the languages with their codes, names, scripts and numbers of words."""
    languages = await dictionary.read(lists.list_languages)
    return LanguagesAnswer(languages, len(languages))
