import asyncio
import logging
import multiprocessing
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import pytest
from msgspec import structs
from structlog.testing import capture_logs

from abhidhan.dictionary.service.lookup import look_up
from abhidhan.encyclopedia import store
from abhidhan.encyclopedia.model.wiki_rate_limit import RequestPolicy, WikiState
from abhidhan.encyclopedia.service import article_sources, articles
from abhidhan.encyclopedia.service.article_sources import check_zim_file
from abhidhan.encyclopedia.service.articles import MAX_RUNNING_FETCHES, Encyclopedia, open_encyclopedia
from abhidhan.encyclopedia.service.mediawiki import MediaWiki
from abhidhan.platform.database.database import Database, WriteConnection
from abhidhan.records.encyclopedia_articles import (
    Article,
    ArticleOutcome,
    ArticleReply,
    ArticleSourceSettings,
    CacheLifetimes,
    EncyclopediaSettings,
)
from abhidhan.records.errors import DiskFullError, RetryAfter, SettingError, UnavailableError
from tests.support.databases import SqliteDatabases, leave_empty, load_sample
from tests.support.encyclopedia import (
    NO_DELAYS,
    RULES,
    UNREACHABLE,
    Clock,
    Connection,
    FakeSource,
    StubbornWiki,
    encode_http_response,
    make_api_response,
    make_encyclopedia,
    make_reply,
    never_reply,
    reply_with,
    running_wiki,
)
from tests.support.metrics import count_changes

T = TypeVar("T")

WIKI = "https://wiki.example/api.php"
NO_EXTRACT = ArticleReply(
    outcome=ArticleOutcome.NO_EXTRACT, title="Bare", source="Fake", url="https://example.org/Bare"
)
CHOICES = EncyclopediaSettings(
    sources=(),
    contact="",
    lifetimes=CacheLifetimes(100, 10),
    connect_seconds=2,
    total_seconds=5,
    max_extract_length=1_200,
)


def run(encyclopedia: Encyclopedia, asking: Callable[[], Awaitable[T]]) -> T:
    """Use an encyclopedia in an event loop of its own, and close it."""

    async def use() -> T:
        async with encyclopedia.running():
            return await asking()

    return asyncio.run(use())


def show(encyclopedia: Encyclopedia, *titles: str) -> list[Article]:
    """Show articles one after the other, and finish what goes on in the background."""

    async def ask() -> list[Article]:
        shown = []
        for title in titles:
            shown.append(await encyclopedia.get_article(1, title))
            await settled()
        return shown

    return run(encyclopedia, ask)


