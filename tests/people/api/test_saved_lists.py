"""/api/account/lists: lists that an account keeps across devices, only if its person wants that."""

import asyncio
import time
from typing import Any

import pytest
from sqlalchemy import select

from abhidhan.people.store.saved_lists import find_lists
from abhidhan.records.people import Role
from abhidhan.schema import own_lists
from tests.support.contributions import Site
from tests.support.plans import find_scanned_tables

OWN = "/api/account/lists"
NOW = int(time.time()) * 1000


def birds(*words: int, at: int = 1, name: str = "Birds") -> dict[str, Any]:
    """Make a list with words in it."""
    there = [{"id": each, "at": NOW + at, "place": each} for each in words]
    return {"id": "birds", "name": name, "named": NOW + at, "words": there}


@pytest.fixture
def owner(site: Site) -> Site:
    """Let somebody sign in; once on each engine."""
    site.add("root", Role.ADMINISTRATOR)
    site.add("anil")
    return site


def words_of(answer: Any) -> list[int]:  # noqa: ANN401 (JSON)
    """List the words of the one list of an answer."""
    return [word["id"] for word in answer["lists"][0]["words"] if word["place"] is not None]


def test_an_account_stores_lists_only_while_its_user_wants_that(owner: Site) -> None:
    before = owner.ask("GET", OWN, by="anil")
    version = owner.run(owner.database.version())
    begun = owner.ask("PUT", OWN, by="anil", json={"lists": [birds(1, 2)]})
    read = owner.ask("GET", OWN, by="anil")
    gone = owner.ask("DELETE", OWN, by="anil")

    assert before.json == {"is_kept": False, "owner": "anil", "lists": [], "cards": []}
    assert begun.json["is_kept"] is True
    assert read.json == begun.json
    assert words_of(read.json) == [1, 2]
    assert read.headers["etag"] == begun.headers["etag"] != before.headers["etag"]
    assert read.headers["cache-control"] == "no-store"
    assert gone.status == 204
    assert owner.ask("GET", OWN, by="anil").json == before.json
    assert owner.run(owner.database.version()) == version


def test_two_devices_lose_nothing_and_end_in_the_same_state(owner: Site) -> None:
    def send(device: dict[str, Any]) -> Any:  # noqa: ANN401 (JSON)
        return owner.ask("PUT", OWN, by="anil", json={"lists": [device]}).json

    send(birds(1, at=5))
    send(birds(2, 3, at=4, name="Older"))
    taken = birds(1, at=6)
    taken["words"][0]["place"] = None
    last = send(taken)

    assert words_of(last) == [2, 3]
    assert last["lists"][0]["name"] == "Birds"
    assert send(birds(1, at=5)) == last


def test_the_latest_answer_to_a_flashcard_of_any_device_is_kept(owner: Site) -> None:
    def send(*cards: dict[str, Any]) -> Any:  # noqa: ANN401 (JSON)
        return owner.ask("PUT", OWN, by="anil", json={"lists": [], "cards": cards}).json["cards"]

    known = {"set": "1", "id": 7, "box": 2, "due": 20_003, "at": NOW + 2}
    older = {"set": "1", "id": 7, "box": 5, "due": 20_040, "at": NOW + 1}
    of_list = {"set": "list", "id": 7, "box": 1, "due": 20_001, "at": 0}
    reset = {"set": "1", "id": 7, "box": 0, "due": 0, "at": NOW + 3}

    assert send(known) == [known]
    assert send(older, of_list) == [known, of_list]
    assert send(reset) == [reset, of_list]
    assert owner.ask("PUT", OWN, by="anil", json={"lists": [], "cards": [{**known, "box": 6}]}).status == 400


def test_concurrent_updates_of_many_devices_are_all_stored(owner: Site) -> None:
    async def send_all() -> list[int]:
        asked = (owner.ask_async("PUT", OWN, by="anil", json={"lists": [birds(word)]}) for word in range(1, 9))
        return [answer.status for answer in await asyncio.gather(*asked)]

    assert owner.run(send_all()) == [200] * 8
    assert words_of(owner.ask("GET", OWN, by="anil").json) == list(range(1, 9))


