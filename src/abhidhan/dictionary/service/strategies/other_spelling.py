"""Other spellings of the same word: হঠাত finds হঠাৎ, `hotwater` finds hot water."""

from abhidhan.dictionary.model.query import make_loose_keys
from abhidhan.dictionary.service.strategies.batch import Hits, LookupBatch
from abhidhan.dictionary.store import words
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.reader import ReadConnection


def find_other_spellings(connection: ReadConnection, batch: LookupBatch) -> Hits:
    """Find words with the loose key of a text, which ignores letter variants, hyphens and spaces; unsorted.

    Keys differ between languages: a word matches by the key of its own language. Sources: Hemkosh, Chandrakanta
    Abhidhan, Xobdo (`assamese/tables/spelling.toml`).
    """
    orthographies = connection.catalogue.orthographies(batch.language_id)
    keys = {text: make_loose_keys(text, orthographies) for text in batch.texts}
    all_keys = sorted({key for of_text in keys.values() for key in of_text.values.values()})
    all_hits = words.find_by_key(
        connection, KeyColumn.LOOSE, all_keys, batch.language_id, limit=batch.limit * len(batch.texts)
    )
    hits = {text: [hit for hit in all_hits if hit.key == key.get(hit.language_id, "")] for text, key in keys.items()}
    return {text: of_text[: batch.limit] for text, of_text in hits.items() if of_text}
