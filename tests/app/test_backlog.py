from contextlib import closing

from prometheus_client.samples import Sample
from sqlalchemy import insert

from abhidhan.app.store.backlog import read_backlog
from abhidhan.platform.database.database import Database, WriteConnection
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.submissions import Status
from abhidhan.schema import mail_choice, person, photo, submission, wiki
from tests.support.databases import Databases, SqliteDatabases, leave_empty, open_database
from tests.support.plans import ExplainedConnection

NOW = 1_000_000
WAITS = str(Status.PENDING)
CHOICE = {"often": "daily", "language": "en", "secret": "s", "agreed": 0, "not_before": 0}
SENT = [("word", WAITS, 30), ("word", WAITS, 20), ("word", "approved", 10), ("report", WAITS, 40)]


def waits(connection: WriteConnection) -> None:
    """Let something wait, and something else be done."""
    connection.execute(insert(person), [{"id": number, **a_person(number)} for number in (1, 2, 3)])
    for number, (kind, status, submitted) in enumerate(SENT, 1):
        row = {"id": number, "kind": kind, "status": status, "submitted": submitted, "payload": "{}"}
        connection.execute(insert(submission).values(row))
    a_photo = dict.fromkeys(("credit", "sha256", "likeness"), "x") | {"width": 1, "height": 1, "frames": 1, "size": 1}
    for key, status, word in (("a", WAITS, None), ("b", "rejected", None), ("c", WAITS, 1)):
        row = {"key": key, "status": status, "submission_id": word, "submitted": 50, "extension": "jpg"}
        connection.execute(insert(photo).values(a_photo | row))
    for number, due, tries in ((1, NOW - 500, 2), (2, NOW, 0), (3, NOW + 1, 0)):
        row = {"person_id": number, "topic": "decisions", "due": due, "tries": tries}
        connection.execute(insert(mail_choice).values(CHOICE | row))
    for address, failures in (("https://a.example", 3), ("https://b.example", 0), ("", 0)):
        connection.execute(insert(wiki).values(address=address, closed_until=(NOW + 5) * 1000, failures=failures))


def a_person(number: int) -> dict[str, object]:
    return {"username": f"p{number}", "username_key": f"p{number}", "role": "reader", "created": 0}


def test_pending_contributions_and_mails_are_counted_with_their_age(databases: Databases) -> None:
    with open_database(databases, leave_empty, may_be_stale=True) as database:
        database.write_now(waits, public=False)
        samples = database.read_now(lambda r: read_backlog(r, NOW))
    values = {(name, *labels.values()): value for name, labels, value, *_ in samples}

    kinds = {key[1]: int(number) for key, number in values.items() if key[0] == "abhidhan_review_waiting"}
    assert {kind for kind, number in kinds.items() if number} == {"word", "report", "photo"}
    assert (kinds["word"], kinds["report"], kinds["photo"], kinds["recording"], kinds["card"]) == (2, 1, 1, 0, 0)
    oldest = {key[1]: number for key, number in values.items() if "review_oldest" in key[0]}
    assert oldest == {"word": 20, "report": 40, "photo": 50}
    assert values["abhidhan_mails_waiting", "new"] == 1
    assert values["abhidhan_mails_waiting", "failed"] == 1
    assert values["abhidhan_mails_oldest_timestamp_seconds",] == NOW - 500
    assert values["abhidhan_wiki_closed", "https://a.example"] == 1
    assert values["abhidhan_wiki_closed", "https://b.example"] == 0
    assert ("abhidhan_wiki_closed", "") not in values


def test_every_kind_without_pending_contributions_counts_0(database: Database) -> None:
    values = database.read_now(lambda reader: read_backlog(reader, NOW))

    assert {sample.value for sample in values} == {0}
    assert Sample("abhidhan_review_waiting", {"kind": "photo"}, 0) in values
    assert not [sample for sample in values if "oldest" in sample.name]


def test_pending_contributions_are_counted_by_indexes(sqlite_databases: SqliteDatabases) -> None:
    with open_database(sqlite_databases, leave_empty) as database:
        with closing(ExplainedConnection(str(database.url.database))) as connection:
            read_backlog(ReadConnection(connection, "sqlite", database.get_catalogue), NOW)

        # Of wikis there are a few.
        assert {plan for plan in connection.plans if plan.startswith("SCAN")} <= {"SCAN wiki"}
        assert sum(plan.startswith("SEARCH") for plan in connection.plans) == 4