def test_if_match_and_if_none_match_conditions_are_respected(owner: Site) -> None:
    def send(condition: str, *words: int) -> Any:  # noqa: ANN401 (an answer)
        return owner.ask("PUT", OWN, by="anil", json={"lists": [birds(*words)]}, headers={"If-Match": condition})

    assert send("*", 1).status == 412
    first = owner.ask("PUT", OWN, by="anil", json={"lists": [birds(1)]}).headers["etag"]
    assert send("*", 1).headers["etag"] == first
    assert owner.ask("GET", OWN, by="anil", headers={"If-None-Match": first}).status == 304
    assert owner.ask("GET", OWN, by="anil", headers={"If-None-Match": first}).status == 304
    assert send(first, 2).status == 200
    late = send(first, 3)
    assert (late.status, late.json["title"]) == (412, "Precondition failed")
    assert words_of(owner.ask("GET", OWN, by="anil").json) == [1, 2]


def test_lists_of_another_account_are_refused(owner: Site) -> None:
    body = {"lists": [birds(1)], "owner": "bina"}

    assert owner.ask("PUT", OWN, by="anil", json=body).status == 409
    assert owner.ask("GET", OWN, by="anil").json["is_kept"] is False


def test_only_the_owner_reads_and_changes_the_lists_and_other_sites_cannot(owner: Site) -> None:
    owner.ask("PUT", OWN, by="anil", json={"lists": [birds(1)]})
    from_elsewhere = {"Sec-Fetch-Site": "cross-site"}

    assert owner.ask("GET", OWN).status == 401
    assert owner.ask("GET", OWN, by="root").json["lists"] == []
    assert owner.ask("PUT", OWN, by="anil", json={"lists": []}, headers=from_elsewhere).status == 403
    assert owner.ask("DELETE", OWN, by="anil", headers=from_elsewhere).status == 403
    assert words_of(owner.ask("GET", OWN, by="anil").json) == [1]


REFUSED: tuple[list[Any], ...] = (
    [birds(*range(1, 2_002))],
    [{"id": "UPPER"}],
    [{"id": "a", "words": [{"id": 0, "at": 1}]}],
    [{"id": "a", "words": [{"id": 1, "at": -1}]}],
    [{"id": "a", "name": "x" * 81}],
    [{"id": "a", "unknown": 1}],
    [{"id": f"a{number}"} for number in range(101)],
)


def test_invalid_lists_are_rejected_and_not_stored(owner: Site) -> None:
    for lists in REFUSED:
        assert owner.ask("PUT", OWN, by="anil", json={"lists": lists}).status == 400, str(lists)[:60]
    assert owner.ask("GET", OWN, by="anil").json["is_kept"] is False


def test_a_program_with_a_token_can_store_lists(owner: Site) -> None:
    bearer = {"Authorization": f"Bearer {owner.make_token('anil').text}"}

    assert owner.ask("PUT", OWN, json={"lists": [birds(4)]}, headers=bearer).status == 200
    assert words_of(owner.ask("GET", OWN, headers=bearer).json) == [4]


def test_lists_are_part_of_the_data_export_and_deleted_with_the_account(owner: Site) -> None:
    card = {"set": "1", "id": 7, "box": 1, "due": 20_000, "at": NOW}
    owner.ask("PUT", OWN, by="anil", json={"lists": [birds(1)], "cards": [card]})

    (stored,) = owner.export_data("anil")["own_lists"]
    assert stored["lists"][0]["name"] == "Birds"
    assert stored["cards"] == [card]
    owner.delete_account("anil")
    with owner.database.engine.connect() as connection:
        assert connection.execute(select(own_lists)).all() == []


def test_reading_them_is_an_index_search(open_site: Site) -> None:
    assert find_scanned_tables(open_site.database, lambda reader: find_lists(reader, 1)) == []
