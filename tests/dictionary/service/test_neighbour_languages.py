"""Languages beside Assamese: their alphabets, the articles that they ignore, and their endings."""

from collections.abc import Iterator

import pytest
from sqlalchemy import text

from abhidhan.dictionary.model.query import build_query
from abhidhan.dictionary.service.browse import AlphabetRange, list_alphabetically
from abhidhan.dictionary.service.lookup import look_up
from abhidhan.exchange.service.importing import import_records
from abhidhan.exchange.service.maintenance import is_reindexing_due, reindex
from abhidhan.platform.database.database import Database
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import IdeaRecord, WordRecord
from tests.support.databases import Databases, load_sample, open_database
from tests.support.sample import NOW

BODO, KHASI = 3, 5
WORDS = {
    "as": ("ওম",),
    "kha": ("wah", "niang", "ka sim", "ngap", "u khla", "briew", "dur", "ki maw"),
    "brx": ("बिजाब", "मुं", "राव", "बाथ्रा", "थांनाय"),
}
IN_ORDER = ["briew", "u khla", "dur", "ngap", "ki maw", "niang", "ka sim", "wah"]


def with_neighbours(database: Database) -> None:
    load_sample(database)
    ideas = [
        IdeaRecord("sample", f"{language}-{word}", None, (WordRecord(language, word),))
        for language, words in WORDS.items()
        for word in words
    ]
    loaded = import_records(database, [LocatedRecord("test", 1, idea) for idea in ideas], now=NOW)
    assert not loaded.errors, loaded.errors


@pytest.fixture(scope="module")
def neighbours(databases: Databases) -> Iterator[Database]:
    """Open the sample with words of Khasi and Bodo."""
    with open_database(databases, with_neighbours) as database:
        yield database


def find(dictionary: Database, query: str, language_id: int) -> list[tuple[str, str]]:
    items = dictionary.read_now(lambda reader: look_up(reader, query, language_id))
    return [(item.match.value, item.entries[0].word) for item in items if item.entries]


def list_khasi(dictionary: Database) -> list[str]:
    listed = dictionary.read_now(lambda reader: list_alphabetically(reader, AlphabetRange("", language_id=KHASI), 20))
    return [word.word for word in listed.items if word.word in WORDS["kha"]]


def test_a_khasi_word_is_found_with_and_without_an_article(neighbours: Database) -> None:
    for query, match, word in (
        ("ka sim", "exact", "ka sim"),
        ("sim", "loose", "ka sim"),
        ("u sim", "loose", "ka sim"),
        ("khla", "loose", "u khla"),
        ("u briew", "exact", "briew"),
    ):
        for language_id in (0, KHASI):
            assert (match, word) in find(neighbours, query, language_id), query


def test_khasi_words_are_sorted_by_their_alphabet_without_articles(neighbours: Database) -> None:
    assert list_khasi(neighbours) == IN_ORDER


def test_an_inflected_word_of_bodo_is_found(neighbours: Database) -> None:
    for query, word in [
        ("बिजाबनि", "बिजाब"),
        ("मुङा", "मुं"),
        ("रावाव", "राव"),
        ("बाथ्राफोरखौ", "बाथ्रा"),
        ("थाङो", "थांनाय"),
    ]:
        assert find(neighbours, query, BODO) == [("inflected", word)], query


def test_a_word_of_another_language_is_found_by_sound_only_if_no_language_is_chosen(
    neighbours: Database,
) -> None:
    assert (find(neighbours, "um", 0), find(neighbours, "um", KHASI)) == ([("phonetic", "ওম")], [])


def test_an_article_is_left_out_of_keys_only_if_a_language_is_chosen(neighbours: Database) -> None:
    def keys(language_id: int) -> tuple[str, ...]:
        return neighbours.read_now(
            lambda reader: build_query("ka si", reader.catalogue.orthographies(language_id)).loose_keys()
        )

    assert (keys(0), keys(KHASI)) == (("kasi",), ("si",))


def test_reindexing_applies_new_key_rules_to_an_old_database(neighbours: Database) -> None:
    with neighbours.engine.begin() as connection:
        connection.execute(text("UPDATE key_rules SET rules = 'old'"))
        by_old_rules = "loose_key = replace(text, ' ', ''), sound_key = replace(text, ' ', ''), sort_key = :same"
        connection.execute(text(f"UPDATE word SET {by_old_rules} WHERE language_id = 5"), {"same": b"old"})  # noqa: S608
    assert is_reindexing_due(neighbours)
    assert list_khasi(neighbours) != IN_ORDER

    reindex(neighbours)

    assert not is_reindexing_due(neighbours)
    assert list_khasi(neighbours) == IN_ORDER
    assert find(neighbours, "sim", KHASI) == [("loose", "ka sim")]
