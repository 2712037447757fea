from collections.abc import Callable

import pytest

from tests.support.asgi import AsgiResponse

Ask = Callable[..., AsgiResponse]


def test_words_are_paged_with_a_total_and_a_link(api: Ask) -> None:
    answered = api("/api/words", {"limit": 10, "language": "as"})
    answer = answered.json

    assert (len(answer["data"]), answer["limit"], answer["offset"]) == (10, 10, 0)
    assert answer["next"] == "/api/words?limit=10&offset=10&language=as"
    assert answered.headers["link"] == f'<{answer["next"]}>; rel="next"'


def test_following_next_reads_every_word_once(api: Ask) -> None:
    read: list[int] = []
    address: str | None = "/api/words?limit=17&search=%E0%A6%95"
    while address:
        path, _, query = address.partition("?")
        answer = api(path, query).json
        read += [word["id"] for word in answer["data"]]
        address = answer["next"]

    assert len(read) == len(set(read)) == answer["total"] > 5


def test_search_is_by_characters_with_the_word_itself_first(api: Ask) -> None:
    words = [word["word"] for word in api("/api/words", {"search": "ক", "language": 2}).json["data"]]

    assert "ক্ষমা" in words


def test_an_offset_too_far_points_to_the_alphabet(api: Ask) -> None:
    answered = api("/api/words", {"offset": 100_001})

    assert answered.status == 400
    assert "wordsalpha.php" in answered.json["errors"][0]["detail"]


def test_a_word_and_an_idea_are_read_by_id(api: Ask) -> None:
    word = api("/api/words/1").json
    idea = api(f"/api/ideas/{word['meanings'][0]['idea_id']}").json

    assert word["word"] in [each["word"] for each in idea["words"]]
    assert list(idea) == [
        "id",
        "glyph",
        "pos",
        "gender",
        "contexts",
        "definitions",
        "examples",
        "relations",
        "photos",
        "words",
        "source",
        "licence",
    ]


def test_a_word_leads_to_its_forms(api: Ask) -> None:
    word = api("/api/words/1").json

    assert api(word["forms_url"]).json["word_id"] == 1


@pytest.mark.parametrize("path", ["/api/words/999999", "/api/ideas/999999", "/api/words/" + "9" * 40, "/api/words/0"])
def test_an_unknown_id_is_404(api: Ask, path: str) -> None:
    answered = api(path)

    assert (answered.status, answered.headers["content-type"]) == (404, "application/problem+json")


def test_languages_tell_how_many_words_they_have(api: Ask) -> None:
    answer = api("/api/languages").json

    assert answer["count"] == len(answer["data"]) == 34
    assert answer["data"][1]["words"] == api("/api/words", {"language": 2}).json["total"]


def word_id_of(api: Ask, text: str, language: int) -> int:
    words = api("/api/words", {"search": text, "language": language}).json["data"]
    return next(int(word["id"]) for word in words if word["word"] == text)


def test_the_forms_of_a_word_tell_which_are_stored_and_which_are_made_by_rule(api: Ask) -> None:
    word_id = word_id_of(api, "খা", 2)
    answer = api(f"/api/words/{word_id}/forms").json
    origins = {form["form"]: form["origin"] for form in answer["data"]}

    assert answer["word_id"] == word_id
    assert (origins["খাওঁ"], origins["খালোঁ"], origins["খাম"]) == ("stored", "stored", "rule")
    assert next(form for form in answer["data"] if form["form"] == "খাম") == {
        "form": "খাম",
        "roman": "kham",
        "labels": {"en": "future: 1st person (মই)", "as": "ভৱিষ্যৎ কাল: প্ৰথম পুৰুষ (মই)"},
        "origin": "rule",
    }


def test_a_word_of_a_language_without_rules_has_the_forms_that_are_stored(api: Ask) -> None:
    forms = api(f"/api/words/{word_id_of(api, 'go', 1)}/forms").json["data"]

    assert [(form["form"], form["roman"], form["origin"]) for form in forms] == [
        ("gone", None, "stored"),
        ("went", None, "stored"),
    ]
    assert api(f"/api/words/{word_id_of(api, 'water', 1)}/forms").json["data"] == []


def test_a_word_that_is_not_there_has_no_forms(api: Ask) -> None:
    assert api("/api/words/999999999/forms").status == 404
