"""A site that sends its e-mails to a small mail server when a test requests it."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import func, select

from abhidhan.app.background_services import build_mail_delivery
from abhidhan.contributions.service.mail_delivery import MailDelivery
from abhidhan.people.service.administration import NewAccount
from abhidhan.people.service.mails import MailPreferences
from abhidhan.people.store import mail_addresses
from abhidhan.platform.database.database import Database
from abhidhan.records.people import Person, Role
from abhidhan.records.settings import Settings
from abhidhan.records.throttling import ClientInfo
from abhidhan.records.timestamps import DAY_SECONDS
from abhidhan.schema import mail_outbox
from tests.support.contributions import PASSWORD, Site, opened_site
from tests.support.databases import Databases, load_sample, open_database
from tests.support.mail_server import SmallMailServer

BASE_URL = "https://dictionary.example"
ANIL, BINA = "anil@mail.example", "bina@mail.example"
DECISION_DELAY_SECONDS = DAY_SECONDS + 60
"""Seconds after which the e-mail about a new decision is due, at any time of day."""


@dataclass
class Clock:
    """A clock that a test moves forward."""

    offset_seconds: int = 0

    def __call__(self) -> float:
        """Return the time in seconds since 1970."""
        return time.time() + self.offset_seconds


@dataclass
class MailTestSite:
    """A site that sends its e-mails to a small mail server when the test requests it."""

    site: Site
    server: SmallMailServer
    settings: Settings
    clock: Clock = field(default_factory=Clock)
    client_info: ClientInfo = field(default_factory=lambda: ClientInfo("192.0.2.7"))

    def delivery(self, database: Database | None = None) -> MailDelivery:
        """Create the e-mail delivery of a worker."""
        made = build_mail_delivery(self.settings, database or self.site.database)
        made._clock = self.clock  # noqa: SLF001
        return made

    def deliver(self, offset_seconds: int = DECISION_DELAY_SECONDS) -> list[str]:
        """Deliver the e-mails due in some seconds from now; return the texts of those delivered."""
        self.clock.offset_seconds = offset_seconds
        before = len(self.server.messages)
        self.site.run(self.delivery().deliver())
        return self.server.texts[before:]

    def add(self, name: str, email: str | None, role: Role, *, confirmed: bool = True) -> Person:
        """Create an account with an e-mail address, which is confirmed unless stated otherwise, and sign in."""
        person = self.site.run(
            self.site.write_side.accounts.administration.create_account(NewAccount(name, PASSWORD, email), role)
        )
        if email and confirmed:
            with self.site.database.engine.begin() as connection:
                mail_addresses.confirm(connection, person.id, email, "a secret", 0)
        self.site.sign_in(name)
        return person

    def choose(self, by: str, *, decisions: bool = True, language: str = "en") -> None:
        """Set the e-mail preferences of a user."""
        mails, person = self.site.write_side.mails, self.person(by)
        self.site.run(mails.save_preferences(person, MailPreferences(decisions, language), self.client_info))

    def person(self, name: str) -> Person:
        """Return the user with a name."""
        return self.site.run(self.site.write_side.accounts.administration.find_by_name(name))

    def send(self, word: str = "নীৰ", by: str = "anil", meaning: str = "") -> int:
        """Submit a word, for an existing idea or with a new meaning."""
        definitions = [{"language": "en", "text": meaning}]
        what = {"meaning": {"pos": "Common Noun", "definitions": definitions}} if meaning else {"idea_id": 1}
        data = {"kind": "word", "data": {"language": "as", "word": word, **what}}
        return int(self.site.ask("POST", "/api/submissions", by=by, json=data).json["submission_id"])

    def decide(self, number: int, step: str = "approve", reason: str = "Not so.", kind: str = "submissions") -> None:
        """Approve or reject a submission."""
        json = {"reason": reason} if step == "reject" else None
        answer = self.site.ask("POST", f"/api/{kind}/{number}/{step}", by="bina", json=json)
        assert answer.status == 200, answer.body

    def undo(self, path: str) -> None:
        """Undo the last change of a record."""
        entry = self.site.ask("GET", f"/api/{path}/history", by="bina").json["data"][0]["id"]
        assert self.site.ask("POST", f"/api/editing/history/{entry}/undo", by="bina").status == 200

    def count_unsent(self) -> int:
        """Return the number of decisions without a notification."""
        with self.site.database.engine.begin() as connection:
            return int(connection.execute(select(func.count()).select_from(mail_outbox)).scalar_one())

    def stop_link(self) -> str:
        """Return the path and query of the last e-mail's unsubscribe link."""
        return str(self.server.messages[-1]["List-Unsubscribe"]).strip("<>").removeprefix(BASE_URL)


def open_mail_site(databases: Databases, home: Path, server: SmallMailServer) -> Iterator[MailTestSite]:
    """Open a site with an editor, and a contributor who has subscribed to e-mails."""
    server.messages.clear()
    server.refusal = server.refused = ""
    chosen = {"smtp": server.address, "mail_from": "Abhidhan <abhidhan@dictionary.example>", "base_url": BASE_URL}
    with open_database(databases, load_sample) as database, opened_site(database, home, **chosen) as site:
        post = MailTestSite(site, server, Settings(home=home, **chosen))  # type: ignore[arg-type]
        # With https, the cookie has another name.
        site.cookies = _SecureCookies()
        post.add("anil", ANIL, Role.CONTRIBUTOR)
        post.add("bina", BINA, Role.EDITOR)
        post.choose("anil")
        yield post


class _SecureCookies(dict[str, str]):
    def __getitem__(self, name: str) -> str:
        return f"; __Host-abhidhan={super().__getitem__(name)}"
