import asyncio
from dataclasses import dataclass, field

import msgspec
import pyotp
import pytest

from abhidhan.domain.people import Role
from abhidhan.domain.two_factor import TwoFactorRule
from tests.support.asgi import Answered
from tests.support.contributing import PASSWORD, Site, cookie_of

OWN = "/api/account/two-factor"
NEW = "quite another password"


@dataclass
class Telephone:
    """Somebody's app and recovery codes, and the time, which a test moves on."""

    site: Site
    name: str = "anil"
    now: float = 1_800_000_000
    secret: str = ""
    recovery: list[str] = field(default_factory=list)

    def __call__(self) -> float:
        """Return the time."""
        return self.now

    def code(self) -> str:
        """Wait for the next code, and read it."""
        self.now += 30
        return pyotp.TOTP(self.secret).at(int(self.now))

    def ask(self, method: str, path: str, **body: str) -> Answered:
        """Ask something as the owner, who stays signed in."""
        answer = self.site.ask(method, path, by=self.name, json=body or None)
        if "set-cookie" in answer.headers:
            self.site.cookies[self.name] = cookie_of(answer)
        return answer

    def set_up(self) -> Answered:
        """Ask for codes from now on."""
        self.secret = self.ask("POST", OWN, password=PASSWORD).json["secret"]
        answer = self.ask("POST", f"{OWN}/confirm", code=self.code())
        self.recovery = answer.json["recovery_codes"]
        return answer

    def sign_in(self, code: str | None = None, password: str = PASSWORD, address: str = "192.0.2.1") -> Answered:
        """Sign in, with a code or without."""
        body = {"username": self.name, "password": password} | ({"code": code} if code is not None else {})
        return self.site.ask("POST", "/api/session", json=body, address=address)


def owned(site: Site, monkeypatch: pytest.MonkeyPatch, role: Role = Role.EDITOR) -> Telephone:
    """Let somebody with a telephone sign in; the site goes by the same clock."""
    telephone = Telephone(site)
    monkeypatch.setattr(site.write_side.accounts, "_clock", telephone)
    site.add("anil", role)
    return telephone


@pytest.fixture
def telephone(open_site: Site, monkeypatch: pytest.MonkeyPatch) -> Telephone:
    """Let an editor set up codes."""
    made = owned(open_site, monkeypatch)
    assert made.set_up().status == 201
    return made


@pytest.fixture
def on_both(site: Site, monkeypatch: pytest.MonkeyPatch) -> Telephone:
    """Let an editor set up codes, once on each engine."""
    made = owned(site, monkeypatch)
    made.set_up()
    return made


def require(site: Site, rule: TwoFactorRule = TwoFactorRule.REQUIRED) -> None:
    accounts = site.write_side.accounts
    accounts.rules = msgspec.structs.replace(accounts.rules, two_factor=rule)


def test_a_code_is_asked_for_after_the_right_password_only(telephone: Telephone) -> None:
    without = telephone.sign_in()
    wrong_password = telephone.sign_in(telephone.code(), password="wrong password")  # noqa: S106 (of nobody)
    wrong_code = telephone.sign_in("000000")
    right = telephone.sign_in(telephone.code())

    assert (without.status, without.json["code_required"]) == (401, True)
    assert "set-cookie" not in without.headers
    assert (wrong_password.status, "code_required" in wrong_password.json) == (401, False)
    assert (wrong_code.status, wrong_code.json["code_required"]) == (401, True)
    assert right.status == 204


def test_a_code_counts_once(on_both: Telephone) -> None:
    code = on_both.code()

    assert [on_both.sign_in(code).status for _ in range(2)] == [204, 401]


def test_the_code_that_turned_it_on_does_not_sign_in(telephone: Telephone) -> None:
    assert telephone.sign_in(pyotp.TOTP(telephone.secret).at(int(telephone.now))).status == 401


def test_of_many_at_once_one_gets_in_by_a_code(on_both: Telephone) -> None:
    body = {"username": "anil", "password": PASSWORD, "code": on_both.code()}

    async def all_at_once() -> list[int]:
        asked = (on_both.site.ask_async("POST", "/api/session", json=body) for _ in range(5))
        return [answer.status for answer in await asyncio.gather(*asked)]

    statuses = on_both.site.run(all_at_once())

    assert statuses.count(204) == 1
    assert set(statuses) <= {204, 401, 429, 503}


def test_a_recovery_code_works_once(on_both: Telephone) -> None:
    code = on_both.recovery[3].upper().replace("-", " ")

    assert len(on_both.recovery) == 10
    assert [on_both.sign_in(code).status for _ in range(2)] == [204, 401]
    assert on_both.ask("GET", OWN).json == {
        "on": True,
        "required": False,
        "possible": True,
        "recovery_codes_left": 9,
    }


def test_guessing_codes_is_slowed_down(telephone: Telephone) -> None:
    guesses = [telephone.sign_in("000000", address=f"198.51.100.{each}") for each in range(14)]

    assert [answer.status for answer in guesses[-4:]] == [429] * 4
    assert telephone.sign_in(telephone.code()).status == 204, "the owner gets in from where he has been before"


