"""A user with an authenticator app, who sets up two-factor authentication on the page and signs in with codes."""

from dataclasses import dataclass, field

import msgspec
import pyotp
import pytest

from abhidhan.people.model.two_factor import TwoFactorRule
from abhidhan.records.people import Role
from tests.support.asgi import AsgiResponse
from tests.support.contributions import PASSWORD, Site, read_session_token
from tests.support.page import Page
from tests.support.pages import send_form

TWO_FACTOR_PATH = "/account/two-factor"


@dataclass
class Authenticator:
    """A user's authenticator app and recovery codes, with a clock that a test moves forward."""

    site: Site
    name: str = "anil"
    now: float = 1_800_000_000
    secret: str = ""
    recovery_codes: list[str] = field(default_factory=list)

    def __call__(self) -> float:
        """Return the time."""
        return self.now

    def code(self) -> str:
        """Return the next code, after moving the clock."""
        self.now += 30
        return pyotp.TOTP(self.secret).at(int(self.now))

    def send(self, step: str, **fields: str) -> AsgiResponse:
        """Send a form of the page, and stay signed in."""
        answer = send_form(self.site, f"{TWO_FACTOR_PATH}/{step}", fields, by=self.name)
        if "set-cookie" in answer.headers:
            self.site.cookies[self.name] = read_session_token(answer)
        return answer

    def start_setup(self) -> None:
        """Start the setup, and store the secret."""
        begun = self.send("begin", password=PASSWORD)
        self.secret = Page(begun.body.decode()).one("input", id="secret").attributes["value"]

    def complete_setup(self) -> None:
        """Complete the setup, and store the recovery codes."""
        self.start_setup()
        self.recovery_codes = read_recovery_codes(self.send("confirm", code=self.code()))

    def sign_in(self, code: str | None = None, password: str = PASSWORD, address: str = "192.0.2.1") -> AsgiResponse:
        """Sign in, with a code or without."""
        body = {"username": self.name, "password": password} | ({"code": code} if code is not None else {})
        return self.site.ask("POST", "/api/session", json=body, address=address)


def read_recovery_codes(answer: AsgiResponse) -> list[str]:
    """Return the ten recovery codes that a page shows."""
    codes = [each.text for each in Page(answer.body.decode()).all("code")]
    assert len(codes) == 10
    return codes


def make_authenticator(site: Site, monkeypatch: pytest.MonkeyPatch, role: Role = Role.EDITOR) -> Authenticator:
    """Create an account and its authenticator app; the site uses the same clock."""
    telephone = Authenticator(site)
    monkeypatch.setattr(site.write_side.accounts.context, "clock", telephone)
    site.add(telephone.name, role)
    return telephone


def set_rule(site: Site, rule: TwoFactorRule) -> None:
    """Set the operator's rule for two-factor authentication."""
    accounts = site.write_side.accounts
    accounts.context.rules = msgspec.structs.replace(accounts.context.rules, two_factor=rule)
