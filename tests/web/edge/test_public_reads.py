"""What the edge answers itself is what the framework answers, byte for byte and header for header."""

from collections.abc import Iterator
from typing import Any

import pytest
from litestar import Litestar
from litestar.di import Provide

from abhidhan.bootstrap import application as bootstrap
from abhidhan.web.edge.public_reads import public_reads
from tests.support.application import Ask, application
from tests.support.asgi import Answered
from tests.support.databases import SqliteDatabases, opened, with_sample

ADDRESSES = {
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

QUESTIONS: list[tuple[str, str]] = [
    ("/api/dic.php", "w=পানী"),
    ("/api/dic.php", "w=pani&l=as"),
    ("/api/dic.php", "w=pani&l=2&unknown=1"),
    ("/api/dic.php", "w=wrongg"),
    ("/api/dic.php", "w=পানী&fields=word,translations&langs=en,hi"),
    ("/api/dic.php", "w=পানী&fields=&langs=0"),
    ("/api/dic.php", "w=xobdo&fields=id"),
    ("/api/dic.php", "w=পানী&fields=wrong"),
    ("/api/dic.php", "w=পানী&langs=wrong&l=wrong"),
    ("/api/dic.php", "w=পানী&fields=" + "id," * 300),
    ("/api/dic.php", "w="),
    ("/api/dic.php", ""),
    ("/api/dic.php", "w=" + "a" * 201),
    ("/api/dic.php", "w=" + "ক" * 200),
    ("/api/dic.php", "w=pani&l=nowhere"),
    ("/api/dic.php", "w=" + "+".join(f"a{place}" for place in range(30))),
    ("/api//dic.php/", "w=pani"),
    ("/api/wordsalpha.php", "start=ক&lim=3"),
    ("/api/wordsalpha.php", "start=ক&lim=03&p=5"),
    ("/api/wordsalpha.php", "start=ক&lim=0"),
    ("/api/wordsalpha.php", "start=ক&lim=many&p=-1"),
    ("/api/wordsalpha.php", "start=ক&p=99999"),
    ("/api/wordsalpha.php", "start=ক&lim=3&p=9&fields=pos,definitions&langs=as"),
    ("/api/wordsalpha.php", "start=ক&lim=0&fields=wrong"),
    ("/api/words_recent.php", "limit=99999999999999999999999"),
    ("/api/words_recent.php", "limit=2&l=as"),
    ("/api/check-fj.php", "fj=নগই গড়গাওঁৰ বতৰা কয়"),
    ("/api/tlipi.php", "pa=xobdo%0Apani"),
    ("/api/get-list.php", "type=POS"),
    ("/api/get-list.php", "type=WHAT"),
    ("/api/wordgames.php", ""),
    ("/api/wordgames_cards.php", "set=1"),
    ("/api/wordgames_cards.php", "set=12345"),
    ("/api/languages", ""),
    ("/api/search", "q=hati&limit=3"),
    ("/api/search", "q=hati&limit=3&fields=word&langs=bn"),
    ("/api/search", "q=hati&langs=,"),
    ("/api/search", "q=hati&fuzzy=maybe"),
    ("/api/search", "q=hati&fuzzy=0&lang=en"),
    ("/api/suggest", "q=pan"),
    ("/api/suggest", "q=pan&details=true&langs=as,en"),
    ("/api/suggest", "q=nogoi+gor&details=true&phrases=true"),
    ("/api/suggest", "q=pan&details=maybe&langs=xx"),
]


@pytest.fixture(scope="module")
def asked_both_ways(
    sqlite_databases: SqliteDatabases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Ask, Ask]]:
    """Ask one application whose edge answers public reads itself, and one that leaves all to the framework."""
    with (
        opened(sqlite_databases, with_sample) as database,
        opened(sqlite_databases, with_sample) as same,
        application(database, tmp_path_factory.mktemp("edge")) as by_edge,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(bootstrap, "public_reads", lambda *_: {})
        with application(same, tmp_path_factory.mktemp("framework")) as by_framework:
            yield by_edge, by_framework


def comparable(answer: Answered) -> tuple[int, dict[str, str], bytes]:
    headers = {name: text for name, text in answer.headers.items() if name != "x-request-id"}
    return answer.status, headers, answer.body


@pytest.mark.parametrize(
    "rest",
    [{}, {"method": "HEAD"}, {"headers": {"Accept-Encoding": "gzip"}}, {"headers": {"If-None-Match": "*"}}],
    ids=["whole", "head", "gzip", "conditional"],
)
@pytest.mark.parametrize(("path", "query"), QUESTIONS)
def test_an_answer_of_the_edge_is_that_of_the_framework(
    asked_both_ways: tuple[Ask, Ask], path: str, query: str, rest: dict[str, Any]
) -> None:
    by_edge, by_framework = asked_both_ways

    assert comparable(by_edge(path, query.encode(), **rest)) == comparable(by_framework(path, query.encode(), **rest))


def test_every_address_that_takes_plain_parameters_only_is_answered_by_the_edge() -> None:
    given = {"dictionary": Provide(lambda: None, sync_to_thread=False)}
    routes = Litestar(bootstrap.API_HANDLERS, dependencies=given, openapi_config=None).routes

    assert public_reads(routes, None).keys() == ADDRESSES
