"""Ways into the dictionary: words in alphabetical order, the newest words, and the ideas of a context."""

from typing import Final

import msgspec

from abhidhan.domain.ideas import Idea
from abhidhan.domain.languages import ASSAMESE, ENGLISH, Language
from abhidhan.domain.text.alphabet import letters_of
from abhidhan.domain.words import Word
from abhidhan.services.dictionary import browse, contexts, lists, neighbours
from abhidhan.services.dictionary.browse import Stretch
from abhidhan.services.dictionary.contexts import Subject
from abhidhan.services.dictionary.lists import CountedLanguage
from abhidhan.storage.engine.reader import Reader

WORDS_ON_A_PAGE: Final = 60
IDEAS_ON_A_PAGE: Final = 24

WORDS_OF_A_LANGUAGE: Final = 5
LANGUAGES_OF_AN_IDEA: Final = 3
"""So many languages beside that of its headword tell in a list what an idea is; its page has all of them."""


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


class ListedIdea(msgspec.Struct, frozen=True):
    """An idea in a list: its headwords, of one language, its words in a few others, and how many more there are."""

    idea: Idea
    language: Language
    headwords: tuple[str, ...]
    others: tuple[tuple[Language, tuple[str, ...]], ...]
    more_languages: int


def list_idea(idea: Idea, languages: dict[int, Language]) -> ListedIdea | None:
    """Show an idea by its Assamese words, else its English ones, else those of its first language."""
    words: dict[int, list[str]] = {}
    for each in idea.words:
        words.setdefault(each.language_id, []).append(each.word)
    order = sorted(words, key=lambda language_id: (language_id != ASSAMESE, language_id != ENGLISH, language_id))
    if not order:
        return None
    shown = [(languages[number], tuple(words[number][:WORDS_OF_A_LANGUAGE])) for number in order]
    (language, headwords), others = shown[0], shown[1 : LANGUAGES_OF_AN_IDEA + 1]
    return ListedIdea(idea, language, headwords, tuple(others), len(shown) - 1 - len(others))


class ContextPage(msgspec.Struct, frozen=True):
    """A context, its ideas as they are listed, and the languages of its words by ID."""

    subject: Subject
    ideas: tuple[ListedIdea, ...]
    languages: dict[int, Language]


def read_context_page(reader: Reader, name: str, start: int) -> ContextPage:
    """Read a page of a context's ideas. Raises NotFoundError."""
    subject = contexts.read_subject(reader, name, start, IDEAS_ON_A_PAGE)
    languages = {language.id: language for language in reader.catalogue.languages}
    listed = (list_idea(idea, languages) for idea in subject.ideas)
    return ContextPage(subject, tuple(each for each in listed if each is not None), languages)
