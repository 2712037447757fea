"""An edit and everything that follows it are one write: a process killed in between leaves all of it or nothing."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import Row, Table, insert, select

from abhidhan import schema
from abhidhan.editing.store import history
from abhidhan.exchange.service.maintenance import check
from abhidhan.people.model.mails import MailTopic
from abhidhan.people.store.mail_addresses import confirm
from abhidhan.platform.database.database import Database
from tests.support.edits import change_record
from tests.support.killed_edit import ACKNOWLEDGED, RECORDING, SPELLING, WORD
from tests.support.sample import NOW

SENDER = 7
EMAIL = "sender@mail.example"


def send_recording(database: Database) -> None:
    """Let a recording of the word wait for review, whose sender wants to hear of the decision by mail."""
    person = {"id": SENDER, "username": "sender", "username_key": "sender", "email": EMAIL}
    choice = {"topic": str(MailTopic.DECISIONS), "often": "daily", "language": "en", "secret": "s", "agreed": NOW}
    said = {"id": RECORDING.number, "word_id": WORD.number, "spoken": "মাজ", "language_id": 2, "status": "pending"}
    file = {"key": "k", "extension": "mp3", "milliseconds": 900, "clipped": 0, "size": 9, "sha256": "", "likeness": ""}
    with database.engine.begin() as connection:
        connection.execute(insert(schema.person).values(person | {"role": "contributor", "created": NOW}))
        connection.execute(
            insert(schema.mail_choice).values(choice | {"person_id": SENDER, "not_before": 0, "tries": 0})
        )
        confirm(connection, SENDER, EMAIL, "s", NOW)
        connection.execute(insert(schema.recording).values(said | file | {"person_id": SENDER, "submitted": NOW}))


def rows(database: Database, table: Table) -> list[Row[tuple[object, ...]]]:
    """Read a whole table."""
    with database.engine.begin() as connection:
        return list(connection.execute(select(table).order_by(*table.primary_key.columns)))


def everything(database: Database) -> dict[str, list[Row[tuple[object, ...]]]]:
    """Read the whole database."""
    return {table.name: rows(database, table) for table in schema.metadata.sorted_tables}


@pytest.mark.spoils
@pytest.mark.thorough
def test_a_process_killed_between_two_subscribers_leaves_the_whole_edit_or_nothing(dictionary: Database) -> None:
    send_recording(dictionary)
    before = everything(dictionary)

    with subprocess.Popen(  # noqa: S603  # our own program
        [sys.executable, "-m", "tests.support.killed_edit", dictionary.url.render_as_string(hide_password=False)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[3],
        text=True,
        bufsize=1,
    ) as editor:
        assert editor.stdin
        assert editor.stdout
        for moment in range(ACKNOWLEDGED + 1):
            editor.stdin.write(f"{moment}\n")
            assert editor.stdout.readline() == f"{-signal.SIGKILL}\n"
            if moment < ACKNOWLEDGED:
                assert everything(dictionary) == before, moment
        editor.stdin.close()

    after = everything(dictionary)
    assert [row.record for row in after["history"][len(before["history"]) :]] == ["word"]
    assert [row.text for row in after["word"] if row.id == WORD.number] == [SPELLING]
    noted = after["record_change"][len(before["record_change"]) :]
    assert {"word", "idea"} == {row.kind for row in noted}
    assert all(row.version is not None for row in noted)
    assert [(row.kind, row.record_id) for row in after["mail_outbox"]] == [("recording", RECORDING.number)]
    assert [row.audio is None for row in after["word"] if row.id == WORD.number] == [False]
    assert len(after["idea_cache"]) == len(before["idea_cache"])
    # Completions, keys, cached answers and recordings of words are what a check derives from the records.
    assert [finding for finding in check(dictionary) if finding.code.startswith("E")] == []


@pytest.mark.spoils
def test_an_edit_without_subscribers_is_refused(dictionary: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "_subscribers", ())

    with pytest.raises(RuntimeError, match="subscribe"):
        change_record(dictionary, "word", WORD.number, ipa="x")
