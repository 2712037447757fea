import asyncio
from typing import Any, Final
from urllib.parse import quote

import pytest

from abhidhan.editing.service import redaction
from abhidhan.records.people import Role
from tests.support.contributions import Site, photo_bytes

WATER, FISH = 1, 2


@pytest.fixture
def editors(site: Site) -> Site:
    """Let two editors sign in, once on each engine."""
    site.add("anil", Role.EDITOR)
    site.add("bina", Role.EDITOR)
    return site


@pytest.fixture
def sqlite_editors(open_site: Site) -> Site:
    """Let two editors sign in."""
    open_site.add("anil", Role.EDITOR)
    open_site.add("bina", Role.EDITOR)
    return open_site


def do(site: Site, method: str, path: str, json: object = None, by: str = "anil", status: int = 200) -> Any:  # noqa: ANN401, PLR0913, PLR0917
    answer = site.ask(method, f"/api/editing/{path}", by=by, json=json)
    assert answer.status == status, answer.body.decode()
    return answer.json


def look_up(site: Site, word: str) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = site.ask("GET", f"/api/dic.php?w={quote(word)}").json["querywords"][0]["entries"]
    return entries


def idea(site: Site, idea_id: int) -> Any:  # noqa: ANN401 (a test knows which JSON it asked for)
    answer = site.ask("GET", f"/api/ideas/{idea_id}")
    return answer.json if answer.status == 200 else answer.status


def word_id(site: Site, word: str) -> int:
    found: int = look_up(site, word)[0]["id"]
    return found


def undo_last(site: Site, path: str) -> Any:  # noqa: ANN401
    newest = site.ask("GET", f"/api/{path}/history").json["data"][0]["id"]
    return do(site, "POST", f"history/{newest}/undo", status=200)


def counts(site: Site) -> dict[str, int]:
    return {each["code"]: each["words"] for each in site.ask("GET", "/api/languages").json["data"] if each["words"]}


def test_ideas_cannot_have_the_part_of_speech_unassigned(sqlite_editors: Site, subtests: pytest.Subtests) -> None:
    for pos in (22, "22", "Unassigned", "unassigned"):
        with subtests.test(repr(pos)):
            new = {
                "language": "as",
                "word": "নীৰ",
                "meaning": {"pos": pos, "definitions": [{"language": "en", "text": "x"}]},
            }
            version = do(sqlite_editors, "GET", f"ideas/{WATER}")["version"]
            refused = (
                do(sqlite_editors, "POST", "words", new, status=400),
                do(
                    sqlite_editors, "PATCH", f"ideas/{WATER}", {"version": version, "changes": {"pos": pos}}, status=400
                ),
            )

            assert all("Unassigned stands for none" in each["errors"][0]["detail"] for each in refused)
            assert idea(sqlite_editors, WATER)["pos"] == {"id": 3, "value": "Material Noun"}


def test_a_new_part_of_speech_has_a_number_of_its_own(sqlite_editors: Site) -> None:
    made = [do(sqlite_editors, "POST", f"lists/{name}", {"value": "Echo Word"}, status=201) for name in ("POS", "GEN")]

    assert [each["record"] for each in made] == ["list_item:POS-1001", "list_item:GEN-5"]


NEW_WORD = {"language": "as", "word": "নীৰ", "idea_id": WATER, "roman": "nir", "reference": "হেমকোষ"}


def test_a_new_word_is_found_immediately_by_every_kind_of_search(editors: Site) -> None:
    before = counts(editors)
    do(editors, "POST", "words", NEW_WORD, status=201)

    entry = look_up(editors, "নীৰ")[0]
    recent = editors.ask("GET", "/api/words_recent.php?limit=1").json[0]

    assert entry["meanings"][0]["idea_id"] == WATER
    assert entry["meanings"][0]["reference"] == "হেমকোষ"
    assert look_up(editors, "নিৰ")[0]["word"] == "নীৰ"
    assert "নীৰ" in [
        word["word"]
        for word in editors.ask("GET", f"/api/wordsalpha.php?start={quote('নীৰ')}&p=3").json["data"]["words"]
    ]
    assert recent["word"] == "নীৰ"
    assert counts(editors)["as"] == before["as"] + 1


