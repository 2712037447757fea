"""The first page: the word of the day, a few words with an example, and the letters."""

from asyncio import wait_for
from collections.abc import Iterator
from random import Random
from typing import Final

import msgspec

from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.random_entries import draw_word_id, draw_word_in_use
from abhidhan.dictionary.service.views.listings import Gloss, glosses, selection_of_glosses
from abhidhan.dictionary.service.word_of_the_day import Day
from abhidhan.dictionary.store import word_rows
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import AbhidhanError
from abhidhan.records.language_preferences import ReadersLanguages, languages_of
from abhidhan.records.languages import ASSAMESE, Language
from abhidhan.records.words import gloss_of
from assamese.collation import letters_of

WORDS: Final = 8

CHOICE_TIMEOUT_SECONDS: Final = 1.0
"""How long the first page waits for a word of the day to be chosen: others may be writing for minutes."""

MOST_KEPT: Final = 100
"""At most this many choices of languages have their words of a day kept."""

Key = tuple[str, int, tuple[int, ...]]
"""A date, the language of the words, and the languages in which they are told."""


class FirstPage(msgspec.Struct, frozen=True):
    """What the first page shows besides its search box; `gloss` is that of the word of the day.

    `words` have an example where there are such: what an import has brought last may be eight cities.
    """

    today: Day | None
    gloss: str | None
    words: tuple[Gloss, ...]
    languages: dict[int, Language]
    language: Language
    letters: tuple[str, ...]


async def load_first_page(dictionary: Dictionary, readers: ReadersLanguages) -> FirstPage:
    """Read what the first page shows; without a word of the day if there is none, or it cannot be chosen in time."""
    try:
        today = await wait_for(dictionary.calendar.on(""), CHOICE_TIMEOUT_SECONDS)
    except (AbhidhanError, TimeoutError):
        today = None
    return await dictionary.read_in_thread(read_first_page, today, readers)


def read_first_page(reader: Reader, today: Day | None, readers: ReadersLanguages) -> FirstPage:
    """Read what the first page shows on a day: letters and words of the language that a reader has put first."""
    mine = languages_of(readers, reader.catalogue)
    languages = reader.catalogue.by_id
    language = languages[mine[0] if readers.chosen else ASSAMESE]
    word = today.word if today else None
    return FirstPage(
        today,
        gloss_of(word, mine) if word else None,
        _words_of(reader, (today.date if today else "", language.id, mine), languages),
        languages,
        language,
        letters_of(language.code, language.script),
    )


def _words_of(reader: Reader, key: Key, languages: dict[int, Language]) -> tuple[Gloss, ...]:
    """Draw the words of a day; they are the same all day, until something changes."""
    kept = reader.kept(_none_yet)
    found = kept.get(key)
    if found is None:
        date, language_id, mine = key
        if len(kept) >= MOST_KEPT or any(each[0] != date for each in kept):
            kept.clear()
        word_ids = list(_draw(reader, language_id, Random(date)))  # noqa: S311  # a lot, no secret
        words = word_rows.gather(reader, word_ids, selection=selection_of_glosses(mine))
        found = kept[key] = glosses(reader, words, languages, mine)
    return found


def _none_yet(_: Reader, _before: dict[Key, tuple[Gloss, ...]] | None) -> dict[Key, tuple[Gloss, ...]]:
    return {}


def _draw(reader: Reader, language_id: int, lot: Random) -> Iterator[int]:
    drawn: set[int] = set()
    draw = draw_word_in_use if draw_word_in_use(reader, language_id, Random(0)) else draw_word_id  # noqa: S311
    for _ in range(WORDS):
        word_id = draw(reader, language_id, lot, drawn)
        if word_id is None:
            return
        drawn.add(word_id)
        yield word_id
