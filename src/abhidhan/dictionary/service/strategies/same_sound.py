"""Words of the same sound, also for Roman letters: `xobdo`, `śabda` find শব্দ."""

from abhidhan.dictionary.model.query import MAX_ROMAN_READINGS, make_sound_keys
from abhidhan.dictionary.model.ranking import may_be_typed_for
from abhidhan.dictionary.service.strategies.batch import Hits, LookupBatch
from abhidhan.dictionary.store import words
from abhidhan.dictionary.store.acceleration.sound_frames import may_be_sound_of_word
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.reader import ReadConnection


def find_same_sound(connection: ReadConnection, batch: LookupBatch) -> Hits:
    """Find words that sound like a text, unsorted.

    Keys differ between languages: a word matches by a key of its own language. Sources: Xobdo's schemes of 2007 and
    2013, ISO 15919, informal typing (`assamese/tables/roman.toml`).
    """
    orthographies = connection.catalogue.orthographies(batch.language_id)
    keys = {
        text: make_sound_keys(
            text, orthographies, MAX_ROMAN_READINGS, reads_roman=may_be_sound_of_word(connection, text)
        )
        for text in batch.texts
    }
    all_keys = sorted({key for text_keys in keys.values() for sounds in text_keys.values.values() for key in sounds})
    all_hits = words.find_by_key(
        connection, KeyColumn.SOUND, all_keys, batch.language_id, limit=batch.limit * len(batch.texts)
    )
    hits: Hits = {}
    for text, sounds in keys.items():
        same = [hit for hit in all_hits if hit.key in sounds.get(hit.language_id, frozenset())][: batch.limit]
        if plausible := [hit for hit in same if may_be_typed_for(text, hit.text, hit.language_id)]:
            hits[text] = plausible
    return hits
