"""Listing pages: words in alphabetical order, ideas of a context, pictures, and languages."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import groupby
from typing import Final

import msgspec

from abhidhan.dictionary.model.collapsed_senses import choose_visible_languages, sort_languages
from abhidhan.dictionary.model.field_selection import WORD_KEYS, FieldSelection
from abhidhan.dictionary.model.idea_json import IdeaJSON, count_by_language, read_words
from abhidhan.dictionary.service import browse, contexts, lookup_lists
from abhidhan.dictionary.service.browse import AlphabetRange
from abhidhan.dictionary.service.contexts import (
    IDEA_FIELDS_WITHOUT_WORDS,
    ContextBranch,
    ContextIdeas,
    ContextNode,
    list_main_contexts,
    read_context,
    read_tree,
)
from abhidhan.dictionary.service.lookup_lists import CountedLanguage
from abhidhan.dictionary.store import word_rows
from abhidhan.dictionary.store.contexts import list_ideas_in_contexts
from abhidhan.dictionary.store.ideas import filter_ideas_with_pictures, list_ideas_from, load_idea_json, load_ideas
from abhidhan.platform.database.compiled_queries import chunks
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.ideas import Definition, Idea
from abhidhan.records.language_preferences import LanguagePreferences, resolve_languages
from abhidhan.records.languages import ASSAMESE, ENGLISH, Language
from abhidhan.records.words import Word, choose_gloss
from assamese.collation import alphabet_letters

WORDS_PER_PAGE: Final = 60
IDEAS_PER_PAGE: Final = 24
MAX_WORDS_PER_LANGUAGE: Final = 5
"""Maximum number of words per language for an idea in a list; its page has all of them."""

MAX_OTHER_LANGUAGES: Final = 3
"""Maximum number of other languages for an idea in a list."""

GLOSS_MEANING_KEYS: Final = frozenset(
    {"idea_id", "sense_id", "pos", "gender", "contexts", "definitions", "translations", "note"}
)
"""Fields of meanings read for the gloss of a word in a list."""


GLOSS_WORD_KEYS: Final = frozenset(WORD_KEYS) - {"ipa", "ipa_generated", "frequency"}
"""Fields of words read for a list; pronunciation and frequency are left out, as they are computed for each word."""


class GlossedWord(msgspec.Struct, frozen=True):
    """A word in a list with a short gloss."""

    word: Word
    text: str
    language: Language | None


def gloss_word(word: Word, languages: dict[int, Language], preferred_ids: Sequence[int] = ()) -> GlossedWord:
    """Choose the gloss of a word in a list: a translation, in the reader's languages if possible, or a definition."""
    positions = {language_id: place for place, language_id in enumerate(preferred_ids)}

    def rank(each: Definition) -> int:
        return positions.get(each.language_id, len(positions))

    for meaning in word.meanings:
        if translations := [each for each in meaning.translations if each.language_id != word.language_id]:
            translation = choose_gloss(translations, positions)
            return GlossedWord(word, translation.word, languages[translation.language_id])
        if definition := min(meaning.definitions, key=rank, default=None):
            return GlossedWord(word, definition.text, languages[definition.language_id])
    return GlossedWord(word, "", None)


def select_gloss_fields(preferred_ids: Iterable[int]) -> FieldSelection:
    """Select the fields read for words in a list, some of which have a thousand translations."""
    return FieldSelection(GLOSS_WORD_KEYS, GLOSS_MEANING_KEYS | {"reference"}, frozenset({*preferred_ids, ENGLISH}))


def gloss_words(
    connection: ReadConnection, words: Iterable[Word], languages: dict[int, Language], preferred_ids: Sequence[int]
) -> tuple[GlossedWord, ...]:
    """Return the glosses of words; words without one in the reader's languages are read again in full."""
    glossed = [gloss_word(word, languages, preferred_ids) for word in words]
    without_gloss = [item.word.id for item in glossed if not item.text]
    full_glosses = (
        {
            word.id: gloss_word(word, languages, preferred_ids)
            for word in word_rows.load_words(connection, without_gloss)
        }
        if without_gloss
        else {}
    )
    return tuple(
        msgspec.structs.replace(full_glosses[item.word.id], word=item.word) if item.word.id in full_glosses else item
        for item in glossed
    )


