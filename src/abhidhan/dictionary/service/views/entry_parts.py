"""The parts of the page of a word: what is asked for, what it shows, and what the query is as a whole."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from abhidhan.dictionary.model.cascade import FoundWord, Match
from abhidhan.dictionary.model.phrases import Phrase, SimilarPhrase
from abhidhan.dictionary.service import phrases, proverbs
from abhidhan.dictionary.service.browse import Neighbours
from abhidhan.dictionary.service.views.listings import Gloss, glosses, selection_of_glosses
from abhidhan.dictionary.service.views.senses import Sense
from abhidhan.dictionary.store import definitions, word_rows
from abhidhan.platform.database.reader import Reader
from abhidhan.records.language_preferences import ReadersLanguages
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE, ENGLISH, Language
from abhidhan.records.recordings import Audio
from abhidhan.records.words import Suggestion, Word
from assamese.inflected_forms import FormTable
from assamese.keys import exact_key
from assamese.normalization import Script, query_words, script_of
from assamese.paradigms import Label


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


class DescribedForm(NamedTuple):
    """What a form is, and of which word."""

    label: Label
    lemma: str


class Part(msgspec.Struct, frozen=True):
    """What was found for one word of the address."""

    text: str
    match: Match
    entries: tuple[Entry, ...]
    suggestions: tuple[Suggestion, ...]
    left_out: int = 0
    """So many entries are not named; the page of the word has them."""
    described: tuple[DescribedForm, ...] = ()
    """What an inflected form is, each way once."""

    @property
    def is_answered(self) -> bool:
        """Whether an entry says something in one of the languages that readers come for: no suggestion is better.

        The parts of a compound are a guess.
        """
        telling = (entry for entry in self.entries if entry.senses or entry.left_out)
        return self.match is not Match.COMPOUND and any(each.language.id in {ASSAMESE, ENGLISH} for each in telling)


class WholeQuery(msgspec.Struct, frozen=True):
    """The sayings that a query is, others that have all its words, and words in whose definition all of them stand."""

    sayings: tuple[SimilarPhrase, ...] = ()
    with_words: tuple[Phrase, ...] = ()
    meant: tuple[Gloss, ...] = ()


NOTHING: Final = WholeQuery()


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
    def marked(self) -> frozenset[str]:
        """The inflected forms that are asked for, as they may be spelled in tables and examples."""
        forms = [part.text for part in self.parts if part.described]
        return frozenset(spelling for form in forms for spelling in (form, exact_key(form)))

    @property
    def is_of_compound(self) -> bool:
        """Say whether the page is of one word that is not there, but made of others, which it shows."""
        return [part.match for part in self.parts] == [Match.COMPOUND]


MOST_WITH_WORDS: Final = 5
MOST_MEANT: Final = 6

LONGEST_SMALL_WORD: Final = 3
"""Roman words of so many letters are left out where nothing is defined with all words of a query."""


def read_whole_query(reader: Reader, text: str, mine: Sequence[int]) -> WholeQuery:
    """Read what a query is as a whole, for a reader of languages; of a word that is not there, only its proverbs."""
    words = query_words(text)
    if len(words) == 1:
        return WholeQuery(with_words=proverbs.find_by_meaning(reader, words[0], MOST_WITH_WORDS))
    sayings = phrases.find_sayings(reader, text)
    shown = {each.id for each in sayings}
    found = proverbs.find_by_words(reader, text, MOST_WITH_WORDS + len(shown))
    with_words = tuple(each for each in found if each.id not in shown)
    return WholeQuery(sayings, with_words[:MOST_WITH_WORDS], _meant(reader, words, mine))


def _tells_something(word: str) -> bool:
    """Say whether a word may be missed in a definition: "a", "of" and "the" stand in one or another."""
    return len(word) > LONGEST_SMALL_WORD or script_of(word) is not Script.LATIN


def _ideas_defined_with(reader: Reader, words: Sequence[str]) -> list[int]:
    keys = [exact_key(word) for word in words]
    return [each.idea_id for each in definitions.ideas_defined_with(reader, keys)][:MOST_MEANT]


def _meant(reader: Reader, words: tuple[str, ...], mine: Sequence[int]) -> tuple[Gloss, ...]:
    """Find the words in whose definition all words of the query stand: of each idea one, Assamese if there is any."""
    idea_ids = _ideas_defined_with(reader, words) or _ideas_defined_with(reader, [*filter(_tells_something, words)])
    word_of: dict[int, int] = {}
    for language_id in (ASSAMESE, ALL_LANGUAGES):
        for each in definitions.words_of_ideas(reader, idea_ids, language_id):
            word_of.setdefault(each.idea_id, each.word_id)
    word_ids = dict.fromkeys(word_of[idea_id] for idea_id in idea_ids if idea_id in word_of)
    languages = reader.catalogue.by_id
    found = word_rows.gather(reader, list(word_ids), selection=selection_of_glosses(mine))
    return glosses(reader, found, languages, mine)
