"""Ideas for editors and reviewers: one idea, those of words, and candidates for a relation."""

from itertools import groupby

import msgspec

from abhidhan.dictionary.service import contexts, search
from abhidhan.dictionary.store import senses, word_rows
from abhidhan.dictionary.store.ideas import load_idea
from abhidhan.dictionary.store.senses import SenseWord
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.ideas import Idea
from abhidhan.records.ids import parse_number
from abhidhan.records.languages import Language


class IdeaView(msgspec.Struct, frozen=True):
    """An idea with the languages of its words by ID."""

    idea: Idea
    languages: dict[int, Language]


class OrderedWords(msgspec.Struct, frozen=True):
    """Words of one language under an idea, in their order."""

    language: Language
    words: tuple[SenseWord, ...]


class IndexedMeaning(msgspec.Struct, frozen=True):
    """Meaning of a word: the ID of the sense, and the idea."""

    sense_id: int
    shown: IdeaView


def read_idea(connection: ReadConnection, number: str) -> IdeaView | None:
    """Load an idea by its ID in a form field; return None if there is none."""
    idea_id = parse_number(number)
    idea = None if idea_id is None else load_idea(connection, idea_id)
    if idea is None:
        return None
    return IdeaView(idea, connection.catalogue.languages_by_id)


def load_first_idea(connection: ReadConnection, word_id: int) -> IdeaView | None:
    """Load the first idea of a word; return None if it has none."""
    ideas = _list_idea_ids(connection, [word_id])
    return read_idea(connection, str(ideas[0])) if ideas else None


def load_ideas_of_words(
    connection: ReadConnection, idea_id: int | None, word_ids: list[int], limit: int
) -> list[IdeaView]:
    """Load an idea and the ideas of some words, each once."""
    idea_ids = dict.fromkeys([idea_id, *_list_idea_ids(connection, word_ids)])
    views = (read_idea(connection, str(item)) for item in idea_ids if item)
    return [item for item in views if item][:limit]


def find_ideas(connection: ReadConnection, query: str, excluded_id: int, limit: int) -> tuple[IdeaView, ...]:
    """Find ideas by a word of any language, except the idea `excluded_id`."""
    hits = search.search(connection, query, None, fuzzy=True, limit=limit) if query else ()
    idea_ids = dict.fromkeys(
        meaning.idea_id for hit in hits for meaning in hit.meanings if meaning.idea_id != excluded_id
    )
    views = (read_idea(connection, str(item)) for item in list(idea_ids)[:limit])
    return tuple(item for item in views if item)


def list_ordered_words(connection: ReadConnection, idea_id: int) -> list[OrderedWords]:
    """List the words of an idea by language, in their order; skip languages with a single word."""
    words = senses.list_words_of_idea(connection, idea_id)
    grouped = [
        (number, tuple(language_words)) for number, language_words in groupby(words, lambda word: word.language_id)
    ]
    catalogue = connection.catalogue
    return [OrderedWords(catalogue.language(number), group) for number, group in grouped if len(group) > 1]


def list_ordered_meanings(connection: ReadConnection, word_id: int) -> list[IndexedMeaning]:
    """List the meanings of a word in their order."""
    views = (
        (sense_id, read_idea(connection, str(idea_id)))
        for sense_id, idea_id in senses.list_meanings(connection, word_id)
    )
    return [IndexedMeaning(sense_id, view) for sense_id, view in views if view]


def load_spellings(connection: ReadConnection, word_ids: list[int]) -> dict[int, str]:
    """Return the spellings of words by ID."""
    return senses.load_spellings(connection, word_ids)


def load_idea_spellings(connection: ReadConnection, idea_ids: list[int]) -> dict[int, list[str]]:
    """Return the spellings of the words of each idea."""
    words = contexts.read_words(connection, idea_ids) if idea_ids else {}
    return {idea_id: [text for text, _ in idea_words] for idea_id, idea_words in words.items()}


def _list_idea_ids(connection: ReadConnection, word_ids: list[int]) -> list[int]:
    return [meaning.idea_id for word in word_rows.load_words(connection, word_ids) for meaning in word.meanings]
