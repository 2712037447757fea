"""Listing pages: words in alphabetical order, ideas of a context, pictures, and languages."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import groupby
from typing import Final

import msgspec

from abhidhan.dictionary.model.collapsed_senses import in_order, shown_languages
from abhidhan.dictionary.model.field_selection import WORD_KEYS, Selection
from abhidhan.dictionary.model.idea_json import IdeaJSON, count_by_language, read_words
from abhidhan.dictionary.service import browse, contexts, lookup_lists
from abhidhan.dictionary.service.browse import Stretch
from abhidhan.dictionary.service.contexts import (
    WITHOUT_WORDS,
    Branch,
    ContextPlace,
    Subject,
    main_branches,
    read_place,
    read_tree,
)
from abhidhan.dictionary.service.lookup_lists import CountedLanguage
from abhidhan.dictionary.store import word_rows
from abhidhan.dictionary.store.contexts import ideas_under
from abhidhan.dictionary.store.ideas import gather_ideas, gather_json, ideas_from, with_pictures
from abhidhan.platform.database.compiled_queries import chunks
from abhidhan.platform.database.reader import Reader
from abhidhan.records.ideas import Definition, Idea
from abhidhan.records.language_preferences import ReadersLanguages, languages_of
from abhidhan.records.languages import ASSAMESE, ENGLISH, Language
from abhidhan.records.words import Word, first_given
from assamese.collation import letters_of

WORDS_ON_A_PAGE: Final = 60
IDEAS_ON_A_PAGE: Final = 24
WORDS_OF_A_LANGUAGE: Final = 5
"""Maximum number of words per language for an idea in a list; its page has all of them."""

LANGUAGES_OF_AN_IDEA: Final = 3
"""Maximum number of other languages for an idea in a list."""

IN_A_GLOSS: Final = frozenset(
    {"idea_id", "sense_id", "pos", "gender", "contexts", "definitions", "translations", "note"}
)
"""Fields of meanings read for the gloss of a word in a list."""


OF_WORDS: Final = frozenset(WORD_KEYS) - {"ipa", "ipa_generated", "frequency"}
"""Fields of words read for a list; pronunciation and frequency are left out, as they are computed for each word."""


class Gloss(msgspec.Struct, frozen=True):
    """A word in a list with a short gloss."""

    word: Word
    text: str
    language: Language | None


def gloss(word: Word, languages: dict[int, Language], mine: Sequence[int] = ()) -> Gloss:
    """Choose the gloss of a word in a list: a translation, in the reader's languages if possible, or a definition."""
    places = {language_id: place for place, language_id in enumerate(mine)}

    def place(each: Definition) -> int:
        return places.get(each.language_id, len(places))

    for meaning in word.meanings:
        if others := [each for each in meaning.translations if each.language_id != word.language_id]:
            found = first_given(others, places)
            return Gloss(word, found.word, languages[found.language_id])
        if defined := min(meaning.definitions, key=place, default=None):
            return Gloss(word, defined.text, languages[defined.language_id])
    return Gloss(word, "", None)


def selection_of_glosses(mine: Iterable[int]) -> Selection:
    """Select the fields read for words in a list, some of which have a thousand translations."""
    return Selection(OF_WORDS, IN_A_GLOSS | {"reference"}, frozenset({*mine, ENGLISH}))


def glosses(
    reader: Reader, words: Iterable[Word], languages: dict[int, Language], mine: Sequence[int]
) -> tuple[Gloss, ...]:
    """Return the glosses of words; words without one in the reader's languages are read again in full."""
    found = [gloss(word, languages, mine) for word in words]
    silent = [each.word.id for each in found if not each.text]
    others = {word.id: gloss(word, languages, mine) for word in word_rows.gather(reader, silent)} if silent else {}
    return tuple(
        msgspec.structs.replace(others[each.word.id], word=each.word) if each.word.id in others else each
        for each in found
    )


class BrowsePage(msgspec.Struct, frozen=True):
    """A page of one language's words, the reader's languages, and the number of languages."""

    mine: tuple[Language, ...]
    count: int
    language: Language
    letters: tuple[str, ...]
    start: str
    words: tuple[Gloss, ...]
    next: str | None
    previous: str | None

    @property
    def letter(self) -> str:
        """The letter with which the page begins; empty if none fits."""
        begin = (self.start or (self.words[0].word.word if self.words else "")).casefold()
        return max((each for each in self.letters if begin.startswith(each.casefold())), key=len, default="")


def read_browse_page(reader: Reader, language: str, start: str, readers: ReadersLanguages) -> BrowsePage:
    """Load a page of a language's words from `start` on. Raises InputError for an unknown language."""
    languages = reader.catalogue.by_id
    mine = languages_of(readers, reader.catalogue)
    chosen = languages[lookup_lists.find_language_id(reader, lookup_lists.LanguageParam(language)) or ASSAMESE]
    letters = letters_of(chosen.code, chosen.script)
    stretch = Stretch(start, language_id=chosen.id)
    found = browse.list_alphabetically(reader, stretch, WORDS_ON_A_PAGE, selection_of_glosses(mine))
    before = browse.find_neighbours(reader, chosen.id, start, WORDS_ON_A_PAGE + 1).before if start else ()
    return BrowsePage(
        mine=list_with_words(reader, mine),
        count=len(reader.catalogue.largest),
        language=chosen,
        letters=letters,
        start=start,
        words=glosses(reader, found.items, languages, mine),
        next=found.next,
        previous=before[1] if len(before) > WORDS_ON_A_PAGE else None,
    )


def list_with_words(reader: Reader, mine: Iterable[int]) -> tuple[Language, ...]:
    """Return those of the languages that have words."""
    return tuple(reader.catalogue.language(each) for each in mine if each in reader.catalogue.largest)