class BrowsePage(msgspec.Struct, frozen=True):
    """A page of one language's words, the reader's languages, and the number of languages."""

    mine: tuple[Language, ...]
    count: int
    language: Language
    letters: tuple[str, ...]
    start: str
    words: tuple[GlossedWord, ...]
    next: str | None
    previous: str | None

    @property
    def letter(self) -> str:
        """The letter with which the page begins; empty if none fits."""
        start = (self.start or (self.words[0].word.word if self.words else "")).casefold()
        return max((letter for letter in self.letters if start.startswith(letter.casefold())), key=len, default="")


def read_browse_page(
    connection: ReadConnection, language: str, start: str, preferences: LanguagePreferences
) -> BrowsePage:
    """Load a page of a language's words from `start` on. Raises InputError for an unknown language."""
    languages = connection.catalogue.languages_by_id
    preferred_ids = resolve_languages(preferences, connection.catalogue)
    page_language = languages[
        lookup_lists.find_language_id(connection, lookup_lists.LanguageParam(language)) or ASSAMESE
    ]
    letters = alphabet_letters(page_language.code, page_language.script)
    alphabet_range = AlphabetRange(start, language_id=page_language.id)
    page = browse.list_alphabetically(connection, alphabet_range, WORDS_PER_PAGE, select_gloss_fields(preferred_ids))
    before = browse.find_adjacent_words(connection, page_language.id, start, WORDS_PER_PAGE + 1).before if start else ()
    return BrowsePage(
        mine=list_languages_with_words(connection, preferred_ids),
        count=len(connection.catalogue.ids_by_word_count),
        language=page_language,
        letters=letters,
        start=start,
        words=gloss_words(connection, page.items, languages, preferred_ids),
        next=page.next,
        previous=before[1] if len(before) > WORDS_PER_PAGE else None,
    )


def list_languages_with_words(connection: ReadConnection, preferred_ids: Iterable[int]) -> tuple[Language, ...]:
    """Return those of the languages that have words."""
    return tuple(
        connection.catalogue.language(language_id)
        for language_id in preferred_ids
        if language_id in connection.catalogue.ids_by_word_count
    )


def order_headword_languages(preferences: LanguagePreferences, preferred_ids: Sequence[int]) -> Sequence[int]:
    """Return the order of languages for headwords in lists: Assamese first if the reader has chosen none."""
    return preferred_ids if preferences.chosen else (ASSAMESE, *preferred_ids)


class IdeaSummary(msgspec.Struct, frozen=True):
    """Idea in a list: headwords in one language, words in others, and the number of further languages."""

    idea: Idea
    language: Language
    headwords: tuple[str, ...]
    others: tuple[tuple[Language, tuple[str, ...]], ...]
    more_languages: int


class ContextPage(msgspec.Struct, frozen=True):
    """A context, its listed ideas, and the languages of their words by ID."""

    subject: ContextIdeas
    ideas: tuple[IdeaSummary, ...]
    languages: dict[int, Language]


def read_context_page(
    connection: ReadConnection, name: str, start: int, preferences: LanguagePreferences
) -> ContextPage:
    """Load a page of a context's ideas. Raises NotFoundError."""
    preferred_ids = resolve_languages(preferences, connection.catalogue)
    subject = contexts.read_context_ideas(connection, name, start, IDEAS_PER_PAGE)
    summaries = summarize_ideas(
        connection, subject.ideas, preferred_ids, order_headword_languages(preferences, preferred_ids)
    )
    return ContextPage(subject, summaries, connection.catalogue.languages_by_id)


def summarize_ideas(
    connection: ReadConnection, ideas: Sequence[Idea], preferred_ids: Sequence[int], order: Sequence[int]
) -> tuple[IdeaSummary, ...]:
    """Return list items for the ideas that have words."""
    words = load_idea_json(connection, [idea.id for idea in ideas], frozenset({"words"}))
    summaries = (_summarize_idea(connection, idea, words[idea.id], preferred_ids, order) for idea in ideas)
    return tuple(summary for summary in summaries if summary is not None)