def test_a_new_meaning_is_created_with_its_idea(editors: Site) -> None:
    meaning = {
        "pos": "Common Noun",
        "gender": "Common",
        "contexts": ["Fish"],
        "definitions": [{"language": "en", "text": "A fish of muddy ponds"}],
        "examples": [{"language": 2, "text": "কৈ মাছ", "translation": "koi fish"}],
    }
    made = do(editors, "POST", "words", {"language": "as", "word": "কৈ", "meaning": meaning}, status=201)

    shown = look_up(editors, "কৈ")[0]["meanings"][0]

    assert made["record"].startswith("word:")
    assert (shown["pos"]["value"], shown["gender"]["value"]) == ("Common Noun", "Common")
    assert shown["definitions"] == [{"language_id": 1, "text": "A fish of muddy ponds"}]
    assert shown["examples"][0]["translation"] == "koi fish"
    assert [context["value"] for context in shown["contexts"]] == ["Fish"]


INVALID_WORDS: Final[tuple[tuple[dict[str, object], list[str]], ...]] = (
    ({"language": "as", "word": "x"}, ["idea_id"]),
    ({"language": "as", "word": "x", "idea_id": 99999}, ["idea_id"]),
    ({"language": "xx", "word": "", "idea_id": WATER}, ["language", "word"]),
    ({"language": "as", "word": "y" * 201, "idea_id": WATER, "variant": "nonsense"}, ["word", "variant"]),
    ({"language": "as", "word": "z", "meaning": {"pos": "Nonsense", "contexts": ["None"]}}, ["pos", "contexts"]),
    ({"language": "as", "word": "bad\u0000", "idea_id": WATER}, ["word"]),
)


def test_all_problems_of_a_word_are_reported_together(sqlite_editors: Site, subtests: pytest.Subtests) -> None:
    for data, parameters in INVALID_WORDS:
        with subtests.test(str(data)[:100]):
            answer = sqlite_editors.ask("POST", "/api/editing/words", by="anil", json=data)

            assert answer.status == 400
            assert sorted({problem["parameter"] for problem in answer.json["errors"]}) == sorted(parameters)


def test_a_changed_word_is_found_by_its_new_spelling_only(editors: Site) -> None:
    number = word_id(editors, "জল")
    read = do(editors, "GET", f"words/{number}")

    do(editors, "PATCH", f"words/{number}", {"version": read["version"], "changes": {"word": "জলধাৰা", "roman": None}})

    assert look_up(editors, "জলধাৰা")[0]["id"] == number
    assert number not in [entry["id"] for entry in look_up(editors, "জল")]


def test_a_word_cannot_be_renamed_to_an_existing_one(sqlite_editors: Site) -> None:
    number = word_id(sqlite_editors, "জল")

    do(sqlite_editors, "PATCH", f"words/{number}", {"version": 0, "changes": {"word": "মাছ"}}, status=409)


def test_uncountable_words_are_found_by_their_plural_too(editors: Site, subtests: pytest.Subtests) -> None:
    number = word_id(editors, "পানী")
    for countable in (True, False):
        with subtests.test(countable=countable):
            version = do(editors, "GET", f"words/{number}")["version"]
            before = look_up(editors, "পানী")[0]["countable"]

            do(editors, "PATCH", f"words/{number}", {"version": version, "changes": {"countable": countable}})

            forms = [each["form"] for each in editors.ask("GET", f"/api/words/{number}/forms").json["data"]]
            assert ("পানীবোৰ" in forms) is countable
            assert look_up(editors, "পানী")[0]["countable"] is countable
            assert [each["word"] for each in look_up(editors, "পানীবোৰ")] == ["পানী"]
            assert undo_last(editors, f"words/{number}")
            assert before is None
            assert look_up(editors, "পানী")[0]["countable"] is None


def test_every_record_can_be_sent_back_unchanged(sqlite_editors: Site, subtests: pytest.Subtests) -> None:
    site = sqlite_editors
    do(site, "POST", f"ideas/{WATER}/relations", {"type_id": 1, "other_id": FISH}, status=201)
    relation = f"ideas/{WATER}/relations/1/{FISH}"

    for path in ("ideas/1", "words/1", "senses/1", "proverbs/1", "cards/1", relation):
        with subtests.test(path):
            read = do(site, "GET", path)

            assert do(site, "PATCH", path, read)["state"] == read["state"]
            assert do(site, "GET", path) == read


