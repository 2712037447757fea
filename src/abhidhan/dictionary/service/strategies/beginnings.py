"""Words with a prefix: `eleph` finds elephant."""

from math import exp
from typing import Final

from abhidhan.dictionary.model.query import build_query
from abhidhan.dictionary.service.completions import complete_by_exact_prefix
from abhidhan.dictionary.service.strategies.batch import LookupBatch, RankedWord
from abhidhan.platform.database.reader import ReadConnection

HALF_CLOSENESS_LETTERS: Final = 5.0
"""Number of letters left to type that makes a word about half as close as a completely typed one."""


def find_prefix_matches(connection: ReadConnection, batch: LookupBatch) -> list[RankedWord]:
    """Find words with the exact prefix: the likeliest, and those with the fewest letters left to type."""
    (text,) = batch.texts
    query = build_query(text, connection.catalogue.orthographies(batch.language_id))
    completions = complete_by_exact_prefix(connection, query, batch.language_id, batch.limit)
    return [
        RankedWord(completion.word_id, 1 / (1 + exp(completion.score / HALF_CLOSENESS_LETTERS)))
        for completion in completions
    ]
