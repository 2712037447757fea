from functools import partial

import pytest

from abhidhan.dictionary.store import phrase_lists
from abhidhan.dictionary.store.phrase_lists import PhraseFilter
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.plans import find_scanned_tables

FILTERS = {
    "all": PhraseFilter(),
    "language": PhraseFilter(2),
    "category": PhraseFilter(0, 1),
    "both": PhraseFilter(2, 1),
    "a word": PhraseFilter(0, None, (("~hati", "=hati"),)),
    "words": PhraseFilter(2, 1, (("~hati",), ("~kay", "=eat", "=eats"))),
}


def test_every_read_is_a_search_by_an_index(sqlite_databases: SqliteDatabases, subtests: pytest.Subtests) -> None:
    with open_database(sqlite_databases, load_sample) as dictionary:
        for name, chosen in FILTERS.items():
            with subtests.test(name):
                list_page = partial(phrase_lists.list_phrases, phrase_filter=chosen, limit=5, offset=2)
                count = partial(phrase_lists.count_phrases, phrase_filter=chosen)
                assert find_scanned_tables(dictionary, list_page) == []
                assert find_scanned_tables(dictionary, count) == []
