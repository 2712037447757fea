"""A word as JSON-LD where `Accept` requests that, besides the ordinary answer."""

from collections.abc import Iterator
from urllib.parse import unquote

import pytest

from abhidhan.exchange.model import ExportSelection
from abhidhan.exchange.service.exporting import build_export_source
from abhidhan.formats.ontolex.rdf import SITE_PATHS
from abhidhan.formats.ontolex.writer import iter_nodes
from abhidhan.records.people import Role
from tests.contract.test_rules import check_problem
from tests.support.application import Ask, open_application
from tests.support.asgi import AsgiResponse
from tests.support.contributions import Site
from tests.support.databases import Databases, SqliteDatabases, load_sample, open_database

LINKED = {"accept": "application/ld+json"}


@pytest.fixture(scope="module")
def every_api(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Ask the application over the sample, on each engine."""
    with (
        open_database(databases, load_sample) as database,
        open_application(database, tmp_path_factory.mktemp("home")) as ask,
    ):
        yield ask


@pytest.fixture(scope="module")
def named_site(sqlite_databases: SqliteDatabases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    home = tmp_path_factory.mktemp("home")
    with (
        open_database(sqlite_databases, load_sample) as database,
        open_application(database, home, base_url="https://dictionary.example") as ask,
    ):
        yield ask


def load_linked_data(api: Ask, path: str = "/api/words/1", query: str = "", **headers: str) -> AsgiResponse:
    return api(path, query, headers=LINKED | headers)


def test_a_word_is_answered_as_linked_data_on_request(api: Ask) -> None:
    answer = load_linked_data(api)

    assert answer.headers["content-type"] == "application/ld+json"
    assert answer.json["@graph"][0]["@id"] == "/api/words/1#noun"
    assert answer.json["@graph"][0]["rights"]
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["cache-control"].startswith("public, max-age=300")


def test_neither_form_is_cached_for_the_other(api: Ask) -> None:
    for _ in range(2):
        plain, linked_data = api("/api/words/1"), load_linked_data(api)
        assert (plain.json["id"], "@graph" in linked_data.json) == (1, True)
        assert plain.headers["content-type"] == "application/json"
        assert plain.headers["etag"] != linked_data.headers["etag"]


def test_both_forms_and_their_304_vary_by_the_accept_header(api: Ask) -> None:
    for accept, other in (("application/json", "application/ld+json"), ("application/ld+json", "application/json")):
        answer = api("/api/words/1", headers={"accept": accept})
        assert answer.headers["vary"] == "Accept, Accept-Encoding"

        tag = {"if-none-match": answer.headers["etag"]}
        unchanged = api("/api/words/1", headers={"accept": accept, **tag})
        assert (unchanged.status, unchanged.body, unchanged.headers["vary"]) == (304, b"", "Accept, Accept-Encoding")
        assert api("/api/words/1", headers={"accept": other, **tag}).status == 200


def test_other_addresses_ignore_the_accept_header(api: Ask) -> None:
    for path in ("/api/words", "/api/languages", "/api/ideas/1"):
        answer = load_linked_data(api, path)
        assert (answer.headers["vary"], answer.headers["content-type"]) == ("Accept-Encoding", "application/json")


def test_the_host_that_a_client_names_is_in_no_answer_that_is_kept(api: Ask, named_site: Ask) -> None:
    load_linked_data(api, "/api/words/2", host="evil.example")

    assert b"evil.example" not in load_linked_data(api, "/api/words/2").body
    entry = load_linked_data(named_site, host="evil.example").json["@graph"][0]
    assert entry["@id"] == "https://dictionary.example/api/words/1#noun"


def test_the_addresses_in_the_exported_linked_data_exist(named_site: Ask, sqlite_databases: SqliteDatabases) -> None:
    with open_database(sqlite_databases, load_sample) as database, database.snapshot() as reader:
        nodes = list(
            iter_nodes(build_export_source(reader, ExportSelection())._replace(base_url="https://dictionary.example"))
        )
    names = {prefix: [name for name, _ in nodes if name.startswith(f"{prefix}:")] for prefix in SITE_PATHS}

    for prefix, place in SITE_PATHS.items():
        paths = dict.fromkeys(f"/{place}{name.partition(':')[2]}".partition("#")[0] for name in names[prefix])
        for path in list(paths)[:5]:
            assert named_site(unquote(path)).status == 200, path
    (first,) = [name for name, node in nodes if name.startswith("word:1#") and "ontolex:sense" in node]
    graph = load_linked_data(named_site, "/api/words/1").json["@graph"]
    assert f"https://dictionary.example/api/words/{first.partition(':')[2]}" == graph[0]["@id"]
    assert b'id="source-sample"' in named_site("/about").body


def test_translations_are_in_the_requested_languages(api: Ask) -> None:
    graph = load_linked_data(api, query="langs=en").json["@graph"]

    assert {node["language"] for node in graph[1:] if "language" in node} == {"en"}
    assert load_linked_data(api, query="langs=en&fields=word").json["@graph"] == graph


def test_an_error_is_a_problem_document_also_for_linked_data(api: Ask) -> None:
    check_problem(load_linked_data(api, query="langs=klingon"), 400, "langs")
    missing = load_linked_data(api, "/api/words/999999")
    assert (missing.status, missing.headers["content-type"]) == (404, "application/problem+json")


def test_head_and_compression_work_for_linked_data(api: Ask) -> None:
    whole = load_linked_data(api, **{"accept-encoding": "gzip"})
    assert whole.headers["content-encoding"] == "gzip"
    assert whole.json == load_linked_data(api).json
    head = api("/api/words/1", method="HEAD", headers=LINKED)
    assert (head.body, head.headers["content-type"]) == (b"", "application/ld+json")


def test_a_word_is_described_on_every_engine(every_api: Ask) -> None:
    graph = load_linked_data(every_api, "/api/words/1").json["@graph"]

    assert len(graph) > 2
    assert graph[0]["canonicalForm"]["writtenRep"][0]["@value"] == every_api("/api/words/1").json["word"]


def test_an_edit_is_visible_in_the_next_answer(site: Site) -> None:
    site.add("anil", Role.EDITOR)
    before = site.ask("GET", "/api/words/1", headers=LINKED)
    version = site.ask("GET", "/api/editing/words/1", by="anil").json["version"]
    changes = {"version": version, "changes": {"word": "জলধাৰা", "roman": None}}
    assert site.ask("PATCH", "/api/editing/words/1", by="anil", json=changes).status == 200

    after = site.ask("GET", "/api/words/1", headers=LINKED | {"If-None-Match": before.headers["etag"]})
    assert after.json["@graph"][0]["canonicalForm"]["writtenRep"][0]["@value"] == "জলধাৰা"
