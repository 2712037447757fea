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
from assamese.normalization import Script, detect_script
from assamese.phrase_variants import build_lemma_variants, build_variants

ENGLISH_CODE: Final = "en"


def find_phrase_variants(connection: ReadConnection, batch: LookupBatch) -> Hits:
    """Find English phrases with other articles, a genitive, a final particle, or another word order.

    Source: Quirk et al., A Comprehensive Grammar of the English Language (`assamese/tables/languages/en.toml`).
    """
    return _find_phrases(connection, batch, build_variants)


def find_phrase_forms(connection: ReadConnection, batch: LookupBatch) -> Hits:
    """Find the English phrases of which a text is an inflected form; any of its words may be inflected."""
    return _find_phrases(connection, batch, build_lemma_variants)


def _find_phrases(
    connection: ReadConnection, batch: LookupBatch, expand: Callable[[str, str], tuple[str, ...]]
) -> Hits:
    if batch.language_id not in {ALL_LANGUAGES, ENGLISH}:
        return {}
    texts = [text for text in batch.texts if " " in text and detect_script(text) is Script.LATIN]
    phrases = {text: expand(text, ENGLISH_CODE) for text in texts}
    keys = dict.fromkeys(
        loose_key(phrase, ENGLISH_CODE) for text_phrases in phrases.values() for phrase in text_phrases
    )
    by_key: dict[str, list[KeyMatch]] = {}
    for hit in words.find_by_key(connection, KeyColumn.LOOSE, [*keys], ENGLISH, limit=batch.limit * len(batch.texts)):
        by_key.setdefault(hit.key, []).append(hit)
    results = {
        text: [hit for phrase in text_phrases for hit in _select_hits(phrase, by_key)]
        for text, text_phrases in phrases.items()
    }
    return {text: [*dict.fromkeys(hits)][: batch.limit] for text, hits in results.items() if hits}


def _select_hits(phrase: str, by_key: dict[str, list[KeyMatch]]) -> list[KeyMatch]:
    """Return the words with the key of a phrase; `boat house` does not match houseboat."""
    return [
        hit
        for hit in by_key.get(loose_key(phrase, ENGLISH_CODE), ())
        if " " not in phrase or has_several_words(hit.text)
    ]
