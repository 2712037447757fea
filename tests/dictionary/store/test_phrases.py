from collections.abc import Callable

from sqlalchemy import delete, insert

from abhidhan.dictionary.store import phrases
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ASSAMESE, BENGALI
from abhidhan.schema import gram_count
from assamese.keys import exact_key, sound_key
from assamese.phrase_similarity import phrase_grams
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.plans import find_scanned_tables

PROVERB = "এটা নিগনিৰ সাতখন পাম"
GRAMS = sorted(phrase_grams(PROVERB, "as"))


def test_a_phrase_is_found_by_its_exact_key_in_its_language(shared_dictionary: Database) -> None:
    def find(language_id: int) -> list[int]:
        return shared_dictionary.read_now(
            lambda reader: phrases.find_by_exact_key(reader, exact_key(PROVERB), language_id)
        )

    assert len(find(ASSAMESE)) == 1
    assert find(BENGALI) == []


def test_n_grams_are_counted_in_the_phrases_of_a_language(shared_dictionary: Database) -> None:
    def count(*grams: str, language_id: int = ASSAMESE) -> dict[str, int]:
        return shared_dictionary.read_now(lambda reader: phrases.count_grams(reader, grams, language_id))

    assert count(*GRAMS, "zzzz") == dict.fromkeys(GRAMS, 1)
    assert count(*GRAMS, language_id=BENGALI) == {}
    assert count() == {}


def test_n_grams_have_the_phrases_that_contain_them(shared_dictionary: Database) -> None:
    def read(connection: ReadConnection) -> tuple[dict[str, list[int]], list[int]]:
        exact = phrases.find_by_exact_key(connection, exact_key(PROVERB), ASSAMESE)
        return {gram: ids.tolist() for gram, ids in phrases.load_postings(connection, GRAMS, ASSAMESE).items()}, exact

    postings, (phrase_id,) = shared_dictionary.read_now(read)

    assert postings == {gram: [phrase_id] for gram in GRAMS}
    assert shared_dictionary.read_now(lambda reader: phrases.load_postings(reader, (), ASSAMESE)) == {}


def test_a_counted_n_gram_that_no_phrase_contains_has_no_phrases(dictionary: Database) -> None:
    dictionary.write_now(
        lambda connection: connection.execute(insert(gram_count).values(language_id=ASSAMESE, gram="zzzz", phrases=3))
    )

    found = dictionary.read_now(lambda reader: phrases.load_postings(reader, ["zzzz", *GRAMS], ASSAMESE))
    dictionary.write_now(lambda connection: connection.execute(delete(gram_count).where(gram_count.c.gram == "zzzz")))

    assert found.keys() == {*GRAMS}


def test_phrases_are_read_in_the_requested_order(shared_dictionary: Database) -> None:
    stored = shared_dictionary.read_now(lambda reader: phrases.load_phrases(reader, [3, 999, 1]))
    compared = shared_dictionary.read_now(lambda reader: phrases.load_candidates(reader, [3, 999, 1]))

    assert [each.id for each in stored] == [3, 1]
    assert compared == [(each.id, each.text, sound_key(each.text, "as")) for each in stored]
    assert (
        shared_dictionary.read_now(
            lambda reader: [*phrases.load_phrases(reader, []), *phrases.load_candidates(reader, [])]
        )
        == []
    )


JOBS: dict[str, Callable[[ReadConnection], object]] = {
    "exact": lambda reader: phrases.find_by_exact_key(reader, "x", ASSAMESE),
    "counts": lambda reader: phrases.count_grams(reader, GRAMS, ASSAMESE),
    "postings": lambda reader: phrases.load_postings(reader, GRAMS, ASSAMESE),
    "read": lambda reader: phrases.load_phrases(reader, [1, 2, 3]),
    "sounds": lambda reader: phrases.load_candidates(reader, [1, 2, 3]),
}


def test_every_read_is_a_search_by_an_index(sqlite_databases: SqliteDatabases) -> None:
    with open_database(sqlite_databases, load_sample) as dictionary:
        for name, job in JOBS.items():
            assert find_scanned_tables(dictionary, job) == [], name
