import pytest

from abhidhan.domain.people import Role
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


def test_an_administrator_makes_changes_and_deletes_accounts(managed: Site) -> None:
    new = {"username": "bina", "password": PASSWORD, "role": "editor"}

    made = managed.ask("POST", "/api/people", by="root", json=new)
    number = made.json["id"]
    changed = managed.ask("PATCH", f"/api/people/{number}", by="root", json={"role": "reader", "disabled": True})
    enabled = managed.ask("PATCH", f"/api/people/{number}", by="root", json={"disabled": False})
    link = managed.ask("POST", f"/api/people/{number}/reset", by="root")
    gone = managed.ask("DELETE", f"/api/people/{number}", by="root")

    assert (made.status, made.json["role"]) == (201, "editor")
    assert (changed.json["role"], changed.json["disabled"] is None) == ("reader", False)
    assert enabled.json["disabled"] is None
    assert "token=" in link.json["link"]
    assert gone.status == 204
    assert managed.ask("PATCH", f"/api/people/{number}", by="root", json={}).status == 404


def test_a_new_role_counts_at_once(managed: Site) -> None:
    managed.add("bina")
    assert managed.ask("GET", "/api/people", by="bina").status == 403

    managed.ask("PATCH", f"/api/people/{person_id(managed, 'bina')}", by="root", json={"role": "administrator"})

    assert managed.ask("GET", "/api/people", by="bina").status == 200


@pytest.mark.parametrize(
    ("method", "body"), [("PATCH", {"role": "reader"}), ("PATCH", {"disabled": True}), ("DELETE", None)]
)
def test_the_last_administrator_stays(managed: Site, method: str, body: object) -> None:
    assert managed.ask(method, f"/api/people/{person_id(managed, 'root')}", by="root", json=body).status == 409


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
        ("DELETE", "/api/people/1", None),
        ("POST", "/api/people/1/reset", {}),
        ("POST", "/api/people/invitations", {"role": "administrator"}),
    ],
)
def test_only_administrators_manage_people(managed: Site, method: str, path: str, body: object) -> None:
    for role in (Role.READER, Role.CONTRIBUTOR, Role.EDITOR):
        managed.add(role, role)

    statuses = [managed.ask(method, path, by=by, json=body).status for by in (None, "reader", "contributor", "editor")]

    assert statuses == [401, 403, 403, 403]
