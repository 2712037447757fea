from contextlib import closing

from abhidhan.dictionary.service.views.entry import read_exact_entry_page
from abhidhan.dictionary.service.views.entry_parts import EntryPage, EntryRequest
from abhidhan.platform.database.reader import ReadConnection
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.plans import ExplainedConnection, find_scanned_tables

MAX_STATEMENTS = 7
"""The word, ideas, forms, neighbours, recordings of examples, and proverbs: which mean the word, and their texts."""


def test_the_page_of_a_word_takes_few_statements_which_search_by_indexes(sqlite_databases: SqliteDatabases) -> None:
    def read(connection: ReadConnection) -> EntryPage:
        page = read_exact_entry_page(connection, EntryRequest("পানী"))
        assert isinstance(page, EntryPage)
        return page

    with open_database(sqlite_databases, load_sample) as dictionary:
        assert find_scanned_tables(dictionary, read) == []
        with closing(ExplainedConnection(str(dictionary.url.database))) as connection:
            reader = ReadConnection(connection, "sqlite", dictionary.get_catalogue)
            # What is read once for the data as they are is not counted.
            reader.run(read)
            connection.statements.clear()
            page = reader.run(read)

    assert page.entries[0].senses[0].is_open
    assert page.proverbs or page.neighbours.before
    assert len([sql for sql, _ in connection.statements if "data_version" not in sql]) <= MAX_STATEMENTS
