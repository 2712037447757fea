"""Ways into the dictionary: words in alphabetical order, the newest words, and the ideas of a context."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

import msgspec

from abhidhan.domain.folding import in_order, shown_languages
from abhidhan.domain.idea_json import IdeaJSON, count_by_language, read_words
from abhidhan.domain.ideas import Definition, Idea, IdeaWord
from abhidhan.domain.languages import ASSAMESE, ENGLISH, Language
from abhidhan.domain.readers_languages import ReadersLanguages, languages_of
from abhidhan.domain.selection import WORD_KEYS, Selection
from abhidhan.domain.text.alphabet import letters_of
from abhidhan.domain.words import Word
from abhidhan.services.dictionary import browse, contexts, lists, neighbours
from abhidhan.services.dictionary.browse import RecentWord, Stretch
from abhidhan.services.dictionary.contexts import Subject
from abhidhan.storage import entries
from abhidhan.storage.engine.reader import Reader

WORDS_ON_A_PAGE: Final = 60
IDEAS_ON_A_PAGE: Final = 24
WORDS_OF_AN_IDEA: Final = 30
"""So many words of one language stand under an idea of a context."""

IN_A_GLOSS: Final = frozenset({"idea_id", "pos", "gender", "contexts", "definitions", "translations", "note"})
"""What of meanings is read to say what words in a list mean."""


class Gloss(msgspec.Struct, frozen=True):
    """A word in a list, with a few words that say what it means."""

    word: Word
    text: str
    language: Language | None


def gloss(word: Word, languages: dict[int, Language], mine: Sequence[int] = ()) -> Gloss:
    """Choose what stands beside a word in a list: a word of another language, the reader's first, else a definition."""
    places = {language_id: place for place, language_id in enumerate(mine)}

    def place(each: IdeaWord | Definition) -> int:
        return places.get(each.language_id, len(places))

    for meaning in word.meanings:
        others = (each for each in meaning.translations if each.language_id != word.language_id)
        if found := min(others, key=place, default=None):
            return Gloss(word, found.word, languages[found.language_id])
        if defined := min(meaning.definitions, key=place, default=None):
            return Gloss(word, defined.text, languages[defined.language_id])
    return Gloss(word, "", None)


def selection_of_glosses(mine: Iterable[int]) -> Selection:
    """Choose what is read of words in a list, of which some have a thousand translations."""
    return Selection(frozenset(WORD_KEYS), IN_A_GLOSS | {"reference"}, frozenset({*mine, ENGLISH}))


def glosses(
    reader: Reader, words: Iterable[Word], languages: dict[int, Language], mine: Sequence[int]
) -> tuple[Gloss, ...]:
    """Say what words mean that were read for that; all is read of those that say nothing in the reader's languages."""
    found = [gloss(word, languages, mine) for word in words]
    silent = [each.word.id for each in found if not each.text]
    others = {word.id: gloss(word, languages, mine) for word in entries.gather(reader, silent)} if silent else {}
    return tuple(
        msgspec.structs.replace(others[each.word.id], word=each.word) if each.word.id in others else each
        for each in found
    )


class BrowsePage(msgspec.Struct, frozen=True):
    """A stretch of one language's words, the reader's languages, and how many there are."""

    mine: tuple[Language, ...]
    count: int
    language: Language
    letters: tuple[str, ...]
    start: str
    words: tuple[Gloss, ...]
    next: str | None
    previous: str | None


def read_browse_page(reader: Reader, language: str, start: str, readers: ReadersLanguages) -> BrowsePage:
    """Read a page of a language's words, from `start` on. Raises InputError for an unknown language."""
    languages = {each.id: each for each in reader.catalogue.languages}
    mine = languages_of(readers, reader.catalogue)
    chosen = languages[lists.find_language_id(reader, "language", language) or ASSAMESE]
    letters = letters_of(chosen.code, chosen.script)
    stretch = Stretch(start, language_id=chosen.id)
    found = browse.list_alphabetically(reader, stretch, WORDS_ON_A_PAGE, selection_of_glosses(mine))
    before = neighbours.find_neighbours(reader, chosen.id, start, WORDS_ON_A_PAGE + 1).before if start else ()
    return BrowsePage(
        mine=_with_words(reader, mine),
        count=len(reader.catalogue.largest),
        language=chosen,
        letters=letters,
        start=start,
        words=glosses(reader, found.words, languages, mine),
        next=found.next,
        previous=before[1] if len(before) > WORDS_ON_A_PAGE else None,
    )


def _with_words(reader: Reader, mine: Iterable[int]) -> tuple[Language, ...]:
    """List those of some languages that have words."""
    return tuple(reader.catalogue.language(each) for each in mine if each in reader.catalogue.largest)


class ShownIdea(msgspec.Struct, frozen=True):
    """An idea of a context: its words by language, the reader's first; `others` is in how many more it has words."""

    idea: Idea
    lines: tuple[tuple[Language, tuple[IdeaWord, ...]], ...]
    others: int


class ContextPage(msgspec.Struct, frozen=True):
    """A context, its ideas, and the languages of its words by ID."""

    subject: Subject
    ideas: tuple[ShownIdea, ...]
    languages: dict[int, Language]


def read_context_page(reader: Reader, name: str, start: int, readers: ReadersLanguages) -> ContextPage:
    """Read a page of a context's ideas. Raises NotFoundError."""
    mine = languages_of(readers, reader.catalogue)
    subject = contexts.read_subject(reader, name, start, IDEAS_ON_A_PAGE)
    words = entries.gather_json(reader, [idea.id for idea in subject.ideas], frozenset({"words"}))
    return ContextPage(
        subject,
        tuple(_shown(reader, idea, words[idea.id], mine) for idea in subject.ideas),
        {language.id: language for language in reader.catalogue.languages},
    )


def _shown(reader: Reader, idea: Idea, words: IdeaJSON, mine: Sequence[int]) -> ShownIdea:
    counts = count_by_language(words)
    shown = shown_languages(counts, mine) or frozenset(sorted(counts)[:1])
    order = in_order({each.language_id for each in idea.definitions}, mine)
    definitions = sorted(idea.definitions, key=lambda each: order.index(each.language_id))
    by_language = {
        language_id: tuple(some)[:WORDS_OF_AN_IDEA]
        for language_id, some in groupby(read_words(words, shown), key=lambda word: word.language_id)
    }
    lines = tuple((reader.catalogue.language(each), by_language[each]) for each in in_order(by_language, mine))
    return ShownIdea(msgspec.structs.replace(idea, definitions=definitions), lines, len(counts) - len(shown))


class RecentPage(msgspec.Struct, frozen=True):
    """The newest words of all languages, or of one."""

    words: tuple[tuple[RecentWord, Gloss], ...]
    language: Language | None
    mine: tuple[Language, ...]
    count: int
    by_id: dict[int, Language]


def read_recent_page(reader: Reader, language: str, limit: int, readers: ReadersLanguages) -> RecentPage:
    """Read the newest words. Raises InputError for an unknown language."""
    language_id = lists.find_language_id(reader, "language", language)
    by_id = {each.id: each for each in reader.catalogue.languages}
    mine = languages_of(readers, reader.catalogue)
    words = browse.list_recent(reader, language_id, limit, selection_of_glosses(mine))
    return RecentPage(
        tuple(zip(words, glosses(reader, words, by_id, mine), strict=True)),
        by_id.get(language_id),
        _with_words(reader, mine),
        len(reader.catalogue.largest),
        by_id,
    )
