from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

import pytest

from abhidhan.records.people import Role
from tests.support.asgi import AsgiResponse
from tests.support.contributions import PASSWORD, Site, encode_form, opened_site, photo_bytes, read_session_token
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.page import Page
from tests.support.pages import send_form


@pytest.fixture
def site(sqlite_databases: SqliteDatabases, tmp_path: Path) -> Iterator[Site]:
    """Open a site with a reader and an editor who are signed in."""
    with (
        open_database(sqlite_databases, load_sample) as database,
        opened_site(database, tmp_path / "home", pending_photos=3, contact="editor@example.org") as site,
    ):
        site.add("reader")
        site.add("editor", Role.EDITOR)
        yield site


def send_photo(site: Site, photo: bytes, by: str | None = "reader", idea: str = "1") -> AsgiResponse:
    body, kind = encode_form({"ideaID": idea, "photoCredit": "A. Photographer"}, photo)
    return site.ask("POST", "/account/submit/photo", by=by, body=body, headers={"Content-Type": kind})


def shown(answer: AsgiResponse) -> Page:
    return Page(answer.body.decode())


def test_signing_in_leads_back_to_the_page_before_and_never_to_another_site(site: Site) -> None:
    fields = {"username": "reader", "password": PASSWORD}
    answer = send_form(site, "/account/sign-in", fields | {"next": "/account?done=photo"})
    elsewhere = send_form(site, "/account/sign-in", fields | {"next": "//evil.example"})

    assert (answer.status, answer.headers["location"]) == (303, "/account?done=photo")
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert elsewhere.headers["location"] == "/"


def test_a_wrong_password_is_reported_and_the_name_is_kept(site: Site) -> None:
    answer = send_form(site, "/account/sign-in", {"username": "reader", "password": "wrong"})

    page = shown(answer)
    assert answer.status == 401
    assert answer.headers["cache-control"] == "no-store"
    assert page.one("input", name="username").attributes["value"] == "reader"
    assert page.one("input", name="password").attributes["value"] == ""
    assert "wrong" in page.one("div", role="alert").text


def test_another_site_cannot_sign_users_in(site: Site) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Content-Type": "application/x-www-form-urlencoded"}

    assert site.ask("POST", "/account/sign-in", body=b"username=a&password=b", headers=headers).status == 403


def test_account_pages_redirect_visitors_to_the_sign_in_page(unchanged_site: Site) -> None:
    for path in ("/account", "/account/submit/photo", "/review/photos", "/account/password"):
        answer = unchanged_site.ask("GET", path)

        assert answer.status == 303, path
        assert answer.headers["location"].startswith("/account/sign-in?next=%2F")


def test_signing_out_ends_the_session(site: Site) -> None:
    answer = send_form(site, "/account/sign-out", {}, by="reader")

    assert answer.headers["location"] == "/"
    assert site.ask("GET", "/account", by="reader").status == 303


def test_an_account_is_created_by_invitation(site: Site) -> None:
    link = site.run(site.write_side.accounts.administration.create_invitation())
    fields = {"username": "anil", "password": PASSWORD, "invitation": link.rpartition("=")[2]}

    refused = send_form(site, "/account/sign-up", fields | {"password": "short"})
    made = send_form(site, "/account/sign-up", fields)

    assert refused.status == 400
    assert shown(refused).one("input", name="username").attributes["value"] == "anil"
    assert made.headers["location"] == "/account?done=account"
    site.cookies["anil"] = read_session_token(made)
    assert "Signed in as anil." in shown(site.ask("GET", "/account", by="anil")).main


def test_visitors_without_an_invitation_see_the_contact_address(site: Site) -> None:
    led = site.ask("GET", "/account/submit/word").headers["location"]
    sign_in = shown(site.ask("GET", led))
    assert sign_in.one("h1").text == "Sign in to contribute"
    assert sign_in.links_to("/account/sign-up")

    assert shown(site.ask("GET", "/account/sign-up")).links_to("mailto:editor@example.org")


def test_a_password_is_changed(site: Site) -> None:
    wrong = send_form(
        site, "/account/password", {"password": "no", "new_password": "another long password"}, by="reader"
    )
    right = send_form(
        site, "/account/password", {"password": PASSWORD, "new_password": "another long password"}, by="reader"
    )

    assert wrong.status == 403
    assert right.headers["location"] == "/account?done=password"


