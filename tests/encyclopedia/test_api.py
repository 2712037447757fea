import asyncio
from collections.abc import Iterator
from typing import Final

import pytest
from litestar import Litestar, get
from litestar.di import Provide
from litestar.types import ASGIApp

from abhidhan.encyclopedia.api import show_extract
from abhidhan.encyclopedia.service.articles import Encyclopedia
from abhidhan.platform.database.database import Database
from abhidhan.platform.http.errors import build_exception_handlers
from abhidhan.platform.http.middleware import Edge
from abhidhan.records.encyclopedia_articles import ArticleOutcome, ArticleReply
from assamese.normalization import nfc
from tests.support.asgi import AsgiResponse, ask, ask_async
from tests.support.databases import SqliteDatabases, leave_empty, open_database
from tests.support.encyclopedia import NO_DELAYS, RULES, UNREACHABLE, Clock, FakeSource, make_reply

KEYS = ["success", "title", "extract", "url", "source", "language_id", "licence", "retrieved", "disambiguation"]
ASSAM = "অসম"


@get("/api/other")
async def other() -> dict[str, bool]:
    """Stand for every other address."""
    return {"success": True}


@pytest.fixture
def database(sqlite_databases: SqliteDatabases) -> Iterator[Database]:
    """Open an empty database."""
    with open_database(sqlite_databases, leave_empty) as database:
        yield database


def application(database: Database, *sources: FakeSource) -> ASGIApp:
    """Put the address and the outermost layer together, with the same sources in every language."""
    encyclopedia = Encyclopedia(database, dict.fromkeys((1, 2, 22), sources), RULES, NO_DELAYS, clock=Clock())
    inner = Litestar(
        [show_extract, other],
        dependencies={"encyclopedia": Provide(lambda: encyclopedia, sync_to_thread=False)},
        exception_handlers=build_exception_handlers(),
        openapi_config=None,
        logging_config=None,
    )
    return Edge(inner, get_version=database.version)


def show(database: Database, source: FakeSource, query: str, **rest: object) -> AsgiResponse:
    return ask(application(database, source), "/api/dic-wiki.php", query, **rest)


def test_an_article_is_answered_with_its_source(database: Database) -> None:
    source = FakeSource({ASSAM: make_reply(ASSAM, "অসম এখন ৰাজ্য।")})

    answer = show(database, source, f"w={ASSAM}&lgid=2")

    assert answer.status == 200
    assert answer.json == {
        "success": True,
        "title": ASSAM,
        "extract": "অসম এখন ৰাজ্য।",
        "url": f"https://example.org/{ASSAM}",
        "source": "Fake",
        "language_id": 2,
        "licence": "CC0",
        "retrieved": "2026-09-21T14:13:20Z",
        "disambiguation": False,
    }


def test_a_missing_or_empty_article_has_the_same_keys_and_is_no_error(database: Database) -> None:
    bare = ArticleReply(outcome=ArticleOutcome.NO_EXTRACT, title="Xyz", source="Fake", url="https://example.org/X")
    for title, source in (("abc", FakeSource()), ("xyz", FakeSource({"Xyz": bare}))):
        answer = show(database, source, f"w={title}")

        assert answer.status == 200
        assert list(answer.json) == KEYS
        assert (answer.json["success"], answer.json["extract"], answer.json["source"]) == (False, "", "Fake")


LANGUAGES: Final[tuple[tuple[str, int], ...]] = (
    ("", 1),
    ("&lgid=1", 1),
    ("&lgid=2", 2),
    ("&lgid=22", 22),
    ("&lgid=as", 1),
    ("&lgid=7", 1),
    ("&lgid=", 1),
    ("&lgid=-2", 1),
)


def test_unknown_languages_use_the_english_encyclopedia(database: Database) -> None:
    for lgid, language_id in LANGUAGES:
        answer = show(database, FakeSource({"A": make_reply("A")}), f"w=a{lgid}")
        assert answer.json["language_id"] == language_id, lgid


def test_an_invalid_title_is_rejected_with_400(database: Database) -> None:
    for query in ("", "w=", "w=%20", "w=%ff", "w=a%00b", "w=" + "a" * 201):
        answer = show(database, FakeSource(), query)

        assert answer.status == 400, query
        assert answer.json["errors"][0]["parameter"] == "w"


def test_an_unreachable_source_is_503_with_a_retry_time(database: Database) -> None:
    answer = show(database, FakeSource(failure=UNREACHABLE), "w=a")

    assert (answer.status, answer.headers["retry-after"]) == (503, "5")
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.json["success"] is False


def test_answers_have_the_cache_headers_of_public_answers(database: Database) -> None:
    source = FakeSource({"A": make_reply("A", nfc("অ" * 900))})
    app = application(database, source)

    first = ask(app, "/api/dic-wiki.php", "w=a")
    head = ask(app, "/api/dic-wiki.php", "w=a", method="HEAD")
    packed = ask(app, "/api/dic-wiki.php", "w=a", headers={"Accept-Encoding": "gzip"})
    unchanged = ask(app, "/api/dic-wiki.php", "w=a", headers={"If-None-Match": first.headers["etag"]})

    assert first.headers["cache-control"].startswith("public, max-age=300")
    assert first.headers["access-control-allow-origin"] == "*"
    assert (head.status, head.body, head.headers["etag"]) == (200, b"", first.headers["etag"])
    assert packed.headers["etag"] != first.headers["etag"]
    assert (unchanged.status, unchanged.body) == (304, b"")


def test_a_renewed_article_is_in_the_next_answer(database: Database) -> None:
    clock = Clock()
    source = FakeSource({"A": make_reply("A", "Old.")})
    encyclopedia = Encyclopedia(database, {1: [source]}, RULES, NO_DELAYS, clock=clock)
    app = Edge(
        Litestar(
            [show_extract],
            dependencies={"encyclopedia": Provide(lambda: encyclopedia, sync_to_thread=False)},
            openapi_config=None,
            logging_config=None,
        ),
        get_version=database.version,
    )

    async def ask_three_times() -> list[str]:
        shown = []
        for _ in range(3):
            shown.append((await ask_async(app, "/api/dic-wiki.php", "w=a")).json["extract"])
            source.articles["A"] = make_reply("A", "New.")
            clock.seconds += RULES.lifetimes.found
            await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}), return_exceptions=True)
        return shown

    assert asyncio.run(ask_three_times()) == ["Old.", "Old.", "New."]


def test_a_server_without_an_encyclopedia_answers_503(database: Database) -> None:
    inner = Litestar(
        [show_extract],
        dependencies={"encyclopedia": Provide(lambda: None, sync_to_thread=False)},
        exception_handlers=build_exception_handlers(),
        openapi_config=None,
        logging_config=None,
    )

    answer = ask(Edge(inner, get_version=database.version), "/api/dic-wiki.php", "w=a")

    assert (answer.status, answer.headers["retry-after"]) == (503, "86400")


def test_other_addresses_answer_while_a_source_hangs(database: Database) -> None:
    app = application(database, FakeSource(seconds=30, address="https://wiki.example/api.php"))

    async def ask_others() -> list[int]:
        waiting = [asyncio.create_task(ask_async(app, "/api/dic-wiki.php", f"w=a{number}")) for number in range(100)]
        await asyncio.sleep(0.1)
        statuses = [(await ask_async(app, "/api/other", f"n={number}")).status for number in range(20)]
        assert not any(task.done() for task in waiting)
        for task in waiting:
            task.cancel()
        return statuses

    assert asyncio.run(ask_others()) == [200] * 20
