"""Somebody with an authenticator app, who sets up codes on the page and signs in by them."""

from dataclasses import dataclass, field

import msgspec
import pyotp
import pytest

from abhidhan.people.model.two_factor import TwoFactorRule
from abhidhan.records.people import Role
from tests.support.asgi import Answered
from tests.support.contributing import PASSWORD, Site, cookie_of
from tests.support.page import Page
from tests.support.pages import send

OWN = "/account/two-factor"


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

    def send(self, step: str, **fields: str) -> Answered:
        """Send a form of the page, and stay signed in."""
        answer = send(self.site, f"{OWN}/{step}", fields, by=self.name)
        if "set-cookie" in answer.headers:
            self.site.cookies[self.name] = cookie_of(answer)
        return answer

    def begin(self) -> None:
        """Read the secret into the app."""
        begun = self.send("begin", password=PASSWORD)
        self.secret = Page(begun.body.decode()).one("input", id="secret").attributes["value"]

    def set_up(self) -> None:
        """Set up codes, and write the recovery codes down."""
        self.begin()
        self.recovery = recovery_codes(self.send("confirm", code=self.code()))

    def sign_in(self, code: str | None = None, password: str = PASSWORD, address: str = "192.0.2.1") -> Answered:
        """Sign in, with a code or without."""
        body = {"username": self.name, "password": password} | ({"code": code} if code is not None else {})
        return self.site.ask("POST", "/api/session", json=body, address=address)


def recovery_codes(answer: Answered) -> list[str]:
    """Read the recovery codes, of which a page shows ten."""
    codes = [each.text for each in Page(answer.body.decode()).all("code")]
    assert len(codes) == 10
    return codes


def telephone_of(site: Site, monkeypatch: pytest.MonkeyPatch, role: Role = Role.EDITOR) -> Telephone:
    """Let somebody with a telephone sign in; the site goes by the same clock."""
    telephone = Telephone(site)
    monkeypatch.setattr(site.write_side.accounts.context, "clock", telephone)
    site.add(telephone.name, role)
    return telephone


def set_rule(site: Site, rule: TwoFactorRule) -> None:
    """Decide as the operator whether people sign in with codes."""
    accounts = site.write_side.accounts
    accounts.context.rules = msgspec.structs.replace(accounts.context.rules, two_factor=rule)
