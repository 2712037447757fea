"""What the dictionary holds, and where it is from."""

from typing import Final

import msgspec

from abhidhan.dictionary.service import lookup_lists, statistics
from abhidhan.dictionary.service.lookup_lists import CountedLanguage
from abhidhan.dictionary.service.statistics import Statistics
from abhidhan.platform.database.reader import Reader
from abhidhan.records.sources import Source

LARGEST_SHOWN: Final = 12


class AboutPage(msgspec.Struct, frozen=True):
    """What the dictionary holds, and where it is from."""

    statistics: Statistics
    count: int
    languages: tuple[CountedLanguage, ...]
    sources: tuple[Source, ...]


def read_about_page(reader: Reader) -> AboutPage:
    """Read the numbers, the languages that have most words, and the sources."""
    languages = sorted(lookup_lists.list_languages(reader), key=lambda language: (-language.words, language.id))
    with_words = tuple(language for language in languages if language.words)
    return AboutPage(
        statistics.count(reader),
        len(with_words),
        with_words[:LARGEST_SHOWN],
        tuple(reader.catalogue.sources.values()),
    )
