"""Mails on the pages: agreed to on the account page, stopped by the link in each without signing in."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from abhidhan.domain.mails import RESUME_SECONDS, Topic, stop_token
from abhidhan.domain.people import Role
from abhidhan.storage.mails import choices_of
from tests.support.asgi import Answered
from tests.support.contributing import Site
from tests.support.databases import SqliteDatabases
from tests.support.pages import SENDING, opened_pages, send, sign_in
from tests.web.pages.test_account import shown

STOP = "/account/mails/stop"
ONE_CLICK = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "cross-site"}


@pytest.fixture
def site(sqlite_databases: SqliteDatabases, tmp_path: Path) -> Iterator[Site]:
    """Open the pages of a server that sends mails, with an editor "bina" who has an address."""
    with opened_pages(sqlite_databases, tmp_path, **SENDING) as site:
        sign_in(site, "bina", Role.EDITOR, "bina@mail.example")
        yield site


def agree(site: Site, **fields: str) -> str:
    """Agree to a digest each day; return the token that stops it."""
    assert send(site, "/account/mails", {"digest": "daily", "language": "en"} | fields, by="bina").status == 303
    return stop_token_of(site)


def stop_token_of(site: Site) -> str:
    """Return the token that stops digests."""
    bina = site.run(site.write_side.accounts.find_by_name("bina"))
    return stop_token(site.database.read_now(lambda reader: choices_of(reader, bina.id))[Topic.DIGEST])


def often(site: Site) -> tuple[bool, str]:
    """Return what the person has agreed to."""
    told = site.ask("GET", "/api/account/mails", by="bina").json
    return told["decisions"], told["digest"]


def stop(site: Site, token: str) -> Answered:
    """Stop mails as a mail program does: without a cookie, from another site."""
    return site.ask("POST", f"{STOP}?token={token}", body=b"List-Unsubscribe=One-Click", headers=ONE_CLICK)


def resume_token(answer: Answered) -> str:
    return shown(answer).one("input", name="token").attributes["value"]


def test_mails_are_agreed_to_and_stopped_on_the_account_page(site: Site) -> None:
    before = shown(site.ask("GET", "/account", by="bina"))
    agree(site, decisions="yes", language="as")
    after = shown(site.ask("GET", "/account?done=mails", by="bina"))

    assert "checked" not in before.one("input", id="decisions").attributes
    assert "checked" in after.one("input", id="decisions").attributes
    assert [each.attributes["value"] for each in after.all("option", selected="")][-2:] == ["daily", "as"]
    send(site, "/account/mails", {"language": "as"}, by="bina")
    assert often(site) == (False, "never")


def test_who_cannot_get_mails_is_told_why(site: Site) -> None:
    page = shown(site.ask("GET", "/account", by="reader"))

    assert "Your account has no e-mail address." in page.main
    assert page.all("input", id="decisions") == []
    assert send(site, "/account/mails", {"decisions": "yes"}, by="reader").status == 403


def test_opening_the_link_stops_nothing_and_its_button_does(site: Site) -> None:
    token = agree(site)

    looked = site.ask("GET", f"{STOP}?token={token}")
    assert looked.headers["cache-control"] == "no-store"
    assert often(site) == (False, "daily")

    (form,) = [each for each in shown(looked).all("form") if STOP in each.attributes.get("action", "")]
    assert parse_qs(urlsplit(form.attributes["action"]).query) == {"token": [token]}
    stopped = send(site, form.attributes["action"], {})
    assert stopped.status == 200
    assert "Stopped: mails about what waits for review." in shown(stopped).main
    assert often(site) == (False, "never")


def test_a_mail_program_stops_mails_by_one_click_without_a_cookie(site: Site) -> None:
    token = agree(site, decisions="yes")

    assert stop(site, token).status == 200
    assert often(site) == (True, "never")
    again = stop(site, token)
    assert again.status == 200
    assert shown(again).all("input", name="token") == []


def test_a_stop_is_taken_back_just_after_it_and_not_for_ever(site: Site) -> None:
    token = agree(site)
    back = resume_token(stop(site, token))

    assert "You go on getting" in shown(send(site, "/account/mails/resume", {"token": back})).main
    assert often(site) == (False, "daily")

    stop(site, token)
    late = re.sub(r"-(\d+)-", lambda found: f"-{int(found[1]) - 2 * RESUME_SECONDS}-", back)
    longer = re.sub(r"-(\d+)-", lambda found: f"-{int(found[1]) + 1}-", back)
    for wrong in (late, longer, token, back.replace("daily", "weekly"), ""):
        assert send(site, "/account/mails/resume", {"token": wrong}).status == 400, wrong
    assert often(site) == (False, "never")


@pytest.mark.parametrize("chosen", [{"language": "en"}, {"digest": "weekly", "language": "en"}])
def test_what_is_chosen_after_a_stop_is_not_overridden_by_taking_the_stop_back(
    site: Site, chosen: dict[str, str]
) -> None:
    back = resume_token(stop(site, agree(site)))
    assert send(site, "/account/mails", chosen, by="bina").status == 303
    stop(site, stop_token_of(site))

    assert send(site, "/account/mails/resume", {"token": back}).status == 400
    assert often(site) == (False, "never")


@pytest.mark.parametrize("change", ["", "x", "1-digest-" + "0" * 32, "999-digest-" + "0" * 32, "<b>"])
def test_a_link_that_nobody_wrote_stops_nothing(site: Site, change: str) -> None:
    agree(site)

    looked, stopped = site.ask("GET", f"{STOP}?token={change}"), stop(site, change)

    assert (looked.status, stopped.status) == (400, 400)
    assert "This link does not work" in shown(stopped).main
    assert often(site) == (False, "daily")


def test_a_link_for_one_kind_stops_no_other(site: Site) -> None:
    token = agree(site, decisions="yes")

    assert stop(site, token.replace("digest", "decisions")).status == 400
    assert stop(site, resume_token(stop(site, token))).status == 400
    assert often(site) == (True, "never")
