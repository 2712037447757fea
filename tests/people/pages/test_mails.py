"""Mails on the pages: agreed to on the account page, stopped by the link in each without signing in."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from abhidhan.people.model.mails import build_unsubscribe_token
from abhidhan.people.service.mails import MailPreferences
from abhidhan.people.store.mails import find_subscription
from abhidhan.records.people import Role
from tests.people.pages.test_account import shown
from tests.support.asgi import AsgiResponse
from tests.support.contributions import Site
from tests.support.databases import SqliteDatabases
from tests.support.pages import MAIL_SETTINGS, open_pages, send_form, sign_in

STOP = "/account/mails/stop"
ONE_CLICK = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "cross-site"}


@pytest.fixture
def site(sqlite_databases: SqliteDatabases, tmp_path: Path) -> Iterator[Site]:
    """Open the pages of a server that sends mails, with an editor "bina" who has an address."""
    with open_pages(sqlite_databases, tmp_path, **MAIL_SETTINGS) as site:
        sign_in(site, "bina", Role.EDITOR, "bina@mail.example")
        yield site


def agree(site: Site, language: str = "en") -> str:
    """Agree to mails about decisions; return the token that stops them."""
    form = {"decisions": "yes", "language": language}
    assert send_form(site, "/account/mails", form, by="bina").status == 303
    bina = site.run(site.write_side.accounts.administration.find_by_name("bina"))
    choice = site.database.read_now(lambda reader: find_subscription(reader, bina.id))
    assert choice is not None
    return build_unsubscribe_token(choice)


def read_preferences(site: Site) -> MailPreferences:
    """Return what the person has agreed to."""
    bina = site.run(site.write_side.accounts.administration.find_by_name("bina"))
    return site.run(site.write_side.mails.get_preferences(bina))


def stop(site: Site, token: str) -> AsgiResponse:
    """Stop mails as a mail program does: without a cookie, from another site."""
    return site.ask("POST", f"{STOP}?token={token}", body=b"List-Unsubscribe=One-Click", headers=ONE_CLICK)


def test_mails_are_agreed_to_and_stopped_on_the_account_page(site: Site) -> None:
    before = shown(site.ask("GET", "/account", by="bina"))
    agree(site, "as")
    after = shown(site.ask("GET", "/account?done=mails", by="bina"))

    assert "checked" not in before.one("input", id="decisions").attributes
    assert "checked" in after.one("input", id="decisions").attributes
    assert after.all("option", selected="")[-1].attributes["value"] == "as"
    send_form(site, "/account/mails", {"language": "as"}, by="bina")
    assert read_preferences(site) == MailPreferences(decisions=False, language="as")


def test_an_unknown_mail_language_becomes_the_language_of_the_page(site: Site) -> None:
    agree(site, "xx")

    assert read_preferences(site) == MailPreferences(decisions=True, language="en")


def test_choosing_mails_needs_a_session(site: Site) -> None:
    for path in ("/account/mails", "/account/mails/confirmation"):
        assert send_form(site, path, {"decisions": "yes"}).headers["location"].startswith("/account/sign-in"), path


def test_users_without_an_address_see_why_they_get_no_mails(site: Site) -> None:
    page = shown(site.ask("GET", "/account", by="reader"))

    assert "Your account has no e-mail address." in page.main
    assert page.all("input", id="decisions") == []
    assert send_form(site, "/account/mails", {"decisions": "yes"}, by="reader").status == 403


def test_opening_the_link_does_not_unsubscribe_until_the_button_is_pressed(site: Site) -> None:
    token = agree(site)

    looked = site.ask("GET", f"{STOP}?token={token}")
    assert looked.headers["cache-control"] == "no-store"
    assert read_preferences(site).decisions

    (form,) = [each for each in shown(looked).all("form") if STOP in each.attributes.get("action", "")]
    assert parse_qs(urlsplit(form.attributes["action"]).query) == {"token": [token]}
    stopped = send_form(site, form.attributes["action"], {})
    assert (stopped.status, read_preferences(site).decisions) == (200, False)
    assert "Unsubscribed from e-mails about decisions on your contributions." in shown(stopped).main
    assert 'href="/account#mails"' in stopped.body.decode()


def test_a_mail_program_stops_mails_by_one_click_and_the_account_page_undoes_it(site: Site) -> None:
    token = agree(site)

    assert [stop(site, token).status for _ in range(2)] == [200, 200]
    assert not read_preferences(site).decisions

    assert agree(site) == token
    assert read_preferences(site).decisions
    assert stop(site, token).status == 200
    assert not read_preferences(site).decisions


def test_links_of_digests_that_older_versions_sent_still_answer_and_stop_nothing_else(site: Site) -> None:
    agree(site)
    token = "1-digest-" + "0" * 32

    looked, stopped = site.ask("GET", f"{STOP}?token={token}"), stop(site, token)

    for answer in (looked, stopped):
        assert answer.status == 200
        assert "Unsubscribed from e-mails about contributions waiting for review." in shown(answer).main
    assert read_preferences(site).decisions


def test_the_resubscribe_button_of_older_versions_leads_to_the_account_page(site: Site) -> None:
    answer = send_form(site, "/account/mails/resume", {"token": "1-decisions-at_once-1-" + "0" * 32})

    assert (answer.status, answer.headers["location"]) == (303, "/account#mails")


def test_forged_links_do_not_unsubscribe(site: Site, subtests: pytest.Subtests) -> None:
    agree(site)
    for wrong in ("", "x", "1-decisions-" + "0" * 32, "999-decisions-" + "0" * 32, "<b>"):
        with subtests.test(wrong):
            looked, stopped = site.ask("GET", f"{STOP}?token={wrong}"), stop(site, wrong)

            assert (looked.status, stopped.status) == (400, 400)
            assert "This link is incomplete or has expired" in shown(stopped).main
    assert read_preferences(site).decisions
