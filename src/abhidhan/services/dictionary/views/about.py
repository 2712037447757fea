"""What the dictionary holds, and where it is from."""

from typing import Final

import msgspec

from abhidhan.domain.sources import Source
from abhidhan.services.dictionary import lists, statistics
from abhidhan.services.dictionary.lists import CountedLanguage
from abhidhan.services.dictionary.statistics import Statistics
from abhidhan.storage.engine.reader import Reader

LARGEST_SHOWN: Final = 12


class AboutPage(msgspec.Struct, frozen=True):
    """What the dictionary holds, and where it is from."""

    statistics: Statistics
    count: int
    languages: tuple[CountedLanguage, ...]
    sources: tuple[Source, ...]


def read_about_page(reader: Reader) -> AboutPage:
    """Read the numbers, the languages that have most words, and the sources."""
    languages = sorted(lists.list_languages(reader), key=lambda language: (-language.words, language.id))
    with_words = tuple(language for language in languages if language.words)
    return AboutPage(
        statistics.count(reader),
        len(with_words),
        with_words[:LARGEST_SHOWN],
        tuple(reader.catalogue.sources.values()),
    )