def test_setting_up_needs_the_password_and_a_code(open_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    telephone = owned(open_site, monkeypatch)

    assert telephone.ask("POST", OWN, password="wrong password").status == 403  # noqa: S106 (of nobody)
    assert telephone.ask("POST", f"{OWN}/confirm", code="123456").status == 400
    made = telephone.ask("POST", OWN, password=PASSWORD)
    assert made.json["address"].startswith("otpauth://totp/Abhidhan:anil?secret=")
    assert telephone.ask("POST", f"{OWN}/confirm", code="000000").status == 400
    assert telephone.sign_in().status == 204, "nothing asks for codes before one is confirmed"


def test_setting_up_that_takes_too_long_is_begun_anew(open_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    telephone = owned(open_site, monkeypatch)
    telephone.secret = telephone.ask("POST", OWN, password=PASSWORD).json["secret"]
    telephone.now += 3600

    assert telephone.ask("POST", f"{OWN}/confirm", code=telephone.code()).status == 400


def test_a_secret_is_shown_once_and_stands_in_no_other_answer(
    telephone: Telephone, capsys: pytest.CaptureFixture[str]
) -> None:
    site = telephone.site
    site.add("root", Role.ADMINISTRATOR)
    answers = [
        telephone.ask("GET", OWN),
        telephone.ask("GET", "/api/session"),
        site.ask("GET", "/api/people", by="root"),
        telephone.ask("POST", OWN, password=PASSWORD),
    ]

    assert answers[-1].status == 409
    assert not [answer for answer in answers if telephone.secret in answer.body.decode()]
    assert telephone.secret not in "".join(capsys.readouterr())


def test_every_change_signs_out_everywhere_else(telephone: Telephone) -> None:
    site = telephone.site

    def elsewhere() -> None:
        site.cookies["elsewhere"] = cookie_of(telephone.sign_in(telephone.code()))

    def is_out() -> bool:
        here, there = (site.ask("GET", "/api/session", by=by).status for by in ("anil", "elsewhere"))
        return (here, there) == (200, 401)

    elsewhere()
    renewed = telephone.ask("POST", f"{OWN}/recovery-codes", password=PASSWORD, code=telephone.code())
    assert is_out()
    assert set(renewed.json["recovery_codes"]).isdisjoint(telephone.recovery)
    assert telephone.sign_in(telephone.recovery[0]).status == 401
    elsewhere()
    assert telephone.ask("DELETE", OWN, password=PASSWORD, code=telephone.code()).status == 204
    assert is_out()
    site.cookies["elsewhere"] = cookie_of(telephone.sign_in())
    telephone.set_up()
    assert is_out()


def test_turning_it_off_needs_password_and_code(telephone: Telephone) -> None:
    assert telephone.ask("DELETE", OWN, password=PASSWORD, code="000000").status == 400
    assert telephone.ask("DELETE", OWN, password="wrong", code=telephone.code()).status == 403  # noqa: S106 (of nobody)
    assert telephone.ask("DELETE", OWN, password=PASSWORD, code=telephone.recovery[0]).status == 204
    assert telephone.sign_in().status == 204


def test_a_new_password_by_a_link_does_not_replace_the_code(telephone: Telephone) -> None:
    site = telephone.site
    accounts = site.write_side.accounts
    link = site.run(accounts.reset_link(site.run(accounts.find_by_name("anil"))))
    site.ask("POST", "/api/account/reset", json={"token": link.partition("token=")[2], "password": NEW})

    assert telephone.sign_in(password=NEW).json["code_required"] is True
    assert telephone.sign_in(telephone.code(), password=NEW).status == 204


def test_an_administrator_turns_the_codes_of_others_off_but_not_the_own_ones(telephone: Telephone) -> None:
    site = telephone.site
    site.add("root", Role.ADMINISTRATOR)
    anil, root = (site.run(site.write_side.accounts.find_by_name(name)).id for name in ("anil", "root"))

    assert telephone.ask("DELETE", f"/api/people/{anil}/two-factor").status == 403
    assert site.ask("DELETE", f"/api/people/{root}/two-factor", by="root").status == 409
    assert site.ask("DELETE", f"/api/people/{anil}/two-factor", by="root").status == 204
    assert site.ask("DELETE", f"/api/people/{anil}/two-factor", by="root").status == 409
    assert site.ask("GET", "/api/session", by="anil").status == 401
    assert telephone.sign_in().status == 204


def test_where_codes_are_required_staff_do_nothing_before(open_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    telephone = owned(open_site, monkeypatch)
    require(open_site)
    open_site.add("reader")

    assert telephone.ask("GET", "/api/session").status == 200
    for method, path in (("GET", "/api/submissions"), ("GET", "/api/photos"), ("GET", "/api/account/sessions")):
        refused = telephone.ask(method, path)
        assert (refused.status, "set that up first" in refused.json["detail"]) == (403, True)
    assert open_site.ask("GET", "/api/submissions", by="reader").status == 200
    telephone.set_up()
    assert telephone.ask("GET", "/api/submissions").status == 200
    telephone.ask("DELETE", OWN, password=PASSWORD, code=telephone.code())
    assert telephone.ask("GET", "/api/submissions").status == 403


def test_where_the_operator_has_turned_codes_off_nobody_is_asked(telephone: Telephone) -> None:
    require(telephone.site, TwoFactorRule.OFF)

    assert telephone.sign_in().status == 204
    assert telephone.ask("POST", OWN, password=PASSWORD).status == 403


def test_a_deleted_account_takes_its_codes_along(on_both: Telephone) -> None:
    on_both.site.leave("anil")
    on_both.site.add("anil", Role.READER, signed_in=False)

    assert on_both.sign_in().status == 204
