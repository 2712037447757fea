import pytest

from abhidhan.domain.people import Role
from abhidhan.storage import people as stored_people
from tests.support.contributing import PASSWORD, Site


@pytest.fixture
def managed(open_site: Site) -> Site:
    """Let an administrator sign in."""
    open_site.add("root", Role.ADMINISTRATOR)
    return open_site


def person_id(site: Site, name: str) -> int:
    people = site.ask("GET", "/api/people", by="root").json["data"]
    found: int = next(person["id"] for person in people if person["username"] == name)
    return found


def test_an_administrator_makes_changes(managed: Site) -> None:
    new = {"username": "bina", "password": PASSWORD, "role": "editor"}

    made = managed.ask("POST", "/api/people", by="root", json=new)
    number = made.json["id"]
    changed = managed.ask("PATCH", f"/api/people/{number}", by="root", json={"role": "reader", "disabled": True})
    enabled = managed.ask("PATCH", f"/api/people/{number}", by="root", json={"disabled": False})
    link = managed.ask("POST", f"/api/people/{number}/reset", by="root")

    assert (made.status, made.json["role"]) == (201, "editor")
    assert (changed.json["role"], changed.json["disabled"] is None) == ("reader", False)
    assert enabled.json["disabled"] is None
    assert "token=" in link.json["link"]
    assert managed.ask("PATCH", f"/api/people/{number + 1}", by="root", json={}).status == 404


def test_a_new_role_counts_at_once(managed: Site) -> None:
    managed.add("bina")
    assert managed.ask("GET", "/api/people", by="bina").status == 403

    managed.ask("PATCH", f"/api/people/{person_id(managed, 'bina')}", by="root", json={"role": "administrator"})

    assert managed.ask("GET", "/api/people", by="bina").status == 200


@pytest.mark.parametrize("body", [{"role": "reader"}, {"disabled": True}])
def test_the_last_administrator_stays(managed: Site, body: object) -> None:
    assert managed.ask("PATCH", f"/api/people/{person_id(managed, 'root')}", by="root", json=body).status == 409


def test_an_invitation_is_made_by_administrators(managed: Site) -> None:
    token = managed.ask("POST", "/api/people/invitations", by="root", json={"role": "editor"}).json["invitation"]

    made = managed.ask("POST", "/api/account", json={"username": "bina", "password": PASSWORD, "invitation": token})

    assert made.json["role"] == "editor"


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/api/people", None),
        ("POST", "/api/people", {"username": "eve", "password": PASSWORD, "role": "administrator"}),
        ("PATCH", "/api/people/1", {"role": "reader"}),
        ("POST", "/api/people/1/reset", {}),
        ("POST", "/api/people/invitations", {"role": "administrator"}),
        ("GET", "/api/people/invitations", None),
        ("DELETE", "/api/people/invitations/1", None),
        ("DELETE", "/api/people/1/two-factor", None),
    ],
)
def test_only_administrators_manage_people(managed: Site, method: str, path: str, body: object) -> None:
    for role in (Role.READER, Role.CONTRIBUTOR, Role.EDITOR):
        managed.add(role, role)

    statuses = [managed.ask(method, path, by=by, json=body).status for by in (None, "reader", "contributor", "editor")]

    assert statuses == [401, 403, 403, 403]


def invitation_of(site: Site, by: str) -> str:
    answer = site.ask("POST", "/api/people/invitations", by=by, json={"role": "administrator"})
    token: str = answer.json["invitation"]
    return token


def use(site: Site, invitation: str) -> int:
    body = {"username": "eve", "password": PASSWORD, "invitation": invitation}
    return site.ask("POST", "/api/account", json=body).status


def end(site: Site, how: str) -> None:
    """Take the rights of the administrator `second` away."""
    accounts = site.write_side.accounts
    second = site.run(accounts.find_by_name("second"))
    match how:
        case "removed":
            site.leave("second")
        case "disabled":
            site.run(accounts.disable(second))
        case "demoted":
            site.run(accounts.set_role(second, Role.EDITOR))
        case "demoted behind the program's back":
            site.database.write_now(lambda connection: stored_people.set_role(connection, second.id, Role.EDITOR))


ENDS = ["removed", "disabled", "demoted", "demoted behind the program's back"]


@pytest.mark.parametrize("how", ENDS)
def test_an_invitation_ends_with_the_rights_of_whoever_made_it(site: Site, how: str) -> None:
    site.add("root", Role.ADMINISTRATOR)
    site.add("second", Role.ADMINISTRATOR)
    invitation = invitation_of(site, "second")
    assert len(site.ask("GET", "/api/people/invitations", by="root").json["data"]) == 1

    end(site, how)

    assert site.ask("GET", "/api/people/invitations", by="root").json == {"data": [], "count": 0}
    assert use(site, invitation) == 400


@pytest.mark.parametrize("how", ENDS)
def test_a_reset_link_ends_with_the_rights_of_whoever_made_it(managed: Site, how: str) -> None:
    managed.add("second", Role.ADMINISTRATOR)
    link = managed.ask("POST", f"/api/people/{person_id(managed, 'root')}/reset", by="second").json["link"]

    end(managed, how)

    body = {"token": link.partition("token=")[2], "password": "quite another password"}
    assert managed.ask("POST", "/api/account/reset", json=body).status == 400
    assert managed.sign_in("root").status == 204


def test_invitations_are_listed_without_their_tokens_and_taken_back(managed: Site) -> None:
    invitation = invitation_of(managed, "root")
    managed.run(managed.write_side.accounts.invite(Role.READER))

    listed = managed.ask("GET", "/api/people/invitations", by="root")
    by_command, by_root = listed.json["data"]
    taken = [managed.ask("DELETE", f"/api/people/invitations/{by_root['id']}", by="root").status for _ in range(2)]

    assert (by_root["role"], by_root["issuer"], by_command["issuer"]) == ("administrator", "root", None)
    assert invitation not in listed.body.decode()
    assert taken == [204, 404]
    assert use(managed, invitation) == 400


def test_a_new_password_ends_the_links_that_set_another(managed: Site) -> None:
    link = managed.ask("POST", f"/api/people/{person_id(managed, 'root')}/reset", by="root").json["link"]
    change = {"password": PASSWORD, "new_password": "quite another password"}
    managed.ask("POST", "/api/account/password", by="root", json=change)

    body = {"token": link.partition("token=")[2], "password": "a password of a thief"}
    assert managed.ask("POST", "/api/account/reset", json=body).status == 400
