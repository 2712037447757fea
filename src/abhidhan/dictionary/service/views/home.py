"""Home page: the word and the proverb of the day, and the size of the dictionary."""

from asyncio import wait_for
from typing import Final

import msgspec

from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.word_of_the_day import Day
from abhidhan.dictionary.store import totals
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import AbhidhanError
from abhidhan.records.language_preferences import LanguagePreferences, resolve_languages
from abhidhan.records.languages import ASSAMESE, Language
from abhidhan.records.words import find_gloss

WORD_OF_DAY_TIMEOUT_SECONDS: Final = 1.0
"""Maximum time that the home page waits for a new word of the day, as other write transactions may take minutes."""


class HomePage(msgspec.Struct, frozen=True):
    """Data of the home page; `gloss` belongs to the word of the day.

    `language` is the one that "Browse" opens with, and `words` the number of its words.
    """

    today: Day | None
    gloss: str | None
    languages: dict[int, Language]
    language: Language
    words: int
    card_sets: int


async def load_home_page(dictionary: Dictionary, preferences: LanguagePreferences) -> HomePage:
    """Load the home page, without a word of the day if there is none or it cannot be chosen in time."""
    try:
        today = await wait_for(dictionary.calendar.load_day(""), WORD_OF_DAY_TIMEOUT_SECONDS)
    except (AbhidhanError, TimeoutError):
        today = None
    return await dictionary.read_in_thread(read_home_page, today, preferences)


def read_home_page(connection: ReadConnection, today: Day | None, preferences: LanguagePreferences) -> HomePage:
    """Load the home page for a given word of the day."""
    preferred_ids = resolve_languages(preferences, connection.catalogue)
    languages = connection.catalogue.languages_by_id
    language = languages[ASSAMESE]
    return HomePage(
        today,
        find_gloss(today.word, preferred_ids) if today and today.word else None,
        languages,
        language,
        totals.count_words(connection, language.id),
        totals.count_card_sets(connection),
    )
