from collections.abc import Callable

from tests.support.asgi import AsgiResponse

Ask = Callable[..., AsgiResponse]


def test_the_sets_are_a_bare_array(api: Ask) -> None:
    assert api("/api/wordgames.php").json[0] == {
        "id": 1,
        "name": "Animals",
        "language_id": 2,
        "answer_language_id": 1,
        "cards": 4,
        "description": "Animals of Assam",
        "names": [{"language_id": 1, "text": "Animals"}],
        "descriptions": [{"language_id": 1, "text": "Animals of Assam"}],
    }


def test_the_first_set_is_the_default(api: Ask) -> None:
    cards = api("/api/wordgames_cards.php").json

    assert cards[0] | {"idea_id": 0} == {
        "id": 1,
        "clue": "হাতী",
        "clue_pRoman": "ha.ti",
        "roman_generated": True,
        "answer": "elephant",
        "idea_id": 0,
        "picture": "🐘",
    }
    assert [card["answer"] for card in cards] == ["elephant", "fish", "buffalo", "bird"]


def test_a_romanization_by_an_editor_replaces_the_generated_one(api: Ask) -> None:
    assert api("/api/wordgames_cards.php", {"set": 1}).json[3]["clue_pRoman"] == "so.rai"
