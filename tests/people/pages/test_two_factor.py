import html
import re
import time
from pathlib import Path

import pyotp
import pytest

from abhidhan.people.model.two_factor import TwoFactorRule
from abhidhan.records.people import Role
from tests.people.pages.test_account import shown, site
from tests.support.asgi import AsgiResponse
from tests.support.authenticator import (
    TWO_FACTOR_PATH,
    Authenticator,
    make_authenticator,
    read_recovery_codes,
    set_rule,
)
from tests.support.contributions import PASSWORD, Site, read_session_token
from tests.support.databases import SqliteDatabases
from tests.support.pages import open_pages, send_form

__all__ = ["site"]


@pytest.fixture
def telephone(open_site: Site, monkeypatch: pytest.MonkeyPatch) -> Authenticator:
    """Let an editor set up codes."""
    made = make_authenticator(open_site, monkeypatch)
    made.complete_setup()
    return made


def kept(site: Site, name: str, answer: AsgiResponse) -> AsgiResponse:
    """Stay signed in by the cookie of an answer."""
    site.cookies[name] = read_session_token(answer)
    return answer


def set_up(site: Site, name: str) -> tuple[str, list[str]]:
    """Set up codes on the page, as somebody without JavaScript does: gives the key and the recovery codes."""
    begun = send_form(site, f"{TWO_FACTOR_PATH}/begin", {"password": PASSWORD, "next": "/review/photos"}, by=name)
    secret = shown(begun).one("input", id="secret").attributes["value"]
    # The step of time to come: on a slow machine it counts for a minute at least.
    code = pyotp.TOTP(secret).at(time.time() + 30)
    turned_on = kept(
        site, name, send_form(site, f"{TWO_FACTOR_PATH}/confirm", {"code": code, "next": "/review/photos"}, by=name)
    )
    assert shown(turned_on).links_to("/review/photos")
    assert (begun.headers["cache-control"], turned_on.headers["cache-control"]) == ("no-store", "no-store")
    return secret, [each.text for each in shown(turned_on).all("code")]


def first_step(site: Site, **more: str) -> AsgiResponse:
    return send_form(site, "/account/sign-in", {"username": "editor", "password": PASSWORD} | more)


def step_of(answer: AsgiResponse) -> str:
    return shown(answer).one("input", name="second_step").attributes["value"]


def test_codes_are_set_up_by_a_picture_that_the_policy_of_the_page_allows(site: Site) -> None:
    before = shown(site.ask("GET", "/account", by="editor")).links_to(TWO_FACTOR_PATH)
    begun = send_form(site, f"{TWO_FACTOR_PATH}/begin", {"password": PASSWORD}, by="editor")
    page = begun.body.decode()

    assert before
    assert "default-src 'none'" in begun.headers["content-security-policy"]
    picture = re.search(r"<svg viewBox.*?</svg>", page, re.DOTALL)
    assert picture
    assert "style" not in picture[0]
    assert "data:" not in picture[0]
    assert "otpauth" not in page


def test_a_wrong_code_does_not_turn_codes_on_and_hides_the_key(site: Site) -> None:
    begun = send_form(site, f"{TWO_FACTOR_PATH}/begin", {"password": PASSWORD}, by="editor")
    secret = shown(begun).one("input", id="secret").attributes["value"]

    wrong = send_form(site, f"{TWO_FACTOR_PATH}/confirm", {"code": "000000"}, by="editor")

    assert wrong.status == 400
    assert "The code is wrong" in html.unescape(shown(wrong).main)
    assert secret not in wrong.body.decode()
    assert secret not in site.ask("GET", TWO_FACTOR_PATH, by="editor").body.decode()
    assert first_step(site).status == 303


