"""Texts in several languages: meanings of proverbs, names and descriptions of sets of flashcards."""

from typing import Any
from urllib.parse import quote

import pytest

from abhidhan.records.languages import ASSAMESE, ENGLISH, HINDI
from abhidhan.records.people import Role
from tests.support.contributions import Site

TEXT = "নতুন ফকৰা এষাৰ লিখিলোঁ"
IN_ENGLISH = {"language": "en", "text": "A fresh one."}
IN_ASSAMESE = {"language": "as", "text": "সতেজ এষাৰ।"}


@pytest.fixture
def editors(site: Site) -> Site:
    site.add("editor", Role.EDITOR)
    return site


def edit(site: Site, method: str, path: str, json: object, status: int = 200) -> Any:  # noqa: ANN401  # any JSON
    answer = site.ask(method, f"/api/editing/{path}", by="editor", json=json)
    assert answer.status == status, answer.body.decode()
    return answer.json


def build_texts(*pairs: tuple[int, str]) -> list[dict[str, object]]:
    return [{"language_id": language_id, "text": text} for language_id, text in pairs]


def test_a_proverb_is_found_by_its_meaning_in_each_language_after_edits_and_undo(editors: Site) -> None:
    def find_phrases(query: str) -> list[str]:
        return [each["phrase"] for each in editors.ask("GET", f"/api/phrases?q={quote(query)}").json["data"]]

    new = {"text": TEXT, "category": "Other", "meanings": [IN_ASSAMESE, IN_ENGLISH]}
    created = edit(editors, "POST", "proverbs", new, status=201)
    address = created["record"].replace("phrase:", "proverbs/")
    assert (created["state"]["meaning"], created["state"]["meanings"]) == ("A fresh one.", [[ASSAMESE, "সতেজ এষাৰ।"]])
    assert find_phrases("fresh") == find_phrases("সতেজ") == [TEXT]
    (similar,) = editors.ask("GET", f"/api/check-fj.php?fj={quote(TEXT)}").json["similar_items"]
    assert similar["meaning"] == "A fresh one."
    assert similar["meanings"] == build_texts((ENGLISH, "A fresh one."), (ASSAMESE, "সতেজ এষাৰ।"))

    in_hindi = [{"language": "hi", "text": "ताज़ा"}]
    changed = edit(editors, "PATCH", address, {"version": created["version"], "changes": {"meanings": in_hindi}})
    assert find_phrases("সতেজ") == []
    assert find_phrases("fresh") == find_phrases("ताज़ा") == [TEXT]
    without = {"version": changed["version"], "changes": {"meaning": None}}
    emptied = edit(editors, "PATCH", address, without)
    shown_phrase = editors.ask("GET", f"/api/phrases/{created['record'].partition(':')[2]}").json
    assert (shown_phrase["meaning"], shown_phrase["meanings"]) == ("ताज़ा", build_texts((HINDI, "ताज़ा")))

    for version in (emptied["version"], changed["version"]):
        edit(editors, "POST", f"history/{version}/undo", None)
    assert find_phrases("fresh") == find_phrases("সতেজ") == [TEXT]


def test_meanings_are_one_text_in_each_known_language(editors: Site) -> None:
    for meanings in (
        [IN_ASSAMESE, {"language": "as", "text": "আন এটা।"}],
        [{"language": "xx", "text": "?"}],
        [{"language": "as", "text": ""}],
    ):
        new = {"text": TEXT, "category": "Other", "meanings": meanings}

        refused = edit(editors, "POST", "proverbs", new, status=400)

        assert [each["parameter"] for each in refused["errors"]] == ["meanings"]


def test_an_english_meaning_that_appears_twice_must_be_the_same_text(editors: Site) -> None:
    new = {"text": TEXT, "category": "Other", "meaning": "Another one.", "meanings": [IN_ENGLISH]}

    refused = edit(editors, "POST", "proverbs", new, status=400)

    assert [each["parameter"] for each in refused["errors"]] == ["meanings"]
    edit(editors, "POST", "proverbs", new | {"meaning": "A fresh one."}, status=201)
