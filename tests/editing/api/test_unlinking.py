"""Corrections that take a word from its idea: what others have done meanwhile counts."""

import asyncio
from typing import Any

import pytest

from abhidhan.records.people import Role
from tests.support.contributions import Site


@pytest.fixture
def peopled(site: Site) -> Site:
    """Let somebody correct, and somebody decide, on each engine."""
    site.add("anil", Role.CONTRIBUTOR)
    site.add("editor", Role.EDITOR)
    return site


def correct(site: Site, word_id: int, **what: object) -> int:
    data = {"word_id": word_id, "idea_id": 1} | what
    answer = site.ask("POST", "/api/submissions", by="anil", json={"kind": "correction", "data": data})
    assert answer.status == 201, answer.json
    number: int = answer.json["submission_id"]
    return number


def words_of_idea(site: Site) -> list[int]:
    words: list[dict[str, Any]] = site.ask("GET", "/api/ideas/1").json["words"]
    return [each["id"] for each in words]


def test_a_word_is_not_unlinked_if_its_link_has_changed_since(peopled: Site) -> None:
    word = words_of_idea(peopled)[0]
    gone = correct(peopled, word, unlink=True)
    noted = correct(peopled, word, sense={"note": "only of rivers"})
    assert peopled.ask("POST", f"/api/submissions/{noted}/approve", by="editor").status == 200

    refused = peopled.ask("POST", f"/api/submissions/{gone}/approve", by="editor")

    assert refused.status == 409
    assert refused.json["current"]["state"]["note"] == "only of rivers"
    assert refused.json["proposed"]["state"] is None
    assert word in words_of_idea(peopled)


def test_concurrent_unlinking_keeps_the_last_word_of_an_idea(peopled: Site) -> None:
    gone = [correct(peopled, word, unlink=True) for word in words_of_idea(peopled)]

    async def approve_all() -> list[int]:
        addresses = [f"/api/submissions/{number}/approve" for number in gone]
        answers = await asyncio.gather(*(peopled.ask_async("POST", each, by="editor") for each in addresses))
        return sorted(answer.status for answer in answers)

    assert peopled.run(approve_all()) == [*[200] * (len(gone) - 1), 400]
    assert len(words_of_idea(peopled)) == 1
