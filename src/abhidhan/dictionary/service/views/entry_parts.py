"""Parts of an entry page: its request, its entries, and the matches of the whole query."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from abhidhan.dictionary.model.cascade import FoundWord, Match
from abhidhan.dictionary.model.phrases import Phrase, SimilarPhrase
from abhidhan.dictionary.service import phrases, proverbs
from abhidhan.dictionary.service.browse import Neighbours
from abhidhan.dictionary.service.views.form_grids import FormGrid
from abhidhan.dictionary.service.views.listings import GlossedWord, gloss_words, select_gloss_fields
from abhidhan.dictionary.service.views.senses import SenseView
from abhidhan.dictionary.store import definitions, word_rows
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.language_preferences import LanguagePreferences
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE, ENGLISH, Language
from abhidhan.records.recordings import Audio
from abhidhan.records.words import Suggestion, Word
from assamese.keys import exact_key
from assamese.normalization import Script, detect_script, split_query
from assamese.paradigms import Label


class Focus(NamedTuple):
    """Requested part of a word: the entries in a language (by code), the sense of an idea; "" and 0 mean all."""

    language: str = ""
    idea_id: int = 0
    is_part: bool = False
    """True if only the entries are requested, without the rest of the page."""
    is_brief: bool = False
    """True if the sense is shown as on the word's page, only in the reader's languages."""


class EntryRequest(NamedTuple):
    """Requested word, its focus, and the user's languages; `is_full` requests all senses, for machines."""

    text: str
    preferences: LanguagePreferences = LanguagePreferences()
    focus: Focus = Focus()
    is_full: bool = False


class EntryBlock(msgspec.Struct, frozen=True):
    """Block of the page: one spelling in one language. `left_out` is the number of senses that are not listed.

    If `is_folded`, only the language and the number of senses are shown. Only the first Assamese words have `forms`.
    """

    word: Word
    language: Language
    senses: tuple[SenseView, ...]
    left_out: int = 0
    is_folded: bool = False
    forms: tuple[FormGrid, ...] = ()

    @property
    def marked_words(self) -> tuple[str, ...]:
        """Words whose forms are highlighted in examples: the headword and its translations."""
        translations = (word.word for sense in self.senses for line in sense.answer for word in line.words)
        return (self.word.word, *translations)

    @property
    def known_forms(self) -> frozenset[str]:
        """Forms in the tables of the word."""
        return frozenset(form for grid in self.forms for _, cells in grid.rows for cell in cells for form in cell)


class FormDescription(NamedTuple):
    """Description of a form, and its lemma."""

    label: Label
    lemma: str


class WordResults(msgspec.Struct, frozen=True):
    """Results for one word of the query."""

    text: str
    match: Match
    entries: tuple[EntryBlock, ...]
    suggestions: tuple[Suggestion, ...]
    left_out: int = 0
    """Number of entries left out, which are on the page of the word."""
    described: tuple[FormDescription, ...] = ()
    """Distinct descriptions of an inflected form."""

    @property
    def is_answered(self) -> bool:
        """Return whether an entry with senses is in Assamese or English, which makes suggestions unnecessary.

        The parts of a compound are a guess and do not count.
        """
        described = (entry for entry in self.entries if entry.senses or entry.left_out)
        return self.match is not Match.COMPOUND and any(block.language.id in {ASSAMESE, ENGLISH} for block in described)


class WholeQuery(msgspec.Struct, frozen=True):
    """Proverbs that match a query, others that share words with it, and words defined with all words of the query."""

    sayings: tuple[SimilarPhrase, ...] = ()
    with_words: tuple[Phrase, ...] = ()
    meant: tuple[GlossedWord, ...] = ()


NO_WHOLE_MATCH: Final = WholeQuery()


