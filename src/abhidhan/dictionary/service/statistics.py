"""Statistics of the dictionary, and the data of the about page."""

from typing import Final

import msgspec

from abhidhan.dictionary.service import lookup_lists
from abhidhan.dictionary.service.lookup_lists import CountedLanguage
from abhidhan.dictionary.store import totals
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.sources import Source


class Statistics(msgspec.Struct, frozen=True):
    """Number of records of each kind."""

    ideas: int
    words: int
    senses: int
    definitions: int
    examples: int
    relations: int
    phrases: int
    card_sets: int
    cards: int
    sources: int

    def by_name(self) -> dict[str, int]:
        """Return the numbers by their English labels on pages."""
        names = {"senses": "Meanings of words", "phrases": "Proverbs and idioms", "card_sets": "Sets of flashcards"}
        return {names.get(field, field.capitalize()): value for field, value in msgspec.structs.asdict(self).items()}


def count_records(connection: ReadConnection) -> Statistics:
    """Count the records."""
    return Statistics(**totals.count_records(connection))


MAX_LANGUAGES_SHOWN: Final = 12


class AboutPage(msgspec.Struct, frozen=True):
    """Data of the about page: statistics, languages and sources."""

    statistics: Statistics
    count: int
    languages: tuple[CountedLanguage, ...]
    sources: tuple[Source, ...]


def read_about_page(connection: ReadConnection) -> AboutPage:
    """Load the statistics, the languages with most words, and the sources."""
    languages = sorted(lookup_lists.list_languages(connection), key=lambda language: (-language.words, language.id))
    used_languages = tuple(language for language in languages if language.words)
    return AboutPage(
        count_records(connection),
        len(used_languages),
        used_languages[:MAX_LANGUAGES_SHOWN],
        tuple(connection.catalogue.sources.values()),
    )
