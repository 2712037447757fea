from typing import Final
from urllib.parse import urlsplit

import pytest

from abhidhan.records.people import Role
from tests.people.pages.test_account import shown, site
from tests.support.contributions import PASSWORD, Site, read_session_token
from tests.support.page import assert_landmarks_differ
from tests.support.pages import send_form

__all__ = ["site"]

PEOPLE = "/account/people"


@pytest.fixture
def office(site: Site) -> Site:
    """Add an administrator who is signed in, and a contributor."""
    site.add("head", Role.ADMINISTRATOR, signed_in=False)
    site.add("anil", Role.CONTRIBUTOR, signed_in=False)
    for name in ("head", "anil"):
        site.cookies[name] = read_session_token(
            send_form(site, "/account/sign-in", {"username": name, "password": PASSWORD})
        )
    return site


def number_of(site: Site, name: str) -> int:
    return site.run(site.write_side.accounts.administration.find_by_name(name)).id


def test_an_administrator_finds_people_by_the_beginning_of_their_names(office: Site) -> None:
    everybody = shown(office.ask("GET", PEOPLE, by="head"))
    some = shown(office.ask("GET", f"{PEOPLE}?q=AN", by="head"))
    none = shown(office.ask("GET", f"{PEOPLE}?q=xyz", by="head"))

    anil, head = (f"{PEOPLE}/{number_of(office, name)}" for name in ("anil", "head"))
    assert everybody.links_to(anil)
    assert everybody.links_to(head)
    assert some.links_to(anil)
    assert not some.links_to(head)
    assert "No names start with this." in none.main


def test_two_search_forms_of_a_page_have_different_names(office: Site, subtests: pytest.Subtests) -> None:
    for address in (PEOPLE, "/edit/proverbs", "/edit/idea/1/relations?q=পানী"):
        with subtests.test(address):
            page = shown(office.ask("GET", address, by="head"))

            assert len(page.all("form", role="search")) == 2
            assert_landmarks_differ(page)


def test_a_long_list_is_split_into_pages(office: Site) -> None:
    for each in range(60):
        office.add(f"person{each:02}", signed_in=False)

    first = shown(office.ask("GET", f"{PEOPLE}?q=person", by="head"))
    second = shown(office.ask("GET", first.all("a", rel="next")[0].attributes["href"], by="head"))

    assert "60 people" in first.main
    assert "person59" not in first.main
    assert "person59" in second.main
    assert "person00" in shown(office.ask("GET", second.all("a", rel="prev")[0].attributes["href"], by="head")).main


FORMS: Final[tuple[tuple[str, dict[str, str]], ...]] = (
    (PEOPLE, {"new_name": "eve", "role": "administrator"}),
    (f"{PEOPLE}/1/role", {"role": "administrator"}),
    (f"{PEOPLE}/1/disable", {}),
    (f"{PEOPLE}/1/enable", {}),
    (f"{PEOPLE}/1/reset", {}),
    (f"{PEOPLE}/1/two-factor", {}),
    (f"{PEOPLE}/1/remove", {"sure": "yes"}),
    (f"{PEOPLE}/invitations", {"role": "administrator"}),
    (f"{PEOPLE}/invitations/1/revoke", {}),
)


def test_only_administrators_manage_users_and_see_the_link(office: Site) -> None:
    assert shown(office.ask("GET", "/account", by="head")).links_to(PEOPLE)
    assert not shown(office.ask("GET", "/account", by="editor")).links_to(PEOPLE)
    for path in (PEOPLE, f"{PEOPLE}/1"):
        assert office.ask("GET", path, by="editor").status == 403
        assert office.ask("GET", path).headers["location"].startswith("/account/sign-in?next=")
    for path, fields in FORMS:
        asked = [send_form(office, path, fields, by=by).status for by in (None, "reader", "anil", "editor")]
        assert asked == [401, 403, 403, 403], path


def test_a_new_role_takes_effect_immediately(office: Site) -> None:
    anil = number_of(office, "anil")

    given = send_form(office, f"{PEOPLE}/{anil}/role", {"role": "editor"}, by="head")

    assert given.headers["location"] == f"{PEOPLE}/{anil}?done=role"
    assert office.ask("GET", "/review/submissions", by="anil").status == 200
    assert send_form(office, f"{PEOPLE}/{anil}/role", {"role": "queen"}, by="head").status == 400


