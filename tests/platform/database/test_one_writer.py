"""One transaction writes at a time, on whichever node: nothing is lost, and who has waited too long is refused."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import Connection, event, func, insert, select, update

from abhidhan.contributions.service.submission_transactions import store_submission
from abhidhan.dictionary.store.indexes import derived_columns
from abhidhan.exchange.service.importing import import_records
from abhidhan.exchange.store.loading import bulk_load
from abhidhan.people.store import mails
from abhidhan.platform.database import leases, write_guard
from abhidhan.platform.database.database import Database, WriteConnection
from abhidhan.platform.database.shared_limits import SharedLimits
from abhidhan.records.errors import QuotaError, UnavailableError
from abhidhan.records.people import Role
from abhidhan.records.submission_payloads import ReportData
from abhidhan.records.submissions import Quotas
from abhidhan.schema import person, state, submission, word
from abhidhan.submissions.store import NewSubmission
from tests.support.contributions import opened_site
from tests.support.databases import PostgresqlDatabases, leave_empty, open_database
from tests.support.sample import NOW, sample_records
from tests.support.writers import hold_write_lock

CLIENTS = 20
TIMES = 5


def other_node(database: Database) -> Database:
    return Database(database.url.render_as_string(hide_password=False))


@pytest.mark.pooled
def test_twenty_clients_of_two_nodes_lose_no_update(database: Database) -> None:
    def count_up(connection: WriteConnection) -> None:
        number = connection.execute(select(state.c.data_version)).scalar_one()
        connection.execute(update(state).values(data_version=number + 1))

    def work(node: Database) -> None:
        for _ in range(TIMES):
            node.write_now(count_up, public=False)

    with other_node(database) as other, ThreadPoolExecutor(CLIENTS) as clients:
        list(clients.map(work, [database, other] * (CLIENTS // 2)))

    assert database.version_now() == 1 + CLIENTS * TIMES


def test_twenty_clients_of_two_nodes_send_no_more_than_the_quota(database: Database) -> None:
    values = {"id": 1, "username": "a", "username_key": "a", "role": "reader", "created": NOW}
    database.write_now(lambda connection: connection.execute(insert(person).values(values)))

    def send(node: Database, number: int, person_id: int | None) -> None:
        new = NewSubmission(
            "report", msgspec.json.encode(ReportData(text="x", word_id=1)).decode(), person_id, f"{number}"
        )
        with suppress(QuotaError):
            node.write_now(partial(store_submission, new=new, now=NOW, quotas=Quotas(submissions=3, reports=3)))

    for person_id, total in ((None, 3), (1, 6)):
        with other_node(database) as other, ThreadPoolExecutor(CLIENTS) as clients:
            list(clients.map(send, [database, other] * (CLIENTS // 2), range(CLIENTS), [person_id] * CLIENTS))

        with database.engine.connect() as connection:
            assert connection.execute(select(func.count()).select_from(submission)).scalar_one() == total


def test_a_writer_that_waits_too_long_is_rejected_with_503_and_a_time_to_retry(
    dictionary: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_guard, "BUSY_TIMEOUT_SECONDS", 0.05)
    if dictionary.is_sqlite:
        event.listen(dictionary.engine, "connect", lambda driver, _: driver.execute("PRAGMA busy_timeout = 50"))
    with opened_site(dictionary, tmp_path) as site:
        site.add("editor", Role.EDITOR)
        changed = {"version": 0, "changes": {"origin": "unknown"}}
        dictionary.engine.dispose()
        with hold_write_lock(dictionary):
            refused = site.ask("PATCH", "/api/editing/words/1", by="editor", json=changed)
            with pytest.raises(UnavailableError, match="busy"), dictionary.long_write() as connection:
                connection.begin()

        assert refused.status == 503
        assert int(refused.headers["retry-after"]) > 0
        monkeypatch.undo()
        assert site.ask("PATCH", "/api/editing/words/1", by="editor", json=changed).status == 200


@pytest.mark.thorough
def test_leases_shared_limits_and_mails_do_not_wait_for_writers(postgresql_databases: PostgresqlDatabases) -> None:
    with open_database(postgresql_databases, leave_empty) as database, hold_write_lock(database):
        taken = leases.acquire(database, "work", seconds=60)
        assert taken
        assert leases.renew(database, taken)
        learnt: list[int] = []
        limits = SharedLimits(database, lambda client, _: learnt.append(client), max_deficit=60.0)
        limits.record(7, 1.0)
        asyncio.run(limits.exchange())
        assert learnt == [7]
        assert asyncio.run(database.write_concurrently(partial(mails.claim_due_mail, now=NOW, until=NOW))) is None


@pytest.mark.thorough
def test_editors_can_write_after_every_few_records_of_an_import(
    postgresql_databases: PostgresqlDatabases, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A transaction of the import holds few words, however long the file is, and an editor has a turn after each."""
    monkeypatch.setattr(bulk_load, "TRANSACTION_WORDS", 10)
    sizes: list[int] = []

    def measure(connection: Connection) -> None:
        sizes.append(connection.execute(select(func.count()).select_from(word)).scalar_one() - sum(sizes))

    with open_database(postgresql_databases, leave_empty) as database, other_node(database) as editors:
        edits: list[WriteConnection] = []

        def edit(_: object) -> None:
            editors.write_now(edits.append)

        event.listen(database.engine, "commit", measure)
        import_records(database, sample_records(), now=NOW, on_progress=edit)
        event.remove(database.engine, "commit", measure)
        whole = database.read_now(derived_columns.count_all_words)

    assert sum(sizes) == whole > 50
    assert max(sizes) < 10 + 10  # the last idea of a transaction comes whole
    assert len(edits) > 5
