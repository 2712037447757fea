"""The page of a word."""

from collections.abc import Iterable, Iterator
from itertools import count, groupby
from typing import Final, NamedTuple

import msgspec

from abhidhan.domain.confirmations import Confirmation
from abhidhan.domain.ideas import IdeaWord
from abhidhan.domain.languages import ASSAMESE, ENGLISH, Language
from abhidhan.domain.lists import Named
from abhidhan.domain.matching.cascade import FoundWord, Match, QueryWord
from abhidhan.domain.phrases import Phrase
from abhidhan.domain.text.normal import script_of
from abhidhan.domain.words import Meaning, Suggestion, Word
from abhidhan.services.dictionary import contexts, lookup, neighbours, proverbs, search
from abhidhan.services.dictionary.browse import LANGUAGE_OF_SCRIPT
from abhidhan.services.dictionary.contexts import Head, Spelling
from abhidhan.services.dictionary.lookup import Begun
from abhidhan.services.dictionary.neighbours import Neighbours
from abhidhan.services.dictionary.views.whole_query import NOTHING, WholeQuery, read_whole_query
from abhidhan.storage.confirmations import confirmations_of
from abhidhan.storage.engine.reader import Reader

MOST_NEIGHBOURS: Final = 3
MOST_PROVERBS: Final = 5
MOST_NEAR: Final = 8
MOST_IN_A_LINE: Final = 60
"""Words of one language under one idea that a page shows; a real idea has up to 28."""

MOST_RELATED: Final = 3


class Line(msgspec.Struct, frozen=True):
    """The words of an idea in one language."""

    language: Language
    words: tuple[IdeaWord, ...]
    left_out: int


class Related(msgspec.Struct, frozen=True):
    """The ideas that stand in one relation, each shown by some of its words."""

    type: Named
    ideas: tuple[tuple[Spelling, ...], ...]


class Sense(msgspec.Struct, frozen=True):
    """A numbered meaning as the page shows it.

    `note` is that of the meaning, without the notice of a source where somebody has confirmed the idea.
    """

    number: int
    meaning: Meaning
    note: str | None
    confirmation: Confirmation | None
    head: Head
    lines: tuple[Line, ...]
    related: tuple[Related, ...]


class Entry(msgspec.Struct, frozen=True):
    """A block of the page: one spelling in one language."""

    word: Word
    language: Language
    senses: tuple[Sense, ...]


class Part(msgspec.Struct, frozen=True):
    """What was found for one word of the address."""

    text: str
    match: Match
    entries: tuple[Entry, ...]
    suggestions: tuple[Suggestion, ...]

    @property
    def is_answered(self) -> bool:
        """Whether an entry says something in one of the languages that readers come for: no suggestion is better."""
        return any(entry.senses and entry.language.id in {ASSAMESE, ENGLISH} for entry in self.entries)


class EntryPage(msgspec.Struct, frozen=True):
    """Everything on the page of a word, or of what several words are as a whole."""

    text: str
    parts: tuple[Part, ...]
    languages: dict[int, Language]
    language: Language
    neighbours: Neighbours
    proverbs: tuple[Phrase, ...]
    near: tuple[FoundWord, ...]
    whole: WholeQuery = NOTHING

    @property
    def entries(self) -> list[Entry]:
        """All blocks in their order."""
        return [entry for part in self.parts for entry in part.entries]


def read_entry_page(reader: Reader, text: str) -> EntryPage:
    """Read everything that the page of a word shows. Raises InputError."""
    return _page(reader, text, lookup.look_up(reader, text))


def read_entry_page_quickly(reader: Reader, text: str) -> EntryPage | Begun:
    """Do the same for a word that is found as it is spelled; tell how far the look-up got with others."""
    found = lookup.look_up_quickly(reader, text)
    if isinstance(found, Begun):
        return found
    # What several words are as a whole takes long to find.
    return _page(reader, text, found) if len(found) == 1 else lookup.begin(text)


def read_the_rest(reader: Reader, begun: Begun) -> EntryPage:
    """Go on with a look-up where it got to, and read the page."""
    return _page(reader, begun.query, lookup.look_up_the_rest(reader, begun))


def _page(reader: Reader, text: str, found: tuple[QueryWord, ...]) -> EntryPage:
    languages = {language.id: language for language in reader.catalogue.languages}
    entries = [word for item in found for word in item.entries]
    language = languages[entries[0].language_id if entries else LANGUAGE_OF_SCRIPT.get(script_of(text), ASSAMESE)]
    spelling = entries[0].word if entries else text
    return EntryPage(
        text=text,
        parts=tuple(_parts(reader, found, languages)),
        languages=languages,
        language=language,
        neighbours=neighbours.find_neighbours(reader, language.id, spelling, MOST_NEIGHBOURS),
        proverbs=_proverbs(reader, spelling, language) if entries else (),
        whole=NOTHING if entries and len(found) == 1 else read_whole_query(reader, text),
        near=() if entries else _near(reader, text, {each.id for item in found for each in item.suggestions}),
    )