def test_signing_in_asks_for_the_code_in_a_second_step(site: Site) -> None:
    _, codes = set_up(site, "editor")

    wrong_password = first_step(site, password="wrong password")  # noqa: S106 (of nobody)
    asked = first_step(site, next="/review/photos")
    page = shown(asked)
    wrong = send_form(
        site, "/account/sign-in/code", {"second_step": step_of(asked), "one_time_code": "x", "next": "/review/photos"}
    )
    fields = {"second_step": step_of(wrong), "one_time_code": codes[0], "next": "/review/photos"}
    done = send_form(site, "/account/sign-in/code", fields)
    again = send_form(site, "/account/sign-in/code", fields | {"one_time_code": codes[1]})

    assert "set-cookie" not in asked.headers
    assert wrong_password.status == 401
    assert not shown(wrong_password).all("input", name="one_time_code")
    assert not page.all("input", name="password")
    assert page.one("input", name="one_time_code").attributes["autocomplete"] == "one-time-code"
    assert wrong.status == 401
    assert shown(wrong).one("input", name="one_time_code").attributes.get("value", "") == ""
    assert (done.status, done.headers["location"]) == (303, "/review/photos")
    assert "HttpOnly" in done.headers["set-cookie"]
    assert again.status == 401
    assert shown(again).all("input", name="password"), "a second step works once"


def test_after_the_session_has_ended_password_and_code_are_entered_and_the_form_is_kept(site: Site) -> None:
    _, codes = set_up(site, "editor")
    fields = {"word": "নতুনশব্দ", "language": "as", "pos": "1", "definition_as": "নতুন"}
    who = {"username": "editor", "password": PASSWORD}

    asked = send_form(site, "/account/submit/word", fields | who)
    page = shown(asked)
    assert asked.status == 401
    assert page.one("input", name="word").attributes["value"] == "নতুনশব্দ"
    assert not page.all("input", name="password")
    done = send_form(site, "/account/submit/word", fields | {"second_step": step_of(asked), "one_time_code": codes[0]})

    assert done.headers["location"] == "/account?done=sent"
    assert "abhidhan=" in done.headers["set-cookie"]


def test_a_form_is_kept_until_the_code_is_entered(site: Site) -> None:
    _, codes = set_up(site, "editor")

    asked = send_form(
        site, "/account/submissions/1/withdraw", {"reason": "blurred", "username": "editor", "password": PASSWORD}
    )
    page = shown(asked)

    assert page.one("input", name="reason").attributes["value"] == "blurred"
    assert not [each for each in page.all("input") if each.attributes.get("value") == PASSWORD]
    again = send_form(
        site,
        "/account/submissions/1/withdraw",
        {"reason": "", "second_step": step_of(asked), "one_time_code": codes[0]},
    )
    assert again.status != 401


def test_recovery_codes_can_be_replaced_and_codes_turned_off(site: Site) -> None:
    _, codes = set_up(site, "editor")

    renewed = kept(
        site,
        "editor",
        send_form(site, f"{TWO_FACTOR_PATH}/codes", {"password": PASSWORD, "code": codes[0]}, by="editor"),
    )
    new = [each.text for each in shown(renewed).all("code")]
    refused = send_form(site, f"{TWO_FACTOR_PATH}/off", {"password": PASSWORD, "code": codes[1]}, by="editor")
    off = send_form(site, f"{TWO_FACTOR_PATH}/off", {"password": PASSWORD, "code": new[0]}, by="editor")

    assert len(new) == 10
    assert refused.status == 400
    assert off.headers["location"] == "/account?done=codes-off"
    assert first_step(site).status == 303


def test_an_administrator_helps_a_user_who_has_lost_the_phone(telephone: Authenticator) -> None:
    site = telephone.site
    for name, role in (("root", Role.ADMINISTRATOR), ("bina", Role.READER)):
        site.add(name, role)
    anil, root, bina = (
        site.run(site.write_side.accounts.administration.find_by_name(name)).id for name in ("anil", "root", "bina")
    )

    def ways(number: int) -> set[str]:
        page = shown(site.ask("GET", f"/account/people/{number}", by="root"))
        return {form.attributes["action"].rpartition("/")[2] for form in page.all("form", method="post")}

    def turn_off(number: int, by: str) -> AsgiResponse:
        return send_form(site, f"/account/people/{number}/two-factor", {}, by=by)

    assert "two-factor" in ways(anil)
    assert "two-factor" not in ways(bina)
    assert [turn_off(anil, by="anil").status, turn_off(root, by="root").status] == [403, 409]
    assert turn_off(anil, by="root").headers["location"] == f"/account/people/{anil}?done=two-factor"
    assert turn_off(anil, by="root").status == 409
    assert site.ask("GET", "/api/session", by="anil").status == 401
    assert telephone.sign_in().status == 204


