"""Stubs, which are entries without any description, and the described entries that rank above them."""

from collections.abc import Sequence
from typing import Final

from abhidhan.dictionary.model.guess_scoring import FoundKey
from abhidhan.dictionary.service.strategies.batch import LookupBatch
from abhidhan.dictionary.service.strategies.inflected import find_forms_by_rule
from abhidhan.dictionary.service.strategies.misspelled import find_misspelled
from abhidhan.dictionary.service.strategies.other_spelling import find_other_spellings
from abhidhan.dictionary.service.strategies.table_forms import find_table_forms
from abhidhan.dictionary.store import words
from abhidhan.platform.database.reader import Reader
from abhidhan.records.languages import ASSAMESE

WORSE_THAN_EXACT: Final = (find_table_forms, find_other_spellings, find_misspelled, find_forms_by_rule)
"""Strategies whose words rank above a stub with the exact spelling of the query, best first."""


def prefer_described_entries(reader: Reader, text: str, exact: list[FoundKey], language_id: int) -> list[FoundKey]:
    """Put words found by other strategies before exact entries, in each language where all of these are stubs.

    An imported list of word forms must not hide their lemmas.
    """
    stubs = words.find_stubs(reader, [hit.word_id for hit in exact])
    languages = dict.fromkeys(hit.language_id for hit in exact)
    silent = {each for each in languages if all(hit.word_id in stubs for hit in exact if hit.language_id == each)}
    if not silent:
        return exact
    described = _find_described(reader, text, silent, language_id)
    return [hit for each in languages for hit in (*described.get(each, ()), *_of(exact, each))]


def _find_described(reader: Reader, text: str, languages: set[int], language_id: int) -> dict[int, list[FoundKey]]:
    """Find the words, by language, of the best strategy that finds any besides stubs."""
    found: dict[int, list[FoundKey]] = {}
    for find in WORSE_THAN_EXACT:
        hits = find(reader, LookupBatch([text], language_id)).get(text, [])
        stubs = words.find_stubs(reader, [hit.word_id for hit in hits])
        for each in languages - found.keys():
            if described := [hit for hit in _of(hits, each) if hit.word_id not in stubs]:
                found[each] = described
        if languages <= found.keys():
            break
    return found


def _of(hits: Sequence[FoundKey], language_id: int) -> list[FoundKey]:
    return [hit for hit in hits if hit.language_id == language_id]


def put_stubs_last(reader: Reader, hits: list[FoundKey]) -> list[FoundKey]:
    """Move stubs to the end; if all words are stubs, put their lemmas before them."""
    stubs = words.find_stubs(reader, [hit.word_id for hit in hits])
    if not stubs:
        return hits
    described = [hit for hit in hits if hit.word_id not in stubs]
    if not described:
        lemmas = find_described_lemmas(reader, [hit.text for hit in hits if hit.language_id == ASSAMESE])
        described = [hit for of_text in lemmas.values() for hit in of_text]
    once = {hit.word_id: hit for hit in (*described, *hits)}
    return list(once.values())


def find_described_lemmas(reader: Reader, texts: Sequence[str]) -> dict[str, list[FoundKey]]:
    """Find the Assamese lemmas of texts by rule, without stubs."""
    found = find_forms_by_rule(reader, LookupBatch(texts, ASSAMESE))
    stubs = words.find_stubs(reader, [hit.word_id for hits in found.values() for hit in hits])
    return {text: [hit for hit in hits if hit.word_id not in stubs] for text, hits in found.items()}
