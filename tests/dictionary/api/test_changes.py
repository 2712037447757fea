"""GET /api/changes, as clients that keep a copy use it."""

from typing import Any

from abhidhan.records.change_feed import FeedPosition, encode_token
from abhidhan.records.people import Role
from tests.support.application import Ask
from tests.support.contributions import Site, photo_bytes


def load_first_token(site: Site) -> str:
    return str(site.ask("GET", "/api/changes").json["next"])


def load_changes(site: Site, token: str, limit: int = 1000) -> dict[str, Any]:
    answer = site.ask("GET", f"/api/changes?since={token}&limit={limit}")
    assert answer.status == 200, answer.body
    changes: dict[str, Any] = answer.json
    return changes


def list_changes(site: Site, token: str) -> set[tuple[str, int, str]]:
    return {(one["kind"], one["id"], one["change"]) for one in load_changes(site, token)["data"]}


def list_idea_and_related(site: Site, idea_id: int) -> set[tuple[str, int, str]]:
    """Name an idea, and those that show its words, as changed."""
    idea = site.ask("GET", f"/api/ideas/{idea_id}").json
    related = {relation["idea_id"] for relation in idea["relations"]}
    return {("idea", each, "changed") for each in {idea_id, *related}}


def test_an_edit_through_the_api_is_listed_as_a_change(site: Site) -> None:
    site.add("editor", Role.EDITOR)
    token = load_first_token(site)
    data = {"language": "as", "word": "নতুন", "idea_id": 1}
    created = site.ask("POST", "/api/editing/words", by="editor", json=data)
    assert created.status == 201, created.body

    answer = load_changes(site, token)
    assert list(answer) == ["data", "count", "more", "next"]
    assert answer["count"] == len(answer["data"])
    assert list(answer["data"][0]) == ["kind", "id", "change", "at"]
    number = int(created.json["record"].partition(":")[2])
    assert list_changes(site, token) == {("word", number, "changed")} | list_idea_and_related(site, 1)
    assert site.ask("GET", f"/api/words/{number}").json["word"] == "নতুন"

    deleted = site.ask("DELETE", f"/api/editing/words/{number}", by="editor")
    assert deleted.status == 200, deleted.body
    assert ("word", number, "deleted") in list_changes(site, answer["next"])


def test_a_photo_changes_its_idea_when_approved_and_when_its_account_is_deleted(site: Site) -> None:
    site.add("reader")
    site.add("editor", Role.EDITOR)
    token = load_first_token(site)
    assert site.send_photo("reader", photo_bytes()).status == 201
    assert list_changes(site, token) == set()

    site.ask("POST", "/api/photos/1/approve", by="editor")
    assert ("idea", 1, "changed") in list_changes(site, token)

    after_approval = load_changes(site, token)["next"]
    site.delete_account("reader")
    assert list_changes(site, after_approval) == list_idea_and_related(site, 1)
    assert site.ask("GET", "/api/ideas/1").json["photos"][0]["credit"] != "reader"


# --- over HTTP --------------------------------------------------------------------------------------------------------


def test_answers_are_open_to_every_site_and_not_stored_by_caches(api: Ask) -> None:
    first = api("/api/changes")
    after = api("/api/changes", {"since": first.json["next"]})

    for answer in (first, after, api("/api/changes", {"since": "x"}), api("/api/changes", method="HEAD")):
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "etag" not in answer.headers
    assert (after.json["data"], after.json["more"], after.json["next"]) == ([], False, first.json["next"])


def test_an_invalid_token_is_rejected_with_400(api: Ask) -> None:
    for token in ("x", "1", "2026-11-20", "ক", "A" * 38, "a" * 201, "' OR 1=1"):
        answer = api("/api/changes", {"since": token})

        assert answer.status == 400, token
        assert [error["parameter"] for error in answer.json["errors"]] == ["since"]


def test_an_expired_token_is_answered_with_410_and_how_to_start_again(api: Ask) -> None:
    for position in (FeedPosition(0, 1, 0, 0), FeedPosition(2**62, 2**31 - 1, 2**40, 7)):
        answer = api("/api/changes", {"since": encode_token(position)})

        assert (answer.status, answer.json["type"]) == (410, "/api/docs#problem-gone")
        assert answer.headers["content-type"].startswith("application/problem+json")
        assert "/api/wordsalpha.php" in answer.json["detail"]
        assert answer.headers["cache-control"] == "no-store"


def test_a_limit_is_a_positive_whole_number(api: Ask) -> None:
    for limit, status in (("0", 400), ("-1", 400), ("x", 400), ("1", 200), ("99999", 200)):
        assert api("/api/changes", {"limit": limit}).status == status, limit


def test_a_blank_token_counts_as_left_out(api: Ask) -> None:
    assert api("/api/changes", {"since": " "}).json == api("/api/changes").json
