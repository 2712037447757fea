from collections.abc import Callable

import pytest

from tests.support.asgi import AsgiResponse

Ask = Callable[..., AsgiResponse]


def test_ideas_are_paged_with_a_total_and_a_link(api: Ask) -> None:
    response = api("/api/ideas", {"limit": 10, "language": "as"})
    answer = response.json

    assert (len(answer["data"]), answer["limit"], answer["offset"]) == (10, 10, 0)
    assert answer["next"] == "/api/ideas?limit=10&offset=10&language=as"
    assert response.headers["link"] == f'<{answer["next"]}>; rel="next"'


def test_an_idea_in_a_list_is_the_same_as_by_its_id(api: Ask) -> None:
    ideas = api("/api/ideas", {"limit": 5}).json["data"]

    assert len(ideas) == 5
    for idea in ideas:
        assert idea == api(f"/api/ideas/{idea['id']}").json


def test_following_next_returns_every_idea_once(api: Ask, subtests: pytest.Subtests) -> None:
    selections: tuple[dict[str, object], ...] = ({}, {"context": "Food"}, {"language": "hi", "pos": "Common Noun"})
    for selection in selections:
        with subtests.test(selection=selection):
            read: list[int] = []
            following: str | None = "next"
            while following is not None:
                answer = api("/api/ideas", selection | {"limit": 4, "offset": len(read)}).json
                read += [idea["id"] for idea in answer["data"]]
                following = answer["next"]

            assert read == sorted(set(read))
            assert len(read) == answer["total"] > 3


def test_a_context_includes_the_ideas_of_the_contexts_below(api: Ask) -> None:
    below = [each["id"] for each in api("/api/get-list.php", "type=CTX").json["data"] if each["parent_id"]]
    above = {each["parent_id"] for each in api("/api/get-list.php", "type=CTX").json["data"] if each["id"] in below}
    included: set[int] = set()
    for context in above:
        of_all = {idea["id"] for idea in api("/api/ideas", {"context": context, "limit": 1000}).json["data"]}
        for each in api("/api/get-list.php", "type=CTX").json["data"]:
            if each["parent_id"] == context:
                ideas = api("/api/ideas", {"context": each["value"], "limit": 1000}).json["data"]
                assert {idea["id"] for idea in ideas} <= of_all
                included |= {idea["id"] for idea in ideas}
    assert included


def test_contexts_and_parts_of_speech_are_named_by_id_or_value_in_any_letter_case(api: Ask) -> None:
    by_value = api("/api/ideas", {"context": "waTer", "pos": "material noun"}).json
    by_id = api("/api/ideas", {"context": "41", "pos": "3"}).json

    assert by_value["data"] == by_id["data"]
    assert by_value["total"] == by_id["total"] == 2


def test_an_unknown_context_or_part_of_speech_is_rejected_with_the_address_of_the_list(api: Ask) -> None:
    for name in ("context", "pos"):
        for value in ("Nothing", "0", "999", "-1", "9" * 40, "1.0", "১"):
            answer = api("/api/ideas", {name: value})

            assert (answer.status, answer.json["errors"][0]["parameter"]) == (400, name), value
            assert "/api/get-list.php?type=" in answer.json["detail"]


def test_an_offset_above_the_greatest_is_rejected(api: Ask) -> None:
    assert api("/api/ideas", {"offset": 100_000}).json["data"] == []
    assert api("/api/ideas", {"offset": 100_001}).json["errors"][0]["parameter"] == "offset"
