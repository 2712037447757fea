"""Pages and the service worker for use without a network, and their removal where that is turned off."""

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
from tests.support.contributions import Site
from tests.support.databases import SqliteDatabases
from tests.support.page_fixtures import Ask, OpenPage
from tests.support.pages import open_pages

MOST_STORED_BYTES = 63_000


def load_rule(answer: AsgiResponse) -> str:
    return answer.headers["abhidhan-offline"]


PUBLIC = ["/", "/dic/পানী", "/browse", "/flashcards", "/offline", "/my-lists", "/take-along", "/pictures", "/api/docs"]


def test_only_public_pages_may_be_stored_by_readers_who_are_not_signed_in(ask_page: Ask) -> None:
    for path in PUBLIC:
        assert load_rule(ask_page(path)) == "keep nobody", path
    for path in ("/account/sign-in", "/review/photos", "/account/submit/missing", "/edit/word/1"):
        assert load_rule(ask_page(path)).startswith("leave "), path
    for path in ("/api/dic.php", "/sw.js", "/photos/1.jpg"):
        assert "abhidhan-offline" not in ask_page(path).headers, path


def test_a_signed_in_reader_stores_only_pages_that_are_the_same_for_all(unchanged_site: Site) -> None:
    paths = ("/dic/পানী", "/my-lists", "/flashcards")
    word, lists, cards = (load_rule(unchanged_site.ask("GET", each, by="editor")).split() for each in paths)

    assert (word[0], lists[0], cards[0]) == ("leave", "leave", "keep")
    assert word[1] == lists[1] == cards[1] != "nobody"


def test_an_unchanged_page_repeats_whether_it_may_be_stored(unchanged_site: Site) -> None:
    tag = unchanged_site.ask("GET", "/dic/পানী", by="editor").headers["etag"]

    unchanged = unchanged_site.ask("GET", "/dic/পানী", by="editor", headers={"if-none-match": tag})

    assert unchanged.status == 304
    assert load_rule(unchanged).startswith("leave ")


def test_a_mark_differs_between_sessions_and_does_not_reveal_them() -> None:
    marks = {compute_session_mark(f"theme=dark; __Host-abhidhan={token}".encode()) for token in ("one", "another")}

    assert len(marks) == 2
    assert compute_session_mark(b"abhidhan=one") in marks
    assert compute_session_mark(b"theme=dark; notabhidhan=one; abhidhan=") == "nobody"
    assert build_offline_headers(OfflineCopyRule.NOT_A_PAGE, b"abhidhan=one") == []


def test_the_worker_is_revalidated_and_changes_with_every_file(ask_page: Ask) -> None:
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


def test_the_files_stored_in_advance_exist_and_are_small(ask_page: Ask) -> None:
    script = ask_page("/sw.js").body.decode()
    site = json.loads(script.partition("const SITE = ")[2].partition(";\n")[0])
    files = [ask_page(address, headers={"accept-encoding": "gzip"}) for address in [*site["files"], *site["pages"]]]

    assert {each.status for each in files} == {200}
    assert set(site["minimalFiles"]) < set(site["files"])
    assert site["pages"] == list(CACHED_PAGES)
    assert sum(len(each.body) for each in files) + len(gzip.compress(script.encode())) < MOST_STORED_BYTES


def test_the_scripts_that_a_stored_script_needs_are_stored() -> None:
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


def test_the_offline_page_is_not_indexed(page: OpenPage) -> None:
    assert page("/offline").one("meta", name="robots").attributes["content"] == "noindex"


def test_the_manifest_is_in_the_readers_language(ask_page: Ask, page: OpenPage, subtests: pytest.Subtests) -> None:
    for language, cards in (("en", "Flashcards"), ("as", "কাৰ্ড")):
        with subtests.test(language):
            address = page("/", f"interface={language}").one("link", rel="manifest").attributes["href"]
            manifest = msgspec.json.decode(ask_page(*address.split("?")).body)

            assert (manifest["id"], manifest["scope"], manifest["lang"]) == ("/", "/", language)
            assert manifest["shortcuts"][2]["name"] == cards
            assert {ask_page(each["url"].partition("#")[0]).status for each in manifest["shortcuts"]} == {200}
            assert [each["src"] for each in manifest["icons"] if each.get("purpose") == "maskable"] == [
                asset_address("icon-maskable.png")
            ]


def test_a_shared_text_is_looked_up_without_additions_of_browsers(ask_page: Ask) -> None:
    for shared, text in (
        ("পানী", "পানী"),
        ("“পানী”\nhttps://as.example/w#:~:text=x", "পানী"),
        ('"নগৈ গড়গাঁৱৰ বতৰা"', "নগৈ গড়গাঁৱৰ বতৰা"),
        ("https://as.example/", ""),
    ):
        assert clean_shared_text(shared) == text, shared
    answer = ask_page("/shared", "text=%E2%80%9Cpani%E2%80%9D")
    assert (answer.status, answer.headers["location"]) == (303, "/search?q=pani")
    assert ask_page("/shared").headers["location"] == "/search"
