from collections.abc import Callable

from tests.support.asgi import AsgiResponse

Ask = Callable[..., AsgiResponse]


def test_following_next_returns_every_word_of_a_search_once(api: Ask) -> None:
    read: list[int] = []
    address: str | None = "/api/words?limit=17&search=%E0%A6%95"
    while address:
        path, _, query = address.partition("?")
        answer = api(path, query).json
        read += [word["id"] for word in answer["data"]]
        address = answer["next"]

    assert len(read) == len(set(read)) == answer["total"] > 5


def test_a_word_and_its_idea_are_read_by_id(api: Ask) -> None:
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


def test_an_unknown_id_is_404(api: Ask) -> None:
    for path in ("/api/words/999999", "/api/words/999999999/forms", "/api/ideas/999999", "/api/phrases/999999"):
        answer = api(path)

        assert (answer.status, answer.headers["content-type"]) == (404, "application/problem+json"), path


def find_word_id(api: Ask, text: str, language: int) -> int:
    words = api("/api/words", {"search": text, "language": language}).json["data"]
    return next(int(word["id"]) for word in words if word["word"] == text)


def test_the_forms_of_a_word_are_marked_as_stored_or_made_by_rule(api: Ask) -> None:
    word_id = find_word_id(api, "খা", 2)
    answer = api(f"/api/words/{word_id}/forms").json
    origins = {form["form"]: form["origin"] for form in answer["data"]}

    assert answer["word_id"] == word_id
    assert api(f"/api/words/{word_id}").json["forms_url"] == f"/api/words/{word_id}/forms"
    assert (origins["খাওঁ"], origins["খালোঁ"], origins["খাম"]) == ("stored", "stored", "rule")
    assert next(form for form in answer["data"] if form["form"] == "খাম") == {
        "form": "খাম",
        "roman": "kham",
        "labels": {"en": "future: 1st person (মই)", "as": "ভৱিষ্যৎ কাল: প্ৰথম পুৰুষ (মই)"},
        "origin": "rule",
    }


def test_a_word_of_a_language_without_rules_has_only_stored_forms(api: Ask) -> None:
    forms = api(f"/api/words/{find_word_id(api, 'go', 1)}/forms").json["data"]

    assert [(form["form"], form["roman"], form["origin"]) for form in forms] == [
        ("gone", None, "stored"),
        ("went", None, "stored"),
    ]
    assert api(f"/api/words/{find_word_id(api, 'water', 1)}/forms").json["data"] == []
