"""The script that other sites load, and the page about it."""

import re
from pathlib import Path

import pytest

from abhidhan.app.asgi import create_application
from abhidhan.dictionary.pages.embed import SCRIPT_MESSAGES, build_script, strip_comments, translate_script_messages
from abhidhan.platform.http.preferences import INTERFACE_LANGUAGES
from abhidhan.records.settings import Settings
from tests.support.asgi import ask
from tests.support.databases import SqliteDatabases, leave_empty, open_database
from tests.support.page_fixtures import Ask, OpenPage

LARGEST = 6_200
"""So many bytes come over the wire at most, on pages whose readers may have slow phones."""


def test_every_site_may_load_the_script_and_revalidate_its_copy(ask_page: Ask) -> None:
    answer = ask_page("/embed.js")

    assert answer.status == 200
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    assert "max-age=300" in answer.headers["cache-control"]
    assert "set-cookie" not in answer.headers
    assert ask_page("/embed.js", headers={"if-none-match": answer.headers["etag"]}).status == 304


def test_the_script_is_small(ask_page: Ask) -> None:
    packed = ask_page("/embed.js", headers={"accept-encoding": "gzip"})

    assert packed.headers["content-encoding"] == "gzip"
    assert len(packed.body) <= LARGEST


def test_the_script_works_under_a_strict_security_policy() -> None:
    script = build_script().decode()

    forbidden = r"innerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|\bstyle:|cookie|Storage"
    assert not re.search(forbidden, script)
    assert 'credentials: "omit"' in script
    assert 'referrerPolicy: "no-referrer"' in script


def test_the_script_is_translated_into_each_language(subtests: pytest.Subtests) -> None:
    for language in INTERFACE_LANGUAGES:
        with subtests.test(language):
            messages = translate_script_messages(language)

            assert set(messages) == {*SCRIPT_MESSAGES, "names"}
            assert all("%(" not in str(text) for text in messages.values())
            if language != "en":
                own = {name: text for name, text in messages.items() if name in SCRIPT_MESSAGES}
                assert not [name for name, text in own.items() if text == SCRIPT_MESSAGES[name]]


def test_comments_are_removed_and_addresses_kept() -> None:
    assert strip_comments('// about\n  say("https://a/b");  // c\n\n  try { x } catch { /* no */ }\n') == (
        'say("https://a/b");  // c\ntry { x } catch {}'
    )


def test_the_page_shows_lines_to_copy_with_the_address_of_the_site(page: OpenPage) -> None:
    shown = page("/embed")

    texts = {each.attributes["id"]: each.text for each in shown.all("textarea")}
    assert '<script src="https://dictionary.example/embed.js" async' in texts["line-text"]
    assert 'action="https://dictionary.example/search"' in texts["box-text"]
    assert texts["policy-text"] == "script-src https://dictionary.example; connect-src https://dictionary.example"
    assert page("/about").links_to("/embed")


def test_an_operator_can_turn_it_off(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, embed=False)
    settings.run_folder.mkdir()
    with open_database(sqlite_databases, leave_empty) as database:
        application = create_application(settings, database)

        assert ask(application, "/embed.js").status == 404
        assert ask(application, "/embed").status == 404
        assert b'href="/embed"' not in ask(application, "/about").body
