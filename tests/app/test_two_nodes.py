"""Two servers of one dictionary, each with a home of its own: whichever is asked, the answer is the same."""

import asyncio
import gzip
import hashlib
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from abhidhan.app.asgi import create_application
from abhidhan.app.wiring import build_write_services
from abhidhan.platform.database import leases
from abhidhan.platform.database.database import Database
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.publishing.service import batch_publishing, downloads, packs
from abhidhan.publishing.service.downloads import generate_downloads, read_downloads
from abhidhan.publishing.service.packs import generate_packs
from abhidhan.publishing.service.takedowns import parse_takedown
from abhidhan.records.errors import ConflictError
from abhidhan.records.people import Role
from abhidhan.records.settings import Settings
from tests.support.application import NO_WIKI
from tests.support.asgi import AsgiResponse
from tests.support.contributions import Site, photo_bytes
from tests.support.databases import PostgresqlDatabases, load_sample, open_database
from tests.support.lifespan import run_lifespan
from tests.support.object_store import ACCESS_VARIABLES, running_s3
from tests.support.sample import NOW

pytestmark = pytest.mark.thorough

STORES = {
    "photos": "s3://dictionary/photos",
    "recordings": "s3://dictionary/recordings",
    "downloads": "s3://dictionary/made",
}
MADE = {"formats": ("csv", "jsonl", "anki", "tei", "stardict"), "languages": ("as", "en")}

ADDRESSES = (
    "/api/dic.php?w=পানী pani went elepjant",
    "/api/search?q=wat*",
    "/api/search?q=xobdo",
    "/api/suggest?q=pa",
    "/api/wordsalpha.php?l=2&s=প",
    "/api/words_recent.php",
    "/api/words?limit=5",
    "/api/words/1",
    "/api/words/1/forms",
    "/api/words/1/history",
    "/api/ideas?context=Water",
    "/api/ideas/1",
    "/api/changes",
    "/api/packs/as-en/changes?since=x",
    "/api/today",
    "/api/check-fj.php?fj=nogoi gorgaor",
    "/api/phrases",
    "/api/phrases/1",
    "/api/tlipi.php?pa=xobdo",
    "/api/wordgames.php",
    "/api/wordgames_cards.php?s=1",
    "/api/get-list.php?l=CTX",
    "/api/languages",
    "/api/openapi.json",
    "/api/docs",
    "/api/session",
    "/",
    "/dic/পানী",
    "/dic/pani",
    "/dic/নাইকিয়াশব্দ",
    "/word/1",
    "/sense/1",
    "/proverb/1",
    "/cite/1",
    "/cite/1/a.bib",
    "/today.png",
    "/today.xml",
    "/languages",
    "/context",
    "/context/Water",
    "/pictures",
    "/browse?language=en&start=w",
    "/proverbs?q=nogoi gorgaor",
    "/transliterate?pa=xobdo",
    "/flashcards",
    "/flashcards?set=1",
    "/flashcards/1.apkg",
    "/my-lists",
    "/list?words=1,2,2000000000&name=Rivers",
    "/recent",
    "/about",
    "/downloads",
    "/downloads/downloads.json",
    "/downloads/SHA256SUMS",
    "/downloads/feed.atom",
    "/downloads/nothing.csv",
    "/take-along",
    "/packs/packs.json",
    "/packs/as-en/manifest.json",
    "/embed",
    "/embed.js",
    "/account/sign-in",
    "/history/word/1",
    "/offline",
    "/sitemap.xml",
    "/sitemap.xml?part=1",
    "/sitemap.xml?part=2",
    "/opensearch/suggest?q=pa",
    "/favicon.ico",
    "/robots.txt",
    "/opensearch.xml",
    "/llms.txt",
    "/manifest.webmanifest?interface=as",
    "/sw.js",
    "/photos/1.jpg",
    "/recordings/1.mp3",
    "/nothing",
)
"""One address of each kind that answers without a session, some of them with an error."""

OF_ONE_ANSWER = ("x-request-id", "date")


class Nodes(NamedTuple):
    """Two servers."""

    first: Site
    second: Site

    def by_turns(self, number: int) -> tuple[Site, Site]:
        """Return both, the one whose turn it is first, as a proxy chooses."""
        return (self.second, self.first) if number % 2 else (self.first, self.second)

    @property
    def store(self) -> ArtifactStore:
        """What downloads are kept in."""
        return ArtifactStore(f"{STORES['downloads']}/downloads")