def test_the_state_of_another_record_is_not_accepted(sqlite_editors: Site) -> None:
    read = do(sqlite_editors, "GET", f"ideas/{FISH}")
    refused = do(sqlite_editors, "PATCH", f"ideas/{WATER}", read, status=400)
    assert [each["parameter"] for each in refused["errors"]] == ["record"]


def test_saving_over_a_newer_change_shows_both(editors: Site) -> None:
    number = word_id(editors, "পানী")
    read = do(editors, "GET", f"words/{number}")
    do(editors, "PATCH", f"words/{number}", {"version": read["version"], "changes": {"origin": "one"}}, by="bina")

    answer = editors.ask(
        "PATCH",
        f"/api/editing/words/{number}",
        by="anil",
        json={"version": read["version"], "changes": {"origin": "two"}},
    )

    assert answer.status == 409
    assert answer.json["current"]["state"]["origin"] == "one"
    assert answer.json["proposed"]["state"]["origin"] == "two"
    assert look_up(editors, "পানী")[0]["origin"] == "one"


def test_an_idea_is_changed_with_all_that_is_derived_from_it(editors: Site) -> None:
    changes = {"pos": "Abstract Noun", "definitions": [{"language": "en", "text": "wet stuff"}], "contexts": []}
    do(editors, "PATCH", f"ideas/{WATER}", {"version": 0, "changes": changes})

    assert idea(editors, WATER)["pos"]["value"] == "Abstract Noun"
    assert idea(editors, WATER)["contexts"] == []
    found = editors.ask("GET", "/api/search?q=wet+stuff").json["data"]
    assert "water" in [word["word"] for word in found]
    listed = editors.ask("GET", f"/api/wordsalpha.php?start={quote('পানী')}&p=5&lim=1").json["data"]["words"]
    assert listed[0]["word"] == "পানী"


def test_undoing_every_change_restores_the_original_state(editors: Site) -> None:
    before = (idea(editors, WATER), counts(editors), look_up(editors, "পানী"))
    number = word_id(editors, "পানী")

    do(editors, "DELETE", f"words/{number}")
    assert look_up(editors, "পানী")[0]["id"] != number
    undo_last(editors, f"words/{number}")

    assert (idea(editors, WATER), counts(editors), look_up(editors, "পানী")) == before


def test_deleting_an_idea_deletes_words_without_another_meaning_and_can_be_undone(editors: Site) -> None:
    before = (idea(editors, FISH), counts(editors))

    do(editors, "DELETE", f"ideas/{FISH}")
    assert idea(editors, FISH) == 404
    assert [entry["word"] for entry in look_up(editors, "fish")] != ["fish"]
    undo_last(editors, f"ideas/{FISH}")

    assert (idea(editors, FISH), counts(editors)) == before


def test_merged_ideas_have_the_data_of_both_and_can_be_separated_again(editors: Site) -> None:
    editors.send_photo("anil", photo_bytes(), fields={"ideaID": str(FISH)})
    editors.ask("POST", "/api/photos/1/approve", by="anil")
    before = (idea(editors, WATER), idea(editors, FISH), counts(editors))

    do(editors, "POST", f"ideas/{FISH}/merge", {"into": WATER})
    merged = idea(editors, WATER)
    assert idea(editors, FISH) == 404
    assert {"fish", "water"} <= {word["word"] for word in merged["words"]}
    assert len(merged["definitions"]) == len(before[0]["definitions"]) + len(before[1]["definitions"])
    assert len(merged["photos"]) == 1
    undo_last(editors, f"ideas/{WATER}")

    assert (idea(editors, WATER), idea(editors, FISH), counts(editors)) == before


def words_of(site: Site, idea_id: int, language_id: int = 2) -> list[str]:
    return [each["word"] for each in idea(site, idea_id)["words"] if each["language_id"] == language_id]


