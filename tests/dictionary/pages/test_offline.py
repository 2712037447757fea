"""What the server says and gives so that browsers work without a network, and tidy up after it."""

import gzip
import json
from pathlib import Path

import msgspec
import pytest

from abhidhan.dictionary.pages.offline import (
    CACHED_PAGES,
    OFFLINE_FILES,
    PAGE_FILES,
    build_worker_script,
    clean_shared_text,
)
from abhidhan.platform.http.assets import asset_address, compute_fingerprint, load_assets
from abhidhan.platform.http.policies import OfflineCopyRule, build_offline_headers, compute_session_mark
from tests.support.asgi import AsgiResponse
from tests.support.contributing import Site
from tests.support.databases import SqliteDatabases
from tests.support.page_fixtures import Ask, OpenPage
from tests.support.pages import open_pages

MOST_KEPT_BEFOREHAND = 63_000


def said(answer: AsgiResponse) -> str:
    return answer.headers["abhidhan-offline"]


PUBLIC = ["/", "/dic/পানী", "/browse", "/flashcards", "/offline", "/my-lists", "/take-along", "/pictures", "/api/docs"]


@pytest.mark.parametrize("path", PUBLIC)
def test_a_public_page_may_be_kept_by_whoever_is_nobody(ask_page: Ask, path: str) -> None:
    assert said(ask_page(path)) == "keep nobody"


@pytest.mark.parametrize("path", ["/account/sign-in", "/review/photos", "/account/submit/missing", "/edit/word/1"])
def test_a_page_of_people_is_never_kept(ask_page: Ask, path: str) -> None:
    assert said(ask_page(path)).startswith("leave ")


@pytest.mark.parametrize("path", ["/api/dic.php", "/sw.js", "/photos/1.jpg"])
def test_what_is_no_page_says_nothing_of_being_kept(ask_page: Ask, path: str) -> None:
    assert "abhidhan-offline" not in ask_page(path).headers


def test_while_somebody_is_signed_in_only_what_is_the_same_for_all_is_kept(unchanged_site: Site) -> None:
    paths = ("/dic/পানী", "/my-lists", "/flashcards")
    word, lists, cards = (said(unchanged_site.ask("GET", each, by="editor")).split() for each in paths)

    assert (word[0], lists[0], cards[0]) == ("leave", "leave", "keep")
    assert word[1] == lists[1] == cards[1] != "nobody"


def test_a_page_that_has_not_changed_says_anew_whether_it_may_be_kept(unchanged_site: Site) -> None:
    tag = unchanged_site.ask("GET", "/dic/পানী", by="editor").headers["etag"]

    unchanged = unchanged_site.ask("GET", "/dic/পানী", by="editor", headers={"if-none-match": tag})

    assert unchanged.status == 304
    assert said(unchanged).startswith("leave ")


def test_a_mark_differs_from_session_to_session_and_is_not_part_of_it() -> None:
    marks = {compute_session_mark(f"theme=dark; __Host-abhidhan={token}".encode()) for token in ("one", "another")}

    assert len(marks) == 2
    assert compute_session_mark(b"abhidhan=one") in marks
    assert compute_session_mark(b"theme=dark; notabhidhan=one; abhidhan=") == "nobody"
    assert build_offline_headers(OfflineCopyRule.NOT_A_PAGE, b"abhidhan=one") == []


def test_the_worker_is_asked_for_anew_and_changes_with_every_file(ask_page: Ask) -> None:
    answer = ask_page("/sw.js")

    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["service-worker-allowed"] == "/"
    assert "connect-src 'self'" in answer.headers["content-security-policy"]
    assert compute_fingerprint().encode() in answer.body
    assert ask_page("/sw.js", headers={"if-none-match": answer.headers["etag"]}).status == 304


def test_pages_let_the_browser_use_the_worker(ask_page: Ask, page: OpenPage) -> None:
    assert page("/").one("html").attributes["data-worker"] == "/sw.js"
    for path in ("/", "/nothing-here"):
        assert "worker-src 'self'" in ask_page(path).headers["content-security-policy"]


def test_what_is_kept_beforehand_is_there_and_light(ask_page: Ask) -> None:
    script = ask_page("/sw.js").body.decode()
    told = json.loads(script.partition("const SITE = ")[2].partition(";\n")[0])
    files = [ask_page(address, headers={"accept-encoding": "gzip"}) for address in [*told["files"], *told["pages"]]]

    assert {each.status for each in files} == {200}
    assert set(told["least"]) < set(told["files"])
    assert told["pages"] == list(CACHED_PAGES)
    assert sum(len(each.body) for each in files) + len(gzip.compress(script.encode())) < MOST_KEPT_BEFOREHAND


def test_a_script_that_is_kept_finds_the_scripts_it_needs() -> None:
    for kept in (OFFLINE_FILES, PAGE_FILES):
        for name in kept:
            if name.endswith(".js") and name != "main.js":
                text = load_assets()[name].decode()
                needed = {part.split('"')[0] for part in text.split('"./')[1:]}
                assert needed <= set(kept), name


def test_where_the_site_is_not_to_work_offline_the_worker_tidies_up_and_goes(
    sqlite_databases: SqliteDatabases, tmp_path: Path
) -> None:
    with open_pages(sqlite_databases, tmp_path, offline=False) as ask_page:
        assert ask_page.ask("GET", "/sw.js").body == build_worker_script(works_offline=False)
        assert b"unregister" in ask_page.ask("GET", "/sw.js").body
        assert b"data-worker" not in ask_page.ask("GET", "/").body


def test_the_offline_page_is_not_for_robots(page: OpenPage) -> None:
    assert page("/offline").one("meta", name="robots").attributes["content"] == "noindex"


@pytest.mark.parametrize(("language", "said_of_cards"), [("en", "Flashcards"), ("as", "কাৰ্ড")])
def test_the_manifest_is_in_the_readers_language(
    ask_page: Ask, page: OpenPage, language: str, said_of_cards: str
) -> None:
    address = page("/", f"interface={language}").one("link", rel="manifest").attributes["href"]
    manifest = msgspec.json.decode(ask_page(*address.split("?")).body)

    assert (manifest["id"], manifest["scope"], manifest["lang"]) == ("/", "/", language)
    assert manifest["shortcuts"][2]["name"] == said_of_cards
    assert {ask_page(each["url"].partition("#")[0]).status for each in manifest["shortcuts"]} == {200}
    assert [each["src"] for each in manifest["icons"] if each.get("purpose") == "maskable"] == [
        asset_address("icon-maskable.png")
    ]


@pytest.mark.parametrize(
    ("shared", "text"),
    [
        ("পানী", "পানী"),
        ("“পানী”\nhttps://as.example/w#:~:text=x", "পানী"),
        ('"নগৈ গড়গাঁৱৰ বতৰা"', "নগৈ গড়গাঁৱৰ বতৰা"),
        ("https://as.example/", ""),
    ],
)
def test_a_text_that_is_shared_is_looked_up_without_what_browsers_add(shared: str, text: str) -> None:
    assert clean_shared_text(shared) == text


def test_what_another_application_shares_is_looked_up(ask_page: Ask) -> None:
    answer = ask_page("/shared", "text=%E2%80%9Cpani%E2%80%9D")

    assert (answer.status, answer.headers["location"]) == (303, "/search?q=pani")
    assert ask_page("/shared").headers["location"] == "/search"
