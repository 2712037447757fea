"""The same spelling, after Unicode clean-up and case folding: `WATER` finds water."""

from abhidhan.dictionary.service.strategies.batch import Hits, LookupBatch
from abhidhan.dictionary.store import words
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.reader import ReadConnection
from assamese.keys import exact_key


def find_same_spelling(connection: ReadConnection, batch: LookupBatch) -> Hits:
    """Find words with the exact spelling of a text.

    Source: the Unicode Standard, ch. 12, and CLDR (`assamese/tables/spelling.toml`).
    """
    keys_by_text = {text: exact_key(text) for text in batch.texts}
    limit = batch.limit * len(batch.texts)
    hits: Hits = {}
    for hit in words.find_by_key(connection, KeyColumn.EXACT, [*keys_by_text.values()], batch.language_id, limit=limit):
        hits.setdefault(hit.key, []).append(hit)
    return {text: hits[key][: batch.limit] for text, key in keys_by_text.items() if key in hits}
