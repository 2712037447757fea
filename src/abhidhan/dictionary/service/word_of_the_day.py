"""Word and phrase of the day: chosen on the first request, stored, and the same for all users.

A standby cannot store a choice, so servers that write to PostgreSQL choose a day ahead.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from functools import partial
from itertools import product
from random import Random, SystemRandom
from typing import Final

import msgspec

from abhidhan.dictionary.model.phrases import ListedPhrase
from abhidhan.dictionary.model.word_of_the_day import (
    DailyChoice,
    check_day,
    parse_day,
    repetition_window,
    sort_by_interval,
)
from abhidhan.dictionary.service.phrase_lists import read_phrases
from abhidhan.dictionary.service.random_entries import (
    NO_WORD_MESSAGE,
    draw_phrase_id,
    draw_word_id,
    draw_word_with_example,
)
from abhidhan.dictionary.store import random_rows, word_rows
from abhidhan.dictionary.store.idea_details import RowSource
from abhidhan.dictionary.store.index import TransactionRows
from abhidhan.dictionary.store.random_rows import DayRange
from abhidhan.platform.database.database import Database, WriteConnection
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import NotFoundError, ReadOnlyError
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE
from abhidhan.records.timestamps import DAY_SECONDS
from abhidhan.records.words import Word, find_gloss

RECENT_DAYS: Final = 14

MAX_CACHED_DAYS: Final = 32
"""Maximum number of cached days."""

LANGUAGE_ORDER: Final = (ASSAMESE, ALL_LANGUAGES)
"""Languages to pick from; a later one is used only once all words of the earlier ones have been shown."""


class Day(msgspec.Struct, frozen=True):
    """Day with its word and phrase, which are None if deleted or if there never was one.

    `seconds_left` is the time until the day ends; 0 for a past day.
    """

    date: str
    word: Word | None
    phrase: ListedPhrase | None
    seconds_left: int


class RecentDays(msgspec.Struct, frozen=True):
    """Recent days, newest first, with language codes by ID and the gloss of each day's word by date."""

    days: tuple[Day, ...]
    codes: dict[int, str]
    glosses: dict[str, str | None]


class Calendar:
    """Words and phrases of the day in one database."""

    def __init__(
        self, database: Database, *, clock: Callable[[], float] = time.time, rng: Random | None = None
    ) -> None:
        """Initialise with the clock that determines the day, and the random generator."""
        self._database = database
        self._clock = clock
        self._rng = rng or SystemRandom()

    async def load_day(self, text: str) -> Day:
        """Return the day with a date, or today if the text is empty. Raises InputError and NotFoundError."""
        now = int(self._clock())
        day = parse_day(text) if text else _to_date(now)
        loaded = await self._database.read(partial(_read_day, day=day, now=now), long=True)
        if loaded is None:
            if not self._database.is_read_only:
                await self._make_choices([day], now)
            loaded = await self._database.read(partial(_read_day, day=day, now=now, is_final=True), long=True)
        if loaded is None and self._database.is_read_only:
            raise ReadOnlyError
        if loaded is None:
            raise NotFoundError(NO_WORD_MESSAGE)
        return loaded

    async def load_recent(self) -> RecentDays:
        """Return the recent days, newest first. Raises NotFoundError."""
        now = int(self._clock())
        missing_days = await self._database.read(partial(_list_days_without_choice, now=now))
        if missing_days and not self._database.is_read_only:
            await self._make_choices(missing_days, now)
        return await self._database.read(partial(_read_recent, now=now), long=True)

    async def choose_ahead(self) -> None:
        """Choose the missing words and phrases of today and tomorrow; do nothing if no word has a meaning."""
        now = int(self._clock())
        today = _to_date(now)
        with suppress(NotFoundError):
            await self._make_choices([today, today + timedelta(days=1)], now)

    async def _make_choices(self, days: Sequence[date], now: int) -> None:
        # No response has shown these choices yet, so cached responses stay valid.
        await self._database.write(partial(make_choices, days=days, now=now, rng=self._rng), public=False)


def make_choices(writer: WriteConnection, days: Iterable[date], now: int, rng: Random) -> None:
    """Choose the missing words and phrases of some days, and replace deleted ones. Raises NotFoundError.

    Concurrent callers wait for the transaction, and then change nothing.
    """
    tables = TransactionRows(writer)
    for day in days:
        choices = random_rows.list_choices(tables, DayRange(*repetition_window(day)))
        stored = next((choice for choice in choices if choice.day == day), None)
        new_choice = _make_choice(tables, day, stored, [choice for choice in choices if choice.day != day], rng)
        if new_choice != stored:
            random_rows.save_choice(writer, new_choice, now)


