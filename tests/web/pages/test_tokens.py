import html

from tests.support.asgi import Answered
from tests.support.contributing import PASSWORD, Site
from tests.support.pages import send
from tests.web.pages.test_account import shown, site

__all__ = ["site"]

OWN = "/account/tokens"
WANTED = {"name": "মোৰ এপ <b>", "contribute": "yes", "days": "30", "password": PASSWORD}


def text_of(answer: Answered) -> str:
    return html.unescape(shown(answer).main)


def test_a_token_is_made_on_the_page_shown_once_and_revoked_on_the_account_page(site: Site) -> None:
    made = send(site, OWN, WANTED, by="reader")
    token = shown(made).one("input", id="token").attributes["value"]
    session = site.ask("GET", "/api/session", headers={"Authorization": f"Bearer {token}"})
    account = site.ask("GET", "/account", by="reader")
    number = site.ask("GET", "/api/account/tokens", by="reader").json["data"][0]["id"]
    revoked = send(site, f"{OWN}/{number}/revoke", {}, by="reader")

    assert (made.status, made.headers["cache-control"]) == (200, "no-store")
    assert token.startswith("abhidhan_")
    assert session.json["username"] == "reader"
    for answer in (account, site.ask("GET", OWN, by="reader")):
        assert token not in answer.body.decode()
    assert "মোৰ এপ <b>" in text_of(account)
    assert shown(account).links_to(OWN)
    assert (revoked.status, revoked.headers["location"]) == (303, "/account?done=token-revoked")
    after = text_of(site.ask("GET", "/account?done=token-revoked", by="reader"))
    assert "has been revoked" in after
    assert "মোৰ এপ" not in after
    assert site.ask("GET", "/api/session", headers={"Authorization": f"Bearer {token}"}).status == 401


def test_what_is_wrong_is_told_and_what_was_typed_is_kept(site: Site) -> None:
    wrong_password = send(site, OWN, WANTED | {"password": "a wrong password"}, by="reader")
    for_nothing = send(site, OWN, WANTED | {"contribute": ""}, by="reader")
    nameless = send(site, OWN, WANTED | {"name": " "}, by="reader")
    for_ever = send(site, OWN, WANTED | {"days": "9999"}, by="reader")

    assert [each.status for each in (wrong_password, for_nothing, nameless, for_ever)] == [403, 400, 400, 400]
    page = shown(wrong_password)
    assert page.one("input", name="name").attributes["value"] == WANTED["name"]
    assert "checked" in page.one("input", name="contribute").attributes
    assert page.one("input", name="password").attributes["value"] == ""
    assert "at least one" in text_of(for_nothing)
    assert site.ask("GET", "/api/account/tokens", by="reader").json["count"] == 0


def test_only_scopes_that_the_role_has_are_offered(site: Site) -> None:
    def offered(by: str) -> list[str]:
        page = shown(site.ask("GET", OWN, by=by))
        return [each.attributes["name"] for each in page.all("input", type="checkbox")]

    assert offered("reader") == ["contribute"]
    assert offered("editor") == ["contribute", "review", "edit"]


def test_other_sites_and_strangers_make_no_tokens(site: Site) -> None:
    elsewhere = site.ask("POST", OWN, by="reader", headers={"Sec-Fetch-Site": "cross-site"}, body=b"name=x")
    by_token = site.ask("POST", OWN, by="reader", headers={"Sec-Fetch-Site": "cross-site", "Authorization": "Bearer x"})

    assert (elsewhere.status, by_token.status) == (403, 403)
    assert site.ask("GET", OWN).headers["location"].startswith("/account/sign-in")


def test_nobody_revokes_the_token_of_somebody_else(site: Site) -> None:
    send(site, OWN, WANTED, by="editor")
    number = site.ask("GET", "/api/account/tokens", by="editor").json["data"][0]["id"]

    assert send(site, f"{OWN}/{number}/revoke", {}, by="reader").status == 404
    assert site.ask("GET", "/api/account/tokens", by="editor").json["count"] == 1
