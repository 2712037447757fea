"""Words by meaning: `animal that flies` finds bird."""

from abhidhan.dictionary.service.strategies.batch import LookupBatch, RankedWord
from abhidhan.dictionary.store import definitions, words
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES
from assamese.keys import exact_key
from assamese.normalization import query_words


def find_definitions(reader: ReadConnection, batch: LookupBatch) -> list[RankedWord]:
    """Find translations of a text from other languages, and words whose definition contains all its words."""
    (text,) = batch.texts
    key, language_id, limit = exact_key(text), batch.language_id, batch.limit
    synonyms = words.find(reader, KeyColumn.EXACT, [key]) if language_id != ALL_LANGUAGES else []
    ideas = definitions.ideas_of_words(reader, [hit.word_id for hit in synonyms])
    translations = definitions.words_of_ideas(reader, ideas, language_id)[:limit]
    keys = [exact_key(word) for word in query_words(text)]
    lengths = {row.idea_id: row.length for row in definitions.ideas_defined_with(reader, keys)}
    defined = definitions.words_of_ideas(reader, list(lengths), language_id)[:limit]
    return [
        *(RankedWord(row.word_id, 1.0) for row in translations),
        *(RankedWord(row.word_id, len(key) / max(lengths[row.idea_id], len(key))) for row in defined),
    ]