def test_a_moved_word_appears_in_its_new_position_everywhere_and_the_move_can_be_undone(editors: Site) -> None:
    do(editors, "POST", "words", NEW_WORD, status=201)
    assert words_of(editors, WATER) == ["পানী", "জল", "নীৰ"]
    token = editors.ask("GET", "/api/changes").json["next"]
    made = editors.ask("GET", f"/api/words/{word_id(editors, 'নীৰ')}/history").json["data"][0]["changes"]
    (sense,) = (each["record"].removeprefix("sense:") for each in made if each["record"].startswith("sense:"))

    moved = do(editors, "POST", f"senses/{sense}/move", {"order": "words", "steps": -2})
    same = do(editors, "POST", f"senses/{sense}/move", {"order": "words", "steps": -5})

    assert (moved["record"], same["version"]) == (f"idea:{WATER}", moved["version"])
    assert words_of(editors, WATER) == ["নীৰ", "পানী", "জল"]
    translations = look_up(editors, "water")[0]["meanings"][0]["translations"]
    assert [each["word"] for each in translations if each["language_id"] == 2] == ["নীৰ", "পানী", "জল"]
    changed = editors.ask("GET", f"/api/changes?since={token}").json["data"]
    assert {(each["kind"], each["id"]) for each in changed} >= {("idea", WATER), ("word", word_id(editors, "নীৰ"))}
    assert undo_last(editors, f"ideas/{WATER}")["record"] == f"idea:{WATER}"
    assert words_of(editors, WATER) == ["পানী", "জল", "নীৰ"]


def test_a_word_without_any_meaning_left_is_not_kept(sqlite_editors: Site) -> None:
    made = do(sqlite_editors, "POST", "words", NEW_WORD, status=201)
    number = made["record"].partition(":")[2]
    sense = next(
        change["record"]
        for change in sqlite_editors.ask("GET", f"/api/words/{number}/history").json["data"][0]["changes"]
        if change["record"].startswith("sense:")
    )

    do(sqlite_editors, "DELETE", f"senses/{sense.partition(':')[2]}")

    assert sqlite_editors.ask("GET", f"/api/words/{number}").status == 404


def test_relations_go_both_ways(editors: Site) -> None:
    do(editors, "POST", f"ideas/{WATER}/relations", {"type_id": 4, "other_id": FISH}, status=201)

    def related(one: int, other: int) -> list[int]:
        return [each["type"]["id"] for each in idea(editors, one)["relations"] if each["idea_id"] == other]

    assert 4 in related(WATER, FISH)
    assert 5 in related(FISH, WATER)
    do(editors, "POST", f"ideas/{WATER}/relations", {"type_id": 4, "other_id": FISH}, status=409)
    do(editors, "DELETE", f"ideas/{WATER}/relations/4/{FISH}")
    assert 4 not in related(WATER, FISH)
    assert 5 not in related(FISH, WATER)
    do(editors, "POST", f"ideas/{WATER}/relations", {"type_id": 4, "other_id": WATER}, status=400)


def test_proverbs_are_added_changed_deleted_and_found_by_their_pieces(editors: Site) -> None:
    text = "নতুন ফকৰা এটা লিখিলোঁ আজি"
    made = do(editors, "POST", "proverbs", {"text": text, "category": "Other", "meaning": "a new one"}, status=201)
    number = made["record"].partition(":")[2]

    def found(phrase: str) -> list[str]:
        answer = editors.ask("GET", f"/api/check-fj.php?fj={quote(phrase)}").json
        return [item["phrase"] for item in answer["similar_items"]]

    assert text in found(text)
    changed = "পুৰণি কথা এষাৰ কৈছিলোঁ কালি"
    do(editors, "PATCH", f"proverbs/{number}", {"version": made["version"], "changes": {"text": changed}})
    assert changed in found(changed)
    assert text not in found(text)
    do(editors, "DELETE", f"proverbs/{number}")
    assert changed not in found(changed)


def test_an_edited_proverb_is_listed_by_its_new_words_immediately(editors: Site) -> None:
    def found(query: str) -> list[str]:
        return [each["phrase"] for each in editors.ask("GET", f"/api/phrases?q={quote(query)}").json["data"]]

    made = do(
        editors, "POST", "proverbs", {"text": "নতুন ফকৰা", "category": "Other", "meaning": "a fresh one"}, status=201
    )
    number = made["record"].partition(":")[2]
    assert found("notun") == found("fresh one") == ["নতুন ফকৰা"]

    changes = {"text": "পুৰণি কথা", "meaning": "an antique one"}
    do(editors, "PATCH", f"proverbs/{number}", {"version": made["version"], "changes": changes})
    assert found("notun") == found("fresh") == []
    assert found("পুৰণি") == found("antique") == ["পুৰণি কথা"]

    do(editors, "DELETE", f"proverbs/{number}")
    assert found("পুৰণি") == []
    assert editors.ask("GET", f"/api/phrases/{number}").status == 404


