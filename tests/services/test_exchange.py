import json
from collections import Counter

from sqlalchemy import func, select

from abhidhan.domain.incoming import Fault, Placed
from abhidhan.domain.records import IdeaRecord, SourceRecord
from abhidhan.services.exchange import import_records, load_starter, starter_records
from abhidhan.storage import tables
from abhidhan.storage.database import Database
from tests.support.sample import NOW


def test_the_starter_dictionary_is_loaded_whole_and_only_once(database: Database) -> None:
    loaded = load_starter(database, now=NOW)

    assert loaded is not None
    assert loaded.faults == ()
    assert loaded.counts["idea"] > 1_000
    assert database.version_now() == 2
    assert load_starter(database, now=NOW) is None
    assert database.version_now() == 2


def test_the_starter_dictionary_is_not_loaded_over_other_data(dictionary: Database) -> None:
    assert load_starter(dictionary, now=NOW) is None


def test_every_packaged_line_is_a_record() -> None:
    assert [str(found) for found in starter_records() if isinstance(found, Fault)] == []


def test_no_two_packaged_ideas_have_the_same_name() -> None:
    names = Counter(
        (found.record.source, found.record.key)
        for found in starter_records()
        if isinstance(found, Placed) and isinstance(found.record, IdeaRecord)
    )

    assert [name for name, times in names.items() if times > 1] == []


def test_an_import_that_changes_something_raises_the_data_version_once(dictionary: Database) -> None:
    before = dictionary.version_now()
    records = [Placed("a", 1, SourceRecord("new", "New", "CC0-1.0"))]

    assert import_records(dictionary, records, now=NOW).changed
    assert not import_records(dictionary, records, now=NOW).changed

    assert dictionary.version_now() == before + 1


def test_faults_are_told_and_the_rest_is_loaded(dictionary: Database) -> None:
    fault = Fault("a", 1, "The line is not JSON.")
    records: list[Placed | Fault] = [fault, Placed("a", 2, SourceRecord("new", "New", "CC0-1.0"))]

    loaded = import_records(dictionary, records, now=NOW)

    assert (loaded.faults, loaded.rejected, loaded.counts["source"]) == ((fault,), 1, 1)


def test_of_very_many_faults_the_first_are_kept(database: Database) -> None:
    faults = [Fault("a", line, "The line is not JSON.") for line in range(1, 2001)]

    loaded = import_records(database, faults, now=NOW)

    assert (len(loaded.faults), loaded.rejected, loaded.changed) == (1_000, 2_000, False)


def test_the_history_tells_what_was_left_out(database: Database) -> None:
    records: list[Placed | Fault] = [Fault("a", 1, "Bad."), Placed("a", 2, SourceRecord("new", "New", "CC0-1.0"))]
    import_records(database, records, now=NOW)

    with database.engine.begin() as connection:
        assert connection.execute(select(func.count()).select_from(tables.history)).scalar_one() == 1
        after = json.loads(connection.execute(select(tables.history.c.after)).scalar_one())
    assert after == {"counts": {"source": 1}, "rejected": 1, "sources": ["new"]}
