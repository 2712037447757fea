"""Stubs, which are entries without any description, and the described entries that rank above them."""

from collections.abc import Sequence
from typing import Final

from abhidhan.dictionary.model.guess_scoring import KeyMatch
from abhidhan.dictionary.service.strategies.batch import LookupBatch
from abhidhan.dictionary.service.strategies.inflected import find_forms_by_rule
from abhidhan.dictionary.service.strategies.misspelled import find_misspelled
from abhidhan.dictionary.service.strategies.other_spelling import find_other_spellings
from abhidhan.dictionary.service.strategies.table_forms import find_table_forms
from abhidhan.dictionary.store import words
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ASSAMESE

RETRY_STRATEGIES: Final = (find_table_forms, find_other_spellings, find_misspelled, find_forms_by_rule)
"""Strategies whose words rank above a stub with the exact spelling of the query, best first."""


def prefer_described_entries(
    connection: ReadConnection, text: str, exact: list[KeyMatch], language_id: int
) -> list[KeyMatch]:
    """Put words found by other strategies before exact entries, in each language where all of these are stubs.

    An imported list of word forms must not hide their lemmas.
    """
    stubs = words.find_stubs(connection, [hit.word_id for hit in exact])
    languages = dict.fromkeys(hit.language_id for hit in exact)
    stub_languages = {
        language for language in languages if all(hit.word_id in stubs for hit in exact if hit.language_id == language)
    }
    if not stub_languages:
        return exact
    described = _find_described(connection, text, stub_languages, language_id)
    return [
        hit for language in languages for hit in (*described.get(language, ()), *_filter_by_language(exact, language))
    ]


def _find_described(
    connection: ReadConnection, text: str, languages: set[int], language_id: int
) -> dict[int, list[KeyMatch]]:
    """Find, for each language, the words of the first strategy that finds any besides stubs."""
    hits_by_language: dict[int, list[KeyMatch]] = {}
    for find in RETRY_STRATEGIES:
        hits = find(connection, LookupBatch([text], language_id)).get(text, [])
        stubs = words.find_stubs(connection, [hit.word_id for hit in hits])
        for language in languages - hits_by_language.keys():
            if described := [hit for hit in _filter_by_language(hits, language) if hit.word_id not in stubs]:
                hits_by_language[language] = described
        if languages <= hits_by_language.keys():
            break
    return hits_by_language


def _filter_by_language(hits: Sequence[KeyMatch], language_id: int) -> list[KeyMatch]:
    return [hit for hit in hits if hit.language_id == language_id]


def put_stubs_last(connection: ReadConnection, hits: list[KeyMatch]) -> list[KeyMatch]:
    """Move stubs to the end; if all words are stubs, put their lemmas before them."""
    stubs = words.find_stubs(connection, [hit.word_id for hit in hits])
    if not stubs:
        return hits
    described = [hit for hit in hits if hit.word_id not in stubs]
    if not described:
        lemmas = find_described_lemmas(connection, [hit.text for hit in hits if hit.language_id == ASSAMESE])
        described = [hit for lemma_hits in lemmas.values() for hit in lemma_hits]
    by_word_id = {hit.word_id: hit for hit in (*described, *hits)}
    return list(by_word_id.values())


def find_described_lemmas(connection: ReadConnection, texts: Sequence[str]) -> dict[str, list[KeyMatch]]:
    """Find the Assamese lemmas of texts by rule, without stubs."""
    results = find_forms_by_rule(connection, LookupBatch(texts, ASSAMESE))
    stubs = words.find_stubs(connection, [hit.word_id for hits in results.values() for hit in hits])
    return {text: [hit for hit in hits if hit.word_id not in stubs] for text, hits in results.items()}
