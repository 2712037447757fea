"""Recently added words: all of them, or for each idea those of one language."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

import msgspec

from abhidhan.dictionary.model.collapsed_senses import sort_languages
from abhidhan.dictionary.service import browse, lookup_lists
from abhidhan.dictionary.service.browse import RecentWord
from abhidhan.dictionary.service.views.listings import (
    GlossedWord,
    gloss_words,
    list_languages_with_words,
    order_headword_languages,
    select_gloss_fields,
)
from abhidhan.dictionary.store import phrase_lists, prefix_search, words
from abhidhan.platform.database.compiled_queries import chunks
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.language_preferences import LanguagePreferences, resolve_languages
from abhidhan.records.languages import ASSAMESE, ENGLISH, Language
from abhidhan.records.timestamps import DAY_SECONDS

MAX_WORDS_SCANNED: Final = 1_000
"""Number of newest words searched for different ideas; an import adds up to forty words for each."""

MAX_CACHED_LANGUAGES: Final = 8
"""Maximum number of languages whose newest words are cached."""


class RecentEntry(msgspec.Struct, frozen=True):
    """New word with its gloss, and the number of other languages in which the idea got a word on the same day."""

    word: RecentWord
    gloss: GlossedWord
    other_languages: int = 0


class RecentPage(msgspec.Struct, frozen=True):
    """Newest words of all languages, or of one."""

    words: tuple[RecentEntry, ...]
    language: Language | None
    mine: tuple[Language, ...]
    count: int
    by_id: dict[int, Language]


class WordAddition(NamedTuple):
    """Word added to an idea, and the day, counted from 1970; without an idea, `idea_id` is the negated word ID."""

    word_id: int
    language_id: int
    day: int
    idea_id: int


_NewestWords = tuple[dict[int, int], list[WordAddition]]
"""Times at which the newest words were added, by word ID, and the additions to ideas."""


def read_recent_page(
    connection: ReadConnection, language: str, limit: int, preferences: LanguagePreferences, *, one_per_idea: bool
) -> RecentPage:
    """Load the newest words; with `one_per_idea`, for each idea only those of one language. Raises InputError."""
    preferred_ids = resolve_languages(preferences, connection.catalogue)
    language_id = lookup_lists.find_language_id(connection, lookup_lists.LanguageParam(language))
    by_id = connection.catalogue.languages_by_id
    if one_per_idea:
        newest, ideas = _load_newest(connection, language_id)
        other_languages = dict(
            islice(choose_words_by_language(ideas, order_headword_languages(preferences, preferred_ids)), limit)
        )
    else:
        newest = dict(words.list_recent(connection, language_id, limit))
        other_languages = dict.fromkeys(newest, 0)
    added = {word_id: newest[word_id] for word_id in other_languages}
    recent_words = browse.load_recent(connection, added, select_gloss_fields(preferred_ids))
    glossed = gloss_words(connection, recent_words, by_id, preferred_ids)
    return RecentPage(
        tuple(
            RecentEntry(word, gloss, other_languages[word.id])
            for word, gloss in zip(recent_words, glossed, strict=True)
        ),
        by_id.get(language_id),
        list_languages_with_words(connection, preferred_ids),
        len(connection.catalogue.ids_by_word_count),
        by_id,
    )


def _load_newest(connection: ReadConnection, language_id: int) -> _NewestWords:
    """Return the newest words and their ideas, read once per version of the data."""
    cache = connection.cached(_empty_cache)
    cached = cache.get(language_id)
    if cached is None:
        if len(cache) >= MAX_CACHED_LANGUAGES:
            cache.clear()
        newest = dict(words.list_recent(connection, language_id, MAX_WORDS_SCANNED))
        cached = cache[language_id] = newest, [*_read_additions(connection, newest)]
    return cached


def _empty_cache(_: ReadConnection, _previous: dict[int, _NewestWords] | None) -> dict[int, _NewestWords]:
    return {}


def _read_additions(connection: ReadConnection, newest: Mapping[int, int]) -> Iterator[WordAddition]:
    for batch in chunks(list(newest)):
        spellings = prefix_search.load_spellings(connection, batch)
        ideas = phrase_lists.load_ideas_by_word(connection, batch)
        for word_id in batch:
            idea_id = ideas.get(word_id, [-word_id])[0]
            yield WordAddition(word_id, spellings[word_id].language_id, newest[word_id] // DAY_SECONDS, idea_id)


def choose_words_by_language(
    additions: Iterable[WordAddition], order: Sequence[int] = (ASSAMESE, ENGLISH)
) -> Iterator[tuple[int, int]]:
    """Choose one language for the words added to an idea on a day: the first in `order`, or else by ID.

    Yields the ID of each word and the number of other languages, in the order of addition.
    """
    newest = list(additions)
    languages: dict[tuple[int, int], set[int]] = {}
    for addition in newest:
        languages.setdefault((addition.day, addition.idea_id), set()).add(addition.language_id)
    for addition in newest:
        idea_languages = languages[addition.day, addition.idea_id]
        if addition.language_id == sort_languages(idea_languages, order)[0]:
            yield addition.word_id, len(idea_languages) - 1
