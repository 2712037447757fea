"""Words without a recording, the commonest first: each page is a range of an index."""

from collections.abc import Sequence

import pytest
from sqlalchemy import text

from abhidhan.dictionary.store.unrecorded_words import (
    RECORDED_WORD_COUNT,
    UNRECORDED_WORDS,
    count_unrecorded_words,
    load_unrecorded_words,
)
from abhidhan.exchange.service.importing import import_records
from abhidhan.exchange.service.maintenance import check, repair_findings
from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.import_records import ConflictPolicy, LocatedRecord
from abhidhan.records.kinds import FrequencyRecord, IdeaRecord, Record, WordRecord
from abhidhan.records.languages import ASSAMESE, ENGLISH
from tests.support.sample import NOW


def load_records(database: Database, *records: Record, policy: ConflictPolicy = ConflictPolicy.FILL) -> None:
    placed = [LocatedRecord("more.jsonl", line, record) for line, record in enumerate(records, 1)]
    assert not import_records(database, placed, now=NOW, policy=policy).errors


def list_unrecorded_words(database: Database, language_id: int, limit: int = 500, offset: int = 0) -> list[str]:
    """List the spellings of the words without a recording."""

    def job(connection: ReadConnection) -> Sequence[int]:
        return load_unrecorded_words(connection, language_id, limit, offset)

    word_ids = database.read_now(job)
    with database.engine.begin() as connection:
        spelled = dict(map(tuple, connection.execute(text("SELECT id, text FROM word"))))
    return [spelled[number] for number in word_ids]


def idea(key: str, *words: WordRecord) -> IdeaRecord:
    return IdeaRecord("sample", key, "Adverb", words)


def test_the_commonest_words_come_first_and_equally_common_ones_alphabetically(dictionary: Database) -> None:
    load_records(
        dictionary, idea("rare", WordRecord("en", "zebu", frequency=0.5), WordRecord("en", "quagga", frequency=0.5))
    )
    load_records(dictionary, FrequencyRecord("en", "tea", 900.0, "The tests"))

    words = list_unrecorded_words(dictionary, ENGLISH)

    assert words[:3] == ["tea", "quagga", "zebu"]
    assert words[3:] == sorted(words[3:], key=str.lower)
    assert list_unrecorded_words(dictionary, ENGLISH, 2, 1) == words[1:3]
    assert dictionary.read_now(lambda reader: count_unrecorded_words(reader, ENGLISH)) == len(words)


def test_assamese_words_are_ordered_by_the_built_in_frequencies(dictionary: Database) -> None:
    words = list_unrecorded_words(dictionary, ASSAMESE)

    assert words.index("আৰু") == 0
    assert words.index("পানী") < words.index("চৰাই")


def test_a_file_that_replaces_a_frequency_moves_the_word(dictionary: Database) -> None:
    load_records(
        dictionary, FrequencyRecord("en", "tea", 900.0, "The tests"), FrequencyRecord("en", "sun", 90.0, "The tests")
    )
    load_records(dictionary, FrequencyRecord("en", "tea", 9.0, "Others"), policy=ConflictPolicy.REPLACE)

    assert list_unrecorded_words(dictionary, ENGLISH, 2) == ["sun", "tea"]


@pytest.mark.spoils
def test_a_recorded_word_is_not_listed(dictionary: Database) -> None:
    before = list_unrecorded_words(dictionary, ENGLISH)
    with dictionary.engine.begin() as connection:
        connection.execute(text("UPDATE word SET audio = '[]' WHERE text = 'tea'"))

    assert list_unrecorded_words(dictionary, ENGLISH) == [each for each in before if each != "tea"]
    assert dictionary.read_now(lambda reader: count_unrecorded_words(reader, ENGLISH)) == len(before) - 1


def test_a_page_reads_one_range_of_an_index_and_no_row(shared_dictionary: Database) -> None:
    plan = explain(shared_dictionary, UNRECORDED_WORDS, language=ENGLISH, limit=50, offset=50)

    assert "ix_word_silent" in plan
    assert "Index Only Scan" in plan or "SEARCH word USING COVERING INDEX" in plan
    assert "Sort" not in plan
    assert "TEMP B-TREE" not in plan


def test_recorded_words_are_counted_by_an_index_of_their_own(shared_dictionary: Database) -> None:
    assert "ix_word_heard" in explain(shared_dictionary, RECORDED_WORD_COUNT, language=ENGLISH)


def explain(database: Database, query: CompiledQuery, **parameters: int) -> str:
    """Tell how the engine goes about a query, as if the table were too large to be read whole or sorted."""
    engine = database.engine.dialect.name
    statement, arrange = query.compile(engine)
    with database.engine.connect() as connection:
        if engine == "postgresql":
            connection.execute(text("SET LOCAL enable_seqscan = off"))
            connection.execute(text("SET LOCAL enable_bitmapscan = off"))
            connection.execute(text("SET LOCAL enable_sort = off"))
        explain = "EXPLAIN" if engine == "postgresql" else "EXPLAIN QUERY PLAN"
        rows = connection.exec_driver_sql(f"{explain} {statement}", tuple(arrange({**parameters})))
        return "\n".join(str(row[-1]) for row in rows)


@pytest.mark.spoils
def test_check_finds_wrong_rarities_and_repairs_them(dictionary: Database) -> None:
    before = list_unrecorded_words(dictionary, ASSAMESE)
    with dictionary.engine.begin() as connection:
        connection.execute(text("UPDATE word SET rarity = 7 WHERE text IN ('চৰাই', 'মহ')"))
    assert list_unrecorded_words(dictionary, ASSAMESE, 2) != before[:2]

    found = [one for one in check(dictionary) if one.code == "E217"]
    repair_findings(dictionary, {"E217"})

    assert len(found) == 2
    assert list_unrecorded_words(dictionary, ASSAMESE) == before