def headwords_first(readers: ReadersLanguages, mine: Sequence[int]) -> Sequence[int]:
    """Return the order of languages for headwords in lists: Assamese first if the reader has chosen none."""
    return mine if readers.chosen else (ASSAMESE, *mine)


class ListedIdea(msgspec.Struct, frozen=True):
    """Idea in a list: headwords in one language, words in others, and the number of further languages."""

    idea: Idea
    language: Language
    headwords: tuple[str, ...]
    others: tuple[tuple[Language, tuple[str, ...]], ...]
    more_languages: int


class ContextPage(msgspec.Struct, frozen=True):
    """A context, its listed ideas, and the languages of their words by ID."""

    subject: Subject
    ideas: tuple[ListedIdea, ...]
    languages: dict[int, Language]


def read_context_page(reader: Reader, name: str, start: int, readers: ReadersLanguages) -> ContextPage:
    """Load a page of a context's ideas. Raises NotFoundError."""
    mine = languages_of(readers, reader.catalogue)
    subject = contexts.read_subject(reader, name, start, IDEAS_ON_A_PAGE)
    listed = listed_ideas(reader, subject.ideas, mine, headwords_first(readers, mine))
    return ContextPage(subject, listed, reader.catalogue.by_id)


def listed_ideas(
    reader: Reader, ideas: Sequence[Idea], mine: Sequence[int], order: Sequence[int]
) -> tuple[ListedIdea, ...]:
    """Return list items for the ideas that have words."""
    words = gather_json(reader, [idea.id for idea in ideas], frozenset({"words"}))
    listed = (_listed(reader, idea, words[idea.id], mine, order) for idea in ideas)
    return tuple(each for each in listed if each is not None)


def _listed(
    reader: Reader, idea: Idea, words: IdeaJSON, mine: Sequence[int], order: Sequence[int]
) -> ListedIdea | None:
    """Return the list item of an idea, with headwords in its first language by `order`; None if it has no words."""
    counts = count_by_language(words)
    if not counts:
        return None
    first = in_order(counts, order)[0]
    shown = shown_languages(counts, mine) | {first}
    definitions_in_order = in_order({each.language_id for each in idea.definitions}, mine)
    definitions = sorted(idea.definitions, key=lambda each: definitions_in_order.index(each.language_id))
    by_language = {
        language_id: tuple(word.word for word in some)[:WORDS_OF_A_LANGUAGE]
        for language_id, some in groupby(read_words(words, shown), key=lambda word: word.language_id)
    }
    lines = [(reader.catalogue.language(each), by_language[each]) for each in in_order(by_language, order)]
    language, headwords = lines[0]
    idea = msgspec.structs.replace(idea, definitions=definitions)
    others = tuple(lines[1 : 1 + LANGUAGES_OF_AN_IDEA])
    return ListedIdea(idea, language, headwords, others, len(counts) - 1 - len(others))


class LanguagesPage(msgspec.Struct, frozen=True):
    """The languages with words, largest first, and the reader's languages in their order."""

    languages: tuple[CountedLanguage, ...]
    mine: tuple[CountedLanguage, ...]


def read_languages_page(reader: Reader, readers: ReadersLanguages) -> LanguagesPage:
    """Load the languages with words, and those of a reader."""
    counted = {language.id: language for language in lookup_lists.list_languages(reader)}
    mine = languages_of(readers, reader.catalogue)
    return LanguagesPage(
        tuple(counted[each] for each in reader.catalogue.largest if each in counted),
        tuple(counted[each] for each in mine),
    )


PICTURES_ON_A_PAGE: Final = 48
MAX_IDEAS_SCANNED: Final = 8_000
"""Maximum number of ideas scanned for one page; most ideas of a large dictionary have no picture."""

IDEA_BATCH_SIZE: Final = 1_000


class PicturesPage(msgspec.Struct, frozen=True):
    """Ideas with a picture, of a context (`place`) or all, with subcontexts; `next` is the start of the next page."""

    place: ContextPlace | None
    below: tuple[Branch, ...]
    ideas: tuple[ListedIdea, ...]
    languages: dict[int, Language]
    next: int | None


def read_pictures_page(reader: Reader, name: str, start: int, readers: ReadersLanguages) -> PicturesPage:
    """Load a page of the pictures of a context, or of all without a name. Raises NotFoundError."""
    mine = languages_of(readers, reader.catalogue)
    place = read_place(reader, name) if name else None
    stretch = partial(ideas_under, reader, place.ids) if place else partial(ideas_from, reader)
    idea_ids, following = find_pictured(reader, stretch, start)
    ideas = gather_ideas(reader, idea_ids, WITHOUT_WORDS)
    return PicturesPage(
        place,
        place.below if place else main_branches(read_tree(reader)),
        listed_ideas(reader, ideas, mine, headwords_first(readers, mine)),
        reader.catalogue.by_id,
        following,
    )


def find_pictured(
    reader: Reader, stretch: Callable[[int, int], list[int]], start: int, limit: int = PICTURES_ON_A_PAGE
) -> tuple[list[int], int | None]:
    """Find the next ideas with a picture that `stretch` lists from an ID on, and the start of the next page."""
    found: list[int] = []
    idea_ids = stretch(start, MAX_IDEAS_SCANNED)
    for some in chunks(idea_ids, IDEA_BATCH_SIZE):
        pictured = with_pictures(reader, some)
        found += [each for each in some if each in pictured]
        if len(found) > limit:
            return found[:limit], found[limit]
    return found, idea_ids[-1] + 1 if len(idea_ids) == MAX_IDEAS_SCANNED else None
