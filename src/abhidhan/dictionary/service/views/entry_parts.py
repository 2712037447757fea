"""The parts of the page of a word: what is asked for, and what it shows."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from abhidhan.dictionary.model.cascade import FoundWord, Match
from abhidhan.dictionary.model.phrases import Phrase
from abhidhan.dictionary.service.adjacent_words import Neighbours
from abhidhan.dictionary.service.views.senses import Sense
from abhidhan.dictionary.service.views.whole_query import NOTHING, WholeQuery
from abhidhan.records.language_preferences import ReadersLanguages
from abhidhan.records.languages import ASSAMESE, ENGLISH, Language
from abhidhan.records.recordings import Audio
from abhidhan.records.words import Suggestion, Word
from assamese.inflected_forms import FormTable


class Focus(NamedTuple):
    """What of a word is asked for: the entries of a language (its code), the sense of an idea; 0 and "": all."""

    language: str = ""
    idea_id: int = 0
    is_part: bool = False
    """Whether only the entries are asked for, without what stands round them on the page."""
    is_brief: bool = False
    """Whether the sense is shown as on the page of the word, in the reader's languages only."""


class EntryRequest(NamedTuple):
    """A word, what of it is asked for, and the languages of who asks; `in_full`: all there is, for machines."""

    text: str
    readers: ReadersLanguages = ReadersLanguages()
    focus: Focus = Focus()
    in_full: bool = False


class Entry(msgspec.Struct, frozen=True):
    """A block of the page: one spelling in one language. `left_out`: so many of its senses are not listed.

    One that `is_folded` is shown by its language and the number of its senses. `forms` are those of the first Assamese
    words.
    """

    word: Word
    language: Language
    senses: tuple[Sense, ...]
    left_out: int = 0
    is_folded: bool = False
    forms: tuple[FormTable, ...] = ()


class Part(msgspec.Struct, frozen=True):
    """What was found for one word of the address."""

    text: str
    match: Match
    entries: tuple[Entry, ...]
    suggestions: tuple[Suggestion, ...]
    left_out: int = 0
    """So many entries are not named; the page of the word has them."""

    @property
    def is_answered(self) -> bool:
        """Whether an entry says something in one of the languages that readers come for: no suggestion is better.

        The parts of a compound are a guess.
        """
        telling = (entry for entry in self.entries if entry.senses or entry.left_out)
        return self.match is not Match.COMPOUND and any(each.language.id in {ASSAMESE, ENGLISH} for each in telling)


class EntryPage(msgspec.Struct, frozen=True):
    """Everything on the page of a word, or of what several words are as a whole."""

    text: str
    parts: tuple[Part, ...]
    languages: dict[int, Language]
    language: Language
    neighbours: Neighbours
    proverbs: tuple[Phrase, ...]
    near: Sequence[FoundWord]
    mine: tuple[int, ...] = ()
    focus: Focus = Focus()
    whole: WholeQuery = NOTHING
    audio_of_examples: Mapping[int, Mapping[str, Sequence[Audio]]] = {}
    """The recordings of the examples that are shown, by idea and text."""

    @property
    def entries(self) -> list[Entry]:
        """All blocks in their order."""
        return [entry for part in self.parts for entry in part.entries]

    @property
    def is_of_compound(self) -> bool:
        """Say whether the page is of one word that is not there, but made of others, which it shows."""
        return [part.match for part in self.parts] == [Match.COMPOUND]
