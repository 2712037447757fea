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
from abhidhan.dictionary.model.word_of_the_day import Choice, check_day, longest_ago, read_day, within_a_year
from abhidhan.dictionary.service.phrase_lists import read_phrases
from abhidhan.dictionary.service.random_entries import NOTHING_TOLD, draw_phrase_id, draw_word_id, draw_word_in_use
from abhidhan.dictionary.store import random_rows, word_rows
from abhidhan.dictionary.store.idea_details import Tables
from abhidhan.dictionary.store.index import OpenTransaction
from abhidhan.dictionary.store.random_rows import Days
from abhidhan.platform.database.database import Database, Writer
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import NotFoundError, ReadOnlyError
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE
from abhidhan.records.words import Word, gloss_of

RECENT_DAYS: Final = 14

MOST_DAYS: Final = 32
"""Maximum number of cached days."""

A_DAY: Final = 86_400

DRAWN_FROM: Final = (ASSAMESE, ALL_LANGUAGES)
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
        self, database: Database, *, clock: Callable[[], float] = time.time, lot: Random | None = None
    ) -> None:
        """Initialise with the clock that determines the day, and the random generator."""
        self._database = database
        self._clock = clock
        self._lot = lot or SystemRandom()

    async def on(self, text: str) -> Day:
        """Return the day of a date, or today for an empty text. Raises InputError and NotFoundError."""
        now = int(self._clock())
        day = read_day(text) if text else _day_of(now)
        found = await self._database.read(partial(_read_day, day=day, now=now), long=True)
        if found is None:
            if not self._database.is_read_only:
                await self._choose([day], now)
            found = await self._database.read(partial(_read_day, day=day, now=now, is_final=True), long=True)
        if found is None and self._database.is_read_only:
            raise ReadOnlyError
        if found is None:
            raise NotFoundError(NOTHING_TOLD)
        return found

    async def recent(self) -> RecentDays:
        """Return the recent days, newest first. Raises NotFoundError."""
        now = int(self._clock())
        lacking = await self._database.read(partial(_lacking, now=now))
        if lacking and not self._database.is_read_only:
            await self._choose(lacking, now)
        return await self._database.read(partial(_read_recent, now=now), long=True)

    async def choose_ahead(self) -> None:
        """Make the missing choices for today and tomorrow, if there are words."""
        now = int(self._clock())
        today = _day_of(now)
        with suppress(NotFoundError):
            await self._choose([today, today + timedelta(days=1)], now)

    async def _choose(self, days: Sequence[date], now: int) -> None:
        # No response has shown these choices yet, so cached responses stay valid.
        await self._database.write(partial(choose, days=days, now=now, lot=self._lot), public=False)


def choose(writer: Writer, days: Iterable[date], now: int, lot: Random) -> None:
    """Make the missing choices for some days, and replace deleted records. Raises NotFoundError.

    Concurrent callers wait for the transaction, and then find the choices made.
    """
    tables = OpenTransaction(writer)
    for day in days:
        around = random_rows.choices(tables, Days(*within_a_year(day)))
        stored = next((each for each in around if each.day == day), None)
        chosen = _chosen(tables, day, stored, [each for each in around if each.day != day], lot)
        if chosen != stored:
            random_rows.save_choice(writer, chosen, now)


def _chosen(tables: Tables, day: date, stored: Choice | None, around: Sequence[Choice], lot: Random) -> Choice:
    if stored and random_rows.words_with_meaning(tables, [stored.word_id]):
        word_id: int | None = stored.word_id
    else:
        word_id = _choose_word(tables, day, [(each.day, each.word_id) for each in around], lot)
    if word_id is None:
        raise NotFoundError(NOTHING_TOLD)
    phrases = [(each.day, each.phrase_id) for each in around if each.phrase_id is not None]
    if stored and (stored.phrase_id is None or _phrases_there(tables, [stored.phrase_id])):
        return Choice(day, word_id, stored.phrase_id)
    return Choice(day, word_id, _choose_phrase(tables, day, phrases, lot))


