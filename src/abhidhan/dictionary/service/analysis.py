"""Analyse Assamese forms with the words of the dictionary: lemma, part of speech, features and segments."""

from collections.abc import Iterable, Sequence

import msgspec

from abhidhan.dictionary.model.guess_scoring import KeyMatch
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.lookup_lists import LanguageParam, find_language_id
from abhidhan.dictionary.service.strategies.table_forms import read_headword
from abhidhan.dictionary.store.keyed_words import InflectedWord, find_inflected_words
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ASSAMESE
from abhidhan.records.lookup_lists import ListName
from assamese.analysis import Analysis, LexiconWord, MemoryLexicon, analyze_form, universal_pos
from assamese.analysis_rules import Segment, SegmentKind
from assamese.keys import exact_key
from assamese.sentence_analysis import Token, analyze, tokenize


class TextAnalysis(msgspec.Struct, frozen=True):
    """Tokens of a text in a language."""

    language_id: int
    tokens: tuple[Token, ...]


class DictionaryLexicon:
    """Lexicon of the Assamese words of the dictionary."""

    def __init__(self, connection: ReadConnection) -> None:
        """Initialise with a database connection."""
        self._reader = connection
        self._parts_of_speech = {
            item.id: universal_pos(item.value, item.code)
            for item in connection.catalogue.list_items(ListName.PARTS_OF_SPEECH)
        }

    def find(self, lemmas: Sequence[str]) -> Iterable[LexiconWord]:
        """Return the words that have one of the exact keys."""
        inflected_words = find_inflected_words(self._reader, lemmas, ASSAMESE)
        return [self._to_lexicon_word(word) for word in inflected_words]

    def _to_lexicon_word(self, word: InflectedWord) -> LexiconWord:
        parts = dict.fromkeys(self._parts_of_speech[pos_id] for pos_id in word.pos_ids)
        return LexiconWord(read_headword(self._reader, word), tuple(parts), word.match.word_id)


async def analyze_text(dictionary: Dictionary, text: str, language: LanguageParam) -> TextAnalysis:
    """Analyse the tokens of a text; in a language other than Assamese, only split it. Raises InputError."""
    return await dictionary.read_in_thread(_analyze_text, text, language)


def _analyze_text(connection: ReadConnection, text: str, language: LanguageParam) -> TextAnalysis:
    language_id = find_language_id(connection, language) or ASSAMESE
    if language_id != ASSAMESE:
        return TextAnalysis(language_id, tokenize(text))
    return TextAnalysis(language_id, analyze(text, DictionaryLexicon(connection)))


def analyze_entries(connection: ReadConnection, text: str, hits: Sequence[KeyMatch]) -> Token:
    """Analyse a form by the entries it matched, in their order.

    An entry without a matching analysis, or in another language, gets an analysis without features.
    """
    keys = list(dict.fromkeys(exact_key(hit.text) for hit in hits if hit.language_id == ASSAMESE))
    lexicon_words = list(DictionaryLexicon(connection).find(keys))
    parts = {word.word_id: word.parts_of_speech for word in lexicon_words}
    analyses = analyze_form(text, MemoryLexicon(lexicon_words)) if lexicon_words else ()
    ordered = [
        analysis
        for hit in hits
        for analysis in [a for a in analyses if a.word_id == hit.word_id]
        or [_build_plain_analysis(text, hit, parts.get(hit.word_id))]
    ]
    return Token(text, 0, len(text), tuple(ordered))


def _build_plain_analysis(text: str, hit: KeyMatch, parts_of_speech: tuple[str, ...] | None) -> Analysis:
    pos = parts_of_speech[0] if parts_of_speech else "X"
    return Analysis(hit.text, hit.word_id, pos, {}, (Segment(text, SegmentKind.STEM),))
