"""Mails on a phone: agreed to, confirmed, stopped and refused, in both languages, where axe finds nothing."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]
from playwright.sync_api import expect

from abhidhan.app.database import open_dictionary
from abhidhan.app.wiring import build_write_services
from abhidhan.people.model.mails import LinkPurpose, build_address_token, build_unsubscribe_token
from abhidhan.people.service.administration import NewAccount
from abhidhan.people.store.mail_addresses import find_address
from abhidhan.people.store.mails import find_subscription
from abhidhan.platform.database.database import Database
from abhidhan.records.people import Role
from abhidhan.records.settings import Settings
from tests.browser.conftest import (
    HEIGHT,
    PASSWORD,
    PHONE_WIDTH,
    THEMES,
    BrowserWindow,
    sign_in_without_browser,
    take_screenshot,
    watch_page,
)
from tests.browser.test_every_page import VIOLATIONS
from tests.support.ports import free_port
from tests.support.server import START_TIMEOUT_SECONDS, copy_starter, running_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.thorough

LONG_ADDRESS = "somebody.with-a-very-long-address-{}@a-mail-server-with-a-long-name.example"
ALIKE = {"resultTypes": ["violations"]}
WORDS = {
    "en": ("We have sent you an e-mail with a link.", "is confirmed.", "Unsubscribed from", "does not want e-mails"),
    "as": ("তালৈ লিংক থকা এখন ই-মেইল", "নিশ্চিত কৰা হৈছে।", "বন্ধ কৰা হ’ল:", "এই অভিধানৰ ই-মেইল নিবিচাৰে"),
}
"""What pages say to whoever waits, has confirmed, has stopped mails, and has refused them."""


class MailPages:
    """A server that can send mails, a phone, and what stands in the mails that it would send."""

    def __init__(self, home: Path, window: BrowserWindow, name: str) -> None:
        """Keep the parts."""
        self.page, self._window, self._name = window.page, window, name
        self._url = Settings(home=home).database_url

    def open(self, address: str, seen: str) -> "Page":
        """Open an address, and look at it."""
        page = self._window.open(address)
        self.look(seen)
        return page

    def press(self, selector: str, seen: str) -> "Page":
        """Press a button with the keyboard, and look at what comes."""
        self.page.locator(selector).focus()
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")
        self.look(seen)
        return self.page

    def look(self, seen: str) -> None:
        """Make sure that a page fits a phone, and that axe finds nothing."""
        page = self.page
        page.evaluate(AXE_SCRIPT)
        take_screenshot(page, f"mails-{seen}-{self._name}-{PHONE_WIDTH}")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE_WIDTH, seen
        assert page.evaluate(VIOLATIONS, ALIKE) == [], seen

    def token(self, purpose: LinkPurpose, until: int) -> str:
        """Return what stands in the mail that asks."""
        with Database(self._url) as database:
            return build_address_token(
                database.read_now(lambda reader: find_address(reader, self._person_id)), purpose, until
            )

    def stop_token(self) -> str:
        """Return what stands in each mail about decisions."""
        with Database(self._url) as database:
            choice = database.read_now(lambda reader: find_subscription(reader, self._person_id))
        assert choice is not None
        return build_unsubscribe_token(choice)

    @property
    def _person_id(self) -> int:
        return [*WORDS].index(self._name) + 1


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Serve the starter dictionary with an editor for each language; give the address and the home."""
    home = tmp_path_factory.mktemp("mails") / "site"
    copy_starter(home)
    settings = Settings(home=home)
    with open_dictionary(settings) as database:
        asyncio.run(_add_editors(settings, database))
    base = f"http://127.0.0.1:{(port := free_port())}"
    chosen = {"ABHIDHAN_SMTP": "smtp://127.0.0.1:1", "ABHIDHAN_MAIL_FROM": "a@mail.example"}
    with running_server(home, ABHIDHAN_PORT=str(port), ABHIDHAN_BASE_URL=base, **chosen):
        yield base, home


async def _add_editors(settings: Settings, database: Database) -> None:
    write_side = build_write_services(settings, database)
    for language in WORDS:
        new = NewAccount(f"editor-{language}", PASSWORD, LONG_ADDRESS.format(language))
        await write_side.accounts.administration.create_account(new, Role.EDITOR)
    await write_side.close()


@pytest.mark.parametrize("language", ["en", pytest.param("as", marks=pytest.mark.nightly)])
def test_mails_are_agreed_to_confirmed_stopped_and_refused_on_a_phone(
    site: tuple[str, Path], browser: "Browser", language: str
) -> None:
    address, home = site
    waiting, confirmed, stopped, refused = WORDS[language]
    context = browser.new_context(
        locale=language,
        color_scheme=THEMES[language],
        viewport={"width": PHONE_WIDTH, "height": HEIGHT},
        service_workers="block",
    )
    cookies = sign_in_without_browser(address, f"editor-{language}")
    context.add_cookies([{"name": name, "value": value, "url": address} for name, value in cookies])
    context.set_default_timeout(START_TIMEOUT_SECONDS * 1000)
    window = BrowserWindow(context.new_page(), address)
    watch_page(window)
    pages = MailPages(home, window, language)

    page = pages.open("/account", "before")
    page.get_by_role("checkbox").check()
    page = pages.press("form[action='/account/mails'] button", "waiting")
    expect(page.locator("main")).to_contain_text(waiting)
    page = pages.press("form[action='/account/mails/confirmation'] button", "asked-often")
    expect(page.locator("#mails ~ .notice")).to_be_visible()

    token = pages.token(LinkPurpose.CONFIRM, 4_000_000_000)
    pages.open(f"/account/mails/confirm?token={token}", "confirm")
    pages.press("main form button", "confirmed")
    expect(pages.open("/account", "account-confirmed").locator("main")).to_contain_text(confirmed)

    pages.open(f"/account/mails/stop?token={pages.stop_token()}", "stop")
    expect(pages.press("main form button", "stopped").locator("main")).to_contain_text(stopped)

    pages.open(f"/account/mails/refuse?token={pages.token(LinkPurpose.REFUSE, 0)}", "refuse")
    pages.press("main form button", "refused")
    expect(pages.open("/account", "account-refused").locator("main")).to_contain_text(refused)
    context.close()
    assert window.problems == []
