from abhidhan.dictionary.store import cards
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ASSAMESE
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.plans import find_scanned_tables


def test_cards_are_read_in_the_order_of_their_set(shared_dictionary: Database) -> None:
    rows = shared_dictionary.read_now(lambda reader: cards.list_cards(reader, 1))

    assert [(row.clue, row.roman, row.answer, row.picture) for row in rows] == [
        ("হাতী", None, "elephant", "🐘"),
        ("মাছ", None, "fish", "🐟"),
        ("ম’হ", None, "buffalo", "🐃"),
        ("চৰাই", "so.rai", "bird", "🐦"),
    ]


def test_a_set_has_the_language_of_its_clues(shared_dictionary: Database) -> None:
    assert shared_dictionary.read_now(lambda reader: cards.find_set_language(reader, 1)) == ASSAMESE
    assert shared_dictionary.read_now(lambda reader: cards.find_set_language(reader, 99)) is None


def test_an_empty_database_has_no_sets(database: Database) -> None:
    assert database.read_now(cards.list_card_sets) == ()


def test_every_read_is_a_search_by_an_index(sqlite_databases: SqliteDatabases) -> None:
    def read(connection: ReadConnection) -> None:
        cards.list_card_sets(connection)
        cards.find_set_language(connection, 1)
        cards.list_cards(connection, 1)

    with open_database(sqlite_databases, load_sample) as dictionary:
        assert find_scanned_tables(dictionary, read) == []