@pytest.fixture(scope="module")
def nodes(postgresql_databases: PostgresqlDatabases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    """Run two servers over one PostgreSQL database and one object store; an editor has signed in at the first."""
    with running_s3() as address, pytest.MonkeyPatch.context() as patch, asyncio.Runner() as runner:
        for name, value in {"AWS_ENDPOINT_URL": address, **ACCESS_VARIABLES}.items():
            patch.setenv(name, value)
        with open_database(postgresql_databases, load_sample) as database:
            make(database)
            with Database(database.url.render_as_string(hide_password=False)) as other:
                homes = (tmp_path_factory.mktemp("first"), tmp_path_factory.mktemp("second"))
                with node(database, homes[0], runner) as first, node(other, homes[1], runner) as second:
                    first.add("editor", Role.EDITOR)
                    second.cookies.update(first.cookies)
                    yield Nodes(first, second)


@contextmanager
def node(database: Database, home: Path, runner: asyncio.Runner) -> Iterator[Site]:
    settings = Settings(home=home, **NO_WIKI, **STORES)  # type: ignore[arg-type]  # each field has a type of its own
    settings.run_folder.mkdir()
    application = create_application(settings, database)
    site = Site(application, database, build_write_services(settings, database), runner, home)
    with run_lifespan(application, runner):
        yield site
        runner.run(site.write_side.close())


def make(database: Database, now: int = NOW, **also: object) -> None:
    made: dict[str, Any] = MADE | also
    generate_downloads(database, ArtifactStore(f"{STORES['downloads']}/downloads"), now=now, **made)
    generate_packs(database, ArtifactStore(f"{STORES['downloads']}/packs"), now=now, pairs=("as-en", "en-as"))


def parts_of(answer: AsgiResponse) -> tuple[int, Mapping[str, str], bytes]:
    body = gzip.decompress(answer.body) if answer.headers.get("content-encoding") == "gzip" else answer.body
    # An error names the request.
    request = answer.headers["x-request-id"].encode()
    headers = {name: value for name, value in answer.headers.items() if name not in OF_ONE_ANSWER}
    return answer.status, headers, body.replace(request, b"")


def test_both_servers_answer_every_kind_of_address_alike(nodes: Nodes) -> None:
    differing = []
    for number, address in enumerate(ADDRESSES):
        for headers in ({}, {"Accept-Encoding": "gzip", "Cookie": "interface=as"}):
            one, other = (parts_of(node.ask("GET", address, headers=headers)) for node in nodes.by_turns(number))
            if one != other:
                differing.append(address)
            assert one[0] < 500, address

    assert differing == []


def test_downloads_through_both_by_turns_all_have_their_checksums(nodes: Nodes) -> None:
    sums = nodes.first.ask("GET", "/downloads/SHA256SUMS").body.decode().splitlines()

    assert len(sums) == 11
    for number, line in enumerate(sums):
        digest, name = line.split("  ")
        one, other = nodes.by_turns(number)
        head = other.ask("HEAD", f"/downloads/{name}")
        size, tag = int(head.headers["content-length"]), head.headers["etag"]
        begun = one.ask("GET", f"/downloads/{name}", headers={"Range": f"bytes=0-{size // 2}"})
        rest = other.ask(
            "GET", f"/downloads/{name}", headers={"Range": f"bytes={size // 2 + 1}-", "If-Range": begun.headers["etag"]}
        )
        assert (begun.status, rest.status, begun.headers["etag"]) == (206, 206, tag)
        for whole in (begun.body + rest.body, one.ask("GET", f"/downloads/{name}").body):
            assert (len(whole), hashlib.sha256(whole).hexdigest()) == (size, digest)
        assert other.ask("GET", f"/downloads/{name}", headers={"If-None-Match": tag}).status == 304


def test_the_files_of_a_pack_are_downloaded_from_both_servers_by_turns(nodes: Nodes) -> None:
    manifest = nodes.first.ask("GET", "/packs/as-en/manifest.json").json

    for number, chunk in enumerate((manifest["rules"], *manifest["chunks"])):
        one, _ = nodes.by_turns(number)
        body = one.ask("GET", f"/packs/as-en/{chunk['sha256']}.json").body
        assert hashlib.sha256(body).hexdigest() == chunk["sha256"]


def test_sessions_and_photos_of_one_server_are_known_to_the_other(nodes: Nodes) -> None:
    first, second = nodes
    assert second.ask("GET", "/api/session", by="editor").json["username"] == "editor"

    sent = second.send_photo("editor", photo_bytes())
    photo = f"/photos/{sent.json['submission_id']}"
    address = first.ask("GET", f"/api{photo}", by="editor").json
    second.ask("POST", f"/api{photo}/approve", by="editor")
    shown = first.ask("GET", "/api/ideas/1").json

    assert (sent.status, address["status"]) == (201, "pending_review")
    assert shown == second.ask("GET", "/api/ideas/1").json
    url = shown["photos"][0]["url"]
    assert first.ask("GET", url).body == second.ask("GET", url).body != b""
    second.ask("DELETE", "/api/session", by="editor")
    assert first.ask("GET", "/api/session", by="editor").status == 401
    nodes.second.sign_in("editor")
    nodes.first.cookies.update(nodes.second.cookies)


def test_a_word_deleted_at_one_server_is_gone_from_the_other_and_from_its_downloads(nodes: Nodes) -> None:
    first, second = nodes
    pronounced = "UPDATE word SET ipa = 'forbidden' WHERE id = 3"
    second.database.write_now(lambda connection: connection.exec_driver_sql(pronounced))
    make(second.database, NOW + 5)
    assert b"forbidden" in first.ask("GET", "/downloads/abhidhan.csv").body
    nodes.store.write("editions/2026-09-20/abhidhan.csv", b"forbidden")

    version = first.ask("GET", "/api/editing/words/3", by="editor").json["version"]
    deleted = first.ask("DELETE", f"/api/editing/words/3?version={version}", by="editor")
    make(second.database, NOW + 6, takedown=parse_takedown("forbidden", "Removed at somebody's request."))

    assert deleted.status < 300, deleted.body
    assert nodes.store.list_files("editions") == []
    for node in nodes:
        assert b"forbidden" not in node.ask("GET", "/downloads/abhidhan.csv").body
        assert "Removed at somebody's request." in node.ask("GET", "/downloads").body.decode().replace("&#39;", "'")
        assert node.ask("GET", "/downloads/2026-09-20/abhidhan.csv").status == 410
        assert node.ask("GET", "/api/words/3").status == 404


def test_files_of_a_server_that_died_while_making_them_are_made_by_the_other(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, store = nodes.second.database, nodes.store
    before = read_downloads(store)
    database.write_now(lambda _: None)
    monkeypatch.setattr(batch_publishing, "LEASE_SECONDS", 2.0)
    for name in (downloads.LEASE_NAME, packs.LEASE_NAME):
        assert leases.acquire(nodes.first.database, name, seconds=2.0) is not None
    store.write("made-1-half/abhidhan.csv", b"half a table")

    make(database, NOW + 100)
    assert read_downloads(store) == before
    assert database.read_now(lambda reader: leases.is_held(reader, downloads.LEASE_NAME))
    while database.read_now(lambda reader: leases.is_held(reader, downloads.LEASE_NAME)):
        time.sleep(0.1)
    make(database, NOW + 200)

    made = read_downloads(store)
    assert made is not None
    assert made.made == NOW + 200
    assert [name for name in store.list_folders() if name.startswith(batch_publishing.BATCH_PREFIX)] == [
        store_folder(store)
    ]
    for node in nodes:
        assert node.ask("GET", "/downloads/downloads.json").json["made"] == NOW + 200


def store_folder(store: ArtifactStore) -> str:
    offered = batch_publishing.read_published(store, "")
    assert offered is not None
    return offered.folder


def test_a_server_that_has_lost_the_lease_publishes_nothing(nodes: Nodes) -> None:
    database, store = nodes.first.database, nodes.store
    before = store_folder(store)
    slow = leases.acquire(database, "slow", seconds=0.001)
    assert slow is not None
    held = leases.RenewedLease(database, slow._replace(duration_ms=10_000_000))
    time.sleep(0.01)
    assert leases.acquire(nodes.second.database, "slow", seconds=60) is not None

    files = batch_publishing.Batch(store, NOW)
    with pytest.raises(ConflictError, match="another one has taken over"):
        files.publish(database, held, {})
    held.stop()
    files.write("a", b"")
    store.remove([f"{files.folder}/a"])
    with batch_publishing.generation_lock(database, store, "quick") as quick:
        assert quick is not None
        with pytest.raises(ConflictError, match="disappeared"):
            files.publish(database, quick, {})

    assert store_folder(store) == before


def test_a_server_writes_only_shared_state_of_its_workers_to_its_folder(nodes: Nodes) -> None:
    for node in nodes:
        written = {path.relative_to(node.home).parts[0] for path in node.home.rglob("*") if path.is_file()}
        assert written <= {"run"}
