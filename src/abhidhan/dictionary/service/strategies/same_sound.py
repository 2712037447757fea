"""Words of the same sound, also for Roman letters: `xobdo`, `śabda` find শব্দ."""

from abhidhan.dictionary.model.query import WAYS_TO_READ, sound_keys
from abhidhan.dictionary.model.ranking import may_be_typed_for
from abhidhan.dictionary.service.strategies.batch import Hits, LookupBatch
from abhidhan.dictionary.store import words
from abhidhan.dictionary.store.acceleration.sound_frames import may_be_read
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.reader import Reader


def find_same_sound(reader: Reader, batch: LookupBatch) -> Hits:
    """Find words that sound like a text, in any order.

    Keys differ between languages: a word matches by a key of its own language. Sources: Xobdo's schemes of 2007 and
    2013, ISO 15919, informal typing (`assamese/tables/roman.toml`).
    """
    orthographies = reader.catalogue.orthographies(batch.language_id)
    keys = {
        text: sound_keys(text, orthographies, WAYS_TO_READ, are_read=may_be_read(reader, text)) for text in batch.texts
    }
    every_key = sorted({key for of_text in keys.values() for sounds in of_text.values.values() for key in sounds})
    found = words.find(reader, KeyColumn.SOUND, every_key, batch.language_id, limit=batch.limit * len(batch.texts))
    hits: Hits = {}
    for text, sounds in keys.items():
        same = [hit for hit in found if hit.key in sounds.of(hit.language_id, frozenset())][: batch.limit]
        if typed_so := [hit for hit in same if may_be_typed_for(text, hit.text, hit.language_id)]:
            hits[text] = typed_so
    return hits
