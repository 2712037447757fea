"""Ideas for editors and reviewers: one idea, those of words, and candidates for a relation."""

from itertools import groupby

import msgspec

from abhidhan.dictionary.service import contexts, search
from abhidhan.dictionary.store import senses, word_rows
from abhidhan.dictionary.store.ideas import gather_idea
from abhidhan.dictionary.store.senses import OrderedWord, spellings
from abhidhan.platform.database.reader import Reader
from abhidhan.records.ideas import Idea
from abhidhan.records.ids import read_number
from abhidhan.records.languages import Language


class ShownIdea(msgspec.Struct, frozen=True):
    """An idea with the languages of its words by ID."""

    idea: Idea
    languages: dict[int, Language]


class OrderedWords(msgspec.Struct, frozen=True):
    """Words of one language under an idea, in their order."""

    language: Language
    words: tuple[OrderedWord, ...]


class OrderedMeaning(msgspec.Struct, frozen=True):
    """Meaning of a word: the ID of the sense, and the idea."""

    sense_id: int
    shown: ShownIdea


def read_idea(reader: Reader, number: str) -> ShownIdea | None:
    """Load an idea by its ID in a form field; return None if there is none."""
    idea_id = read_number(number)
    idea = None if idea_id is None else gather_idea(reader, idea_id)
    if idea is None:
        return None
    return ShownIdea(idea, reader.catalogue.by_id)


def first_idea_of_word(reader: Reader, word_id: int) -> ShownIdea | None:
    """Load the first idea of a word; return None if it has none."""
    ideas = _ideas_of(reader, [word_id])
    return read_idea(reader, str(ideas[0])) if ideas else None


def ideas_of_words(reader: Reader, idea_id: int | None, word_ids: list[int], limit: int) -> list[ShownIdea]:
    """Load an idea, and those of some words, each once."""
    wanted = dict.fromkeys([idea_id, *_ideas_of(reader, word_ids)])
    found = (read_idea(reader, str(each)) for each in wanted if each)
    return [each for each in found if each][:limit]


def find_ideas(reader: Reader, query: str, besides: int, limit: int) -> tuple[ShownIdea, ...]:
    """Find ideas by a word of any language, except the idea `besides`."""
    hits = search.search(reader, query, None, fuzzy=True, limit=limit) if query else ()
    others = dict.fromkeys(meaning.idea_id for hit in hits for meaning in hit.meanings if meaning.idea_id != besides)
    found = (read_idea(reader, str(each)) for each in list(others)[:limit])
    return tuple(each for each in found if each)


def words_in_order(reader: Reader, idea_id: int) -> list[OrderedWords]:
    """List the words of an idea by language, in their order; skip languages with a single word."""
    words = senses.words_in_order(reader, idea_id)
    grouped = [(number, tuple(of_language)) for number, of_language in groupby(words, lambda each: each.language_id)]
    catalogue = reader.catalogue
    return [OrderedWords(catalogue.language(number), some) for number, some in grouped if len(some) > 1]


def meanings_in_order(reader: Reader, word_id: int) -> list[OrderedMeaning]:
    """List the meanings of a word in their order."""
    found = (
        (sense_id, read_idea(reader, str(idea_id))) for sense_id, idea_id in senses.meanings_in_order(reader, word_id)
    )
    return [OrderedMeaning(sense_id, shown) for sense_id, shown in found if shown]


def spellings_of(reader: Reader, word_ids: list[int]) -> dict[int, str]:
    """Return the spellings of words by ID."""
    return spellings(reader, word_ids)


def words_of_ideas(reader: Reader, idea_ids: list[int]) -> dict[int, list[str]]:
    """Return the spellings of the words of each idea."""
    words = contexts.read_words(reader, idea_ids) if idea_ids else {}
    return {idea_id: [text for text, _ in of_idea] for idea_id, of_idea in words.items()}


def _ideas_of(reader: Reader, word_ids: list[int]) -> list[int]:
    return [meaning.idea_id for word in word_rows.gather(reader, word_ids) for meaning in word.meanings]