async def settled() -> None:
    """Let everything that goes on in the background come to its end."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    await asyncio.gather(*others, return_exceptions=True)


def test_an_article_is_fetched_once_and_then_kept(database: Database) -> None:
    source = FakeSource({"Assam": make_reply("Assam")})

    first, second = show(make_encyclopedia(database, source), "assam", "Assam")

    assert first == second
    assert (first.title, first.extract, first.source, first.licence) == ("Assam", "Text.", "Fake", "CC0")
    assert source.requests == [("Assam",)]
    assert source.is_closed


def test_articles_are_not_cached_in_a_read_only_database(database: Database) -> None:
    source = FakeSource({"Assam": make_reply("Assam")}, address=WIKI)
    database.write_state.is_read_only = True

    first, second = show(make_encyclopedia(database, source), "Assam", "Assam")

    assert (first.extract, second.extract) == ("Text.", "Text.")
    assert source.requests == [("Assam",), ("Assam",)]


def test_requests_to_wikis_are_counted_by_their_outcome(database: Database) -> None:
    source = FakeSource({"A": make_reply("A")}, address=WIKI)
    encyclopedia = make_encyclopedia(database, source)

    async def ask() -> None:
        await encyclopedia.get_article(1, "A")
        await encyclopedia.get_article(1, "A")
        await encyclopedia.get_article(1, "B")
        source.failure = UNREACHABLE
        with pytest.raises(UnavailableError):
            await encyclopedia.get_article(1, "C")

    with count_changes("wiki_requests_total", "outcome", wiki=WIKI) as counted:
        run(encyclopedia, ask)

    assert counted == {"found": 1, "no-article": 1, "unreachable": 1}


def test_that_there_is_nothing_is_kept_too(database: Database, subtests: pytest.Subtests) -> None:
    for title, reply in (("Xyz", None), ("Bare", NO_EXTRACT)):
        with subtests.test(title):
            source = FakeSource({title: reply} if reply else {})
            encyclopedia = make_encyclopedia(database, source)

            first, second = show(encyclopedia, title, title)

            assert (first.outcome, first.extract) == (reply.outcome if reply else ArticleOutcome.NO_ARTICLE, "")
            assert first == second
            assert source.requests.count((title,)) == 1


def test_other_spellings_are_a_second_try(dictionary: Database) -> None:
    source = FakeSource({"ল’ৰা": make_reply("ল’ৰা")})

    async def ask() -> Article:
        return await encyclopedia.get_article(2, "লরা")

    encyclopedia = make_encyclopedia(dictionary, source, language_id=2)

    assert run(encyclopedia, ask).title == "ল’ৰা"
    assert source.requests[0] == ("লরা",)
    # The dictionary's own spelling comes first.
    assert source.requests[1][0] == "ল’ৰা"


def test_sources_are_asked_in_their_order(database: Database) -> None:
    first, second = (
        FakeSource({"A": make_reply("A", "First.")}),
        FakeSource({"A": make_reply("A", "Second."), "B": make_reply("B")}),
    )

    shown = show(make_encyclopedia(database, first, second), "A", "B")

    assert [article.extract for article in shown] == ["First.", "Text."]
    assert second.requests == [("B",)]


def test_the_next_source_helps_when_one_is_out_of_reach(database: Database) -> None:
    clock = Clock()
    first, second = FakeSource(failure=UNREACHABLE, address=WIKI), FakeSource({"A": make_reply("A")})

    (article,) = show(make_encyclopedia(database, first, second, clock=clock), "A")

    assert article.renew_after == clock.seconds + RULES.lifetimes.missing


def test_a_stale_article_is_shown_at_once_and_renewed(database: Database) -> None:
    clock = Clock()
    source = FakeSource({"A": make_reply("A", "Old.")})
    encyclopedia = make_encyclopedia(database, source, clock=clock)

    async def ask() -> list[str]:
        shown = [(await encyclopedia.get_article(1, "A")).extract]
        clock.seconds += RULES.lifetimes.found
        source.articles["A"] = make_reply("A", "New.")
        source.seconds = 0.2
        shown.append((await encyclopedia.get_article(1, "A")).extract)
        assert len(source.requests) == 1 or source.active == 1
        await settled()
        shown.append((await encyclopedia.get_article(1, "A")).extract)
        return shown

    assert run(encyclopedia, ask) == ["Old.", "Old.", "New."]


def test_a_stale_article_stays_while_the_source_is_unreachable(database: Database) -> None:
    clock = Clock()
    source = FakeSource({"A": make_reply("A")})
    encyclopedia = make_encyclopedia(database, source, clock=clock)

    async def ask() -> int:
        await encyclopedia.get_article(1, "A")
        source.failure = UNREACHABLE
        clock.seconds += 10 * 365 * 86_400
        for _ in range(20):
            assert (await encyclopedia.get_article(1, "A")).extract == "Text."
            await settled()
        return len(source.requests)

    # Renewals are not tried at every request.
    assert run(encyclopedia, ask) == 2


def test_an_unknown_article_of_an_unreachable_source_is_503_with_a_retry_time(database: Database) -> None:
    source = FakeSource(failure=structs.replace(UNREACHABLE, retry_after=17))

    with pytest.raises(UnavailableError, match="Fake cannot be reached") as caught:
        show(make_encyclopedia(database, source), "A")

    assert caught.value.retry_after == 17


def test_a_thousand_callers_make_one_request(database: Database) -> None:
    source = FakeSource({"A": make_reply("A")}, address=WIKI, seconds=0.1)
    encyclopedia = make_encyclopedia(database, source)

    async def ask() -> list[Article]:
        return await asyncio.gather(*(encyclopedia.get_article(1, "A") for _ in range(1_000)))

    assert len(run(encyclopedia, ask)) == 1_000
    assert source.requests == [("A",)]


def test_a_thousand_callers_share_one_failure(database: Database) -> None:
    source = FakeSource(failure=UNREACHABLE, address=WIKI, seconds=0.1)
    encyclopedia = make_encyclopedia(database, source)

    async def ask() -> list[object]:
        return await asyncio.gather(*(encyclopedia.get_article(1, "A") for _ in range(1_000)), return_exceptions=True)

    assert {type(outcome) for outcome in run(encyclopedia, ask)} == {UnavailableError}
    assert len(source.requests) == 1


def test_requests_to_one_wiki_are_made_one_after_the_other(database: Database) -> None:
    titles = [f"T{number}" for number in range(8)]
    source = FakeSource({title: make_reply(title) for title in titles}, address=WIKI, seconds=0.01)
    encyclopedias = [make_encyclopedia(database, source) for _ in range(2)]

    async def ask() -> None:
        await asyncio.gather(*(each.get_article(1, title) for each in encyclopedias for title in titles))
        for each in encyclopedias:
            await each.close()

    asyncio.run(ask())

    assert source.max_active == 1
    # Two processes, one request: who waited for the other finds its answer.
    assert sorted(source.requests) == [(title,) for title in titles]


def test_two_processes_ask_once_for_a_title_that_has_no_article(database: Database) -> None:
    source = FakeSource(address=WIKI, seconds=0.05)
    first, second = (make_encyclopedia(database, source) for _ in range(2))

    async def ask() -> None:
        await asyncio.gather(first.get_article(1, "Xyz"), second.get_article(1, "Xyz"))

    run(first, ask)

    # The title, and then its other spellings in the same turn.
    assert source.requests[0] == ("Xyz",)
    assert len(source.requests) == 2


def test_a_caller_stops_waiting_while_the_request_continues(database: Database) -> None:
    gate = asyncio.Event()

    class SlowSource(FakeSource):
        async def find(self, titles: Sequence[str]) -> ArticleReply:
            await gate.wait()
            return await super().find(titles)

    source = SlowSource({"A": make_reply("A")})
    encyclopedia = make_encyclopedia(database, source, rules=RULES._replace(max_wait_seconds=0.05))

    async def ask() -> Article:
        with pytest.raises(UnavailableError, match="has not responded in time"):
            await encyclopedia.get_article(1, "A")
        gate.set()
        await settled()
        return await encyclopedia.get_article(1, "A")

    assert run(encyclopedia, ask).title == "A"
    assert len(source.requests) == 1


def test_a_cancelled_caller_does_not_cancel_the_others(database: Database) -> None:
    source = FakeSource({"A": make_reply("A")}, seconds=0.1)
    encyclopedia = make_encyclopedia(database, source)

    async def ask() -> Article:
        leaving, staying = (asyncio.create_task(encyclopedia.get_article(1, "A")) for _ in range(2))
        await asyncio.sleep(0.02)
        leaving.cancel()
        return await staying

    assert run(encyclopedia, ask).title == "A"


def test_too_many_different_titles_are_refused(database: Database) -> None:
    source = FakeSource(seconds=60)
    encyclopedia = make_encyclopedia(database, source)

    async def ask() -> None:
        callers = [
            asyncio.create_task(encyclopedia.get_article(1, f"T{number}")) for number in range(MAX_RUNNING_FETCHES)
        ]
        while len(source.requests) < MAX_RUNNING_FETCHES:  # noqa: ASYNC110  # a source has no event to wait for
            await asyncio.sleep(0.02)
        with pytest.raises(UnavailableError, match="Too many"):
            await encyclopedia.get_article(1, "one more")
        for caller in callers:
            caller.cancel()

    run(encyclopedia, ask)


def test_a_wiki_that_keeps_failing_is_left_alone(database: Database) -> None:
    clock = Clock()
    source = FakeSource(failure=UNREACHABLE, address=WIKI)
    encyclopedia = make_encyclopedia(database, source, clock=clock)

    async def ask() -> list[int]:
        waits = []
        for number in range(6):
            with pytest.raises(UnavailableError) as caught:
                await encyclopedia.get_article(1, f"T{number}")
            waits.append(caught.value.retry_after)
        clock.seconds += 31
        source.failure = None
        await encyclopedia.get_article(1, "T0")
        return waits

    with capture_logs() as logs:
        assert run(encyclopedia, ask) == [5, 5, 5, 30, 30, 30]

    # Three failures; then one try after the rest, with the other spellings of the title.
    assert [titles[0] for titles in source.requests][:4] == ["T0", "T1", "T2", "T0"]
    assert [line["event"] for line in logs if line["log_level"] == "warning"] == [
        "a wiki cannot be reached and is paused"
    ]
    assert logs[-1]["event"] == "a wiki responds again"


def test_a_pause_that_a_wiki_asks_for_is_kept(database: Database) -> None:
    source = FakeSource(failure=structs.replace(UNREACHABLE, retry_after=100), address=WIKI)
    encyclopedia = make_encyclopedia(database, source, clock=Clock())

    for title in ("A", "B"):
        with pytest.raises(UnavailableError) as caught:
            show(make_encyclopedia(database, source, clock=Clock()) if title == "B" else encyclopedia, title)
        assert caught.value.retry_after == 100
    assert len(source.requests) == 1


@pytest.mark.parametrize("is_read_only", [False, True])
def test_requests_keep_their_distance_over_all_wikis(database: Database, *, is_read_only: bool) -> None:
    moments: list[float] = []
    database.write_state.is_read_only = is_read_only

    class Timed(FakeSource):
        async def find(self, titles: object) -> ArticleReply:
            del titles
            moments.append(time.monotonic())
            return make_reply("A")

    sources = [Timed(address=f"https://wiki{number}.example/api.php") for number in range(3)]
    manners = RequestPolicy(interval_milliseconds=200, is_interval_shared=True, max_turn_milliseconds=10_000)
    languages = {1: sources[:1], 2: sources[1:2], 22: sources[2:]}
    first = Encyclopedia(database, languages, RULES, manners)
    # Where nothing can be written, each process keeps the distance alone.
    second = first if is_read_only else Encyclopedia(database, languages, RULES, manners)

    async def ask() -> None:
        asking = [
            (each, language_id, title) for language_id in languages for each, title in ((first, "A"), (second, "B"))
        ]
        await asyncio.gather(*(each.get_article(language_id, title) for each, language_id, title in asking))

    began = time.monotonic()
    run(first, ask)

    # On a busy machine a request may go out late, but none before its turn.
    assert len(moments) == 6
    assert all(moment - began > turn * 0.2 - 0.02 for turn, moment in enumerate(moments))


def test_the_turn_of_a_dead_process_expires(database: Database) -> None:
    manners = structs.replace(NO_DELAYS, max_turn_milliseconds=300)
    dead = make_encyclopedia(database, FakeSource(address=WIKI, seconds=60), policy=manners)
    living = make_encyclopedia(database, FakeSource({"A": make_reply("A")}, address=WIKI), policy=manners)

    async def ask() -> Article:
        caller = asyncio.create_task(dead.get_article(1, "B"))
        await asyncio.sleep(0.1)
        article = await living.get_article(1, "A")
        caller.cancel()
        await dead.close()
        return article

    assert run(living, ask).title == "A"


def test_an_answer_counts_even_if_the_turn_cannot_be_given_back(sqlite_databases: SqliteDatabases) -> None:
    class BusyDatabase(Database):
        writes = 0

        def write_now(self, job: Callable[[WriteConnection], T], *, public: bool = True) -> T:
            """Refuse the third writing: the turn is taken, the article saved, the turn given back."""
            self.writes += 1
            if self.writes == 3:
                raise UnavailableError("The database is busy.", 5)
            return super().write_now(job, public=public)

    url = sqlite_databases.copy(leave_empty)
    with BusyDatabase(url) as database, capture_logs() as logs:
        (article,) = show(make_encyclopedia(database, FakeSource({"A": make_reply("A")}, address=WIKI)), "A")

    assert article.title == "A"
    assert [line["event"] for line in logs] == ["the lock of a wiki was not released"]


def test_impossible_titles_are_not_requested(database: Database) -> None:
    source = FakeSource()

    (article,) = show(make_encyclopedia(database, source), "A|B")

    assert (article.outcome, article.title, article.source) == (ArticleOutcome.NO_ARTICLE, "A|B", "Fake")
    assert source.requests == []


def test_a_language_without_sources_is_out_of_reach(database: Database) -> None:
    with pytest.raises(UnavailableError, match="There is no encyclopedia") as caught:
        show(make_encyclopedia(database), "A")

    assert caught.value.retry_after == RetryAfter.NOT_SET_UP


def test_extracts_keep_to_the_length_that_is_set_now(database: Database) -> None:
    source = FakeSource({"A": make_reply("A", "One sentence here. And another one.")})

    (whole,) = show(make_encyclopedia(database, source), "A")
    (cut,) = show(make_encyclopedia(database, source, rules=RULES._replace(max_extract_length=20)), "A")

    assert (whole.extract, cut.extract) == ("One sentence here. And another one.", "One sentence here.")


def test_an_exception_in_a_source_is_logged_and_the_next_source_is_used(database: Database) -> None:
    class Broken(FakeSource):
        async def find(self, titles: object) -> ArticleReply:
            raise ZeroDivisionError(titles)

    with capture_logs() as logs:
        for _ in range(2):
            with pytest.raises(ZeroDivisionError):
                show(make_encyclopedia(database, Broken(address=WIKI)), "A")

    assert {line["event"] for line in logs} == {"an article could not be fetched"}


def test_articles_are_prefetched_except_known_ones(dictionary: Database) -> None:
    source = FakeSource({"পানী": make_reply("পানী")}, address=WIKI)
    encyclopedia = make_encyclopedia(dictionary, source, language_id=2)
    titles = dictionary.read_now(lambda reader: articles.list_headwords(reader, 2))

    async def ask() -> list[Article | None]:
        return [article async for article in encyclopedia.fetch_all(2, [*titles, "a|b"])]

    first = run(encyclopedia, ask)
    encyclopedia = make_encyclopedia(dictionary, source, language_id=2)
    second = run(encyclopedia, ask)

    assert len(first) == len(titles) + 1
    assert sum(article is not None and article.outcome is ArticleOutcome.FOUND for article in first) == 1
    assert set(second) == {None}


def test_prefetching_waits_for_short_pauses_and_stops_at_long_ones(database: Database) -> None:
    tired = structs.replace(UNREACHABLE, retry_after=1)
    source = FakeSource({"A": make_reply("A")}, failure=tired)
    encyclopedia = make_encyclopedia(database, source)

    async def ask() -> list[Article | None]:
        asyncio.get_running_loop().call_later(0.5, setattr, source, "failure", None)
        return [article async for article in encyclopedia.fetch_all(1, ["A"])]

    async def ask_in_vain() -> None:
        source.failure = structs.replace(UNREACHABLE, retry_after=4_000)
        async for _ in encyclopedia.fetch_all(1, ["B"]):
            pass

    assert len(run(encyclopedia, ask)) == 1
    with pytest.raises(UnavailableError):
        asyncio.run(ask_in_vain())


def test_the_cache_is_purged(database: Database) -> None:
    show(make_encyclopedia(database, FakeSource({"A": make_reply("A")})), "A", "B")

    assert database.write_now(lambda writer: articles.delete_articles(writer, now=None, only_missing=True)) == 1
    assert database.write_now(lambda writer: articles.delete_articles(writer, now=0, only_missing=False)) == 0
    assert database.write_now(lambda writer: articles.delete_articles(writer, now=None, only_missing=False)) == 1


def test_the_operators_choices_become_sources(database: Database) -> None:
    choice = ArticleSourceSettings(language_id=1, source_kinds=("zim", "wiki"), wiki=WIKI, zim="")
    encyclopedia = open_encyclopedia(database, structs.replace(CHOICES, sources=(choice,)))

    absent = structs.replace(CHOICES, sources=(structs.replace(choice, source_kinds=("zim",), zim="/absent.zim"),))
    with pytest.raises(SettingError, match=r"^/absent\.zim cannot be opened as a ZIM file"):
        check_zim_file(absent.sources[0])
    with capture_logs() as logs, pytest.raises(UnavailableError, match="absent cannot be reached"):
        show(open_encyclopedia(database, absent), "Assam")
    assert "/absent.zim" in logs[0]["reason"]
    assert article_sources.build_request_policy(CHOICES).is_interval_shared
    assert article_sources.build_request_policy(CHOICES).interval_milliseconds > 1_000
    assert not article_sources.build_request_policy(
        structs.replace(CHOICES, contact="x@example.org")
    ).is_interval_shared
    asyncio.run(encyclopedia.close())


def test_a_missing_contact_address_is_reported_once() -> None:
    for contact, order, lines in (("", ("wiki",), 1), ("", ("zim",), 0), ("x@example.org", ("wiki",), 0)):
        choices = tuple(
            ArticleSourceSettings(language_id=number, source_kinds=order, wiki=WIKI, zim="") for number in (1, 2, 22)
        )
        with capture_logs() as logs:
            article_sources.warn_without_contact(structs.replace(CHOICES, sources=choices, contact=contact))

        assert len(logs) == lines, (contact, order)


# --- over real sockets and processes ---------------------------------------------------------------------------------


def wiki_encyclopedia(database: Database, address: str, *, seconds: float = 60) -> Encyclopedia:
    wiki = MediaWiki(address, contact="tests", connect_seconds=60, total_seconds=seconds)
    manners = RequestPolicy(
        interval_milliseconds=0, is_interval_shared=False, max_turn_milliseconds=200_000, slow_after_milliseconds=60_000
    )
    return Encyclopedia(database, {1: [wiki]}, RULES._replace(max_wait_seconds=seconds + 1), manners)


def ask_from_a_process(url: str, address: str, callers: int, outcomes: "multiprocessing.Queue[int]") -> None:
    """Ask for one title, many times at once, in another process."""
    logging.disable()
    with Database(url) as database:
        encyclopedia = wiki_encyclopedia(database, address)

        async def ask() -> list[Article]:
            return await asyncio.gather(*(encyclopedia.get_article(1, "Assam") for _ in range(callers)))

        outcomes.put(sum(article.outcome is ArticleOutcome.FOUND for article in run(encyclopedia, ask)))


@pytest.mark.thorough
def test_callers_in_several_processes_make_one_request(database: Database) -> None:
    async def slow(_: object, __: str, asker: Connection) -> None:
        await asyncio.sleep(0.3)
        asker.writer.write(encode_http_response(make_api_response()))

    context = multiprocessing.get_context("spawn")
    outcomes = context.Queue()
    url = database.url.render_as_string(hide_password=False)
    with running_wiki(slow) as wiki:
        arguments = (url, wiki.address, 250, outcomes)
        processes = [context.Process(target=ask_from_a_process, args=arguments) for _ in range(4)]
        for process in processes:
            process.start()
        found_in_all = [outcomes.get(timeout=120) for _ in processes]
        for process in processes:
            process.join()

        assert found_in_all == [250, 250, 250, 250]
        assert len(wiki.request_lines) == 1


def test_nothing_else_waits_while_a_wiki_hangs(dictionary: Database) -> None:
    with running_wiki(never_reply) as wiki:
        encyclopedia = wiki_encyclopedia(dictionary, wiki.address)

        async def ask() -> None:
            callers = [asyncio.create_task(encyclopedia.get_article(1, f"T{number}")) for number in range(50)]
            while not wiki.active:  # noqa: ASYNC110  # another thread's wiki has no event to wait for
                await asyncio.sleep(0.01)
            for _ in range(20):
                assert await dictionary.read(lambda reader: look_up(reader, query="পানী"))
                # Whoever waited for the wiki would wait until it is given up.
                assert not any(caller.done() for caller in callers)
            for caller in callers:
                caller.cancel()
            await asyncio.gather(*callers, return_exceptions=True)

        run(encyclopedia, ask)

        assert wiki.max_active == 1


@pytest.mark.parametrize("title", ["One", "Title {}"])
def test_while_a_wiki_hangs_one_caller_waits_and_the_others_get_503_immediately(database: Database, title: str) -> None:
    """Fifty at once, three times over: the wiki hangs up only after forty-nine of them have been answered."""
    others_answered = threading.Event()

    async def waiting(wiki: StubbornWiki, _: str, asker: Connection) -> None:
        while not others_answered.is_set() and not wiki.stopped.is_set():  # noqa: ASYNC110  # of another thread
            await asyncio.sleep(0.01)
        asker.writer.close()

    with running_wiki(waiting) as wiki:
        source = MediaWiki(wiki.address, contact="x@example.org", connect_seconds=60, total_seconds=60)
        rules = RULES._replace(max_wait_seconds=120)
        encyclopedia = Encyclopedia(
            database, {1: [source]}, rules, structs.replace(NO_DELAYS, slow_after_milliseconds=50)
        )

        async def ask_fifty(number: int) -> None:
            answered = []

            async def ask(place: int) -> None:
                with pytest.raises(UnavailableError) as raised:
                    await encyclopedia.get_article(1, title.format(number * 100 + place))
                answered.append(raised.value.retry_after)
                if len(answered) == 49:
                    others_answered.set()

            others_answered.clear()
            await asyncio.gather(*(ask(place) for place in range(50)))
            assert min(answered) > 0

        async def ask_all() -> None:
            for number in range(3):
                await ask_fifty(number)

        run(encyclopedia, ask_all)
        assert len(wiki.request_lines) == 3


def test_a_wiki_that_has_just_failed_is_tried_by_one_process_alone(dictionary: Database) -> None:
    source = FakeSource(address="http://w/api.php")
    encyclopedia = make_encyclopedia(dictionary, source)
    other = WikiState(address="http://w/api.php", free_at=int(time.time() * 1000) + 60_000, failures=1)

    async def ask() -> None:
        def hold(writer: WriteConnection) -> None:
            store.read_or_add_wikis(writer, [other.address])
            store.save_wiki(writer, other)

        await dictionary.write(hold, public=False)
        with pytest.raises(UnavailableError):
            await encyclopedia.get_article(1, "Assam")

    run(encyclopedia, ask)
    assert source.requests == []


def test_an_answer_counts_even_if_the_disk_is_too_full_to_keep_it(sqlite_databases: SqliteDatabases) -> None:
    class Full(Database):
        def write_now(self, job: Callable[[WriteConnection], T], *, public: bool = True) -> T:
            raise DiskFullError(f"the disk is full: {job}, {public}")

    url = sqlite_databases.copy(load_sample)
    with Full(url) as full:
        assert show(make_encyclopedia(full, FakeSource({"Assam": make_reply("Assam")})), "Assam")[0].extract == "Text."
        with pytest.raises(UnavailableError, match="The server's disk is full"):
            show(make_encyclopedia(full, FakeSource(address="http://w/api.php")), "Assam")
    sqlite_databases.remove(url)


def test_a_wiki_that_asks_for_a_pause_gets_no_requests(database: Database) -> None:
    with running_wiki(reply_with(encode_http_response(b"", "429 Too Many Requests", {"Retry-After": "60"}))) as wiki:
        encyclopedia = wiki_encyclopedia(database, wiki.address)

        async def ask() -> list[object]:
            return await asyncio.gather(
                *(encyclopedia.get_article(1, f"T{number}") for number in range(20)), return_exceptions=True
            )

        errors = run(encyclopedia, ask)

        assert len(wiki.request_lines) == 1
    assert {isinstance(error, UnavailableError) and error.retry_after in {59, 60} for error in errors} == {True}
