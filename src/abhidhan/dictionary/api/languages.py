"""/api/languages."""

import msgspec

from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.service import lookup_lists
from abhidhan.dictionary.service.lookup_lists import CountedLanguage
from abhidhan.platform.http.public_reads import public_read


class LanguagesAnswer(msgspec.Struct, frozen=True):
    """All languages of the dictionary."""

    data: tuple[CountedLanguage, ...]
    count: int


@public_read("/api/languages", tags=["Lists"], summary="List the languages")
async def list_languages(dictionary: GivenDictionary) -> LanguagesAnswer:
    """List the languages with their codes, names, scripts and numbers of words."""
    languages = await dictionary.read(lookup_lists.list_languages)
    return LanguagesAnswer(languages, len(languages))
