"""The languages of the dictionary, and those of a reader."""

import msgspec

from abhidhan.dictionary.service import lookup_lists
from abhidhan.dictionary.service.lookup_lists import CountedLanguage
from abhidhan.platform.database.reader import Reader
from abhidhan.records.language_preferences import ReadersLanguages, languages_of


class LanguagesPage(msgspec.Struct, frozen=True):
    """The languages that have words, the most words first, and a reader's in their order."""

    languages: tuple[CountedLanguage, ...]
    mine: tuple[CountedLanguage, ...]


def read_languages_page(reader: Reader, readers: ReadersLanguages) -> LanguagesPage:
    """Read the languages that have words, and those of a reader."""
    counted = {language.id: language for language in lookup_lists.list_languages(reader)}
    mine = languages_of(readers, reader.catalogue)
    return LanguagesPage(
        tuple(counted[each] for each in reader.catalogue.largest if each in counted),
        tuple(counted[each] for each in mine),
    )
