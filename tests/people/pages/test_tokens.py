import html

from tests.people.pages.test_account import shown, site
from tests.support.asgi import AsgiResponse
from tests.support.contributions import PASSWORD, Site
from tests.support.pages import send_form

__all__ = ["site"]

OWN = "/account/tokens"
WANTED = {"name": "মোৰ এপ <b>", "contribute": "yes", "days": "30", "password": PASSWORD}


def text_of(answer: AsgiResponse) -> str:
    return html.unescape(shown(answer).main)


def revoking(answer: AsgiResponse) -> str:
    """Find on a page the way to revoke the one token."""
    (form,) = (each for each in shown(answer).all("form") if each.attributes["action"].endswith("/revoke"))
    return form.attributes["action"]


def test_a_token_is_made_on_the_page_shown_once_and_revoked_on_the_account_page(site: Site) -> None:
    made = send_form(site, OWN, WANTED, by="reader")
    token = shown(made).one("input", id="token").attributes["value"]
    session = site.ask("GET", "/api/session", headers={"Authorization": f"Bearer {token}"})
    account = site.ask("GET", "/account", by="reader")
    revoke = revoking(account)
    revoked = send_form(site, revoke, {}, by="reader")

    assert (made.status, made.headers["cache-control"]) == (200, "no-store")
    assert token.startswith("abhidhan_")
    assert session.json["username"] == "reader"
    for answer in (account, site.ask("GET", OWN, by="reader")):
        assert token not in answer.body.decode()
    assert "মোৰ এপ <b>" in text_of(account)
    assert shown(account).links_to(OWN)
    assert (revoked.status, revoked.headers["location"]) == (303, "/account?done=token-revoked")
    after = text_of(site.ask("GET", "/account?done=token-revoked", by="reader"))
    assert "Token revoked" in after
    assert "মোৰ এপ" not in after
    assert send_form(site, revoke, {}, by="reader").status == 404
    assert site.ask("GET", "/api/session", headers={"Authorization": f"Bearer {token}"}).status == 401


def test_problems_of_a_token_form_are_reported_and_the_form_is_kept(site: Site) -> None:
    wrong_password = send_form(site, OWN, WANTED | {"password": "a wrong password"}, by="reader")
    for_nothing = send_form(site, OWN, WANTED | {"contribute": ""}, by="reader")

    assert [each.status for each in (wrong_password, for_nothing)] == [403, 400]
    page = shown(wrong_password)
    assert page.one("input", name="name").attributes["value"] == WANTED["name"]
    assert "checked" in page.one("input", name="contribute").attributes
    assert page.one("input", name="password").attributes["value"] == ""
    assert "at least one" in text_of(for_nothing)
    for wrong in (
        *({"name": name} for name in (" \t ", "\u200d", "x" * 61, "a\x00b")),
        *({"days": days} for days in ("0", "367", "1.5", "soon", "")),
        {"contribute": "", "everything": "yes"},
        {"password": ""},
        {"edit": "yes"},
    ):
        assert send_form(site, OWN, WANTED | wrong, by="reader").status in {400, 403}, wrong
    assert "You have no tokens." in text_of(site.ask("GET", OWN, by="reader"))


def test_only_scopes_that_the_role_has_are_offered(site: Site) -> None:
    def offered(by: str) -> list[str]:
        page = shown(site.ask("GET", OWN, by=by))
        return [each.attributes["name"] for each in page.all("input", type="checkbox")]

    assert offered("reader") == ["contribute"]
    assert offered("editor") == ["contribute", "review", "edit"]


def test_other_sites_and_visitors_cannot_create_tokens(site: Site) -> None:
    elsewhere = site.ask("POST", OWN, by="reader", headers={"Sec-Fetch-Site": "cross-site"}, body=b"name=x")
    by_token = site.ask("POST", OWN, by="reader", headers={"Sec-Fetch-Site": "cross-site", "Authorization": "Bearer x"})

    assert (elsewhere.status, by_token.status) == (403, 403)
    assert site.ask("GET", OWN).headers["location"].startswith("/account/sign-in")


def test_users_cannot_see_or_revoke_tokens_of_others(site: Site) -> None:
    send_form(site, OWN, WANTED, by="editor")
    revoke = revoking(site.ask("GET", OWN, by="editor"))

    assert "You have no tokens." in text_of(site.ask("GET", OWN, by="reader"))
    assert send_form(site, revoke, {}, by="reader").status == 404
    assert revoking(site.ask("GET", OWN, by="editor")) == revoke
