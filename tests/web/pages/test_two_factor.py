import html
import re
import time
from pathlib import Path

import pyotp
import pytest

from abhidhan.domain.people import Role
from tests.support.asgi import Answered
from tests.support.contributing import PASSWORD, Site, cookie_of
from tests.support.databases import SqliteDatabases
from tests.support.pages import opened_pages, send
from tests.web.pages.test_account import shown, site

__all__ = ["site"]

OWN = "/account/two-factor"


def kept(site: Site, name: str, answer: Answered) -> Answered:
    """Stay signed in by the cookie of an answer."""
    site.cookies[name] = cookie_of(answer)
    return answer


def set_up(site: Site, name: str) -> tuple[str, list[str]]:
    """Set up codes on the page, as somebody without JavaScript does: gives the key and the recovery codes."""
    begun = send(site, f"{OWN}/begin", {"password": PASSWORD, "next": "/review/photos"}, by=name)
    secret = shown(begun).one("input", id="secret").attributes["value"]
    # The step of time to come: on a slow machine it counts for a minute at least.
    code = pyotp.TOTP(secret).at(time.time() + 30)
    turned_on = kept(site, name, send(site, f"{OWN}/confirm", {"code": code, "next": "/review/photos"}, by=name))
    assert shown(turned_on).links_to("/review/photos")
    assert (begun.headers["cache-control"], turned_on.headers["cache-control"]) == ("no-store", "no-store")
    return secret, [each.text for each in shown(turned_on).all("code")]


def first_step(site: Site, **more: str) -> Answered:
    return send(site, "/account/sign-in", {"username": "editor", "password": PASSWORD} | more)


def step_of(answer: Answered) -> str:
    return shown(answer).one("input", name="second_step").attributes["value"]


def test_codes_are_set_up_by_a_picture_that_the_policy_of_the_page_allows(site: Site) -> None:
    before = shown(site.ask("GET", "/account", by="editor")).links_to(OWN)
    begun = send(site, f"{OWN}/begin", {"password": PASSWORD}, by="editor")
    page = begun.body.decode()

    assert before
    assert "default-src 'none'" in begun.headers["content-security-policy"]
    picture = re.search(r"<svg viewBox.*?</svg>", page, re.DOTALL)
    assert picture
    assert "style" not in picture[0]
    assert "data:" not in picture[0]
    assert "otpauth" not in page


def test_a_wrong_code_does_not_turn_it_on_and_shows_the_key_no_more(site: Site) -> None:
    begun = send(site, f"{OWN}/begin", {"password": PASSWORD}, by="editor")
    secret = shown(begun).one("input", id="secret").attributes["value"]

    wrong = send(site, f"{OWN}/confirm", {"code": "000000"}, by="editor")

    assert wrong.status == 400
    assert "The code is wrong" in html.unescape(shown(wrong).main)
    assert secret not in wrong.body.decode()
    assert secret not in site.ask("GET", OWN, by="editor").body.decode()
    assert first_step(site).status == 303


def test_signing_in_asks_for_the_code_in_a_second_step(site: Site) -> None:
    _, codes = set_up(site, "editor")

    asked = first_step(site, next="/review/photos")
    page = shown(asked)
    wrong = send(
        site, "/account/sign-in/code", {"second_step": step_of(asked), "one_time_code": "x", "next": "/review/photos"}
    )
    fields = {"second_step": step_of(wrong), "one_time_code": codes[0], "next": "/review/photos"}
    done = send(site, "/account/sign-in/code", fields)
    again = send(site, "/account/sign-in/code", fields | {"one_time_code": codes[1]})

    assert "set-cookie" not in asked.headers
    assert not page.all("input", name="password")
    assert page.one("input", name="one_time_code").attributes["autocomplete"] == "one-time-code"
    assert wrong.status == 401
    assert shown(wrong).one("input", name="one_time_code").attributes.get("value", "") == ""
    assert (done.status, done.headers["location"]) == (303, "/review/photos")
    assert "HttpOnly" in done.headers["set-cookie"]
    assert again.status == 401
    assert shown(again).all("input", name="password"), "a second step works once"


def test_a_wrong_password_is_asked_for_no_code(site: Site) -> None:
    set_up(site, "editor")

    wrong = first_step(site, password="wrong password")  # noqa: S106 (of nobody)

    assert not shown(wrong).all("input", name="one_time_code")


def test_whose_session_has_ended_gives_password_and_code_on_the_way_and_nothing_is_lost(site: Site) -> None:
    _, codes = set_up(site, "editor")
    fields = {"word": "নতুনশব্দ", "language": "as", "pos": "1", "definition_as": "নতুন"}
    who = {"username": "editor", "password": PASSWORD}

    asked = send(site, "/account/submit/word", fields | who)
    page = shown(asked)
    assert asked.status == 401
    assert page.one("input", name="word").attributes["value"] == "নতুনশব্দ"
    assert not page.all("input", name="password")
    done = send(site, "/account/submit/word", fields | {"second_step": step_of(asked), "one_time_code": codes[0]})

    assert done.headers["location"] == "/account?done=sent"
    assert "abhidhan=" in done.headers["set-cookie"]


