"""Another spelling of the same word: হঠাত finds হঠাৎ, `hotwater` finds hot water."""

from abhidhan.domain.matching.query import loose_keys
from abhidhan.services.dictionary.strategies.batch import Hits, LookupBatch, find_by_language_keys
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.key_columns import KeyColumn


def find_other_spellings(reader: Reader, batch: LookupBatch) -> Hits:
    """Find words with the loose key of a text, in any order: variants of letters, hyphens and spaces left out.

    Sources: Hemkosh, Chandrakanta Abhidhan, Xobdo (`domain/text/tables/spelling.toml`).
    """
    orthographies = reader.catalogue.orthographies(batch.language_id)
    keys = {text: loose_keys(text, orthographies).each(lambda key: frozenset({key})) for text in batch.texts}
    return find_by_language_keys(reader, KeyColumn.LOOSE, batch, keys)
