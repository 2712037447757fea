import hashlib
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml  # type: ignore[import-untyped]  # it has no types

from abhidhan.media.made_store import MadeStore
from abhidhan.services.exchange.downloads import make_downloads
from abhidhan.services.exchange.edition_lists import read_editions
from abhidhan.services.exchange.edition_requests import Wanted, remove_from_editions
from tests.support.application import Ask, application
from tests.support.databases import SqliteDatabases, opened, with_sample
from tests.support.page import Page
from tests.support.sample import NOW

ATOM = "{http://www.w3.org/2005/Atom}"
BECAUSE = "Removed at the request of <the rights holder>."


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("editions")


@pytest.fixture(scope="module")
def site(sqlite_databases: SqliteDatabases, home: Path) -> Iterator[Ask]:
    """Ask an application that keeps an edition, of which a file was removed."""
    folder = home / "downloads"
    with opened(sqlite_databases, with_sample) as database:
        make_downloads(database, MadeStore(folder), now=NOW, formats=("csv", "jsonl.gz"), kept=12)
        wanted = Wanted((read_editions(MadeStore(folder))[0].name,), files=("abhidhan.jsonl.gz",), reason=BECAUSE)
        remove_from_editions(database, MadeStore(folder), wanted, NOW + 60)
        with application(database, home) as ask:
            yield ask


@pytest.fixture(scope="module")
def address(home: Path) -> str:
    return f"/downloads/{read_editions(MadeStore(home / 'downloads'))[0].name}"


def test_the_page_of_downloads_leads_to_the_editions_and_tells_of_what_was_removed(site: Ask, address: str) -> None:
    page = Page(site("/downloads").body.decode())

    assert page.links_to(address)
    assert page.links_to("/downloads/feed.atom")
    assert "1 file was removed" in page.main


def test_an_edition_says_what_is_in_it_what_was_removed_and_how_it_is_cited(site: Ask, address: str) -> None:
    answer = site(address)
    page = Page(answer.body.decode())

    assert page.links_to(f"{address}/abhidhan.csv")
    assert not page.links_to(f"{address}/abhidhan.jsonl.gz")
    assert BECAUSE in page.main
    assert "@misc{abhidhan-" in page.main
    for name in ("SHA256SUMS", "LICENCES.txt", "CITATION.cff", "citation.bib"):
        assert page.links_to(f"{address}/{name}")
        assert site(f"{address}/{name}").status == 200


def test_a_file_of_an_edition_is_sent_whole_or_from_where_it_was_cut_off(site: Ask, address: str) -> None:
    whole = site(f"{address}/abhidhan.csv")
    rest = site(f"{address}/abhidhan.csv", headers={"range": "bytes=100-", "if-range": whole.headers["etag"]})

    sums = site(f"{address}/SHA256SUMS")
    assert hashlib.sha256(whole.body).hexdigest() in sums.body.decode()
    assert sums.headers["content-type"] == "text/plain; charset=utf-8"
    assert (rest.status, whole.body[:100] + rest.body) == (206, whole.body)
    assert whole.headers["cache-control"] == "public, no-cache"
    assert whole.headers["access-control-allow-origin"] == "*"


def test_what_was_removed_is_gone_with_its_checksum(site: Ask, address: str) -> None:
    assert site(f"{address}/abhidhan.jsonl.gz").status == 410
    assert "jsonl.gz" not in site(f"{address}/SHA256SUMS").body.decode()
    listed = site(f"{address}/downloads.json").json
    assert [(one["file"], one["reason"]) for one in listed["removed"]] == [("abhidhan.jsonl.gz", BECAUSE)]


def test_the_citation_names_the_address_of_the_edition(site: Ask, address: str) -> None:
    answer = site(f"{address}/CITATION.cff")
    cited = yaml.safe_load(answer.body)

    assert cited["url"].endswith(address)
    assert cited["version"] == address.rpartition("/")[2]
    assert answer.headers["content-type"] == "application/yaml; charset=utf-8"
    assert cited["url"] in site(f"{address}/citation.bib").body.decode()


def test_the_feed_lists_the_editions_and_when_each_last_changed(site: Ask, address: str) -> None:
    answer = site("/downloads/feed.atom")
    feed = ET.fromstring(answer.body)  # noqa: S314  # it is our own
    (entry,) = feed.findall(f"{ATOM}entry")

    assert answer.headers["content-type"].startswith("application/atom+xml")
    assert entry.findtext(f"{ATOM}id", "").endswith(address)
    assert entry.findtext(f"{ATOM}published") != entry.findtext(f"{ATOM}updated")
    assert entry.findtext(f"{ATOM}updated") == feed.findtext(f"{ATOM}updated")
    assert BECAUSE in entry.findtext(f"{ATOM}summary", "")
    links = {link.get("href", "").rpartition("/")[2]: link.get("length") for link in entry.findall(f"{ATOM}link")}
    assert links["abhidhan.csv"] == str(len(site(f"{address}/abhidhan.csv").body))


@pytest.mark.parametrize(
    "path",
    ["2020-01-01", "2020-01-01/abhidhan.csv", "current/abhidhan.csv", "editions/x", "%2e%2e/current", "2026-11-23x"],
)
def test_another_edition_is_not_found(site: Ask, path: str) -> None:
    assert site(f"/downloads/{path}").status == 404


@pytest.mark.parametrize("name", ["voices.json", "..", "%2e%2e%2fcurrent", ".link-x", "abhidhan.pdf"])
def test_another_file_of_an_edition_is_not_found(site: Ask, address: str, name: str) -> None:
    assert site(f"{address}/{name}").status == 404
