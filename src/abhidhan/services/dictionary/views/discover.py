"""Ways into the dictionary: words in alphabetical order, the newest words, and the ideas of a context."""

from typing import Final

import msgspec

from abhidhan.domain.languages import ASSAMESE, Language
from abhidhan.domain.text.alphabet import letters_of
from abhidhan.domain.words import Word
from abhidhan.services.dictionary import browse, contexts, lists, neighbours
from abhidhan.services.dictionary.browse import RecentWord, Stretch
from abhidhan.services.dictionary.contexts import Subject
from abhidhan.services.dictionary.lists import CountedLanguage
from abhidhan.storage.engine.reader import Reader

WORDS_ON_A_PAGE: Final = 60
IDEAS_ON_A_PAGE: Final = 24


class Gloss(msgspec.Struct, frozen=True):
    """A word in a list, with a few words that say what it means."""

    word: Word
    text: str
    language: Language | None


class BrowsePage(msgspec.Struct, frozen=True):
    """A stretch of one language's words, and the ways to others."""

    languages: tuple[CountedLanguage, ...]
    language: Language
    letters: tuple[str, ...]
    start: str
    words: tuple[Gloss, ...]
    next: str | None
    previous: str | None


def gloss(word: Word, languages: dict[int, Language]) -> Gloss:
    """Choose what stands beside a word in a list: the first word of another language, else a definition."""
    for meaning in word.meanings:
        for each in meaning.translations:
            if each.language_id != word.language_id:
                return Gloss(word, each.word, languages[each.language_id])
        for definition in meaning.definitions:
            return Gloss(word, definition.text, languages[definition.language_id])
    return Gloss(word, "", None)


def read_browse_page(reader: Reader, language: str, start: str) -> BrowsePage:
    """Read a page of a language's words, from `start` on. Raises InputError for an unknown language."""
    languages = {each.id: each for each in reader.catalogue.languages}
    chosen = languages[lists.find_language_id(reader, "language", language) or ASSAMESE]
    letters = letters_of(chosen.code, chosen.script)
    found = browse.list_alphabetically(reader, Stretch(start, language_id=chosen.id), WORDS_ON_A_PAGE)
    before = neighbours.find_neighbours(reader, chosen.id, start, WORDS_ON_A_PAGE + 1).before if start else ()
    return BrowsePage(
        languages=lists.list_languages(reader),
        language=chosen,
        letters=letters,
        start=start,
        words=tuple(gloss(word, languages) for word in found.words),
        next=found.next,
        previous=before[1] if len(before) > WORDS_ON_A_PAGE else None,
    )


class ContextPage(msgspec.Struct, frozen=True):
    """A context, and the languages of its words by ID."""

    subject: Subject
    languages: dict[int, Language]


def read_context_page(reader: Reader, name: str, start: int) -> ContextPage:
    """Read a page of a context's ideas. Raises NotFoundError."""
    subject = contexts.read_subject(reader, name, start, IDEAS_ON_A_PAGE)
    return ContextPage(subject, {language.id: language for language in reader.catalogue.languages})


class RecentPage(msgspec.Struct, frozen=True):
    """The newest words of all languages, or of one."""

    words: tuple[tuple[RecentWord, Gloss], ...]
    language: Language | None
    languages: tuple[CountedLanguage, ...]
    by_id: dict[int, Language]


def read_recent_page(reader: Reader, language: str, limit: int) -> RecentPage:
    """Read the newest words. Raises InputError for an unknown language."""
    language_id = lists.find_language_id(reader, "language", language)
    by_id = {each.id: each for each in reader.catalogue.languages}
    words = browse.list_recent(reader, language_id, limit)
    return RecentPage(
        tuple((word, gloss(word, by_id)) for word in words),
        by_id.get(language_id),
        lists.list_languages(reader),
        by_id,
    )
