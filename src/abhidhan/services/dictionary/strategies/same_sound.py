"""The same sound, in Roman letters too: `xobdo`, `śabda` find শব্দ."""

from abhidhan.domain.matching.query import WAYS_TO_READ, sound_keys
from abhidhan.domain.matching.ranking import may_be_typed_for
from abhidhan.services.dictionary.strategies.batch import Hits, LookupBatch, find_by_language_keys, without_empty
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.indexes.sounds import may_be_read
from abhidhan.storage.key_columns import KeyColumn


def find_same_sound(reader: Reader, batch: LookupBatch) -> Hits:
    """Find words that sound like a text, in any order.

    Sources: Xobdo's schemes of 2007 and 2013, ISO 15919, informal typing (`domain/text/tables/roman.toml`).
    """
    orthographies = reader.catalogue.orthographies(batch.language_id)
    keys = {
        text: sound_keys(text, orthographies, WAYS_TO_READ, are_read=may_be_read(reader, text)) for text in batch.texts
    }
    sounding = find_by_language_keys(reader, KeyColumn.SOUND, batch, keys)
    return without_empty(
        {
            text: [hit for hit in hits if may_be_typed_for(text, hit.text, hit.language_id)]
            for text, hits in sounding.items()
        }
    )