def test_a_photo_goes_from_the_form_to_the_page_of_the_word(site: Site) -> None:
    assert send_photo(site, photo_bytes()).headers["location"] == "/account?done=photo"
    assert "waiting for review" in shown(site.ask("GET", "/account", by="reader")).main
    queue = shown(site.ask("GET", "/review/photos", by="editor"))
    assert "1 photo to review." in queue.main
    assert queue.links_to("/dic/পানী")

    decided = send_form(site, "/review/photos/1", {"decision": "approve"}, by="editor")

    assert decided.headers["location"] == "/review/photos?done=approved&id=1"
    word = shown(site.ask("GET", "/dic/পানী"))
    assert word.all("img", src="/photos/1-thumb.webp")
    assert word.one("figcaption").text == "Photo: A. Photographer · CC BY-SA 4.0"


REFUSED_PHOTOS: Final[tuple[tuple[bytes, str, int], ...]] = (
    (b"no photo", "1", 400),
    (b"x" * 3_200_000, "1", 400),
    (photo_bytes(), "999999", 400),
    (photo_bytes(), "", 400),
)


def test_a_refused_photo_is_reported_in_the_form(unchanged_site: Site, subtests: pytest.Subtests) -> None:
    for photo, idea, status in REFUSED_PHOTOS:
        with subtests.test(photo=photo[:10], idea=idea):
            answer = send_photo(unchanged_site, photo, idea=idea)

            page = shown(answer)
            assert answer.status == status
            assert page.one("div", role="alert").text
            assert page.one("input", name="photoCredit").attributes["value"] in {"A. Photographer", ""}


def test_the_form_says_when_too_many_photos_wait(site: Site) -> None:
    assert [send_photo(site, photo_bytes(seed=number)).status for number in range(3)] == [303] * 3

    answer = send_photo(site, photo_bytes(seed=4))

    assert answer.status == 429
    assert "You already have 3 photos waiting for review" in shown(answer).main
    assert "withdraw one" in shown(answer).main


def test_a_photo_sent_without_a_session_is_answered_with_the_form(site: Site) -> None:
    answer = send_photo(site, photo_bytes(), by=None)

    assert answer.status == 401
    assert "Sign in, and send the photo again." in shown(answer).main


def test_a_rejection_needs_a_reason_that_the_sender_reads(site: Site) -> None:
    send_photo(site, photo_bytes())

    assert send_form(site, "/review/photos/1", {"decision": "reject", "reason": " "}, by="editor").status == 400
    send_form(site, "/review/photos/1", {"decision": "reject", "reason": "Out of focus"}, by="editor")

    assert "Reason: Out of focus" in shown(site.ask("GET", "/account", by="reader")).main


def test_a_second_decision_is_refused_with_409(site: Site) -> None:
    send_photo(site, photo_bytes())
    send_form(site, "/review/photos/1", {"decision": "approve"}, by="editor")

    assert send_form(site, "/review/photos/1", {"decision": "approve"}, by="editor").status == 409


def test_a_decision_on_a_photo_can_be_undone_by_the_button_beside_it(site: Site, subtests: pytest.Subtests) -> None:
    send_photo(site, photo_bytes())
    for decision in ("approve", "reject"):
        with subtests.test(decision):
            decided = send_form(site, "/review/photos/1", {"decision": decision, "reason": "Out of focus"}, by="editor")
            path, _, query = decided.headers["location"].partition("?")
            assert shown(site.ask("GET", f"{path}?{query}", by="editor")).all("form", action="/review/photos/1/undo")

            undone = send_form(site, "/review/photos/1/undo", {}, by="editor")

            assert undone.headers["location"] == "/review/photos?done=undone&id=1"
            assert "1 photo to review." in shown(site.ask("GET", "/review/photos", by="editor")).main
            assert not shown(site.ask("GET", "/dic/পানী")).all("img", src="/photos/1-thumb.webp")
            assert send_form(site, "/review/photos/1/undo", {}, by="editor").status == 409


def test_only_moderators_review_photos(site: Site) -> None:
    assert site.ask("GET", "/review/photos", by="reader").status == 403
    assert send_form(site, "/review/photos/1", {"decision": "approve"}, by="reader").status == 403


def test_users_withdraw_their_own_photos(site: Site) -> None:
    send_photo(site, photo_bytes())

    answer = send_form(site, "/account/photos/1/withdraw", {}, by="reader")

    assert answer.headers["location"] == "/account?done=withdrawn"