def _choose_word(tables: Tables, day: date, shown: Sequence[tuple[date, int]], lot: Random) -> int | None:
    """Pick a word not shown for a year, or else the one shown longest ago.

    Words with an example come first: in a dictionary of words from newspapers, every eighth is a name.
    """
    without = {word_id for _, word_id in shown}
    for language_id, draw in product(DRAWN_FROM, (draw_word_in_use, draw_word_id)):
        drawn = draw(tables, language_id, lot, without)
        if drawn is not None:
            return drawn
    return next(iter(random_rows.words_with_meaning(tables, longest_ago(day, shown))), None)


def _choose_phrase(tables: Tables, day: date, shown: Sequence[tuple[date, int]], lot: Random) -> int | None:
    without = {phrase_id for _, phrase_id in shown}
    for language_id in DRAWN_FROM:
        drawn = draw_phrase_id(tables, language_id, lot, without)
        if drawn is not None:
            return drawn
    return next(iter(_phrases_there(tables, longest_ago(day, shown))), None)


def _phrases_there(tables: Tables, phrase_ids: Sequence[int]) -> list[int]:
    there = {*random_rows.phrases_with_meaning(tables, phrase_ids, ALL_LANGUAGES)}
    return [phrase_id for phrase_id in phrase_ids if phrase_id in there]


# --- reading ----------------------------------------------------------------------------------------------------------


def _read_day(reader: Reader, day: date, now: int, *, is_final: bool = False) -> Day | None:
    """Return the choice for a day, or None if it is not made yet or a record of today's is deleted.

    Raises InputError and NotFoundError for a day that has no word and gets none.
    """
    check_day(day, _day_of(now), random_rows.first_day(reader))
    days = reader.kept(_no_days)
    if day in days:
        return _as_of(days[day], now)
    stored = random_rows.choices(reader, Days(day, day))
    if not stored:
        return None
    shown = _show(reader, stored[0], now)
    is_whole = shown.word is not None and (shown.phrase is not None or stored[0].phrase_id is None)
    if not is_whole and not is_final and day == _day_of(now):
        return None
    if len(days) < MOST_DAYS:
        days[day] = shown
    return shown


def _no_days(_: Reader, _before: dict[date, Day] | None) -> dict[date, Day]:
    """Start an empty cache of days, which is dropped when the data change."""
    return {}


def _as_of(shown: Day, now: int) -> Day:
    return msgspec.structs.replace(shown, seconds_left=_seconds_left(date.fromisoformat(shown.date), now))


def _show(reader: Reader, choice: Choice, now: int) -> Day:
    words = word_rows.gather(reader, [choice.word_id])
    phrases = read_phrases(reader, [choice.phrase_id]) if choice.phrase_id is not None else ()
    return Day(
        date=choice.day.isoformat(),
        word=words[0] if words and words[0].meanings else None,
        phrase=phrases[0] if phrases else None,
        seconds_left=_seconds_left(choice.day, now),
    )


def _recent_days(reader: Reader, now: int) -> Days:
    today = _day_of(now)
    first = min(random_rows.first_day(reader) or today, today)
    return Days(max(first, today - timedelta(days=RECENT_DAYS - 1)), today)


def _lacking(reader: Reader, now: int) -> list[date]:
    """List the recent days without a choice."""
    days = _recent_days(reader, now)
    there = {each.day for each in random_rows.choices(reader, days)}
    every = (days.last - timedelta(days=back) for back in range(RECENT_DAYS))
    return [day for day in every if days.first <= day and day not in there]


def _read_recent(reader: Reader, now: int) -> RecentDays:
    stored = random_rows.choices(reader, _recent_days(reader, now))
    days = tuple(_show(reader, each, now) for each in reversed(stored))
    codes = {language.id: language.code for language in reader.catalogue.languages}
    return RecentDays(days, codes, {day.date: gloss_of(day.word) for day in days if day.word})


def _seconds_left(day: date, now: int) -> int:
    return A_DAY - now % A_DAY if day == _day_of(now) else 0


def _day_of(now: int) -> date:
    return datetime.fromtimestamp(now, UTC).date()
