"""Words made of others: the base of a derived word, and the headwords that a compound is joined of."""

from abhidhan.domain.languages import ASSAMESE
from abhidhan.domain.matching.cascade import Way
from abhidhan.domain.matching.compounds import Split, chosen_parts, readings, splits
from abhidhan.domain.matching.likelihood import FoundKey, closest_first
from abhidhan.domain.matching.query import rules_for, ways_to_write
from abhidhan.domain.orthography import INDIC_SCRIPTS, Orthographies
from abhidhan.domain.text.derivation import bases
from abhidhan.domain.text.keys import exact_key, loose_key
from abhidhan.domain.text.normal import script_of
from abhidhan.storage import words
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.key_columns import KeyColumn

MOST_KEYS = 1000
"""So many parts that a text may have are asked for: the longest text has some 200 by the rules of each language."""

MOST_FOUND = 2000
"""So many words are read that parts of one text may be: they are all that have one of its keys, in any language."""


def may_have_parts(text: str) -> bool:
    """Return whether a text is in a script of which texts are taken apart: an Indic one."""
    return script_of(text) in INDIC_SCRIPTS


def find_parts(reader: Reader, text: str, language_id: int) -> tuple[Way, list[FoundKey]] | None:
    """Find the word that a text is derived from, or else the words it is joined of; one statement reads them all.

    None where it is made of no headwords, or may have no parts.
    """
    if not may_have_parts(text):
        return None
    orthographies = reader.catalogue.orthographies(language_id)
    rules = {language.id: language.code for language in rules_for(text, orthographies, by_sound=False)}
    derived_from = _bases(text) if ASSAMESE in rules else ()
    ways = _Ways(text, orthographies, rules)
    keys = dict.fromkeys((*derived_from, *(key for way in ways.every() for key in way.keys)))
    hits = words.find(reader, KeyColumn.LOOSE, list(keys)[:MOST_KEYS], language_id, limit=MOST_FOUND)
    if base := _best_base(text, derived_from, hits):
        return Way.DERIVED, base
    for each in sorted({hit.language_id for hit in hits}, key=lambda number: (number != ASSAMESE, number)):
        of_language = [hit for hit in hits if hit.language_id == each and (each == ASSAMESE or _is_written(hit, text))]
        if parts := chosen_parts(text, ways.of(each), of_language):
            return Way.PARTS, parts
    return None


def _is_written(hit: FoundKey, text: str) -> bool:
    """Say whether a word stands in a text as it is spelled: where it does not, Bengali would be in much Assamese."""
    return exact_key(hit.text) in exact_key(text)


class _Ways:
    """The ways to take a text apart: by the rules of a language that has some, or as its letters fold."""

    def __init__(self, text: str, orthographies: Orthographies, rules: dict[int, str]) -> None:
        self._orthographies = orthographies
        self._by_rules = {language_id: splits(text, code) for language_id, code in rules.items()}
        foldings = {each.folding for each in ways_to_write(text, orthographies) if each.is_indic}
        self._by_folding = {folding: splits(text, folding) for folding in foldings}

    def every(self) -> list[Split]:
        """List all of them."""
        return [way for ways in (*self._by_rules.values(), *self._by_folding.values()) for way in ways]

    def of(self, language_id: int) -> tuple[Split, ...]:
        """List those of a language."""
        orthography = self._orthographies.of(language_id)
        otherwise = self._by_folding.get(orthography.folding, ()) if orthography else ()
        return self._by_rules.get(language_id, otherwise)


def _bases(text: str) -> tuple[str, ...]:
    """List the loose keys of the Assamese words that a text, or what it is a form of, may be derived from."""
    return tuple(dict.fromkeys(base for key in readings(loose_key(text, "as"), "as") for base in bases(key)))


def _best_base(text: str, derived_from: tuple[str, ...], hits: list[FoundKey]) -> list[FoundKey]:
    """Choose the words of the first base that the dictionary has."""
    assamese = [hit for hit in hits if hit.language_id == ASSAMESE]
    found = ([hit for hit in assamese if hit.key == base] for base in derived_from)
    return closest_first(text, next(filter(None, found), []))