def test_the_last_administrator_keeps_the_role(office: Site) -> None:
    head = number_of(office, "head")

    steps: dict[str, dict[str, str]] = {"role": {"role": "editor"}, "disable": {}, "remove": {"sure": "yes"}}
    for step, fields in steps.items():
        refused = send_form(office, f"{PEOPLE}/{head}/{step}", fields, by="head")

        assert refused.status == 409, step
        assert "head is the only administrator" in shown(refused).main
        assert office.ask("GET", PEOPLE, by="head").status == 200


def test_a_blocked_user_is_signed_out_until_unblocked(office: Site) -> None:
    anil = number_of(office, "anil")

    send_form(office, f"{PEOPLE}/{anil}/disable", {}, by="head")
    assert office.ask("GET", "/account", by="anil").status == 303
    assert "blocked" in shown(office.ask("GET", PEOPLE, by="head")).main
    send_form(office, f"{PEOPLE}/{anil}/enable", {}, by="head")

    assert send_form(office, "/account/sign-in", {"username": "anil", "password": PASSWORD}).status == 303


def path_of(link: str) -> str:
    parts = urlsplit(link)
    return f"{parts.path}?{parts.query}"


def test_a_reset_link_is_shown_once_and_works(office: Site) -> None:
    anil = number_of(office, "anil")

    made = send_form(office, f"{PEOPLE}/{anil}/reset", {}, by="head")
    link = shown(made).one("input", id="link").attributes["value"]

    assert made.headers["cache-control"] == "no-store"
    assert not shown(office.ask("GET", f"{PEOPLE}/{anil}", by="head")).all("input", id="link")
    token = link.partition("token=")[2]
    assert office.ask("GET", path_of(link)).status == 200
    reset = send_form(office, "/account/reset", {"token": token, "password": "quite another password"})
    assert reset.headers["location"] == "/account/sign-in"
    signed_in = send_form(office, "/account/sign-in", {"username": "anil", "password": "quite another password"})
    assert signed_in.status == 303


def test_an_invitation_makes_an_account_with_its_role(office: Site) -> None:
    made = send_form(office, f"{PEOPLE}/invitations", {"role": "editor"}, by="head")
    link = shown(made).one("input", id="link").attributes["value"]

    fields = {"username": "bina", "password": PASSWORD, "invitation": link.partition("invitation=")[2]}
    signed_up = send_form(office, "/account/sign-up", fields)

    assert office.ask("GET", path_of(link)).status == 200
    assert signed_up.headers["location"] == "/account?done=account"
    assert "Editor" in shown(office.ask("GET", f"{PEOPLE}/{number_of(office, 'bina')}", by="head")).main


def test_an_invitation_that_cannot_be_made_is_refused_whatever_else_the_form_has(office: Site) -> None:
    for fields in ({"role": "nobody"}, {"days": "many"}, {"days": "0"}, {"days": "9999"}, {"people": "0"}):
        sent = {"role": "editor", "made": "invitation", **fields}
        assert send_form(office, f"{PEOPLE}/invitations", sent, by="head").status == 400, fields


def test_invitations_are_listed_without_their_tokens_and_revoked(office: Site) -> None:
    made = shown(send_form(office, f"{PEOPLE}/invitations", {"role": "editor"}, by="head"))
    token = made.one("input", id="link").attributes["value"].partition("invitation=")[2]
    office.run(office.write_side.accounts.administration.create_invitation(Role.READER))

    listed = office.ask("GET", PEOPLE, by="head")
    of_command, of_head = (
        each.attributes["action"]
        for each in shown(listed).all("form", method="post")
        if each.attributes["action"].endswith("/revoke")
    )
    assert of_command != of_head
    assert "created by head" in shown(listed).main
    assert "created on the command line" in shown(listed).main
    assert token not in listed.body.decode()
    assert send_form(office, of_head, {}, by="head").headers["location"] == f"{PEOPLE}?done=revoked"
    assert send_form(office, of_head, {}, by="head").status == 404
    for impossible in (2**31, 2**63, 10**30):
        assert send_form(office, f"{PEOPLE}/invitations/{impossible}/revoke", {}, by="head").status == 404
    signed_up = send_form(office, "/account/sign-up", {"username": "eve", "password": PASSWORD, "invitation": token})
    assert signed_up.status == 400


