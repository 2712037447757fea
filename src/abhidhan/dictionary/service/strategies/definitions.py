"""Words by meaning: `animal that flies` finds bird."""

from abhidhan.dictionary.service.strategies.batch import LookupBatch, RankedWord
from abhidhan.dictionary.store import definitions, words
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES
from assamese.keys import exact_key
from assamese.normalization import split_query


def find_definitions(connection: ReadConnection, batch: LookupBatch) -> list[RankedWord]:
    """Find translations of a text from other languages, and words whose definition contains all its words."""
    (text,) = batch.texts
    key, language_id, limit = exact_key(text), batch.language_id, batch.limit
    synonyms = words.find_by_key(connection, KeyColumn.EXACT, [key]) if language_id != ALL_LANGUAGES else []
    ideas = definitions.list_ideas_of_words(connection, [hit.word_id for hit in synonyms])
    translations = definitions.list_words_of_ideas(connection, ideas, language_id)[:limit]
    keys = [exact_key(word) for word in split_query(text)]
    lengths = {row.idea_id: row.length for row in definitions.find_ideas_defined_with(connection, keys)}
    defined = definitions.list_words_of_ideas(connection, list(lengths), language_id)[:limit]
    return [
        *(RankedWord(row.word_id, 1.0) for row in translations),
        *(RankedWord(row.word_id, len(key) / max(lengths[row.idea_id], len(key))) for row in defined),
    ]