def test_requesting_a_reset_link_does_not_reveal_which_users_exist(site: Site) -> None:
    for name in ("reader", "nobody", "x" * 400):
        answer = send_form(site, "/account/forgotten", {"name": name})

        assert answer.status == 403, name  # this server has no mail server
        assert "ask an administrator" in shown(answer).one("div", role="alert").text


def test_an_expired_link_is_reported(site: Site) -> None:
    answer = send_form(site, "/account/reset", {"token": "x", "password": PASSWORD})

    assert answer.status == 400
    assert shown(answer).one("div", role="alert").text


def test_an_unreadable_form_is_rejected_with_400(unchanged_site: Site) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}

    for body in (b"username=%ff", b"a" * 70_000, b"&".join([b"a=b"] * 2_010)):
        assert unchanged_site.ask("POST", "/account/sign-in", body=body, headers=headers).status == 400, body[:20]


# --- one's own data -----------------------------------------------------------------------------------------------


def test_the_account_page_offers_the_data_export(site: Site) -> None:
    page = shown(site.ask("GET", "/account", by="reader"))

    assert page.links_to("/account/export")
    assert page.links_to("/account/remove")
    assert "until the account is deleted" in page.main
    assert "stop working when the account is deleted" in shown(site.ask("GET", "/account/remove", by="reader")).main
    copy = site.ask("GET", "/account/export", by="reader")
    assert copy.json["account"][0]["username"] == "reader"
    assert copy.headers["content-disposition"] == 'attachment; filename="abhidhan-account.json"'
    assert copy.headers["cache-control"] == "no-store"
    assert site.ask("GET", "/account/export").headers["location"].startswith("/account/sign-in?next=")


def test_too_many_data_exports_are_refused(site: Site) -> None:
    headers_only = [site.ask("HEAD", "/account/export", by="reader") for _ in range(6)]
    assert {(each.status, each.body) for each in headers_only} == {(200, b"")}
    assert [site.ask("GET", "/account/export", by="reader").status for _ in range(5)] == [200] * 5

    refused = site.ask("GET", "/account/export", by="reader")

    assert refused.status == 429
    assert "too many copies" in shown(refused).main


def test_an_account_is_deleted_by_a_form(site: Site) -> None:
    assert (
        shown(site.ask("GET", "/account/remove", by="reader")).one("input", id="stays-none").attributes["checked"] == ""
    )

    answer = send_form(
        site, "/account/remove", {"stays": "other", "name": "Pen Name", "password": PASSWORD}, by="reader"
    )

    assert (answer.status, answer.headers["location"]) == (303, "/account/removed")
    assert "Max-Age=0" in answer.headers["set-cookie"]
    assert "deleted" in shown(site.ask("GET", "/account/removed")).title
    assert site.ask("GET", "/account", by="reader").status == 303


REFUSED_DELETIONS: Final[tuple[tuple[dict[str, str], int, str], ...]] = (
    ({"stays": "none", "password": "wrong"}, 403, "The password is wrong."),
    ({"stays": "other", "name": "x", "password": PASSWORD}, 400, "must have from 2"),
    ({"stays": "other", "name": "Editor", "password": PASSWORD}, 409, "already taken"),
    ({"stays": "nonsense", "password": PASSWORD}, 400, "Choose the name under which"),
)


def test_a_refused_deletion_keeps_the_choices_of_the_form(site: Site, subtests: pytest.Subtests) -> None:
    for fields, status, message in REFUSED_DELETIONS:
        with subtests.test(message):
            answer = send_form(site, "/account/remove", fields, by="reader")

            page = shown(answer)
            assert answer.status == status
            assert message in page.one("div", role="alert").text
            assert page.one("input", id="name").attributes["value"] == fields.get("name", "")
            assert page.one("input", name="password").attributes["value"] == ""
            assert site.ask("GET", "/account", by="reader").status == 200


def test_another_site_deletes_no_account(site: Site) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Content-Type": "application/x-www-form-urlencoded"}
    body = urlencode({"stays": "none", "password": PASSWORD}).encode()

    assert site.ask("POST", "/account/remove", by="reader", body=body, headers=headers).status == 403


def test_users_who_deleted_their_account_are_shown_as_contributor(site: Site) -> None:
    send_photo(site, photo_bytes())
    send_form(site, "/review/photos/1", {"decision": "approve"}, by="editor")
    assert "A. Photographer" in shown(site.ask("GET", "/dic/water")).main

    send_form(site, "/account/remove", {"stays": "none", "all_credits": "yes", "password": PASSWORD}, by="reader")

    assert "Photo: a contributor" in shown(site.ask("GET", "/dic/water")).main
