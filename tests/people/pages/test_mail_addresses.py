"""Addresses of mails on the pages: what the account page says of them, and the buttons behind the links of the mail."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from abhidhan.people.model.mails import LinkPurpose, build_address_token
from abhidhan.people.store.mail_addresses import find_address
from abhidhan.records.people import Role
from tests.people.pages.test_account import shown
from tests.support.contributions import Site
from tests.support.databases import SqliteDatabases
from tests.support.pages import MAIL_SETTINGS, open_pages, send_form, sign_in

CONFIRM, REFUSE, ALLOW = "/account/mails/confirm", "/account/mails/refuse", "/account/mails/allow"
AGAIN = "/account/mails/confirmation"
ONE_CLICK = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "cross-site"}


@pytest.fixture
def site(sqlite_databases: SqliteDatabases, tmp_path: Path) -> Iterator[Site]:
    """Open the pages of a server that sends mails, with an editor "bina" who has an address."""
    with open_pages(sqlite_databases, tmp_path, **MAIL_SETTINGS) as site:
        sign_in(site, "bina", Role.EDITOR, "bina@mail.example")
        yield site


def agree(site: Site) -> str:
    """Agree to mails; return where that leads."""
    return send_form(site, "/account/mails", {"decisions": "yes", "language": "en"}, by="bina").headers["location"]


def token(site: Site, purpose: LinkPurpose, until: int = 4_000_000_000) -> str:
    """Return the token of a link in the mail that asks."""
    bina = site.run(site.write_side.accounts.administration.find_by_name("bina"))
    return build_address_token(site.database.read_now(lambda reader: find_address(reader, bina.id)), purpose, until)


def address_status(site: Site) -> str:
    bina = site.run(site.write_side.accounts.administration.find_by_name("bina"))
    return str(site.run(site.write_side.mails.addresses.status(bina)))


def account(site: Site, query: str = "") -> str:
    return shown(site.ask("GET", f"/account{query}", by="bina")).main


def test_the_account_page_shows_the_state_of_the_mail_address(site: Site) -> None:
    assert "If you agree, we will send a link to bina@mail.example." in account(site)

    after = account(site, agree(site).removeprefix("/account"))
    assert "You will get them once you have confirmed your address" in after
    assert "Your address bina@mail.example is not confirmed yet, so no e-mails are sent." in after
    assert "We have sent you an e-mail with a link." in after

    again = send_form(site, AGAIN, {}, by="bina").headers["location"]
    assert "once an hour and three times a day" in account(site, again.partition("#")[0].removeprefix("/account"))
    assert send_form(site, CONFIRM, {"token": token(site, LinkPurpose.CONFIRM)}).status == 200
    assert "Your address bina@mail.example is confirmed." in account(site)


def test_opening_a_link_changes_nothing_until_its_button_is_pressed(site: Site) -> None:
    agree(site)
    confirm, refuse = token(site, LinkPurpose.CONFIRM), token(site, LinkPurpose.REFUSE, 0)
    looked = site.ask("GET", f"{CONFIRM}?token={confirm}"), site.ask("GET", f"{REFUSE}?token={refuse}")

    assert [(page.status, page.headers["cache-control"]) for page in looked] == [(200, "no-store")] * 2
    assert address_status(site) == "waiting"
    assert "bina" not in "".join(page.body.decode() for page in looked)
    assert shown(looked[0]).one("input", name="token").attributes["value"] == confirm

    assert "Your address is confirmed" in shown(send_form(site, CONFIRM, {"token": confirm})).main
    assert address_status(site) == "confirmed"


def test_mails_to_an_address_are_refused_by_one_click_without_a_cookie(site: Site) -> None:
    agree(site)
    refusal = f"{REFUSE}?token={token(site, LinkPurpose.REFUSE, 0)}"

    refused = site.ask("POST", refusal, body=b"List-Unsubscribe=One-Click", headers=ONE_CLICK)

    assert "No more e-mails will be sent to this address." in shown(refused).main
    assert address_status(site) == "refused"
    assert "does not want e-mails from this dictionary" in account(site)
    back = shown(refused).one("input", name="token").attributes["value"]
    assert "This address can receive e-mails again." in shown(send_form(site, ALLOW, {"token": back})).main
    assert address_status(site) == "waiting"


def test_forged_links_do_nothing(site: Site, subtests: pytest.Subtests) -> None:
    agree(site)
    for path in (CONFIRM, REFUSE, ALLOW):
        with subtests.test(path):
            other = {CONFIRM: LinkPurpose.REFUSE, REFUSE: LinkPurpose.ALLOW, ALLOW: LinkPurpose.CONFIRM}[path]
            for wrong in (
                "",
                "x",
                "<b>",
                f"1-{path[-7:]}-0-" + "0" * 32,
                token(site, other, 0),
                f"9{token(site, other)}",
            ):
                looked = site.ask("GET", f"{path}?token={wrong}")
                sent = send_form(site, f"{path}?token={wrong}", {"token": wrong})
                assert looked.status in {400, 405}, wrong
                assert sent.status == 400, wrong
                assert "This link is incomplete or has expired" in shown(sent).main
    assert address_status(site) == "waiting"


def test_no_other_site_confirms_an_address(site: Site) -> None:
    agree(site)
    body = f"token={token(site, LinkPurpose.CONFIRM)}".encode()

    assert site.ask("POST", CONFIRM, body=body, headers=ONE_CLICK).status == 403
    assert address_status(site) == "waiting"