def test_an_edited_idea_is_listed_in_its_new_place_immediately(editors: Site) -> None:
    def total(**chosen: str) -> int:
        query = "&".join(f"{name}={quote(value)}" for name, value in chosen.items())
        found: int = editors.ask("GET", f"/api/ideas?limit=1&{query}").json["total"]
        return found

    before = total(context="Water", language="hi"), total(pos="Abstract Noun"), total(language="kha")
    read = do(editors, "GET", f"ideas/{WATER}")
    do(
        editors,
        "PATCH",
        f"ideas/{WATER}",
        {"version": read["version"], "changes": {"pos": "Abstract Noun", "contexts": []}},
    )
    do(editors, "POST", "words", {"language": "kha", "word": "um", "idea_id": WATER}, status=201)

    after = total(context="Water", language="hi"), total(pos="Abstract Noun"), total(language="kha")
    assert after == (before[0] - 1, before[1] + 1, before[2] + 1)


def test_a_deleted_word_of_the_day_is_replaced_by_another(editors: Site) -> None:
    first = editors.ask("GET", "/api/today").json
    do(editors, "DELETE", f"words/{first['word']['id']}")

    second = editors.ask("GET", "/api/today").json

    assert second["date"] == first["date"]
    assert second["word"]["id"] != first["word"]["id"]
    assert second["phrase"]["id"] == first["phrase"]["id"]
    assert editors.ask("GET", "/api/today").json == second


def test_flashcards_and_lists_are_edited(sqlite_editors: Site) -> None:
    card = do(
        sqlite_editors, "POST", "cards", {"set_id": 1, "clue": "নীৰ", "answer": "water", "picture": "💧"}, status=201
    )
    number = card["record"].partition(":")[2]
    do(
        sqlite_editors,
        "PATCH",
        f"cards/{number}",
        {"version": card["version"], "changes": {"answer": "drinking water"}},
    )
    value = do(sqlite_editors, "POST", "lists/CTX", {"value": "Robotics"}, status=201)
    item = value["state"]["item_id"]

    assert do(sqlite_editors, "GET", f"cards/{number}")["state"]["answer"] == "drinking water"
    assert do(sqlite_editors, "PATCH", f"lists/CTX/{item}", {"value": "Robots"})["state"]["value"] == "Robots"
    do(sqlite_editors, "POST", "lists/CTX", {"value": "Robots"}, status=409)
    do(sqlite_editors, "POST", "lists/HAC", {"value": "Something"}, status=400)
    unknown = do(sqlite_editors, "POST", "lists/NONE", {"value": "Something"}, status=400)
    assert [each["parameter"] for each in unknown["errors"]] == ["name"]
    do(sqlite_editors, "POST", "cards", {"set_id": 999, "clue": "x", "answer": "y"}, status=400)


def test_the_history_of_a_word_names_users_and_changes(sqlite_editors: Site) -> None:
    number = word_id(sqlite_editors, "পানী")
    do(sqlite_editors, "PATCH", f"words/{number}", {"version": 0, "changes": {"origin": "<b>সং.</b>"}})

    answer = sqlite_editors.ask("GET", f"/api/words/{number}/history")
    entry = answer.json["data"][0]

    assert (entry["action"], entry["person"], entry["contributor"]) == ({"id": 4, "value": "Word edited"}, "anil", None)
    assert entry["changes"][0]["after"]["origin"] == "<b>সং.</b>"
    assert answer.headers["access-control-allow-origin"] == "*"


def test_hidden_history_entries_are_not_shown(sqlite_editors: Site) -> None:
    number = word_id(sqlite_editors, "পানী")
    address = f"/api/words/{number}/history"
    do(sqlite_editors, "PATCH", f"words/{number}", {"version": 0, "changes": {"origin": "never again"}})
    assert sqlite_editors.ask("GET", address).json["data"][0]["hidden"] is None

    because = "Removed at the request of the rights holder."
    sqlite_editors.database.write_now(lambda writer: redaction.hide_text(writer, "never again", because, 1))
    answer = sqlite_editors.ask("GET", address)
    entry = answer.json["data"][0]

    assert (entry["hidden"], entry["changes"], entry["person"]) == (because, [], "anil")
    assert "never again" not in answer.body.decode()
    refused = do(sqlite_editors, "POST", f"history/{entry['id']}/undo", status=409)
    assert because in refused["detail"]


