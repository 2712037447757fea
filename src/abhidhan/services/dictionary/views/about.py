"""What the dictionary holds, and where it is from."""

import msgspec

from abhidhan.domain.sources import Source
from abhidhan.services.dictionary import lists, statistics
from abhidhan.services.dictionary.lists import CountedLanguage
from abhidhan.services.dictionary.statistics import Statistics
from abhidhan.storage.engine.reader import Reader


class AboutPage(msgspec.Struct, frozen=True):
    """What the dictionary holds, and where it is from."""

    statistics: Statistics
    languages: tuple[CountedLanguage, ...]
    sources: tuple[Source, ...]


def read_about_page(reader: Reader) -> AboutPage:
    """Read the numbers, the languages that have words, and the sources."""
    languages = sorted(lists.list_languages(reader), key=lambda language: (-language.words, language.id))
    return AboutPage(statistics.count(reader), tuple(languages), tuple(reader.catalogue.sources.values()))
