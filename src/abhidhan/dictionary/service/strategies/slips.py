"""Words with one or two typing errors: `watre` finds water."""

from abhidhan.dictionary.model.query import build_query
from abhidhan.dictionary.model.ranking import find_nearest
from abhidhan.dictionary.service.strategies.batch import LookupBatch, RankedWord
from abhidhan.dictionary.store import fuzzy_candidates
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES


def find_slips(connection: ReadConnection, batch: LookupBatch) -> list[RankedWord]:
    """Find words with nearly the spelling or sound of a text, nearest first.

    The guess uses `fuzzy_candidates.find_near_words` instead, whose order depends on the language.
    """
    (text,) = batch.texts
    query = build_query(text, connection.catalogue.orthographies(batch.language_id))
    return [
        RankedWord(near_word.candidate.word_id, 1 / (2 + position))
        for position, near_word in enumerate(find_nearest(query, fuzzy_candidates.load_candidates(connection, query)))
        if batch.language_id in {ALL_LANGUAGES, near_word.candidate.language_id}
    ]