def test_a_change_that_was_changed_again_cannot_be_undone(sqlite_editors: Site) -> None:
    number = word_id(sqlite_editors, "পানী")
    first = do(sqlite_editors, "PATCH", f"words/{number}", {"version": 0, "changes": {"origin": "one"}})
    do(sqlite_editors, "PATCH", f"words/{number}", {"version": first["version"], "changes": {"origin": "two"}})

    do(sqlite_editors, "POST", f"history/{first['version']}/undo", status=409)
    do(sqlite_editors, "POST", "history/99999/undo", status=404)


def test_changes_that_later_changes_depend_on_cannot_be_undone(editors: Site) -> None:
    meaning = {"language": "as", "word": "কৈ", "meaning": {"pos": "Common Noun"}}
    first = do(editors, "POST", "words", meaning, status=201)
    new_idea = look_up(editors, "কৈ")[0]["meanings"][0]["idea_id"]
    do(editors, "POST", "words", NEW_WORD | {"idea_id": new_idea}, status=201)
    number = int(first["record"].partition(":")[2])

    do(editors, "POST", f"history/{first['version']}/undo", status=409)
    assert idea(editors, new_idea)["words"]

    link = do(editors, "POST", "words", NEW_WORD | {"word": "কৈ"}, status=201)["version"]
    do(editors, "POST", f"history/{link}/undo")
    do(editors, "DELETE", f"words/{number}")
    undoing = editors.ask("GET", f"/api/words/{number}/history").json["data"][1]["id"]
    do(editors, "POST", f"history/{undoing}/undo", status=409)


def test_a_photo_that_was_approved_by_mistake_waits_again(sqlite_editors: Site) -> None:
    sqlite_editors.send_photo("anil", photo_bytes())
    sqlite_editors.ask("POST", "/api/photos/1/approve", by="anil")

    do(sqlite_editors, "POST", "history/3/undo")

    assert sqlite_editors.ask("GET", "/api/photos/1", by="anil").json["status"] == "pending_review"
    assert sqlite_editors.ask("GET", "/photos/1.jpg").status == 404
    assert idea(sqlite_editors, 1)["photos"] == []


RELATED, NARROWER, BROADER = f"ideas/{WATER}/relations", 4, 5


def relations(site: Site, one: int, other: int) -> list[int]:
    return [each["type"]["id"] for each in idea(site, one)["relations"] if each["idea_id"] == other]


@pytest.fixture
def related(editors: Site) -> Site:
    """Let the second idea be related to the first."""
    do(editors, "POST", RELATED, {"type_id": NARROWER, "other_id": FISH}, status=201)
    return editors


def test_a_relation_has_one_version_from_both_of_its_ideas(related: Site) -> None:
    here = do(related, "GET", f"{RELATED}/{NARROWER}/{FISH}")
    there = do(related, "GET", f"ideas/{FISH}/relations/{BROADER}/{WATER}")

    assert here["record"] == f"relation:{WATER}-{NARROWER}-{FISH}"
    assert here["version"] == there["version"] > 0
    do(related, "GET", f"{RELATED}/1/{FISH}", status=404)


def test_a_relation_gets_another_type_and_that_is_undone(related: Site) -> None:
    version = do(related, "GET", f"{RELATED}/{NARROWER}/{FISH}")["version"]
    edit = {"version": version, "changes": {"type_id": 1}}

    changed = do(related, "PATCH", f"{RELATED}/{NARROWER}/{FISH}", edit)

    assert (relations(related, WATER, FISH), len(relations(related, FISH, WATER))) == ([1], 1)
    assert changed["version"] == do(related, "GET", f"{RELATED}/1/{FISH}")["version"] > version
    undo_last(related, f"ideas/{WATER}")
    assert (relations(related, WATER, FISH), relations(related, FISH, WATER)) == ([NARROWER], [BROADER])


@pytest.mark.parametrize("address", [f"{RELATED}/{NARROWER}/{FISH}", f"ideas/{FISH}/relations/{BROADER}/{WATER}"])
def test_changes_of_one_relation_by_two_editors_overwrite_nothing(related: Site, address: str) -> None:
    version = do(related, "GET", f"{RELATED}/{NARROWER}/{FISH}")["version"]
    do(related, "PATCH", f"{RELATED}/{NARROWER}/{FISH}", {"version": version, "changes": {"type_id": 1}}, by="bina")

    changing = do(related, "PATCH", address, {"version": version, "changes": {"type_id": 2}}, status=409)
    removing = do(related, "DELETE", f"{address}?version={version}", status=409)

    assert relations(related, WATER, FISH) == [1]
    assert changing["current"]["version"] == removing["current"]["version"] > version
    assert changing["current"]["state"]["type_id"] in {1, *relations(related, FISH, WATER)}
    assert changing["proposed"]["state"]["type_id"] == 2
    assert removing["proposed"]["state"] is None


