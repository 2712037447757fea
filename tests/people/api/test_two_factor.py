import asyncio

import pyotp
import pytest

from abhidhan.people.model.two_factor import TwoFactorRule
from abhidhan.records.people import Role
from tests.support.authenticator import Authenticator, make_authenticator, set_rule
from tests.support.contributions import PASSWORD, Site

NEW = "quite another password"


@pytest.fixture
def telephone(open_site: Site, monkeypatch: pytest.MonkeyPatch) -> Authenticator:
    """Let an editor set up codes."""
    made = make_authenticator(open_site, monkeypatch)
    made.complete_setup()
    return made


@pytest.fixture
def on_both(site: Site, monkeypatch: pytest.MonkeyPatch) -> Authenticator:
    """Let an editor set up codes, once on each engine."""
    made = make_authenticator(site, monkeypatch)
    made.complete_setup()
    return made


def test_a_code_is_asked_for_after_the_right_password_only(telephone: Authenticator) -> None:
    without = telephone.sign_in()
    wrong_password = telephone.sign_in(telephone.code(), password="wrong password")  # noqa: S106 (of nobody)
    wrong_code = telephone.sign_in("000000")
    right = telephone.sign_in(telephone.code())

    assert (without.status, without.json["code_required"]) == (401, True)
    assert "set-cookie" not in without.headers
    assert (wrong_password.status, "code_required" in wrong_password.json) == (401, False)
    assert (wrong_code.status, wrong_code.json["code_required"]) == (401, True)
    assert right.status == 204


def test_codes_and_recovery_codes_are_valid_once_and_the_code_of_the_setup_never(on_both: Authenticator) -> None:
    setup_code = pyotp.TOTP(on_both.secret).at(int(on_both.now))
    code = on_both.code()
    recovery_code = on_both.recovery_codes[3].upper().replace("-", " ")

    assert on_both.sign_in(setup_code).status == 401
    assert [on_both.sign_in(code).status for _ in range(2)] == [204, 401]
    assert [on_both.sign_in(recovery_code).status for _ in range(2)] == [204, 401]


def test_only_one_of_many_concurrent_sign_ins_succeeds_with_one_code(on_both: Authenticator) -> None:
    body = {"username": "anil", "password": PASSWORD, "code": on_both.code()}

    async def all_at_once() -> list[int]:
        asked = (on_both.site.ask_async("POST", "/api/session", json=body) for _ in range(5))
        return [answer.status for answer in await asyncio.gather(*asked)]

    statuses = on_both.site.run(all_at_once())

    assert statuses.count(204) == 1
    assert set(statuses) <= {204, 401, 429, 503}


def test_guessing_codes_is_limited(telephone: Authenticator) -> None:
    guesses = [telephone.sign_in("000000", address=f"198.51.100.{each}") for each in range(14)]

    assert [answer.status for answer in guesses[-4:]] == [429] * 4
    assert telephone.sign_in(telephone.code()).status == 204, "the owner gets in from where he has been before"


def test_a_new_password_by_a_link_does_not_replace_the_code(telephone: Authenticator) -> None:
    site = telephone.site
    accounts = site.write_side.accounts
    link = site.run(accounts.administration.create_reset_link(site.run(accounts.administration.find_by_name("anil"))))
    site.ask("POST", "/api/account/reset", json={"token": link.partition("token=")[2], "password": NEW})

    assert telephone.sign_in(password=NEW).json["code_required"] is True
    assert telephone.sign_in(telephone.code(), password=NEW).status == 204


def test_where_codes_are_required_staff_must_set_them_up_first(
    open_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    telephone = make_authenticator(open_site, monkeypatch)
    set_rule(open_site, TwoFactorRule.REQUIRED)
    open_site.add("reader")

    assert open_site.ask("GET", "/api/session", by="anil").status == 200
    for path in ("/api/submissions", "/api/photos", "/api/account/sessions"):
        refused = open_site.ask("GET", path, by="anil")
        assert (refused.status, "Set it up first" in refused.json["detail"]) == (403, True)
    assert open_site.ask("GET", "/api/submissions", by="reader").status == 200
    telephone.complete_setup()
    assert open_site.ask("GET", "/api/submissions", by="anil").status == 200
    telephone.send("off", password=PASSWORD, code=telephone.code())
    assert open_site.ask("GET", "/api/submissions", by="anil").status == 403


def test_no_code_is_required_where_the_operator_has_turned_codes_off(telephone: Authenticator) -> None:
    set_rule(telephone.site, TwoFactorRule.OFF)

    assert telephone.sign_in().status == 204


def test_deleting_an_account_deletes_its_codes(on_both: Authenticator) -> None:
    on_both.site.delete_account("anil")
    on_both.site.add("anil", Role.READER, signed_in=False)

    assert on_both.sign_in().status == 204