def test_setting_up_codes_needs_the_password_and_a_code_within_an_hour(
    open_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    telephone = make_authenticator(open_site, monkeypatch)

    assert telephone.send("begin", password="wrong password").status == 403  # noqa: S106 (of nobody)
    assert telephone.send("confirm", code="123456").status == 400
    telephone.start_setup()
    assert telephone.send("confirm", code="000000").status == 400
    assert telephone.sign_in().status == 204, "nothing asks for codes before one is confirmed"
    telephone.now += 3600
    assert telephone.send("confirm", code=telephone.code()).status == 400


def test_nobody_sets_up_codes_where_the_operator_has_turned_them_off(
    open_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    telephone = make_authenticator(open_site, monkeypatch)
    set_rule(open_site, TwoFactorRule.OFF)

    assert telephone.send("begin", password=PASSWORD).status == 403


def test_a_secret_is_shown_once_and_in_no_other_answer(
    telephone: Authenticator, capsys: pytest.CaptureFixture[str]
) -> None:
    site = telephone.site
    site.add("root", Role.ADMINISTRATOR)
    number = site.run(site.write_side.accounts.administration.find_by_name("anil")).id
    answers = [
        *(site.ask("GET", path, by="anil") for path in (TWO_FACTOR_PATH, "/account", "/api/session")),
        *(site.ask("GET", path, by="root") for path in ("/account/people", f"/account/people/{number}")),
        telephone.send("begin", password=PASSWORD),
    ]

    assert [answer.status for answer in answers] == [200] * 5 + [409]
    assert "10 recovery codes are left" in shown(answers[0]).main
    assert not [answer for answer in answers if telephone.secret in answer.body.decode()]
    assert telephone.secret not in "".join(capsys.readouterr())


def test_every_change_signs_out_everywhere_else(telephone: Authenticator) -> None:
    site = telephone.site

    def elsewhere(code: str | None = None) -> None:
        site.cookies["elsewhere"] = read_session_token(telephone.sign_in(code))

    def is_out() -> bool:
        here, there = (site.ask("GET", "/api/session", by=by).status for by in ("anil", "elsewhere"))
        return (here, there) == (200, 401)

    elsewhere(telephone.code())
    renewed = read_recovery_codes(telephone.send("codes", password=PASSWORD, code=telephone.code()))
    assert is_out()
    assert set(renewed).isdisjoint(telephone.recovery_codes)
    assert telephone.sign_in(telephone.recovery_codes[0]).status == 401
    elsewhere(telephone.code())
    assert telephone.send("off", password=PASSWORD, code=telephone.code()).status == 303
    assert is_out()
    elsewhere()
    telephone.complete_setup()
    assert is_out()


def test_turning_codes_off_needs_password_and_code(telephone: Authenticator) -> None:
    assert telephone.send("off", password=PASSWORD, code="000000").status == 400
    assert telephone.send("off", password="wrong", code=telephone.code()).status == 403  # noqa: S106 (of nobody)
    assert telephone.send("off", password=PASSWORD, code=telephone.recovery_codes[0]).status == 303
    assert telephone.sign_in().status == 204


def test_changing_codes_needs_a_session(site: Site) -> None:
    for step in ("begin", "confirm", "codes", "off", "nonsense"):
        led = send_form(site, f"{TWO_FACTOR_PATH}/{step}", {"password": PASSWORD, "code": "1"})
        assert led.headers["location"].startswith("/account/sign-in")
        assert send_form(site, f"{TWO_FACTOR_PATH}/{step}", {}, by="editor").status in {400, 403}


def test_where_codes_are_required_staff_is_led_to_the_page_that_sets_them_up(
    sqlite_databases: SqliteDatabases, tmp_path: Path
) -> None:
    with open_pages(sqlite_databases, tmp_path, two_factor="required") as site:
        led = site.ask("GET", "/review/photos", by="editor")
        page = shown(site.ask("GET", led.headers["location"], by="editor"))
        refused = send_form(site, "/account/submissions/1/withdraw", {"reason": "x"}, by="editor")

        assert led.headers["location"] == f"{TWO_FACTOR_PATH}?next=%2Freview%2Fphotos"
        assert "Set it up first" in page.main
        assert refused.status == 403
        assert site.ask("GET", "/account", by="reader").status == 200
        set_up(site, "editor")
        assert site.ask("GET", "/review/photos", by="editor").status == 200
