"""Headwords that make up a compound without an entry: চাহ-পানী finds চাহ and পানী."""

from typing import Final

from abhidhan.dictionary.model.compounds import Split, chosen_parts, splits
from abhidhan.dictionary.model.guess_scoring import FoundKey
from abhidhan.dictionary.model.query import rules_for
from abhidhan.dictionary.service.strategies.batch import Hits, LookupBatch
from abhidhan.dictionary.service.strategies.pairs import find_pair
from abhidhan.dictionary.store import words
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.reader import Reader
from abhidhan.records.languages import ASSAMESE
from abhidhan.records.orthography import INDIC_SCRIPTS, Orthographies
from assamese.keys import exact_key
from assamese.normalization import script_of

MAX_PART_KEYS: Final = 1000
"""Maximum number of part keys looked up for one text; the longest text has about 200 by each language's rules."""

MAX_PART_WORDS: Final = 2000
"""Maximum number of words read as possible parts of one text, more than any language has for one key."""


def find_compounds(reader: Reader, batch: LookupBatch) -> Hits:
    """Find the two or three headwords of one language that make up a text in an Indic script, in their order.

    Assamese is tried before other languages. One statement reads the words of all parts of a text.
    """
    return {text: parts for text in batch.texts if (parts := _find(reader, text, batch.language_id))}


def may_have_parts(text: str) -> bool:
    """Return whether a text is in an Indic script, in which compounds are split."""
    return script_of(text) in INDIC_SCRIPTS


def _find(reader: Reader, text: str, language_id: int) -> list[FoundKey]:
    if not may_have_parts(text):
        return []
    orthographies = reader.catalogue.orthographies(language_id)
    rules = {language.id: language.code for language in rules_for(text, orthographies, by_sound=False)}
    ways = _Ways(text, orthographies, rules)
    keys = dict.fromkeys(key for way in ways.every() for key in way.keys)
    hits = words.find(reader, KeyColumn.LOOSE, list(keys)[:MAX_PART_KEYS], language_id, limit=MAX_PART_WORDS)
    for each in sorted({hit.language_id for hit in hits}, key=lambda number: (number != ASSAMESE, number)):
        of_language = [hit for hit in hits if hit.language_id == each and (each == ASSAMESE or _is_written(hit, text))]
        if parts := chosen_parts(text, ways.of(each), of_language):
            return parts
    return find_pair(reader, text, language_id, whole=False)


def _is_written(hit: FoundKey, text: str) -> bool:
    """Return whether a text contains the exact spelling of a word; else Bengali would match parts of much Assamese."""
    return exact_key(hit.text) in exact_key(text)


class _Ways:
    """Possible splits of a text, by the rules of a language if it has any, or by its folding of letters."""

    def __init__(self, text: str, orthographies: Orthographies, rules: dict[int, str]) -> None:
        self._orthographies = orthographies
        self._by_rules = {language_id: splits(text, code) for language_id, code in rules.items()}
        foldings = {each.folding for each in orthographies.of_text(text) if each.is_indic}
        self._by_folding = {folding: splits(text, folding) for folding in foldings}

    def every(self) -> list[Split]:
        """List all splits."""
        return [way for ways in (*self._by_rules.values(), *self._by_folding.values()) for way in ways]

    def of(self, language_id: int) -> tuple[Split, ...]:
        """Return the splits for a language."""
        orthography = self._orthographies.by_language.get(language_id)
        otherwise = self._by_folding.get(orthography.folding, ()) if orthography else ()
        return self._by_rules.get(language_id, otherwise)
