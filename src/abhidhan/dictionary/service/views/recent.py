"""The newest words: each that was added, or of each idea those of one language."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
"""So many of the newest words are looked through for those of different ideas: an import brings forty of each."""

A_DAY: Final = 86_400


class NewWord(msgspec.Struct, frozen=True):
    """A new word, what it means, and in how many other languages a word of that idea came on the same day."""

    word: RecentWord
    gloss: Gloss
    other_languages: int = 0


class RecentPage(msgspec.Struct, frozen=True):
    """The newest words of all languages, or of one."""

    words: tuple[NewWord, ...]
    language: Language | None
    mine: tuple[Language, ...]
    count: int
    by_id: dict[int, Language]


class Added(NamedTuple):
    """A word that was added on a day, counted from 1970, to an idea; a word without any has a number of its own."""

    word_id: int
    language_id: int
    day: int
    idea_id: int


def read_recent_page(reader: Reader, language: str, limit: int, readers: ReadersLanguages, *, once: bool) -> RecentPage:
    """Read the newest words; `once`: of each idea those of one language only. Raises InputError."""
    mine = languages_of(readers, reader.catalogue)
    language_id = lookup_lists.find_language_id(reader, lookup_lists.LanguageParam(language))
    by_id = reader.catalogue.by_id
    newest = dict(words.recent(reader, language_id, LOOKED_THROUGH if once else limit))
    others = (
        _other_languages(reader, newest, limit, headwords_first(readers, mine)) if once else dict.fromkeys(newest, 0)
    )
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


def _other_languages(reader: Reader, newest: Mapping[int, int], limit: int, order: Sequence[int]) -> dict[int, int]:
    """Choose the newest words, and count for each the other languages in which its idea has got words."""
    return dict(list(one_language_of_each(_added(reader, newest), order))[:limit])


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
    """Choose of what came to an idea on a day the words of one language: the first of an order, or else by their IDs.

    Each as (ID of the word, number of other languages), in the order in which they came.
    """
    newest = list(added)
    languages: dict[tuple[int, int], set[int]] = {}
    for each in newest:
        languages.setdefault((each.day, each.idea_id), set()).add(each.language_id)
    for each in newest:
        of_idea = languages[each.day, each.idea_id]
        if each.language_id == in_order(of_idea, order)[0]:
            yield each.word_id, len(of_idea) - 1
