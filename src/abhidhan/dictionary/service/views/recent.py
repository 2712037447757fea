"""Recently added words: all of them, or for each idea those of one language."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

import msgspec

from abhidhan.dictionary.model.collapsed_senses import in_order
from abhidhan.dictionary.service import browse, lookup_lists
from abhidhan.dictionary.service.browse import RecentWord
from abhidhan.dictionary.service.views.listings import (
    Gloss,
    glosses,
    headwords_first,
    list_with_words,
    selection_of_glosses,
)
from abhidhan.dictionary.store import phrase_lists, prefix_search, words
from abhidhan.platform.database.compiled_queries import chunks
from abhidhan.platform.database.reader import Reader
from abhidhan.records.language_preferences import ReadersLanguages, languages_of
from abhidhan.records.languages import ASSAMESE, ENGLISH, Language

LOOKED_THROUGH: Final = 1_000
"""Number of newest words searched for different ideas; an import adds up to forty words for each."""

MOST_KEPT: Final = 8
"""Maximum number of languages whose newest words are cached."""

A_DAY: Final = 86_400


class NewWord(msgspec.Struct, frozen=True):
    """New word with its gloss, and the number of other languages in which the idea got a word on the same day."""

    word: RecentWord
    gloss: Gloss
    other_languages: int = 0


class RecentPage(msgspec.Struct, frozen=True):
    """Newest words of all languages, or of one."""

    words: tuple[NewWord, ...]
    language: Language | None
    mine: tuple[Language, ...]
    count: int
    by_id: dict[int, Language]


class Added(NamedTuple):
    """Word added to an idea on a day, counted from 1970; without an idea, `idea_id` is unique."""

    word_id: int
    language_id: int
    day: int
    idea_id: int


_Newest = tuple[dict[int, int], list[Added]]
"""Newest words: the time at which each was added, by ID, and its idea."""


def read_recent_page(reader: Reader, language: str, limit: int, readers: ReadersLanguages, *, once: bool) -> RecentPage:
    """Load the newest words; with `once`, for each idea only those of one language. Raises InputError."""
    mine = languages_of(readers, reader.catalogue)
    language_id = lookup_lists.find_language_id(reader, lookup_lists.LanguageParam(language))
    by_id = reader.catalogue.by_id
    if once:
        newest, ideas = _newest_of_ideas(reader, language_id)
        others = dict(islice(one_language_of_each(ideas, headwords_first(readers, mine)), limit))
    else:
        newest = dict(words.recent(reader, language_id, limit))
        others = dict.fromkeys(newest, 0)
    added = {word_id: newest[word_id] for word_id in others}
    found = browse.show_recent(reader, added, selection_of_glosses(mine))
    told = glosses(reader, found, by_id, mine)
    return RecentPage(
        tuple(NewWord(word, gloss, others[word.id]) for word, gloss in zip(found, told, strict=True)),
        by_id.get(language_id),
        list_with_words(reader, mine),
        len(reader.catalogue.largest),
        by_id,
    )


def _newest_of_ideas(reader: Reader, language_id: int) -> _Newest:
    """Return the newest words and their ideas, read once per version of the data."""
    kept = reader.kept(_none_yet)
    if language_id not in kept:
        if len(kept) >= MOST_KEPT:
            kept.clear()
        newest = dict(words.recent(reader, language_id, LOOKED_THROUGH))
        kept[language_id] = newest, [*_added(reader, newest)]
    return kept[language_id]


def _none_yet(_: Reader, _before: dict[int, _Newest] | None) -> dict[int, _Newest]:
    return {}


def _added(reader: Reader, newest: Mapping[int, int]) -> Iterator[Added]:
    for some in chunks(list(newest)):
        spelled = prefix_search.spellings(reader, some)
        ideas = phrase_lists.ideas_of_words(reader, some)
        for word_id in some:
            idea_id = ideas.get(word_id, [-word_id])[0]
            yield Added(word_id, spelled[word_id].language_id, newest[word_id] // A_DAY, idea_id)


def one_language_of_each(
    added: Iterable[Added], order: Sequence[int] = (ASSAMESE, ENGLISH)
) -> Iterator[tuple[int, int]]:
    """Choose one language for the words added to an idea on a day: the first in `order`, or else by ID.

    Yields the ID of each word and the number of other languages, in the order of addition.
    """
    newest = list(added)
    languages: dict[tuple[int, int], set[int]] = {}
    for each in newest:
        languages.setdefault((each.day, each.idea_id), set()).add(each.language_id)
    for each in newest:
        of_idea = languages[each.day, each.idea_id]
        if each.language_id == in_order(of_idea, order)[0]:
            yield each.word_id, len(of_idea) - 1