def _summarize_idea(
    connection: ReadConnection, idea: Idea, words: IdeaJSON, preferred_ids: Sequence[int], order: Sequence[int]
) -> IdeaSummary | None:
    """Return the list item of an idea, with headwords in its first language by `order`; None if it has no words."""
    counts = count_by_language(words)
    if not counts:
        return None
    first = sort_languages(counts, order)[0]
    language_ids = choose_visible_languages(counts, preferred_ids) | {first}
    definitions_in_order = sort_languages({each.language_id for each in idea.definitions}, preferred_ids)
    definitions = sorted(idea.definitions, key=lambda each: definitions_in_order.index(each.language_id))
    by_language = {
        language_id: tuple(word.word for word in group)[:MAX_WORDS_PER_LANGUAGE]
        for language_id, group in groupby(read_words(words, language_ids), key=lambda word: word.language_id)
    }
    lines = [(connection.catalogue.language(each), by_language[each]) for each in sort_languages(by_language, order)]
    language, headwords = lines[0]
    idea = msgspec.structs.replace(idea, definitions=definitions)
    other_lines = tuple(lines[1 : 1 + MAX_OTHER_LANGUAGES])
    return IdeaSummary(idea, language, headwords, other_lines, len(counts) - 1 - len(other_lines))


class LanguagesPage(msgspec.Struct, frozen=True):
    """The languages with words, largest first, and the reader's languages in their order."""

    languages: tuple[CountedLanguage, ...]
    mine: tuple[CountedLanguage, ...]


def read_languages_page(connection: ReadConnection, preferences: LanguagePreferences) -> LanguagesPage:
    """Load the languages with words, and those of a reader."""
    languages_by_id = {language.id: language for language in lookup_lists.list_languages(connection)}
    preferred_ids = resolve_languages(preferences, connection.catalogue)
    return LanguagesPage(
        tuple(
            languages_by_id[language_id]
            for language_id in connection.catalogue.ids_by_word_count
            if language_id in languages_by_id
        ),
        tuple(languages_by_id[language_id] for language_id in preferred_ids),
    )


PICTURES_PER_PAGE: Final = 48
MAX_IDEAS_SCANNED: Final = 8_000
"""Maximum number of ideas scanned for one page; most ideas of a large dictionary have no picture."""

IDEA_BATCH_SIZE: Final = 1_000


class PicturesPage(msgspec.Struct, frozen=True):
    """Ideas with pictures, of the context `place` or of all; `below` are subcontexts, `next` is the next start."""

    place: ContextNode | None
    below: tuple[ContextBranch, ...]
    ideas: tuple[IdeaSummary, ...]
    languages: dict[int, Language]
    next: int | None


def read_pictures_page(
    connection: ReadConnection, name: str, start: int, preferences: LanguagePreferences
) -> PicturesPage:
    """Load a page of the pictures of a context, or of all without a name. Raises NotFoundError."""
    preferred_ids = resolve_languages(preferences, connection.catalogue)
    context = read_context(connection, name) if name else None
    list_ids = (
        partial(list_ideas_in_contexts, connection, context.ids) if context else partial(list_ideas_from, connection)
    )
    idea_ids, next_id = find_ideas_with_pictures(connection, list_ids, start)
    ideas = load_ideas(connection, idea_ids, IDEA_FIELDS_WITHOUT_WORDS)
    return PicturesPage(
        context,
        context.below if context else list_main_contexts(read_tree(connection)),
        summarize_ideas(connection, ideas, preferred_ids, order_headword_languages(preferences, preferred_ids)),
        connection.catalogue.languages_by_id,
        next_id,
    )


def find_ideas_with_pictures(
    connection: ReadConnection, list_ids: Callable[[int, int], list[int]], start: int, limit: int = PICTURES_PER_PAGE
) -> tuple[list[int], int | None]:
    """Find the next ideas with a picture among those that `list_ids` lists, and the start of the next page."""
    matches: list[int] = []
    idea_ids = list_ids(start, MAX_IDEAS_SCANNED)
    for batch in chunks(idea_ids, IDEA_BATCH_SIZE):
        ids_with_pictures = filter_ideas_with_pictures(connection, batch)
        matches += [idea_id for idea_id in batch if idea_id in ids_with_pictures]
        if len(matches) > limit:
            return matches[:limit], matches[limit]
    return matches, idea_ids[-1] + 1 if len(idea_ids) == MAX_IDEAS_SCANNED else None
