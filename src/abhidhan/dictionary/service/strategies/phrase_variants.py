"""Variants of English phrases: `part of body` finds part of the body, `came back` finds come back."""

from collections.abc import Callable
from typing import Final

from abhidhan.dictionary.model.guess_scoring import KeyMatch
from abhidhan.dictionary.model.headwords import has_several_words
from abhidhan.dictionary.service.strategies.batch import Hits, LookupBatch
from abhidhan.dictionary.store import words
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES, ENGLISH
from assamese.keys import loose_key
from assamese.normalization import Script, script_of
from assamese.phrase_variants import lemma_variants, variants

EN: Final = "en"


def find_phrase_variants(reader: ReadConnection, batch: LookupBatch) -> Hits:
    """Find English phrases with other articles, a genitive, a final particle, or another word order.

    Source: Quirk et al., A Comprehensive Grammar of the English Language (`assamese/tables/languages/en.toml`).
    """
    return _find(reader, batch, variants)


def find_phrase_forms(reader: ReadConnection, batch: LookupBatch) -> Hits:
    """Find the English phrases of which a text is an inflected form; any of its words may be inflected."""
    return _find(reader, batch, lemma_variants)


def _find(reader: ReadConnection, batch: LookupBatch, phrases_of: Callable[[str, str], tuple[str, ...]]) -> Hits:
    if batch.language_id not in {ALL_LANGUAGES, ENGLISH}:
        return {}
    texts = [text for text in batch.texts if " " in text and script_of(text) is Script.LATIN]
    phrases = {text: phrases_of(text, EN) for text in texts}
    keys = dict.fromkeys(loose_key(phrase, EN) for text_phrases in phrases.values() for phrase in text_phrases)
    by_key: dict[str, list[KeyMatch]] = {}
    for hit in words.find(reader, KeyColumn.LOOSE, [*keys], ENGLISH, limit=batch.limit * len(batch.texts)):
        by_key.setdefault(hit.key, []).append(hit)
    results = {
        text: [hit for phrase in text_phrases for hit in _hits(phrase, by_key)]
        for text, text_phrases in phrases.items()
    }
    return {text: [*dict.fromkeys(hits)][: batch.limit] for text, hits in results.items() if hits}


def _hits(phrase: str, by_key: dict[str, list[KeyMatch]]) -> list[KeyMatch]:
    """Return the words with the key of a phrase; `boat house` does not match houseboat."""
    return [hit for hit in by_key.get(loose_key(phrase, EN), ()) if " " not in phrase or has_several_words(hit.text)]
