"""Bare entries: those that say nothing, and the words that stand before them because they are forms of these."""

from collections.abc import Sequence
from typing import Final

from abhidhan.domain.languages import ASSAMESE
from abhidhan.domain.matching.likelihood import FoundKey
from abhidhan.services.dictionary.strategies.batch import LookupBatch
from abhidhan.services.dictionary.strategies.inflected import find_forms_by_rule
from abhidhan.services.dictionary.strategies.misspelled import find_misspelled
from abhidhan.services.dictionary.strategies.other_spelling import find_other_spellings
from abhidhan.services.dictionary.strategies.table_forms import find_table_forms
from abhidhan.storage import words
from abhidhan.storage.engine.reader import Reader

WORSE_THAN_EXACT: Final = (find_table_forms, find_other_spellings, find_misspelled, find_forms_by_rule)
"""The strategies whose words stand before a bare entry with the spelling of the query, best first."""


def bare_of(reader: Reader, hits: Sequence[FoundKey]) -> frozenset[int]:
    """Return which of some words are bare, by their IDs: without a definition, and alone under each of their ideas."""
    return words.bare(reader, [hit.word_id for hit in hits])


def with_what_says_more(reader: Reader, text: str, spelled: list[FoundKey], language_id: int) -> list[FoundKey]:
    """Put a word that a text is otherwise before entries that are spelled so and say nothing, in each language.

    A list of word forms that somebody imported must not hide the words that they are forms of.
    """
    bare = bare_of(reader, spelled)
    languages = dict.fromkeys(hit.language_id for hit in spelled)
    silent = {each for each in languages if all(hit.word_id in bare for hit in spelled if hit.language_id == each)}
    if not silent:
        return spelled
    saying = _say_more(reader, text, silent, language_id)
    return [hit for each in languages for hit in (*saying.get(each, ()), *_of(spelled, each))]


def _say_more(reader: Reader, text: str, languages: set[int], language_id: int) -> dict[int, list[FoundKey]]:
    found: dict[int, list[FoundKey]] = {}
    for find in WORSE_THAN_EXACT:
        hits = find(reader, LookupBatch([text], language_id)).get(text, [])
        bare = bare_of(reader, hits) if hits else frozenset()
        for each in languages - found.keys():
            if saying := [hit for hit in _of(hits, each) if hit.word_id not in bare]:
                found[each] = saying
        if languages <= found.keys():
            break
    return found


def _of(hits: Sequence[FoundKey], language_id: int) -> list[FoundKey]:
    return [hit for hit in hits if hit.language_id == language_id]


def bare_last(reader: Reader, hits: list[FoundKey]) -> list[FoundKey]:
    """Put bare words behind others; where all are bare, the words that those are forms of before them."""
    bare = bare_of(reader, hits)
    if not bare:
        return hits
    saying = [hit for hit in hits if hit.word_id not in bare] or _lemmas_that_say_more(reader, hits)
    once = {hit.word_id: hit for hit in (*saying, *hits)}
    return list(once.values())


def lemmas(reader: Reader, texts: Sequence[str]) -> dict[str, list[FoundKey]]:
    """Find the Assamese words that texts are forms of by rule, those that are not bare."""
    found = find_forms_by_rule(reader, LookupBatch(texts, ASSAMESE))
    bare = bare_of(reader, [hit for hits in found.values() for hit in hits])
    return {text: [hit for hit in hits if hit.word_id not in bare] for text, hits in found.items()}


def _lemmas_that_say_more(reader: Reader, hits: Sequence[FoundKey]) -> list[FoundKey]:
    of_texts = lemmas(reader, [hit.text for hit in hits if hit.language_id == ASSAMESE])
    return [hit for of_text in of_texts.values() for hit in of_text]
