"""The page of what nobody has checked."""

import re
from urllib.parse import urlsplit

import pytest

from abhidhan.records.people import Role
from tests.people.pages.test_account import shown, site
from tests.support.contributions import PASSWORD, Site, read_session_token
from tests.support.page import Page
from tests.support.pages import send_form

__all__ = ["site"]

UNCHECKED = "/review/unchecked"
NOTICE = "Only for tests."


@pytest.fixture
def desk(site: Site) -> Site:
    """Add a contributor, who may not confirm."""
    site.add("anil", Role.CONTRIBUTOR, signed_in=False)
    site.cookies["anil"] = read_session_token(
        send_form(site, "/account/sign-in", {"username": "anil", "password": PASSWORD})
    )
    return site


def look(site: Site, by: str = "editor", query: str = "") -> Page:
    answer = site.ask("GET", f"{UNCHECKED}{query}", by=by)
    assert answer.status == 200, answer.body
    return shown(answer)


def forms_of(page: Page) -> list[str]:
    return [each.attributes["action"] for each in page.all("form") if UNCHECKED in each.attributes.get("action", "")]


def confirm(site: Site, fields: dict[str, str], idea_id: int = 1, by: str | None = "editor") -> str:
    answer = send_form(site, f"{UNCHECKED}/{idea_id}", fields, by=by)
    assert answer.status == 303, answer.body
    return answer.headers["location"]


def test_each_entry_is_shown_with_its_texts_and_a_button(desk: Site) -> None:
    page = look(desk)

    assert "Entries to check" in page.title
    assert "Confirm" in page.main
    assert f"{UNCHECKED}/1" in forms_of(page)
    for shown_text in ("পানী", "A clear liquid", "noun", NOTICE):
        assert shown_text in page.main
    assert page.links_to("/edit/idea/1")
    assert any(each.attributes["href"].startswith("/account/submit/correction?") for each in page.all("a"))
    assert page.links_to(UNCHECKED)


def test_users_who_may_not_review_see_how_to_correct_and_no_button(desk: Site, subtests: pytest.Subtests) -> None:
    for by in ("anil", "reader"):
        with subtests.test(by):
            page = look(desk, by)

            assert forms_of(page) == []
            assert "Confirm" not in page.main
            assert "Editors confirm correct entries" in page.main
            assert not page.links_to("/edit/idea/1")
            assert any(each.attributes["href"].startswith("/account/submit/correction?") for each in page.all("a"))
            assert send_form(desk, f"{UNCHECKED}/1", {}, by=by).status == 403


def test_visitors_are_redirected_to_the_sign_in_page(desk: Site) -> None:
    answer = desk.ask("GET", UNCHECKED)

    assert answer.status == 303
    assert urlsplit(answer.headers["location"]).path == "/account/sign-in"


def test_confirming_returns_to_the_same_place_in_the_list(desk: Site) -> None:
    before = forms_of(look(desk))
    number = int(before[0].rpartition("/")[2])
    following = int(before[1].rpartition("/")[2])

    location = confirm(desk, {"start": "0", "next": str(following)}, number)

    assert location == f"{UNCHECKED}?done=confirmed#idea-{following}"
    after = look(desk, query="?done=confirmed")
    assert "Thank you" in after.main
    assert forms_of(after)[: len(before) - 1] == before[1:]
    assert after.all("li", id=f"idea-{following}")


def test_confirming_returns_to_the_same_page_and_a_page_beyond_the_end_shows_entries(desk: Site) -> None:
    whole = forms_of(look(desk))

    assert confirm(desk, {"start": "20", "next": ""}) == f"{UNCHECKED}?done=confirmed&start=20"
    assert forms_of(look(desk, query="?start=100000"))
    assert f"{UNCHECKED}/1" in whole


def test_the_page_of_a_confirmed_word_shows_the_editor_and_date_and_no_draft_notice(desk: Site) -> None:
    before = shown(desk.ask("GET", "/dic/পানী")).main
    assert "Not yet checked by a speaker." in before
    assert "Checked by" not in before
    note = desk.ask("GET", "/api/dic.php?w=পানী").body

    confirm(desk, {})

    after = shown(desk.ask("GET", "/dic/পানী")).main
    assert re.search(r"Checked by editor on \d+ \w+ \d{4}", after)
    assert "Draft" not in after
    assert desk.ask("GET", "/api/dic.php?w=পানী").body == note


def test_the_history_of_an_entry_shows_the_confirmation_and_undoes_it(desk: Site) -> None:
    confirm(desk, {})
    page = shown(desk.ask("GET", "/edit/idea/1", by="editor"))
    assert "Approved" in page.main
    assert "Checked" in page.main
    undo = next(each.attributes["action"] for each in page.all("form") if "/undo?" in each.attributes.get("action", ""))

    assert send_form(desk, undo, {}, by="editor").status == 303

    assert "Not yet checked by a speaker." in shown(desk.ask("GET", "/dic/পানী")).main


def test_requests_for_unknown_entries_and_from_other_sites_cannot_confirm(desk: Site) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "cross-site"}
    unknown = send_form(desk, f"{UNCHECKED}/999999", {"start": "0"}, by="editor")

    assert unknown.status == 404
    assert "There is no idea" in shown(unknown).main
    assert desk.ask("POST", f"{UNCHECKED}/1", body=b"start=0", headers=headers, by="editor").status == 403


def test_when_all_is_checked_the_page_says_so(desk: Site) -> None:
    while forms := forms_of(look(desk)):
        for each in forms:
            confirm(desk, {}, int(each.rpartition("/")[2]))

    assert "Nothing left to check" in look(desk).main
