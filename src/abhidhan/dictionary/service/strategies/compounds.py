"""Headwords that make up a compound without an entry: চাহ-পানী finds চাহ and পানী."""

from typing import Final

from abhidhan.dictionary.model.compounds import CompoundSplit, choose_parts, list_splits
from abhidhan.dictionary.model.guess_scoring import KeyMatch
from abhidhan.dictionary.model.query import find_inflecting_languages
from abhidhan.dictionary.service.strategies.batch import Hits, LookupBatch
from abhidhan.dictionary.service.strategies.pairs import find_pair
from abhidhan.dictionary.store import words
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ASSAMESE
from abhidhan.records.orthography import INDIC_SCRIPTS, Orthographies
from assamese.keys import exact_key
from assamese.normalization import detect_script

MAX_PART_KEYS: Final = 1000
"""Maximum number of part keys looked up for one text; the longest text has about 200 by each language's rules."""

MAX_PART_WORDS: Final = 2000
"""Maximum number of words read as possible parts of one text, more than any language has for one key."""


def find_compounds(connection: ReadConnection, batch: LookupBatch) -> Hits:
    """Find the two or three headwords of one language that make up a text in an Indic script, in their order.

    Assamese is tried before other languages. One statement reads the words of all parts of a text.
    """
    return {text: parts for text in batch.texts if (parts := _find_parts(connection, text, batch.language_id))}


def may_be_compound(text: str) -> bool:
    """Return whether a text is in an Indic script, in which compounds are split."""
    return detect_script(text) in INDIC_SCRIPTS


def _find_parts(connection: ReadConnection, text: str, language_id: int) -> list[KeyMatch]:
    if not may_be_compound(text):
        return []
    orthographies = connection.catalogue.orthographies(language_id)
    rules = {language.id: language.code for language in find_inflecting_languages(text, orthographies, by_sound=False)}
    possible_splits = _Splits(text, orthographies, rules)
    keys = dict.fromkeys(key for split in possible_splits.list_all() for key in split.keys)
    hits = words.find_by_key(connection, KeyColumn.LOOSE, list(keys)[:MAX_PART_KEYS], language_id, limit=MAX_PART_WORDS)
    for hit_language in sorted({hit.language_id for hit in hits}, key=lambda number: (number != ASSAMESE, number)):
        language_hits = [
            hit
            for hit in hits
            if hit.language_id == hit_language and (hit_language == ASSAMESE or _is_contained(hit, text))
        ]
        if parts := choose_parts(text, possible_splits.for_language(hit_language), language_hits):
            return parts
    return find_pair(connection, text, language_id, needs_all=False)


def _is_contained(hit: KeyMatch, text: str) -> bool:
    """Return whether a text contains the exact spelling of a word; else Bengali would match parts of much Assamese."""
    return exact_key(hit.text) in exact_key(text)


class _Splits:
    """Possible splits of a text, by the rules of a language if it has any, or by its folding of letters."""

    def __init__(self, text: str, orthographies: Orthographies, rules: dict[int, str]) -> None:
        self._orthographies = orthographies
        self._by_rules = {language_id: list_splits(text, code) for language_id, code in rules.items()}
        foldings = {orthography.folding for orthography in orthographies.possible_for(text) if orthography.is_indic}
        self._by_folding = {folding: list_splits(text, folding) for folding in foldings}

    def list_all(self) -> list[CompoundSplit]:
        """List all splits."""
        return [split for group in (*self._by_rules.values(), *self._by_folding.values()) for split in group]

    def for_language(self, language_id: int) -> tuple[CompoundSplit, ...]:
        """Return the splits for a language."""
        orthography = self._orthographies.by_language.get(language_id)
        default = self._by_folding.get(orthography.folding, ()) if orthography else ()
        return self._by_rules.get(language_id, default)
