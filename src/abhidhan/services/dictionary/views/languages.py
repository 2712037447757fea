"""The languages of the dictionary, and those of a reader."""

import msgspec

from abhidhan.domain.readers_languages import ReadersLanguages, languages_of
from abhidhan.services.dictionary import lists
from abhidhan.services.dictionary.lists import CountedLanguage
from abhidhan.storage.engine.reader import Reader


class LanguagesPage(msgspec.Struct, frozen=True):
    """The languages that have words, the most words first, and a reader's in their order."""

    languages: tuple[CountedLanguage, ...]
    mine: tuple[CountedLanguage, ...]


def read_languages_page(reader: Reader, readers: ReadersLanguages) -> LanguagesPage:
    """Read the languages that have words, and those of a reader."""
    counted = {language.id: language for language in lists.list_languages(reader)}
    mine = languages_of(readers, reader.catalogue)
    return LanguagesPage(
        tuple(counted[each] for each in reader.catalogue.largest if each in counted),
        tuple(counted[each] for each in mine),
    )