def test_a_desk_keeps_what_was_typed_until_the_code_is_given(site: Site) -> None:
    _, codes = set_up(site, "editor")

    asked = send(
        site, "/account/submissions/1/withdraw", {"reason": "blurred", "username": "editor", "password": PASSWORD}
    )
    page = shown(asked)

    assert page.one("input", name="reason").attributes["value"] == "blurred"
    assert not [each for each in page.all("input") if each.attributes.get("value") == PASSWORD]
    again = send(
        site,
        "/account/submissions/1/withdraw",
        {"reason": "", "second_step": step_of(asked), "one_time_code": codes[0]},
    )
    assert again.status != 401


def test_recovery_codes_are_made_anew_and_codes_turned_off(site: Site) -> None:
    _, codes = set_up(site, "editor")

    renewed = kept(site, "editor", send(site, f"{OWN}/codes", {"password": PASSWORD, "code": codes[0]}, by="editor"))
    new = [each.text for each in shown(renewed).all("code")]
    refused = send(site, f"{OWN}/off", {"password": PASSWORD, "code": codes[1]}, by="editor")
    off = send(site, f"{OWN}/off", {"password": PASSWORD, "code": new[0]}, by="editor")

    assert len(new) == 10
    assert refused.status == 400
    assert off.headers["location"] == "/account?done=codes-off"
    assert first_step(site).status == 303


def test_an_administrator_helps_who_has_lost_the_phone(site: Site) -> None:
    set_up(site, "editor")
    site.add("head", Role.ADMINISTRATOR, signed_in=False)
    kept(site, "head", send(site, "/account/sign-in", {"username": "head", "password": PASSWORD}))
    editor, reader = (site.run(site.write_side.accounts.find_by_name(name)).id for name in ("editor", "reader"))

    def ways(number: int) -> set[str]:
        page = shown(site.ask("GET", f"/account/people/{number}", by="head"))
        return {form.attributes["action"].rpartition("/")[2] for form in page.all("form", method="post")}

    assert "two-factor" in ways(editor)
    assert "two-factor" not in ways(reader)
    done = send(site, f"/account/people/{editor}/two-factor", {}, by="head")

    assert done.headers["location"] == f"/account/people/{editor}?done=two-factor"
    assert first_step(site).status == 303


def test_an_open_invitation_is_listed_and_taken_back(site: Site) -> None:
    site.add("head", Role.ADMINISTRATOR, signed_in=False)
    kept(site, "head", send(site, "/account/sign-in", {"username": "head", "password": PASSWORD}))
    made = shown(send(site, "/account/people/invitations", {"role": "editor"}, by="head"))
    token = made.one("input", id="link").attributes["value"].partition("invitation=")[2]

    listed = site.ask("GET", "/account/people", by="head")
    action = next(
        each.attributes["action"]
        for each in shown(listed).all("form", method="post")
        if each.attributes["action"].endswith("/revoke")
    )
    assert "created by head" in shown(listed).main
    assert token not in listed.body.decode()
    assert send(site, action, {}, by="head").headers["location"] == "/account/people?done=revoked"
    assert send(site, action, {}, by="head").status == 404
    signed_up = send(site, "/account/sign-up", {"username": "eve", "password": PASSWORD, "invitation": token})
    assert signed_up.status == 400


@pytest.mark.parametrize("step", ["begin", "confirm", "codes", "off", "nonsense"])
def test_nobody_changes_codes_without_signing_in(site: Site, step: str) -> None:
    assert (
        send(site, f"{OWN}/{step}", {"password": PASSWORD, "code": "1"})
        .headers["location"]
        .startswith("/account/sign-in")
    )
    assert send(site, f"{OWN}/{step}", {}, by="editor").status in {400, 403}


def test_where_codes_are_required_staff_is_led_to_the_page_that_sets_them_up(
    sqlite_databases: SqliteDatabases, tmp_path: Path
) -> None:
    with opened_pages(sqlite_databases, tmp_path, two_factor="required") as site:
        led = site.ask("GET", "/review/photos", by="editor")
        page = shown(site.ask("GET", led.headers["location"], by="editor"))
        refused = send(site, "/account/submissions/1/withdraw", {"reason": "x"}, by="editor")

        assert led.headers["location"] == f"{OWN}?next=%2Freview%2Fphotos"
        assert "set that up first" in page.main
        assert refused.status == 403
        assert site.ask("GET", "/account", by="reader").status == 200
        set_up(site, "editor")
        assert site.ask("GET", "/review/photos", by="editor").status == 200
