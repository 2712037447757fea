"""/api/review/unchecked: what nobody has checked, as contributors and editors ask it."""

import pytest

from abhidhan.records.people import Role
from tests.support.contributions import Site

UNCHECKED = "/api/review/unchecked"


@pytest.fixture
def people(open_site: Site) -> Site:
    return with_people(open_site)


@pytest.fixture
def people_on_each_engine(site: Site) -> Site:
    return with_people(site)


def with_people(site: Site) -> Site:
    site.add("reader")
    site.add("contributor", Role.CONTRIBUTOR)
    site.add("editor", Role.EDITOR)
    return site


def list_unchecked_ids(site: Site, query: str = "") -> list[int]:
    answer = site.ask("GET", f"{UNCHECKED}?limit=1000{query}", by="editor")
    assert answer.status == 200, answer.body
    return [each["id"] for each in answer.json["data"]]


def test_an_idea_leaves_the_list_when_an_editor_confirms_it(people_on_each_engine: Site) -> None:
    site = people_on_each_engine
    before = list_unchecked_ids(site)

    confirmed = site.ask("POST", f"{UNCHECKED}/{before[0]}", by="editor")

    assert confirmed.status == 200, confirmed.body
    assert list(confirmed.json) == ["idea_id", "person", "confirmed"]
    assert (confirmed.json["idea_id"], confirmed.json["person"]) == (before[0], "editor")
    assert confirmed.json["confirmed"].endswith("Z")
    assert list_unchecked_ids(site) == before[1:]
    history = site.ask("GET", f"/api/ideas/{before[0]}/history").json["data"][0]
    assert (history["action"]["value"], history["person"]) == ("Approved", "editor")


def test_confirming_again_answers_the_first_confirmation(people: Site) -> None:
    people.add("second", Role.EDITOR)
    first = people.ask("POST", f"{UNCHECKED}/1", by="editor").json

    again = people.ask("POST", f"{UNCHECKED}/1", by="second")

    assert (again.status, again.json) == (200, first)


def test_pages_lead_to_the_next_until_the_end(people: Site) -> None:
    whole = list_unchecked_ids(people)
    address, seen = f"{UNCHECKED}?limit=3", []
    while address:
        answer = people.ask("GET", address, by="contributor")
        assert list(answer.json) == ["data", "total", "limit", "offset", "next"]
        assert answer.json["total"] == len(whole)
        seen += [each["id"] for each in answer.json["data"]]
        address = answer.json["next"] or ""
        assert ("link" in answer.headers) == bool(address)

    assert seen == whole


def test_ideas_of_the_list_equal_the_answers_of_their_own_addresses(people: Site) -> None:
    first = people.ask("GET", f"{UNCHECKED}?limit=1", by="reader").json["data"][0]

    assert first == people.ask("GET", f"/api/ideas/{first['id']}").json


def test_only_reviewers_may_confirm(people: Site) -> None:
    for by, status in ((None, 401), ("reader", 403), ("contributor", 403), ("editor", 200)):
        assert people.ask("POST", f"{UNCHECKED}/1", by=by).status == status, by
        assert people.ask("GET", UNCHECKED, by=by).status == (401 if by is None else 200)


def test_requests_from_other_sites_cannot_confirm_and_change_nothing(people: Site) -> None:
    elsewhere = {"Sec-Fetch-Site": "cross-site"}

    refused = people.ask("POST", f"{UNCHECKED}/1", by="editor", headers=elsewhere)
    answer = people.ask("GET", UNCHECKED, by="editor")

    assert refused.status == 403
    assert answer.headers["cache-control"] == "no-store"
    assert "access-control-allow-origin" not in answer.headers


def test_an_idea_that_is_not_there_is_404_and_too_far_is_400(people: Site) -> None:
    assert people.ask("POST", f"{UNCHECKED}/999999", by="editor").status == 404
    assert people.ask("GET", f"{UNCHECKED}?offset=100001", by="editor").status == 400


@pytest.mark.parametrize(("name", "shown"), [(None, None), ("Bina Das", "Bina Das")])
def test_a_confirmation_outlives_the_account_under_the_chosen_name(
    people_on_each_engine: Site, name: str | None, shown: str | None
) -> None:
    site = people_on_each_engine
    site.ask("POST", f"{UNCHECKED}/1", by="editor")
    assert "confirmation:1" in str(site.export_data("editor")["changes"])

    site.delete_account("editor", name=name)

    site.add("second", Role.EDITOR)
    kept = site.ask("POST", f"{UNCHECKED}/1", by="second").json
    assert kept["person"] == shown