def _proverbs(reader: Reader, spelling: str, language: Language) -> tuple[Phrase, ...]:
    """Find proverbs in which a word stands, and where there are few those in whose meaning it does."""
    found = proverbs.find_containing(reader, spelling, language, MOST_PROVERBS)
    if len(found) == MOST_PROVERBS:
        return found
    shown = {each.id for each in found}
    meant = proverbs.find_by_meaning(reader, spelling, MOST_PROVERBS)
    return (*found, *(each for each in meant if each.id not in shown))[:MOST_PROVERBS]


def _near(reader: Reader, text: str, offered: set[int]) -> tuple[FoundWord, ...]:
    """Find words that are near in any way, beside those that are offered already."""
    found = search.search(reader, text, None, fuzzy=True, limit=MOST_NEAR)
    return tuple(each for each in found if each.id not in offered)


def _parts(reader: Reader, found: Iterable[QueryWord], languages: dict[int, Language]) -> Iterator[Part]:
    items = list(found)
    meanings = [meaning for item in items for word in item.entries for meaning in word.meanings]
    idea_ids = sorted({meaning.idea_id for meaning in meanings})
    heads = contexts.read_heads(reader, idea_ids)
    related = {relation.idea_id for meaning in meanings for relation in meaning.relations}
    around = Around(
        languages,
        heads,
        contexts.read_words(reader, sorted(related)) if related else {},
        confirmations_of(reader, idea_ids),
        frozenset(source.notice for source in reader.catalogue.sources.values() if source.notice),
    )
    numbers = count(1)
    for item in items:
        entries = tuple(_entry(word, around, numbers) for word in item.entries)
        yield Part(item.queryword, item.match, entries, item.suggestions)


class Around(NamedTuple):
    """What stands round the words of a page: languages by ID; heads, words and confirmations of ideas by theirs."""

    languages: dict[int, Language]
    heads: dict[int, Head]
    words: dict[int, list[Spelling]]
    confirmations: dict[int, Confirmation]
    notices: frozenset[str]

    def note_of(self, meaning: Meaning) -> str | None:
        """Return what a meaning's note says; that nobody has checked it is left out where somebody has."""
        is_out_of_date = meaning.idea_id in self.confirmations and meaning.note in self.notices
        return None if is_out_of_date else meaning.note


def _entry(word: Word, around: Around, numbers: Iterator[int]) -> Entry:
    senses = (
        Sense(
            next(numbers),
            meaning,
            around.note_of(meaning),
            around.confirmations.get(meaning.idea_id),
            around.heads[meaning.idea_id],
            tuple(_lines(word, meaning, around.languages)),
            tuple(_related(word, meaning, around)),
        )
        for meaning in word.meanings
        if meaning.idea_id in around.heads
    )
    return Entry(word, around.languages[word.language_id], tuple(senses))


def _related(word: Word, meaning: Meaning, around: Around) -> Iterator[Related]:
    """Gather the related ideas by the type of their relation."""
    for _, relations in groupby(meaning.relations, key=lambda relation: relation.type.id):
        of_type = list(relations)
        ideas = (_shown(word, around.words.get(relation.idea_id, [])) for relation in of_type)
        yield Related(of_type[0].type, tuple(idea for idea in ideas if idea))


def _shown(word: Word, words: list[Spelling]) -> tuple[Spelling, ...]:
    """Show an idea by words of the entry's own language, and one of English beside them; else by its first words."""
    own = [each for each in words if each[1].id == word.language_id][:MOST_RELATED]
    english = [each for each in words if each[1].id == ENGLISH and word.language_id != ENGLISH][:1]
    return tuple([*own, *english] or words[:MOST_RELATED])


def _lines(word: Word, meaning: Meaning, languages: dict[int, Language]) -> Iterator[Line]:
    """Gather an idea's other words by language; those of the word's own language, its synonyms, come first."""
    words: dict[int, list[IdeaWord]] = {}
    for each in meaning.translations:
        words.setdefault(each.language_id, []).append(each)
    for language_id in sorted(words, key=lambda number: (number != word.language_id, number)):
        of_language = words[language_id]
        yield Line(
            languages[language_id], tuple(of_language[:MOST_IN_A_LINE]), max(0, len(of_language) - MOST_IN_A_LINE)
        )