def test_a_relation_deleted_by_another_editor_is_not_changed(related: Site) -> None:
    address = f"{RELATED}/{NARROWER}/{FISH}"
    version = do(related, "GET", address)["version"]
    do(related, "DELETE", f"{address}?version={version}", by="bina")

    answer = do(related, "PATCH", address, {"version": version, "changes": {"type_id": 1}}, status=409)

    assert answer["current"]["state"] is None
    assert relations(related, WATER, FISH) == []
    do(related, "DELETE", address, status=404)


def test_a_relation_changed_by_another_editor_is_not_deleted(related: Site) -> None:
    address = f"{RELATED}/{NARROWER}/{FISH}"
    version = do(related, "GET", address)["version"]
    newer = do(related, "PATCH", address, {"version": version, "changes": {"type_id": 1}}, by="bina")

    do(related, "DELETE", f"{address}?version={version}", status=409)
    do(related, "DELETE", f"{RELATED}/1/{FISH}?version={newer['version']}")

    assert relations(related, WATER, FISH) == []


def test_a_relation_needs_a_known_type(related: Site) -> None:
    address = f"{RELATED}/{NARROWER}/{FISH}"
    for type_id, status in ((999, 400), (0, 400), (NARROWER, 200)):
        version = do(related, "GET", address)["version"]

        do(related, "PATCH", address, {"version": version, "changes": {"type_id": type_id}}, status=status)

        assert relations(related, WATER, FISH) == [NARROWER], type_id


def test_concurrent_changes_of_one_relation_leave_one_relation(related: Site) -> None:
    address = f"{RELATED}/{NARROWER}/{FISH}"
    version = do(related, "GET", address)["version"]

    async def change_all() -> list[int]:
        edits = [{"version": version, "changes": {"type_id": each}} for each in (1, 2, 3)]
        answers = await asyncio.gather(
            *(related.ask_async("PATCH", f"/api/editing/{address}", by="anil", json=edit) for edit in edits)
        )
        return sorted(answer.status for answer in answers)

    assert related.run(change_all()) == [200, 409, 409]
    assert len(relations(related, WATER, FISH)) == 1


EDITS = (
    ("GET", f"ideas/{WATER}", None),
    ("PATCH", f"ideas/{WATER}", {"version": 0, "changes": {"glyph": "💦"}}),
    ("POST", "words", NEW_WORD),
    ("POST", "senses/1/move", {"order": "words", "steps": 1}),
    ("POST", "ideas", {"pos": "Adverb"}),
    ("POST", "proverbs", {"text": "a b c d", "category": 1}),
    ("POST", "cards", {"set_id": 1, "clue": "x", "answer": "y"}),
    ("POST", "lists/CTX", {"value": "Anything"}),
    ("POST", f"ideas/{WATER}/relations", {"type_id": 1, "other_id": 9}),
    ("PATCH", f"ideas/{WATER}/relations/1/9", {"version": 0, "changes": {"type_id": 4}}),
    ("POST", f"ideas/{FISH}/merge", {"into": WATER}),
    ("POST", "history/1/undo", None),
    ("DELETE", "words/1", None),
)


def test_only_editors_edit(sqlite_editors: Site, subtests: pytest.Subtests) -> None:
    sqlite_editors.add("reader")
    sqlite_editors.add("contributor", Role.CONTRIBUTOR)
    users = (None, "reader", "contributor")
    cross_site = {"Sec-Fetch-Site": "cross-site"}

    for method, path, json in EDITS:
        with subtests.test(f"{method} {path}"):
            address = f"/api/editing/{path}"
            statuses = [sqlite_editors.ask(method, address, by=by, json=json).status for by in users]
            other_site = sqlite_editors.ask(method, address, by="anil", json=json, headers=cross_site)

            assert statuses == [401, 403, 403]
            assert other_site.status == (403 if method != "GET" else 200)
            assert "access-control-allow-origin" not in other_site.headers