class EntryPage(msgspec.Struct, frozen=True):
    """Data of an entry page of one word, or of several words as a whole."""

    text: str
    parts: tuple[WordResults, ...]
    languages: dict[int, Language]
    language: Language
    neighbours: Neighbours
    proverbs: tuple[Phrase, ...]
    near: Sequence[FoundWord]
    mine: tuple[int, ...] = ()
    focus: Focus = Focus()
    whole: WholeQuery = NO_WHOLE_MATCH
    audio_of_examples: Mapping[int, Mapping[str, Sequence[Audio]]] = {}
    """Recordings of the examples shown, by idea and text."""

    @property
    def entries(self) -> list[EntryBlock]:
        """Blocks of all parts, in their order."""
        return [entry for part in self.parts for entry in part.entries]

    @property
    def marked(self) -> frozenset[str]:
        """The requested inflected forms, in the spellings that tables and examples may use."""
        forms = [part.text for part in self.parts if part.described]
        return frozenset(spelling for form in forms for spelling in (form, exact_key(form)))

    @property
    def is_of_compound(self) -> bool:
        """Return whether the page is for a single compound without an entry, whose parts it shows."""
        return [part.match for part in self.parts] == [Match.COMPOUND]


MAX_RELATED_PROVERBS: Final = 5
MAX_DEFINED_WORDS: Final = 6

MAX_SMALL_WORD_LENGTH: Final = 3
"""Maximum length of Roman words that are ignored if no definition contains all words of a query."""


def match_whole_query(connection: ReadConnection, text: str, preferred_ids: Sequence[int]) -> WholeQuery:
    """Load the matches of a query as a whole; for a single word without an entry, only its proverbs."""
    words = split_query(text)
    if len(words) == 1:
        return WholeQuery(with_words=proverbs.find_by_meaning(connection, words[0], MAX_RELATED_PROVERBS))
    sayings = phrases.find_query_proverbs(connection, text)
    if sayings:
        return WholeQuery(sayings, _find_sharing_words(connection, sayings[0]))
    return WholeQuery(
        (),
        proverbs.find_by_words(connection, text, MAX_RELATED_PROVERBS),
        _find_by_definition(connection, words, preferred_ids),
    )


def _find_sharing_words(connection: ReadConnection, saying: SimilarPhrase) -> tuple[Phrase, ...]:
    """Find other proverbs that contain a word of a proverb; longer words come first, as they are more specific."""
    language = connection.catalogue.language(saying.language_id)
    proverbs_by_id: dict[int, Phrase] = {}
    for word in sorted(split_query(saying.phrase), key=len, reverse=True):
        proverbs_by_id |= {
            proverb.id: proverb
            for proverb in proverbs.find_containing(connection, word, language, MAX_RELATED_PROVERBS)
        }
        if len(proverbs_by_id) > MAX_RELATED_PROVERBS:
            break
    proverbs_by_id.pop(saying.id, None)
    return tuple(proverbs_by_id.values())[:MAX_RELATED_PROVERBS]


def _is_content_word(word: str) -> bool:
    """Return whether a definition must contain a word; "a", "of" and "the" may be missing."""
    return len(word) > MAX_SMALL_WORD_LENGTH or detect_script(word) is not Script.LATIN


def _find_ideas_defined_with(connection: ReadConnection, words: Sequence[str]) -> list[int]:
    keys = [exact_key(word) for word in words]
    return [row.idea_id for row in definitions.find_ideas_defined_with(connection, keys)][:MAX_DEFINED_WORDS]


def _find_by_definition(
    connection: ReadConnection, words: tuple[str, ...], preferred_ids: Sequence[int]
) -> tuple[GlossedWord, ...]:
    """Find words whose definition contains all words of the query: one for each idea, in Assamese if possible."""
    idea_ids = _find_ideas_defined_with(connection, words) or _find_ideas_defined_with(
        connection, [*filter(_is_content_word, words)]
    )
    words_by_idea: dict[int, int] = {}
    for language_id in (ASSAMESE, ALL_LANGUAGES):
        for row in definitions.list_words_of_ideas(connection, idea_ids, language_id):
            words_by_idea.setdefault(row.idea_id, row.word_id)
    word_ids = dict.fromkeys(words_by_idea[idea_id] for idea_id in idea_ids if idea_id in words_by_idea)
    languages = connection.catalogue.languages_by_id
    loaded = word_rows.load_words(connection, list(word_ids), selection=select_gloss_fields(preferred_ids))
    return gloss_words(connection, loaded, languages, preferred_ids)
