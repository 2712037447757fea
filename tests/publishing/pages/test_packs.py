import gzip
import json
from collections.abc import Iterator
from typing import Final

import pytest

from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.publishing.service.downloads import generate_downloads
from abhidhan.publishing.service.packs import generate_packs
from tests.support.application import Ask, open_application
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.page import Page
from tests.support.sample import NOW

GZIP = {"Accept-Encoding": "gzip"}


@pytest.fixture(scope="module")
def site(sqlite_databases: SqliteDatabases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Ask an application that has packs, and files for other programs."""
    home = tmp_path_factory.mktemp("packs")
    with open_database(sqlite_databases, load_sample) as database:
        generate_packs(database, ArtifactStore(home / "packs"), now=NOW, pairs=("as-en", "en-as"))
        downloads = ArtifactStore(home / "downloads")
        generate_downloads(database, downloads, now=NOW, formats=("csv", "stardict"), languages=("as",))
        with open_application(database, home) as ask:
            yield ask


def test_the_page_lists_packs_with_their_sizes_and_files_for_who_has_no_script(site: Ask) -> None:
    page = Page(site("/take-along").body.decode())

    assert [each.attributes["data-pack"] for each in page.all("li") if "data-pack" in each.attributes] == [
        "as-en",
        "en-as",
    ]
    assert "Assamese → English" in page.main
    assert "kB" in page.main
    links = [link.attributes["href"] for link in page.all("a") if "download" in link.attributes]
    assert links == ["/downloads/abhidhan-as-stardict.zip"]


def test_pack_files_are_compressed_and_immutable(site: Ask) -> None:
    manifest = site("/packs/as-en/manifest.json", headers=GZIP)
    assert manifest.headers["content-encoding"] == "gzip"
    assert manifest.headers["cache-control"] == "public, no-cache"
    assert manifest.headers["access-control-allow-origin"] == "*"
    named = json.loads(gzip.decompress(manifest.body))["chunks"][0]["sha256"]

    coded = site(f"/packs/as-en/{named}.json", headers=GZIP)
    plain = site(f"/packs/as-en/{named}.json")

    assert "immutable" in coded.headers["cache-control"]
    assert coded.headers["vary"] == "Accept-Encoding"
    assert gzip.decompress(coded.body) == plain.body
    assert "content-encoding" not in plain.headers
    assert coded.headers["etag"] != plain.headers["etag"]
    unchanged = site(f"/packs/as-en/{named}.json", headers=GZIP | {"If-None-Match": coded.headers["etag"]})
    assert (unchanged.status, unchanged.body) == (304, b"")


def test_the_list_of_packs_is_for_programs(site: Ask) -> None:
    answer = site("/packs/packs.json")

    assert [each["pair"] for each in answer.json["packs"]] == ["as-en", "en-as"]
    assert answer.headers["cache-control"] == "public, no-cache"


OTHER_NAMES: Final[tuple[str, ...]] = (
    "/packs/as-en/nothing.json",
    "/packs/as-hi/manifest.json",
    "/packs/..%2F/packs.json",
)


def test_other_names_of_pack_files_are_not_found(site: Ask) -> None:
    for path in OTHER_NAMES:
        assert site(path).status == 404, path


def test_before_packs_are_made_the_page_says_so(api: Ask) -> None:
    assert (
        "No offline dictionaries have been prepared yet. Please come back later."
        in Page(api("/take-along").body.decode()).main
    )
    assert api("/packs/packs.json").status == 404


def test_changes_of_a_pack_are_not_cached(site: Ask) -> None:
    token = json.loads(site("/packs/as-en/manifest.json").body)["changes"]

    answer = site("/api/packs/as-en/changes", f"since={token}")

    assert answer.headers["cache-control"] == "no-store"
    assert answer.json["words"]["id"] == []
    assert answer.json["next"] == token
    assert site("/api/packs/as-en/changes", "since=x").status == 400
    assert site("/api/packs/as-zz/changes", f"since={token}").status == 404