def test_a_group_invitation_creates_as_many_accounts_as_stated(office: Site) -> None:
    asked = {"role": "contributor", "people": "3", "days": "2"}
    made = shown(send_form(office, f"{PEOPLE}/invitations", asked, by="head"))
    token = made.one("input", id="link").attributes["value"].partition("invitation=")[2]

    def sign_up(name: str) -> int:
        return send_form(
            office, "/account/sign-up", {"username": name, "password": PASSWORD, "invitation": token}
        ).status

    assert "It creates 3 accounts." in made.main
    assert [sign_up("one"), sign_up("one")] == [303, 409]
    assert "for 2 people" in shown(office.ask("GET", PEOPLE, by="head")).main
    assert [sign_up(name) for name in ("two", "three", "four")] == [303, 303, 400]
    assert "Open invitations" not in shown(office.ask("GET", PEOPLE, by="head")).main
    for wrong in ({"people": "501"}, {"people": "-1"}, {"days": "91"}, {"days": "soon"}):
        assert send_form(office, f"{PEOPLE}/invitations", asked | wrong, by="head").status == 400


def test_an_administrator_creates_an_account_and_its_user_sets_the_password(office: Site) -> None:
    fields = {"new_name": "ৰীতা", "email": "rita@example.org", "role": "contributor"}

    made = shown(send_form(office, PEOPLE, fields, by="head"))
    link = made.one("input", id="link").attributes["value"]
    send_form(office, "/account/reset", {"token": link.partition("token=")[2], "password": PASSWORD})

    assert send_form(office, "/account/sign-in", {"username": "ৰীতা", "password": PASSWORD}).status == 303
    again = send_form(office, PEOPLE, fields, by="head")
    assert again.status == 409
    assert shown(again).one("input", name="email").attributes["value"] == "rita@example.org"


def test_a_deleted_account_leaves_its_contributions_without_a_name(office: Site) -> None:
    anil = number_of(office, "anil")
    word = {"word": "নতুনশব্দ", "language": "as", "pos": "1", "definition_as": "নতুন"}
    send_form(office, "/account/submit/word", word, by="anil")

    assert send_form(office, f"{PEOPLE}/{anil}/remove", {}, by="head").status == 400
    gone = send_form(office, f"{PEOPLE}/{anil}/remove", {"sure": "yes", "keep_waiting": "yes"}, by="head")

    assert gone.headers["location"] == f"{PEOPLE}?done=removed"
    assert office.ask("GET", f"{PEOPLE}/{anil}", by="head").status == 404
    queue = shown(office.ask("GET", "/review/submissions", by="head")).main
    assert "নতুনশব্দ" in queue
    assert "anil" not in queue


def test_another_site_cannot_act_for_an_administrator(office: Site) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "cross-site"}

    answer = office.ask("POST", f"{PEOPLE}/invitations", by="head", body=b"role=administrator", headers=headers)

    assert answer.status == 403


def test_after_the_session_has_ended_the_administrator_signs_in_and_the_form_is_kept(office: Site) -> None:
    anil = number_of(office, "anil")

    asked = send_form(office, f"{PEOPLE}/{anil}/role", {"role": "editor"})
    page = shown(asked)
    assert asked.status == 401
    assert page.one("input", name="role").attributes["value"] == "editor"
    action = page.all("form", method="post")[0].attributes["action"]
    wrong = send_form(office, action, {"role": "editor", "username": "head", "password": "wrong password"})
    assert shown(wrong).one("input", name="role").attributes["value"] == "editor"
    done = send_form(office, action, {"role": "editor", "username": "head", "password": PASSWORD})

    assert done.headers["location"] == f"{PEOPLE}/{anil}?done=role"
    assert "abhidhan=" in done.headers["set-cookie"]


def test_names_full_of_html_are_shown_as_they_are_or_refused(office: Site) -> None:
    page = shown(send_form(office, PEOPLE, {"new_name": "<script>x</script>", "role": "editor"}, by="head"))

    assert not [each for each in page.all("script") if each.text == "x"]
    assert page.one("input", name="new_name").attributes["value"] == "<script>x</script>"
