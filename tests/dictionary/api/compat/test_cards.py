from collections.abc import Callable

import pytest

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


def test_the_romanization_of_editors_comes_first(api: Ask) -> None:
    assert api("/api/wordgames_cards.php", {"set": 1}).json[3]["clue_pRoman"] == "so.rai"


@pytest.mark.parametrize("number", [3, 999_999_999, 10**17])
def test_an_unknown_set_is_404(api: Ask, number: int) -> None:
    assert api("/api/wordgames_cards.php", {"set": number}).status == 404


@pytest.mark.parametrize("number", ["first", "-1", "1.5"])
def test_a_set_that_is_no_number_is_400(api: Ask, number: str) -> None:
    assert api("/api/wordgames_cards.php", {"set": number}).status == 400
