"""The first page: the word of the day, a few words with an example, and the letters."""

from collections.abc import Iterator
from random import Random
from typing import Final

import msgspec

from abhidhan.domain.glosses import gloss_of
from abhidhan.domain.languages import ASSAMESE, Language
from abhidhan.domain.text.alphabet import letters_of
from abhidhan.services.dictionary.daily import Day
from abhidhan.services.dictionary.drawing import draw_word_id, draw_word_in_use
from abhidhan.services.dictionary.views.discover import Gloss, gloss
from abhidhan.storage import entries
from abhidhan.storage.engine.reader import Reader

WORDS: Final = 8


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


def read_first_page(reader: Reader, today: Day | None) -> FirstPage:
    """Read what the first page shows on a day."""
    languages = {language.id: language for language in reader.catalogue.languages}
    language = languages[ASSAMESE]
    word = today.word if today else None
    return FirstPage(
        today,
        gloss_of(word) if word else None,
        _words_of(reader, today.date if today else "", languages),
        languages,
        language,
        letters_of(language.code, language.script),
    )


def _words_of(reader: Reader, date: str, languages: dict[int, Language]) -> tuple[Gloss, ...]:
    """Draw the words of a day; they are the same all day, until something changes."""
    kept = reader.kept(_none_yet)
    if date not in kept:
        kept.clear()
        words = entries.gather(reader, list(_draw(reader, Random(date))))  # noqa: S311  # a lot, no secret
        kept[date] = tuple(gloss(word, languages) for word in words)
    return kept[date]


def _none_yet(_: Reader, _before: dict[str, tuple[Gloss, ...]] | None) -> dict[str, tuple[Gloss, ...]]:
    return {}


def _draw(reader: Reader, lot: Random) -> Iterator[int]:
    drawn: set[int] = set()
    draw = draw_word_in_use if draw_word_in_use(reader, ASSAMESE, Random(0)) else draw_word_id  # noqa: S311
    for _ in range(WORDS):
        word_id = draw(reader, ASSAMESE, lot, drawn)
        if word_id is None:
            return
        drawn.add(word_id)
        yield word_id
