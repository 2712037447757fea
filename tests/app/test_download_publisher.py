"""Files to download, made by a real server beside its requests."""

import asyncio
import json
import sqlite3
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Final

import pytest
from structlog.testing import capture_logs

from abhidhan.app import download_publisher
from abhidhan.app.download_publisher import DownloadPublisher, PackSettings
from abhidhan.platform.database.database import Database
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.publishing.service.download_files import Downloads
from abhidhan.publishing.service.downloads import read_downloads
from abhidhan.publishing.service.packs import Packs
from abhidhan.publishing.service.takedowns import delete_editions
from tests.support.databases import create_from_sample
from tests.support.server import RunningServer, running_server

PATIENCE = 600
"""Seconds that a process of the lowest priority gets to make the files of a small dictionary."""
EVERY_SECOND = "0.0003"
NOON: Final = time.mktime((2026, 12, 1, 12, 0, 0, 0, 0, -1))
NIGHT: Final = time.mktime((2026, 12, 2, 3, 0, 0, 0, 0, -1))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Bring a small dictionary: the files of the starter take a minute each time."""
    create_from_sample(tmp_path)
    return tmp_path


@pytest.mark.thorough
def test_files_and_packs_are_made_for_the_formats_and_languages_of_the_settings(home: Path) -> None:
    settings = {"ABHIDHAN_DOWNLOADS_HOURS": EVERY_SECOND}
    with running_server(home, ABHIDHAN_DOWNLOADS_LANGUAGES="none", **settings) as server:
        assert wait_for(server, 0).by_language() == {}
    others = {
        "ABHIDHAN_DOWNLOADS_FORMATS": "tei, csv",
        "ABHIDHAN_DOWNLOADS_LANGUAGES": "as",
        "ABHIDHAN_PACKS": "as-hi",
    }
    with running_server(home, **others, **settings) as server:
        give_up = time.monotonic() + PATIENCE
        for address in ("/downloads/abhidhan-as.csv", "/packs/as-hi/manifest.json"):
            while server.client.get(address).status_code != 200:
                assert time.monotonic() < give_up
                time.sleep(0.1)
        assert [each.file for each in wait_for(server, 0).files] == [
            "abhidhan.csv", "abhidhan.tei.xml", "abhidhan-as.csv"
        ]  # fmt: skip


def wait_for(server: RunningServer, version: int) -> Downloads:
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up:
        made = read_downloads(ArtifactStore(server.home / "downloads"))
        if made is not None and made.data_version > version:
            return made
        time.sleep(0.1)
    pytest.fail(f"no files were made:\n{server.log.read_text()}")


@pytest.mark.thorough
def test_the_server_makes_the_files_and_makes_them_anew_when_the_dictionary_changes(home: Path) -> None:
    with running_server(home, ABHIDHAN_DOWNLOADS_HOURS=EVERY_SECOND, ABHIDHAN_WORKERS="2") as server:
        first = wait_for(server, 0)
        answer = server.client.get("/downloads/abhidhan.csv")
        assert len(answer.content) == int(answer.headers["content-length"])

        with sqlite3.connect(home / "dictionary.sqlite3") as editor:
            editor.execute("UPDATE definition SET text = text || '!' WHERE id = 1")
            editor.execute("UPDATE state SET data_version = data_version + 1")
        again = wait_for(server, first.data_version)

        tag = server.client.get("/downloads/abhidhan.csv").headers["etag"]
        assert tag != answer.headers["etag"]
        assert again.files[0].sha256 != first.files[0].sha256


@pytest.mark.thorough
def test_a_failure_to_make_files_is_one_line_of_the_log_and_does_not_stop_the_server(home: Path) -> None:
    (home / "downloads").write_text("a file stands where the folder should")
    with running_server(home, ABHIDHAN_DOWNLOADS_HOURS=EVERY_SECOND) as server:
        give_up = time.monotonic() + PATIENCE
        while "a periodic task failed" not in server.log.read_text() and time.monotonic() < give_up:
            time.sleep(0.1)
        lines = [line for line in server.log.read_text().splitlines() if "a periodic task failed" in line]
        assert server.client.get("/health/ready").status_code == 200

    assert len(lines) == 1
    assert "downloads" in lines[0]
    assert "Traceback" not in server.log.read_text()


def test_the_log_names_the_old_editions_that_were_deleted_and_those_that_are_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = ArtifactStore(tmp_path)
    for name in ("2026-09-20", "2026-09-21"):
        store.write(f"editions/{name}/abhidhan.csv", b"")

    async def delete_one(*_: object) -> str:
        delete_editions(store, ["2026-09-21"])
        return ""

    monkeypatch.setattr(download_publisher, "run_low_priority_command", delete_one)
    with Database("sqlite:////nowhere/dictionary.sqlite3") as database, capture_logs() as logged:
        wanted = PackSettings(store, ())
        made = DownloadPublisher(
            database, store, tmp_path, interval_hours=1, formats=(), languages=(), packs=wanted, environment={}
        )
        asyncio.run(made._build())  # noqa: SLF001  # what the task does when files are due

    (line,) = logged
    assert (line["deleted_editions"], line["old_editions"]) == (["2026-09-21"], ["2026-09-20"])


def test_files_of_other_settings_are_replaced_at_night(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = ArtifactStore(tmp_path)
    built = {"data_version": 7, "made": int(NOON), "files": [], "formats": ["tei"], "languages": []}
    store.write("current.json", json.dumps({"folder": "made-1", "listed": built}).encode())
    monkeypatch.setattr(download_publisher, "read_packs", lambda _: Packs(1, 7, int(NOON), (), ()))
    monkeypatch.setattr(download_publisher, "is_up_to_date", lambda *_: True)

    def is_due(formats: tuple[str, ...], now: float) -> bool:
        clock = iter((NOON, now))
        monkeypatch.setattr(
            download_publisher, "time", SimpleNamespace(time=lambda: next(clock), localtime=time.localtime)
        )
        publisher = DownloadPublisher(
            database, store, tmp_path, interval_hours=24, formats=formats, languages=(), packs=packs, environment={}
        )
        return publisher._is_anything_due(7)  # noqa: SLF001  # what the task asks each minute

    with Database("sqlite:////nowhere/dictionary.sqlite3") as database:
        packs = PackSettings(store, ())
        assert not is_due(("csv",), NOON + 2 * 3600)
        assert is_due(("csv",), NIGHT)
        assert not is_due(("tei",), NIGHT)
