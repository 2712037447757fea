from collections.abc import Callable

import pytest

from tests.support.asgi import AsgiResponse

Ask = Callable[..., AsgiResponse]


def test_ideas_are_paged_with_a_total_and_a_link(api: Ask) -> None:
    answered = api("/api/ideas", {"limit": 10, "language": "as"})
    answer = answered.json

    assert (len(answer["data"]), answer["limit"], answer["offset"]) == (10, 10, 0)
    assert answer["next"] == "/api/ideas?limit=10&offset=10&language=as"
    assert answered.headers["link"] == f'<{answer["next"]}>; rel="next"'


def test_an_idea_of_a_list_is_the_idea_itself(api: Ask) -> None:
    for idea in api("/api/ideas", {"limit": 5}).json["data"]:
        assert idea == api(f"/api/ideas/{idea['id']}").json


@pytest.mark.parametrize("chosen", [{}, {"context": "Food"}, {"language": "hi", "pos": "Common Noun"}])
def test_following_next_reads_every_idea_once(api: Ask, chosen: dict[str, object]) -> None:
    read: list[int] = []
    following: str | None = "next"
    while following is not None:
        answer = api("/api/ideas", chosen | {"limit": 4, "offset": len(read)}).json
        read += [idea["id"] for idea in answer["data"]]
        following = answer["next"]

    assert read == sorted(set(read))
    assert len(read) == answer["total"] > 3


def test_ideas_of_a_context_are_those_of_the_ones_below_it_too(api: Ask) -> None:
    below = [each["id"] for each in api("/api/get-list.php", "type=CTX").json["data"] if each["parent_id"]]
    above = {each["parent_id"] for each in api("/api/get-list.php", "type=CTX").json["data"] if each["id"] in below}
    for context in above:
        of_all = {idea["id"] for idea in api("/api/ideas", {"context": context, "limit": 1000}).json["data"]}
        for each in api("/api/get-list.php", "type=CTX").json["data"]:
            if each["parent_id"] == context:
                ideas = api("/api/ideas", {"context": each["value"], "limit": 1000}).json["data"]
                assert {idea["id"] for idea in ideas} <= of_all


def test_contexts_and_parts_of_speech_are_named_by_id_or_value_in_any_letter_case(api: Ask) -> None:
    by_value = api("/api/ideas", {"context": "waTer", "pos": "material noun"}).json
    by_id = api("/api/ideas", {"context": "41", "pos": "3"}).json

    assert by_value["data"] == by_id["data"]
    assert by_value["total"] == by_id["total"] == 2


@pytest.mark.parametrize("name", ["context", "pos"])
@pytest.mark.parametrize("value", ["Nothing", "0", "999", "-1", "9" * 40, "1.0", "১"])
def test_a_value_that_no_list_has_is_400_that_tells_where_they_are(api: Ask, name: str, value: str) -> None:
    answered = api("/api/ideas", {name: value})

    assert (answered.status, answered.json["errors"][0]["parameter"]) == (400, name)
    assert "/api/get-list.php?type=" in answered.json["detail"]


def test_nobody_leafs_beyond_the_greatest_offset(api: Ask) -> None:
    assert api("/api/ideas", {"offset": 100_000}).json["data"] == []
    assert api("/api/ideas", {"offset": 100_001}).json["errors"][0]["parameter"] == "offset"
