"""Public reads: the edge reads their parameters itself, calls the handler, and writes and caches what it returns."""

import gzip
from collections.abc import Iterator

import pytest
from litestar import Litestar
from litestar.di import Provide
from litestar.params import FromPath

from abhidhan.app import asgi as bootstrap
from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.platform.http.public_reads import collect_public_reads, public_read
from tests.support.application import Ask, open_application
from tests.support.databases import SqliteDatabases, load_sample, open_database

ADDRESSES = {
    "/api/analyze",
    "/api/dic.php",
    "/api/wordsalpha.php",
    "/api/words_recent.php",
    "/api/check-fj.php",
    "/api/tlipi.php",
    "/api/get-list.php",
    "/api/wordgames.php",
    "/api/wordgames_cards.php",
    "/api/languages",
    "/api/search",
    "/api/suggest",
}

RIGHT = [
    ("/api/dic.php", "w=পানী"),
    ("/api/dic.php", "w=pani&l=2&unknown=1"),
    ("/api/dic.php", "w=wrongg"),
    ("/api/dic.php", "w=পানী&fields=word,translations&langs=en,hi"),
    ("/api/dic.php", "w=পানী&fields=&langs=0"),
    ("/api/dic.php", "w=" + "ক" * 200),
    ("/api//dic.php/", "w=pani"),
    ("/api/wordsalpha.php", "start=ক&lim=03&p=5"),
    ("/api/wordsalpha.php", "start=ক&lim=3&p=9&fields=pos,definitions&langs=as"),
    ("/api/words_recent.php", "limit=99999999999999999999999"),
    ("/api/words_recent.php", "limit=2&l=as"),
    ("/api/check-fj.php", "fj=নগই গড়গাওঁৰ বতৰা কয়"),
    ("/api/tlipi.php", "pa=xobdo%0Apani"),
    ("/api/get-list.php", "type=POS"),
    ("/api/wordgames.php", ""),
    ("/api/wordgames_cards.php", "set=1"),
    ("/api/languages", ""),
    ("/api/search", "q=hati&limit=3&fields=word&langs=bn"),
    ("/api/search", "q=hati&fuzzy=0&lang=en"),
    ("/api/suggest", "q=pan"),
    ("/api/suggest", "q=nogoi+gor&details=true&phrases=true"),
]

WRONG = [
    ("/api/dic.php", "w=পানী&fields=wrong", 400, ["fields"]),
    ("/api/dic.php", "w=পানী&langs=wrong", 400, ["langs"]),
    ("/api/dic.php", "w=পানী&fields=" + "id," * 300, 400, ["fields"]),
    ("/api/dic.php", "w=", 400, ["w"]),
    ("/api/dic.php", "", 400, ["w"]),
    ("/api/dic.php", "w=" + "a" * 201, 400, ["w"]),
    ("/api/dic.php", "w=pani&l=nowhere", 400, ["l"]),
    ("/api/dic.php", "w=" + "+".join(f"a{place}" for place in range(30)), 400, ["w"]),
    ("/api/wordsalpha.php", "start=ক&lim=many&p=-1", 400, ["lim"]),
    ("/api/wordsalpha.php", "lim=0", 400, ["start", "lim"]),
    ("/api/wordsalpha.php", "start=ক&p=99999", 400, ["p"]),
    ("/api/get-list.php", "type=WHAT", 400, ["type"]),
    ("/api/wordgames_cards.php", "set=12345", 404, []),
    ("/api/search", "q=hati&langs=,", 400, ["langs"]),
    ("/api/search", "q=hati&fuzzy=maybe", 400, ["fuzzy"]),
    ("/api/suggest", "q=pan&details=maybe&langs=xx", 400, ["details"]),
]


@pytest.fixture(scope="module")
def ask(sqlite_databases: SqliteDatabases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Send requests to one application."""
    with (
        open_database(sqlite_databases, load_sample) as database,
        open_application(database, tmp_path_factory.mktemp("home")) as asked,
    ):
        yield asked


def test_answers_are_the_same_repeated_compressed_for_head_and_as_304(ask: Ask) -> None:
    for path, query in RIGHT:
        raw = query.encode()
        first, again, head = ask(path, raw), ask(path, raw), ask(path, raw, method="HEAD")
        packed = ask(path, raw, headers={"Accept-Encoding": "gzip"})
        known = ask(path, raw, headers={"If-None-Match": first.headers["etag"]})

        assert (first.status, again.status, head.status, packed.status, known.status) == (200, 200, 200, 200, 304), (
            query
        )
        assert first.headers["content-type"] == "application/json", query
        assert first.body == again.body, query
        assert (head.body, head.headers["etag"]) == (b"", first.headers["etag"]), query
        is_packed = packed.headers.get("content-encoding") == "gzip"
        assert (gzip.decompress(packed.body) if is_packed else packed.body) == first.body, query


def test_every_wrong_or_missing_parameter_is_named_in_the_error(ask: Ask) -> None:
    for path, query, status, parameters in WRONG:
        refused, head = ask(path, query.encode()), ask(path, query.encode(), method="HEAD")

        assert (refused.status, head.status, head.body) == (status, status, b""), query
        assert [each["parameter"] for each in refused.json.get("errors", [])] == parameters, query


def test_another_method_is_rejected_with_the_allowed_methods(ask: Ask) -> None:
    refused = ask("/api/dic.php", b"w=pani", method="DELETE")

    assert refused.status == 405
    assert "GET" in refused.headers["allow"]


def test_all_declared_public_reads_are_collected() -> None:
    given = {"dictionary": Provide(lambda: None, sync_to_thread=False)}
    routes = Litestar(bootstrap.API_HANDLERS, dependencies=given, openapi_config=None).routes

    assert collect_public_reads(routes, None).keys() == ADDRESSES


def test_a_handler_that_takes_more_than_the_query_cannot_be_a_public_read() -> None:
    @public_read("/api/people/{name:str}")
    async def show(dictionary: DictionaryDep, name: FromPath[str]) -> str:
        return f"{dictionary} {name}"

    given = {"dictionary": Provide(lambda: None, sync_to_thread=False)}
    routes = Litestar([show], dependencies=given, openapi_config=None).routes

    with pytest.raises(TypeError, match="plain parameters"):
        collect_public_reads(routes, None)