def _make_choice(
    tables: RowSource, day: date, stored: DailyChoice | None, choices: Sequence[DailyChoice], rng: Random
) -> DailyChoice:
    if stored and random_rows.filter_described_words(tables, [stored.word_id]):
        word_id: int | None = stored.word_id
    else:
        word_id = _choose_word(tables, day, [(choice.day, choice.word_id) for choice in choices], rng)
    if word_id is None:
        raise NotFoundError(NO_WORD_MESSAGE)
    phrases = [(choice.day, choice.phrase_id) for choice in choices if choice.phrase_id is not None]
    if stored and (stored.phrase_id is None or _filter_existing_phrases(tables, [stored.phrase_id])):
        return DailyChoice(day, word_id, stored.phrase_id)
    return DailyChoice(day, word_id, _choose_phrase(tables, day, phrases, rng))


def _choose_word(tables: RowSource, day: date, shown_words: Sequence[tuple[date, int]], rng: Random) -> int | None:
    """Pick a word not shown for a year, or else the one shown longest ago.

    Words with an example come first: in a dictionary of words from newspapers, every eighth is a name.
    """
    excluded = {word_id for _, word_id in shown_words}
    for language_id, draw in product(LANGUAGE_ORDER, (draw_word_with_example, draw_word_id)):
        drawn = draw(tables, language_id, rng, excluded)
        if drawn is not None:
            return drawn
    return next(iter(random_rows.filter_described_words(tables, sort_by_interval(day, shown_words))), None)


def _choose_phrase(tables: RowSource, day: date, shown_phrases: Sequence[tuple[date, int]], rng: Random) -> int | None:
    excluded = {phrase_id for _, phrase_id in shown_phrases}
    for language_id in LANGUAGE_ORDER:
        drawn = draw_phrase_id(tables, language_id, rng, excluded)
        if drawn is not None:
            return drawn
    return next(iter(_filter_existing_phrases(tables, sort_by_interval(day, shown_phrases))), None)


def _filter_existing_phrases(tables: RowSource, phrase_ids: Sequence[int]) -> list[int]:
    existing = {*random_rows.filter_phrases_with_meaning(tables, phrase_ids, ALL_LANGUAGES)}
    return [phrase_id for phrase_id in phrase_ids if phrase_id in existing]


# --- reading ----------------------------------------------------------------------------------------------------------


def _read_day(connection: ReadConnection, day: date, now: int, *, is_final: bool = False) -> Day | None:
    """Return a day with its records; None if nothing is chosen yet, or if a record of today's was deleted.

    Raises InputError and NotFoundError for a day that has no word and gets none.
    """
    check_day(day, _to_date(now), random_rows.find_first_day(connection))
    days = connection.cached(_empty_days)
    if day in days:
        return _update_seconds_left(days[day], now)
    stored = random_rows.list_choices(connection, DayRange(day, day))
    if not stored:
        return None
    loaded = _load_day(connection, stored[0], now)
    is_whole = loaded.word is not None and (loaded.phrase is not None or stored[0].phrase_id is None)
    if not is_whole and not is_final and day == _to_date(now):
        return None
    if len(days) < MAX_CACHED_DAYS:
        days[day] = loaded
    return loaded


def _empty_days(_: ReadConnection, _previous: dict[date, Day] | None) -> dict[date, Day]:
    """Start an empty cache of days, which is dropped when the data change."""
    return {}


def _update_seconds_left(loaded: Day, now: int) -> Day:
    return msgspec.structs.replace(loaded, seconds_left=_compute_seconds_left(date.fromisoformat(loaded.date), now))


def _load_day(connection: ReadConnection, choice: DailyChoice, now: int) -> Day:
    words = word_rows.load_words(connection, [choice.word_id])
    phrases = read_phrases(connection, [choice.phrase_id]) if choice.phrase_id is not None else ()
    return Day(
        date=choice.day.isoformat(),
        word=words[0] if words and words[0].meanings else None,
        phrase=phrases[0] if phrases else None,
        seconds_left=_compute_seconds_left(choice.day, now),
    )


def _get_recent_range(connection: ReadConnection, now: int) -> DayRange:
    today = _to_date(now)
    first = min(random_rows.find_first_day(connection) or today, today)
    return DayRange(max(first, today - timedelta(days=RECENT_DAYS - 1)), today)


def _list_days_without_choice(connection: ReadConnection, now: int) -> list[date]:
    """List the recent days without a choice."""
    days = _get_recent_range(connection, now)
    chosen_days = {choice.day for choice in random_rows.list_choices(connection, days)}
    recent_days = (days.last - timedelta(days=back) for back in range(RECENT_DAYS))
    return [day for day in recent_days if days.first <= day and day not in chosen_days]


def _read_recent(connection: ReadConnection, now: int) -> RecentDays:
    stored = random_rows.list_choices(connection, _get_recent_range(connection, now))
    days = tuple(_load_day(connection, choice, now) for choice in reversed(stored))
    codes = {language.id: language.code for language in connection.catalogue.languages}
    return RecentDays(days, codes, {day.date: find_gloss(day.word) for day in days if day.word})


def _compute_seconds_left(day: date, now: int) -> int:
    return DAY_SECONDS - now % DAY_SECONDS if day == _to_date(now) else 0


def _to_date(now: int) -> date:
    return datetime.fromtimestamp(now, UTC).date()
