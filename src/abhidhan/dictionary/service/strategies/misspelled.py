"""One letter that sounds alike, in Assamese: নদি finds নদী."""

from abhidhan.dictionary.model.ranking import one_letter_off
from abhidhan.dictionary.service.strategies.batch import Hits, LookupBatch
from abhidhan.dictionary.store import words
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.reader import Reader
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE
from assamese.keys import sound_key
from assamese.normalization import Script, script_of


def find_misspelled(reader: Reader, batch: LookupBatch) -> Hits:
    """Find Assamese words that differ from a text in their script by one letter that sounds alike.

    Such a word is likelier than a word of which the text is a form (দি, of which নদি is "did not give").
    Source: the letters that Assamese speech does not distinguish, by Xobdo (`assamese/tables/sounds.toml`).
    """
    if batch.language_id not in {ALL_LANGUAGES, ASSAMESE}:
        return {}
    sounds = {text: sound_key(text, "as") for text in batch.texts if script_of(text) is Script.EASTERN_NAGARI}
    hits = words.find(reader, KeyColumn.SOUND, list(dict.fromkeys(sounds.values())), ASSAMESE)
    return {text: near for text, sound in sounds.items() if (near := one_letter_off(text, sound, hits))}
