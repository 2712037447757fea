import hashlib
import io
import re
import sqlite3
import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml  # type: ignore[import-untyped]  # it has no types

from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.publishing.service.downloads import generate_downloads
from abhidhan.publishing.service.takedowns import parse_takedown
from tests.support.application import Ask, open_application
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.page import Page
from tests.support.sample import NOW

ATOM = "{http://www.w3.org/2005/Atom}"
TEXT = "a clear liquid"
BECAUSE = "Removed at the request of <the rights holder>."


@pytest.fixture(scope="module")
def site(sqlite_databases: SqliteDatabases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Ask an application that has files to download, from which a text was removed."""
    home = tmp_path_factory.mktemp("downloads")
    make = partial(
        generate_downloads, store=ArtifactStore(home / "downloads"), formats=("csv", "anki", "jsonl"), languages=("as",)
    )
    with open_database(sqlite_databases, load_sample) as database:
        for text, now in ((TEXT, NOW - 60), ("a liquid", NOW)):
            change = "UPDATE word SET ipa = ? WHERE id = 1"
            database.write_now(lambda connection: connection.exec_driver_sql(change, (text,)))  # noqa: B023
            make(database, now=now, takedown=parse_takedown(TEXT, BECAUSE) if now == NOW else None)
        with open_application(database, home) as ask:
            yield ask


def test_the_page_lists_the_available_files(site: Ask) -> None:
    page = Page(site("/downloads").body.decode())

    links = [link.attributes["href"] for link in page.all("a") if "download" in link.attributes]
    of_assamese = ["abhidhan-as.csv", "abhidhan-as.jsonl.gz"]
    assert links == [
        f"/downloads/{name}" for name in (*of_assamese, "abhidhan.csv", "abhidhan.apkg", "abhidhan.jsonl.gz")
    ]
    lines = [line.split("  ") for line in site("/downloads/SHA256SUMS").body.decode().splitlines()]
    sums = {name: digest for digest, name in lines}
    for link in links:
        body = site(link).body
        assert hashlib.sha256(body).hexdigest() == sums[link.rpartition("/")[2]]
        assert hashlib.sha256(body).hexdigest() in page.main
    assert "Assamese" in page.main
    assert "Apache-2.0" in page.main


def test_the_page_shows_date_licences_citation_and_removed_texts(site: Ask) -> None:
    page = Page(site("/downloads").body.decode())

    for name in ("SHA256SUMS", "LICENCES.txt", "CITATION.cff", "feed.atom"):
        assert page.links_to(f"/downloads/{name}")
    assert re.search(r"Created on \d+ \w+ 2026", page.main)
    assert BECAUSE in page.main
    assert "It was in 5 files" in page.main


def test_the_citation_names_the_page_and_the_sources(site: Ask) -> None:
    answer = site("/downloads/CITATION.cff")
    cited = yaml.safe_load(answer.body)
    day = str(cited["date-released"])

    assert cited["url"].endswith("/downloads")
    assert cited["version"].startswith(f"{day}.")
    assert answer.headers["content-type"] == "application/yaml; charset=utf-8"
    licences = site("/downloads/LICENCES.txt").body.decode()
    assert all(source["title"] in licences for source in cited["references"])


def test_the_feed_lists_files_and_removed_texts(site: Ask) -> None:
    answer = site("/downloads/feed.atom")
    feed = ET.fromstring(answer.body)  # noqa: S314  # it is our own
    made, removed = feed.findall(f"{ATOM}entry")

    assert answer.headers["content-type"].startswith("application/atom+xml")
    assert feed.findtext(f"{ATOM}updated") == made.findtext(f"{ATOM}updated")
    links = {link.get("href", "").rpartition("/")[2]: link.get("length") for link in made.findall(f"{ATOM}link")}
    assert links["abhidhan.csv"] == str(len(site("/downloads/abhidhan.csv").body))
    assert BECAUSE in removed.findtext(f"{ATOM}summary", "")
    assert "abhidhan.csv" in removed.findtext(f"{ATOM}summary", "")
    assert site("/downloads/downloads.json").json["notices"][0]["reason"] == BECAUSE


def test_dated_editions_are_gone_with_a_link_to_the_current_files(site: Ask) -> None:
    for path in ("2026-09-21", "2026-09-21/abhidhan.csv", "2026-09-21-2/x/y"):
        answer = site(f"/downloads/{path}")

        assert answer.status == 410, path
        assert Page(answer.body.decode()).links_to("/downloads")


def test_a_file_has_the_right_headers_and_head_gives_its_size(site: Ask) -> None:
    answer, head = site("/downloads/abhidhan.csv"), site("/downloads/abhidhan.csv", method="HEAD")

    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"] == 'attachment; filename="abhidhan.csv"'
    assert answer.headers["content-length"] == str(len(answer.body))
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["accept-ranges"] == "bytes"
    assert (head.body, head.headers["content-length"]) == (b"", answer.headers["content-length"])


def test_an_interrupted_download_continues_unless_the_file_has_changed(site: Ask) -> None:
    whole = site("/downloads/abhidhan.csv")
    rest = site("/downloads/abhidhan.csv", headers={"range": "bytes=100-", "if-range": whole.headers["etag"]})
    changed = site("/downloads/abhidhan.csv", headers={"range": "bytes=100-", "if-range": '"older"'})
    beyond = site("/downloads/abhidhan.csv", headers={"range": "bytes=99999999-"})

    assert rest.status == 206
    assert rest.headers["content-range"] == f"bytes 100-{len(whole.body) - 1}/{len(whole.body)}"
    assert whole.body[:100] + rest.body == whole.body
    assert (changed.status, "content-range" in changed.headers) == (200, False)
    assert (beyond.status, beyond.headers["content-range"].startswith("bytes */")) == (416, True)


def test_an_unchanged_file_is_answered_with_304(site: Ask) -> None:
    whole = site("/downloads/abhidhan.csv")
    for headers in (
        {"if-none-match": whole.headers["etag"]},
        {"if-modified-since": whole.headers["last-modified"]},
        {"if-none-match": whole.headers["etag"], "range": "bytes=0-9"},
    ):
        answer = site("/downloads/abhidhan.csv", headers=headers)
        assert (answer.status, answer.body) == (304, b"")
        assert answer.headers["etag"] == whole.headers["etag"]


def test_other_names_of_files_and_card_sets_are_not_found(site: Ask) -> None:
    for name in ("abhidhan.pdf", "..", ".lock", "current", "%2e%2e", "2026-09-21x", "current/abhidhan.csv"):
        assert site(f"/downloads/{name}").status == 404, name
    for name in ("99.apkg", "x.apkg", "1.zip", "1", "৩.apkg", "-1.apkg", "1" * 30 + ".apkg"):
        assert site(f"/flashcards/{name}").status == 404, name


def test_a_set_of_flashcards_is_a_deck_for_anki(site: Ask, tmp_path: Path) -> None:
    page = Page(site("/flashcards", {"set": 1}).body.decode())
    assert page.links_to("/flashcards/1.apkg")

    answer = site("/flashcards/1.apkg")
    (tmp_path / "collection").write_bytes(zipfile.ZipFile(io.BytesIO(answer.body)).read("collection.anki2"))
    notes = sqlite3.connect(tmp_path / "collection")

    assert answer.headers["content-disposition"] == 'attachment; filename="abhidhan-cards-1.apkg"'
    assert notes.execute("SELECT count(*) FROM notes").fetchone()[0] > 1
    assert site("/flashcards/1.apkg").body == answer.body
    assert site("/flashcards/1.apkg", headers={"if-none-match": answer.headers["etag"]}).status == 304
