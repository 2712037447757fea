from abhidhan.dictionary.service import statistics
from abhidhan.platform.database.database import Database


def test_the_records_of_each_kind_are_counted(shared_dictionary: Database) -> None:
    counts = shared_dictionary.read_now(statistics.count_records)

    assert (counts.phrases, counts.card_sets, counts.cards, counts.relations) == (10, 2, 7, 16)
    assert counts.by_name()["Proverbs and idioms"] == 10
