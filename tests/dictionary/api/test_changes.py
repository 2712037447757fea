"""GET /api/changes, as whoever keeps a copy asks it."""

from typing import Any

import pytest

from abhidhan.records.change_feed import FeedPosition, encode_token
from abhidhan.records.people import Role
from tests.support.application import Ask
from tests.support.contributing import Site, photo_bytes


def first_token(site: Site) -> str:
    return str(site.ask("GET", "/api/changes").json["next"])


def since(site: Site, token: str, limit: int = 1000) -> dict[str, Any]:
    answer = site.ask("GET", f"/api/changes?since={token}&limit={limit}")
    assert answer.status == 200, answer.body
    found: dict[str, Any] = answer.json
    return found


def told(site: Site, token: str) -> set[tuple[str, int, str]]:
    return {(one["kind"], one["id"], one["change"]) for one in since(site, token)["data"]}


def idea_and_related(site: Site, idea_id: int) -> set[tuple[str, int, str]]:
    """Name an idea, and those that show its words, as changed."""
    idea = site.ask("GET", f"/api/ideas/{idea_id}").json
    related = {relation["idea_id"] for relation in idea["relations"]}
    return {("idea", each, "changed") for each in {idea_id, *related}}


def test_an_edit_through_the_api_is_followed(site: Site) -> None:
    site.add("editor", Role.EDITOR)
    token = first_token(site)
    data = {"language": "as", "word": "নতুন", "idea_id": 1}
    made = site.ask("POST", "/api/editing/words", by="editor", json=data)
    assert made.status == 201, made.body

    answer = since(site, token)
    assert list(answer) == ["data", "count", "more", "next"]
    assert answer["count"] == len(answer["data"])
    assert list(answer["data"][0]) == ["kind", "id", "change", "at"]
    number = int(made.json["record"].partition(":")[2])
    assert told(site, token) == {("word", number, "changed")} | idea_and_related(site, 1)
    assert site.ask("GET", f"/api/words/{number}").json["word"] == "নতুন"

    gone = site.ask("DELETE", f"/api/editing/words/{number}", by="editor")
    assert gone.status == 200, gone.body
    assert ("word", number, "deleted") in told(site, answer["next"])


def test_a_photo_changes_its_idea_when_it_is_shown_and_when_it_is_not_any_more(site: Site) -> None:
    site.add("reader")
    site.add("editor", Role.EDITOR)
    token = first_token(site)
    assert site.send_photo("reader", photo_bytes()).status == 201
    assert told(site, token) == set()

    site.ask("POST", "/api/photos/1/approve", by="editor")
    assert ("idea", 1, "changed") in told(site, token)

    shown = since(site, token)["next"]
    site.delete_account("reader")
    assert told(site, shown) == idea_and_related(site, 1)
    assert site.ask("GET", "/api/ideas/1").json["photos"][0]["credit"] != "reader"


# --- over HTTP --------------------------------------------------------------------------------------------------------


def test_no_answer_is_kept_by_anybody_and_every_site_may_ask(api: Ask) -> None:
    first = api("/api/changes")
    after = api("/api/changes", {"since": first.json["next"]})

    for answer in (first, after, api("/api/changes", {"since": "x"}), api("/api/changes", method="HEAD")):
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "etag" not in answer.headers
    assert (after.json["data"], after.json["more"], after.json["next"]) == ([], False, first.json["next"])


@pytest.mark.parametrize("token", ["x", "1", "2026-11-20", "ক", "A" * 38, "a" * 201, "' OR 1=1"])
def test_what_is_no_token_is_400(api: Ask, token: str) -> None:
    answer = api("/api/changes", {"since": token})

    assert answer.status == 400
    assert [error["parameter"] for error in answer.json["errors"]] == ["since"]


@pytest.mark.parametrize("position", [FeedPosition(0, 1, 0, 0), FeedPosition(2**62, 2**31 - 1, 2**40, 7)])
def test_a_token_that_is_known_no_more_is_410_and_says_how_to_begin_anew(api: Ask, position: FeedPosition) -> None:
    answer = api("/api/changes", {"since": encode_token(position)})

    assert (answer.status, answer.json["type"]) == (410, "/api/docs#problem-gone")
    assert answer.headers["content-type"].startswith("application/problem+json")
    assert "/api/wordsalpha.php" in answer.json["detail"]
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(("limit", "status"), [("0", 400), ("-1", 400), ("x", 400), ("1", 200), ("99999", 200)])
def test_limits_are_those_of_every_list(api: Ask, limit: str, status: int) -> None:
    assert api("/api/changes", {"limit": limit}).status == status


def test_a_blank_token_counts_as_left_out(api: Ask) -> None:
    assert api("/api/changes", {"since": " "}).json == api("/api/changes").json
