"""The program as operators meet it: real processes, real ports, real files."""

import json
import signal
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final

import httpx2
import pytest
from sqlalchemy import select, update

from abhidhan import schema
from abhidhan.platform.database.database import Database, WriteConnection
from abhidhan.records.languages import ASSAMESE
from tests.support.concurrent_clients import Crowd
from tests.support.databases import Databases, load_sample
from tests.support.ports import free_port
from tests.support.server import START_TIMEOUT_SECONDS, RunningServer, run_command, running_server, starter_server

pytestmark = pytest.mark.thorough

EDITS: Final = 500
CLIENTS: Final = 4


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Run one server with two workers and the starter dictionary."""
    home = tmp_path_factory.mktemp("server")
    settings = {"ABHIDHAN_WORKERS": "2", "ABHIDHAN_LOG_FORMAT": "json", "ABHIDHAN_HOST": "0.0.0.0"}  # noqa: S104  # of this test
    with running_server(home, **settings) as server:
        yield server


def test_the_first_start_makes_a_dictionary_with_water(server: RunningServer) -> None:
    answer = server.client.get("/api/dic.php", params={"w": "পানী"}).json()

    words = [each["word"] for each in answer["querywords"][0]["entries"][0]["meanings"][0]["translations"]]
    assert "water" in words


def test_the_first_start_prints_how_to_add_an_administrator(server: RunningServer) -> None:
    assert "abhidhan people add NAME --role administrator" in server.log.read_text()


def test_the_address_that_is_set_is_listened_on(server: RunningServer) -> None:
    """The default is 127.0.0.1 alone; this server listens on all addresses."""
    answer = httpx2.get(f"http://127.0.0.2:{server.port}/health/live", timeout=START_TIMEOUT_SECONDS)

    assert answer.status_code == 200


def test_the_api_page_and_its_description_come_from_this_server(server: RunningServer) -> None:
    page = server.client.get("/api/docs").text
    description = server.client.get("/api/openapi.json").json()

    assert description["openapi"].startswith("3.1")
    assert "/api/dic.php" in page
    assert 'src="http' not in page
    assert "<script>" not in page


def test_metrics_add_up_all_workers(server: RunningServer) -> None:
    before = _count(server, "/api/get-list.php")
    for _ in range(20):
        with httpx2.Client(base_url=server.client.base_url, timeout=START_TIMEOUT_SECONDS) as fresh:
            fresh.get("/api/get-list.php", params={"type": "POS"})

    # A request is counted a moment after its answer is sent.
    give_up = time.monotonic() + START_TIMEOUT_SECONDS
    while _count(server, "/api/get-list.php") < before + 20 and time.monotonic() < give_up:
        time.sleep(0.05)
    assert _count(server, "/api/get-list.php") == before + 20


def _count(server: RunningServer, route: str) -> float:
    lines = server.client.get("/metrics").text.splitlines()
    return sum(float(line.split()[-1]) for line in lines if "requests_total{" in line and f'"{route}"' in line)


def test_each_request_is_one_line_of_the_log_with_its_id(server: RunningServer) -> None:
    request_id = server.client.get("/api/languages").headers["x-request-id"]

    entries: list[dict[str, object]] = []
    give_up = time.monotonic() + START_TIMEOUT_SECONDS
    while not entries:
        assert time.monotonic() < give_up
        time.sleep(0.05)
        lines = [json.loads(line) for line in server.log.read_text().splitlines() if line.startswith("{")]
        entries = [line for line in lines if line.get("request_id") == request_id]
    assert (entries[0]["path"], entries[0]["status"]) == ("/api/languages", 200)


def test_an_edit_by_another_process_is_in_the_next_answer_of_every_worker(server: RunningServer) -> None:
    def note() -> str:
        with httpx2.Client(base_url=server.client.base_url, timeout=START_TIMEOUT_SECONDS) as fresh:
            answer = fresh.get("/api/dic.php", params={"w": "মাছ", "l": "2"}).json()
        return str(answer["querywords"][0]["entries"][0]["meanings"][0]["reference"])

    assert {note() for _ in range(10)} == {"None"}
    with sqlite3.connect(server.home / "dictionary.sqlite3") as editor:
        editor.execute("UPDATE sense SET reference = 'হেমকোষ' WHERE word_id IN (SELECT id FROM word WHERE text = 'মাছ')")
        editor.execute("UPDATE state SET data_version = data_version + 1")
    editor.close()

    assert {note() for _ in range(10)} == {"হেমকোষ"}


@pytest.mark.parametrize("databases", ["sqlite", pytest.param("postgresql", marks=pytest.mark.nightly)], indirect=True)
def test_after_each_of_many_edits_every_worker_answers_what_was_written(databases: Databases, tmp_path: Path) -> None:
    """Ask several connections at once, which both workers have, and each of them anew after every edit."""
    url = databases.copy(load_sample)
    settings = {"ABHIDHAN_WORKERS": "2", "ABHIDHAN_DATABASE": url, "ABHIDHAN_LOG_LEVEL": "warning"}
    with running_server(tmp_path, **settings) as server, Database(url) as editor, ExitStack() as open_:
        base = server.client.base_url
        clients = [
            open_.enter_context(httpx2.Client(base_url=base, timeout=START_TIMEOUT_SECONDS)) for _ in range(CLIENTS)
        ]
        with ThreadPoolExecutor(CLIENTS) as threads:
            for edit in range(EDITS):
                editor.write_now(partial(_note, str(edit)))
                notes = set(threads.map(_shown_note, clients))
                assert notes == {str(edit)}, f"after edit {edit}"
        assert "/api/dic.php" not in server.log.read_text()
    databases.remove(url)


def _note(note: str, connection: WriteConnection) -> None:
    of_fish = select(schema.word.c.id).where(schema.word.c.text == "মাছ", schema.word.c.language_id == ASSAMESE)
    connection.execute(update(schema.sense).where(schema.sense.c.word_id.in_(of_fish)).values(reference=note))


def _shown_note(client: httpx2.Client) -> str:
    answer = client.get("/api/dic.php", params={"w": "মাছ", "l": str(ASSAMESE)}).json()
    return str(answer["querywords"][0]["entries"][0]["meanings"][0]["reference"])


def test_a_stop_under_load_completes_all_answers(tmp_path: Path) -> None:
    with starter_server(tmp_path, ABHIDHAN_WORKERS="2", ABHIDHAN_DRAIN_SECONDS="1.5") as server:
        crowd = Crowd(server.port, clients=16)
        crowd.start_all()
        server.process.send_signal(signal.SIGTERM)
        crowd.wait_until_refused()

        assert server.process.wait(START_TIMEOUT_SECONDS) == 0
    assert crowd.cut_off == []
    assert set(crowd.statuses) == {200}
    assert crowd.refused == 16


def test_a_wrong_setting_stops_the_start_and_is_named(tmp_path: Path) -> None:
    for name, value in (("ABHIDHAN_PORT", "many"), ("ABHIDHAN_DATABASE", "mysql://host/words"), ("ABHIDHAN_PROT", "1")):
        ended = run_command(tmp_path, "serve", **{name: value})

        assert ended.returncode == 2, name
        assert name in ended.stderr
        assert "Traceback" not in ended.stderr


def test_a_damaged_database_stops_the_start_and_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "dictionary.sqlite3"
    for content in (b"this is not a database", b"SQLite format 3\0" + b"\xff" * 5000):
        file.write_bytes(content)

        ended = run_command(tmp_path, "serve", "--port", str(free_port()))

        assert ended.returncode == 2
        assert "Traceback" not in ended.stderr
        assert file.read_bytes() == content
