"""Links that administrators make: invitations, and links that set a new password."""

import pytest

from abhidhan.people.store import people as stored_people
from abhidhan.records.people import Role
from abhidhan.records.personal_data import DeletionChoices
from tests.support.contributions import PASSWORD, Site

NEW = "quite another password"


def end_rights(site: Site, how: str) -> None:
    """Take the rights of the administrator `second` away."""
    accounts = site.write_side.accounts
    second = site.run(accounts.administration.find_by_name("second"))
    match how:
        case "removed":
            site.run(site.write_side.personal_data.delete_account(second, DeletionChoices()))
        case "disabled":
            site.run(accounts.administration.disable(second))
        case "demoted":
            site.run(accounts.administration.set_role(second, Role.EDITOR))
        case "demoted behind the program's back":
            site.database.write_now(lambda connection: stored_people.set_role(connection, second.id, Role.EDITOR))


@pytest.mark.parametrize("how", ["removed", "disabled", "demoted", "demoted behind the program's back"])
def test_links_end_with_the_rights_of_their_creator(site: Site, how: str) -> None:
    for name in ("root", "second"):
        site.add(name, Role.ADMINISTRATOR)
    accounts = site.write_side.accounts
    root, second = (site.run(accounts.administration.find_by_name(name)) for name in ("root", "second"))
    invitation = site.run(accounts.administration.create_invitation(Role.ADMINISTRATOR, second))
    reset = site.run(accounts.administration.create_reset_link(root, second)).partition("token=")[2]
    assert len(site.run(accounts.administration.list_invitations())) == 1

    end_rights(site, how)

    assert site.run(accounts.administration.list_invitations()) == []
    new = {"username": "eve", "password": PASSWORD, "invitation": invitation}
    assert site.ask("POST", "/api/account", json=new).status == 400
    assert site.ask("POST", "/api/account/reset", json={"token": reset, "password": NEW}).status == 400
    assert site.sign_in("root").status == 204


def test_a_new_password_ends_the_links_that_set_another(open_site: Site) -> None:
    open_site.add("anil")
    accounts = open_site.write_side.accounts
    link = open_site.run(
        accounts.administration.create_reset_link(open_site.run(accounts.administration.find_by_name("anil")))
    )
    changed = {"password": PASSWORD, "new_password": NEW}
    assert open_site.ask("POST", "/api/account/password", by="anil", json=changed).status == 204

    body = {"token": link.partition("token=")[2], "password": "a password of a thief"}
    assert open_site.ask("POST", "/api/account/reset", json=body).status == 400
